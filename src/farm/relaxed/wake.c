/* SPDX-License-Identifier: Apache-2.0 */
/* Sites that have work (R5). */
#include "farm/relaxed/wake.h"

#include "pool/wait.h"

void tf_relaxed_wake(struct tf_relaxed *relaxed, struct tf_site *site)
{
    if (TF_MUTANT(LOST_WAKE) || atomic_exchange(&site->relaxed.woken, true))
        return;
    TF_PAUSE(WAKE)
    if (atomic_load(&relaxed->idle) != 0)
        tf_count_advance(&relaxed->bell);
}

void tf_relaxed_end(struct tf_relaxed *relaxed, enum tf_end end)
{
    int running = -1;
    if (atomic_compare_exchange_strong(&relaxed->end, &running, (int)end))
        tf_count_advance(&relaxed->bell);
}

bool tf_relaxed_runnable(const struct tf_site *site, const struct tf_node *node)
{
    if (atomic_load(&site->relaxed.woken))
        return true;
    return node->tile != NULL && !atomic_load_explicit(&site->relaxed.quiet, memory_order_relaxed);
}

bool tf_relaxed_await(struct tf_site *site, struct tf_tile *tile)
{
    uint64_t awaited = tf_tile_awaits(tile);
    TF_PAUSE(AWAITED)
    if (atomic_exchange(&site->relaxed.awaited, awaited) == awaited)
        return true;
    if (TF_MUTANT(SINGLE_TEST))
        return true;
    tf_store_load_fence();
    return tf_tile_quiet(tile);
}
