/* SPDX-License-Identifier: Apache-2.0 */
/* Idle workers, and the end of a run in which nothing has work (R9). */
#include "farm/relaxed/idle.h"

#include <time.h>

#include "farm/relaxed/end.h"
#include "farm/relaxed/link.h"
#include "farm/relaxed/wake.h"
#include "pool/wait.h"

#define IDLE_SPINS 1000u

/* Has any site work? *free: such a site is not being visited. */
static bool anything_runnable(const struct tf_relaxed *relaxed, bool *free)
{
    bool any = false;
    *free = false;
    for (unsigned chip = 0; chip < relaxed->chips; chip++) {
        struct tf_site *site = relaxed->chip[chip]->site;
        const struct tf_fabric *fabric = relaxed->chip[chip]->fabric;
        for (unsigned i = 0; i < fabric->nodes && !*free; i++)
            if (tf_relaxed_runnable(&site[i], &fabric->node[i])) {
                any = true;
                *free = !tf_claim_taken(&site[i].relaxed.claim);
            }
    }
    return any;
}

static bool over_limit(const struct tf_relaxed *relaxed)
{
    for (unsigned chip = 0; chip < relaxed->chips; chip++) {
        const struct tf_tiles *tiles = &relaxed->chip[chip]->tiles;
        for (unsigned i = 0; i < tiles->count; i++)
            if (tiles->tile[i].slice.tick >= relaxed->limit)
                return true;
    }
    return false;
}

/* All workers were idle, and no site had work. If that is still so, let time pass, or end the run. One worker at a
   time, because another one may come here before the first has woken a site. */
static void end_or_pass(struct tf_relaxed *relaxed)
{
    bool free, late = false;
    if (!tf_claim_take(&relaxed->passing))
        return;
    if (atomic_load(&relaxed->idle) == relaxed->workers && !anything_runnable(relaxed, &free) &&
        !tf_relaxed_pass_time(relaxed, &late))
        tf_relaxed_end(relaxed, late || over_limit(relaxed) ? TF_END_CYCLES : TF_END_QUIET);
    tf_claim_leave(&relaxed->passing);
}

/*
 * This worker first counts as idle, then reads the bell, then tests the sites: a site that is woken later rings the
 * bell again. Sites that others visit need no attention. Their worker tests them, and the sites that it has woken,
 * before it becomes idle. The end is tested because tf_relaxed_end() may have rung before the bell was read.
 */
void tf_relaxed_idle(struct tf_relaxed *relaxed, unsigned number)
{
    static const struct timespec until_report = {.tv_nsec = (long)(TF_PROGRESS_S * 1e9)};
    struct tf_relaxed_worker *worker = &relaxed->chip[0]->workers.worker[number].relaxed;
    unsigned idlers = atomic_fetch_add(&relaxed->idle, 1) + 1;
    unsigned bell = tf_count_value(&relaxed->bell);
    bool free, any = anything_runnable(relaxed, &free);
    if (!free && atomic_load(&relaxed->end) < 0) {
        TF_PAUSE(IDLE)
        if (TF_MUTANT(LATE_BELL))
            bell = tf_count_value(&relaxed->bell);
        if (TF_MUTANT(PREMATURE_END))
            tf_relaxed_end(relaxed, TF_END_QUIET);
        else if (!any && idlers == relaxed->workers)
            end_or_pass(relaxed);
        else
            tf_count_wait(&relaxed->bell, bell, relaxed->team->spin ? IDLE_SPINS : 0,
                          tf_relaxed_reports(relaxed, number) ? &until_report : NULL, NULL, &worker->idle_spins,
                          &worker->idle_sleeps);
    }
    atomic_fetch_sub(&relaxed->idle, 1);
}
