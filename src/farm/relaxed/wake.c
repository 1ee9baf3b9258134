/* SPDX-License-Identifier: Apache-2.0 */
/* Sites that have work, and idle workers (R5, R9). */
#include "farm/relaxed/relaxed.h"

#include <time.h>

#include "pool/wait.h"

#define IDLE_SPINS 1000u

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

/* Has any site work? *free: such a site is not being visited. */
static bool anything_runnable(struct tf_site *site, const struct tf_fabric *fabric, bool *free)
{
    bool any = false;
    *free = false;
    for (unsigned i = 0; i < fabric->nodes && !*free; i++)
        if (tf_relaxed_runnable(&site[i], &fabric->node[i])) {
            any = true;
            *free = !tf_claim_taken(&site[i].relaxed.claim);
        }
    return any;
}

static bool over_limit(const struct tf_relaxed *relaxed, const struct tf_tiles *tiles)
{
    for (unsigned i = 0; i < tiles->count; i++)
        if (tiles->tile[i].slice.tick >= relaxed->limit)
            return true;
    return false;
}

/*
 * This worker first counts as idle, then reads the bell, then tests the sites: a site that is woken later rings the
 * bell again. Sites that others visit need no attention. Their worker tests them, and the sites that it has woken,
 * before it becomes idle. The end is tested because tf_relaxed_end() may have rung before the bell was read.
 */
void tf_relaxed_idle(struct tf_worker *worker)
{
    static const struct timespec until_report = {.tv_nsec = (long)(TF_PROGRESS_S * 1e9)};
    struct tf_chip *chip = worker->chip;
    struct tf_relaxed *relaxed = &chip->relaxed;
    unsigned idlers = atomic_fetch_add(&relaxed->idle, 1) + 1;
    unsigned bell = tf_count_value(&relaxed->bell);
    bool free, any = anything_runnable(chip->site, chip->fabric, &free);
    if (!free && atomic_load(&relaxed->end) < 0) {
        TF_PAUSE(IDLE)
        if (TF_MUTANT(LATE_BELL))
            bell = tf_count_value(&relaxed->bell);
        if (TF_MUTANT(PREMATURE_END) || (!any && idlers == relaxed->workers))
            tf_relaxed_end(relaxed, over_limit(relaxed, &chip->tiles) ? TF_END_CYCLES : TF_END_QUIET);
        else
            tf_count_wait(&relaxed->bell, bell, chip->workers.team.spin ? IDLE_SPINS : 0,
                          tf_relaxed_reports(worker) ? &until_report : NULL, NULL, &worker->relaxed.idle_spins,
                          &worker->relaxed.idle_sleeps);
    }
    atomic_fetch_sub(&relaxed->idle, 1);
}
