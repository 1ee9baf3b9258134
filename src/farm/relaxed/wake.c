/* SPDX-License-Identifier: Apache-2.0 */
/* Sites that have work, and idle workers (R5, R9). */
#include "farm/relaxed/relaxed.h"

#include <time.h>

#define IDLE_SPINS 1000u

static void ring(struct tf_relaxed *relaxed)
{
    atomic_fetch_add(&relaxed->bell, 1);
    tf_wake(&relaxed->bell, &relaxed->sleepers);
}

void tf_relaxed_wake(struct tf_chip *chip, unsigned site)
{
    if (TF_MUTANT(LOST_WAKE) || atomic_exchange(&chip->site[site].relaxed.woken, true))
        return;
    if (atomic_load(&chip->relaxed.idle) != 0)
        ring(&chip->relaxed);
}

void tf_relaxed_end(struct tf_chip *chip, enum tf_end end)
{
    int running = -1;
    if (atomic_compare_exchange_strong(&chip->relaxed.end, &running, (int)end))
        ring(&chip->relaxed);
}

bool tf_relaxed_runnable(const struct tf_chip *chip, unsigned number)
{
    const struct tf_site *site = &chip->site[number];
    const struct tf_tile *tile = chip->fabric->node[number].tile;
    if (atomic_load(&site->relaxed.woken))
        return true;
    return tile != NULL && !atomic_load_explicit(&site->relaxed.quiet, memory_order_relaxed);
}

bool tf_relaxed_heed(struct tf_site *site, struct tf_tile *tile)
{
    uint64_t heeds = tf_tile_heeds(tile);
    if (atomic_exchange(&site->relaxed.heeds, heeds) == heeds)
        return true;
    tf_store_load_fence();
    return tf_tile_quiet(tile);
}

/* Has any site work? *free: such a site is not being visited. */
static bool anything_runnable(const struct tf_chip *chip, bool *free)
{
    bool any = false;
    *free = false;
    for (unsigned i = 0; i < chip->fabric->nodes && !*free; i++)
        if (tf_relaxed_runnable(chip, i)) {
            any = true;
            *free = !atomic_load(&chip->site[i].relaxed.claimed);
        }
    return any;
}

static bool over_limit(const struct tf_chip *chip)
{
    for (unsigned i = 0; i < chip->tiles.count; i++)
        if (chip->tiles.tile[i].slice >= chip->relaxed.limit)
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
    unsigned idlers = atomic_fetch_add(&chip->relaxed.idle, 1) + 1;
    unsigned bell = atomic_load(&chip->relaxed.bell);
    bool free, any = anything_runnable(chip, &free);
    if (!free && atomic_load(&chip->relaxed.end) < 0) {
        if (TF_MUTANT(PREMATURE_END) || (!any && idlers == chip->relaxed.workers))
            tf_relaxed_end(chip, over_limit(chip) ? TF_END_CYCLES : TF_END_QUIET);
        else
            tf_wait_while(&chip->relaxed.bell, bell, chip->workers.spin ? IDLE_SPINS : 0,
                          tf_relaxed_reports(worker) ? &until_report : NULL, &chip->relaxed.sleepers,
                          &worker->relaxed.idle_spins, &worker->relaxed.idle_sleeps);
    }
    atomic_fetch_sub(&chip->relaxed.idle, 1);
}
