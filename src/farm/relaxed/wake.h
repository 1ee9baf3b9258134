/* SPDX-License-Identifier: Apache-2.0 */
/* Sites that have work (R5), and the bell of idle workers. */
#ifndef FARM_RELAXED_WAKE_H
#define FARM_RELAXED_WAKE_H

#include "farm/chip/chip.h"
#include "host/mutant.h"
#include "host/shared.h"
#include "tile/run/awaited.h"

/* Mark a site as woken, and wake an idle worker for it. Any thread that takes part in the run may call this. */
void tf_relaxed_wake(struct tf_relaxed *relaxed, struct tf_site *site);

/* End the run, unless it has ended already. Any worker. */
void tf_relaxed_end(struct tf_relaxed *relaxed, enum tf_end end);

/* Has the run ended? Any worker. */
static inline bool tf_relaxed_ended(const struct tf_relaxed *relaxed)
{
    return atomic_load_explicit(&relaxed->end, memory_order_relaxed) >= 0;
}

/* Does a site have work? Any worker; the answer may be out of date when it returns. */
bool tf_relaxed_runnable(const struct tf_site *site, const struct tf_node *node);

/* The pages of L1 that a site awaits (tf_awaited_pages()). For R5, after a store and a fence. Any worker. */
static inline uint64_t tf_relaxed_awaited(struct tf_site *site)
{
#if defined(TF_TSAN)
    return atomic_fetch_or(&site->relaxed.awaited, 0);
#else
    return atomic_load_explicit(&site->relaxed.awaited, memory_order_relaxed);
#endif
}

/* Publish the pages that a tile awaits when it becomes quiet. By the owner. Returns false if one of them has changed
   meanwhile (R5). */
bool tf_relaxed_await(struct tf_site *site, struct tf_tile *tile);

/* Wake a site if it awaits one of these pages. After the store and a fence. Any worker. */
static inline void tf_relaxed_stored(struct tf_relaxed *relaxed, struct tf_site *site, uint64_t pages)
{
    if ((tf_relaxed_awaited(site) & pages) != 0)
        tf_relaxed_wake(relaxed, site);
}

#endif
