/* SPDX-License-Identifier: Apache-2.0 */
/* Times have 32 bits. Before they would wrap, the checker forgets older accesses. */
#include "races/counts.h"
#include "races/age.h"

#include <stdlib.h>
#include <string.h>

#include "races/races.h"
#include "races/streams.h"
#include "races/takes.h"
#include "races/state/state.h"
#include "races/state/unanswered.h"

#define AGE_MOST (UINT32_C(1) << 31) /* a core may be ahead of its epoch */

/* Views also forget that requests are done. Requests that an actor knows to be done are then not reported as not waited
   for. */
static void forget_finished(struct site *site)
{
    for (unsigned i = 0; i < SLOTS - SLOT_CLASS && site->latest != NULL; i++)
        for (unsigned core = 0; core < TF_TILE_CORES; core++)
            if (tf_view_knows(&site->core[core].view, site->latest[i].actor, site->latest[i].time))
                site->latest[i].core = TF_TILE_CORES;
}

static void forget_cores(struct site *site)
{
    for (unsigned i = 0; i < TF_TILE_CORES; i++) {
        struct race_core *core = &site->core[i];
        tf_view_clear(&core->view);
        tf_view_clear(&core->spin.before);
        loads_answered(core);
        *core = (struct race_core){.view = core->view};
    }
    for (unsigned t = 0; t < THREADS; t++) {
        struct race_thread *thread = &site->thread[t];
        tf_view_clear(&thread->view);
        thread->of_own = thread->of_b = (struct core_known){.time = 0};
        thread->waits = (struct waits){.newest = 0};
        memset(thread->last, 0, sizeof thread->last);
        memset(thread->reads, 0, sizeof thread->reads);
        memset(thread->done, 0, sizeof thread->done);
    }
    site->commanded = 0;
    memset(site->config, 0, sizeof site->config);
    memset(site->pushed, 0, sizeof site->pushed);
    memset(site->bank, 0, sizeof site->bank);
    memset(site->described, 0, sizeof site->described);
    takes_free(site);
    free(site->dst);
    free(site->dst_by_cores);
    free(site->config_words);
    site->dst = NULL;
    site->dst_by_cores = NULL;
    site->config_words = NULL;
    streams_free(site);
}

/* Requests under way continue with empty clocks: they know of no earlier access. */
static void forget_requests(struct site *site)
{
    for (unsigned parity = 0; parity < 2; parity++)
        for (uint32_t i = 0; i < site->issues[parity].count; i++) {
            struct issue *issue = &site->issues[parity].issue[i];
            tf_release_drop(&issue->record.release);
            tf_clock_drop(issue->gained);
            tf_clock_drop(issue->before);
            issue->record.release = (struct tf_release){.clock = NULL};
            issue->gained = NULL;
            issue->before = NULL;
        }
    for (unsigned noc = 0; noc < 2; noc++)
        for (unsigned tid = 0; tid < TF_NOC_TIDS && site->gained[noc] != NULL; tid++)
            tf_view_clear(&site->gained[noc][tid]);
}

void tf_races_epoch(struct tf_races *races, uint64_t cycle)
{
    races->outside.epoch = cycle;
    if (cycle - races->base < AGE_MOST)
        return;
    for (unsigned i = 0; i < races->sites; i++) {
        struct site *site = &races->site[i];
        forget_finished(site);
        tf_shadow_forget(&site->shadow, 0, UINT64_MAX / 2);
        forget_cores(site);
        forget_requests(site);
        packets_forget(site);
        if (site->paths.path != NULL)
            memset(site->paths.path, 0, site->paths.room * sizeof *site->paths.path);
        site->paths.count = 0;
        for (uint32_t at = 0; at < site->syncs.room; at++) {
            tf_view_clear(&site->syncs.sync[at].view);
            site->syncs.sync[at].taken = 0;
            count_forget(&site->syncs.sync[at]);
        }
    }
    tf_view_clear(&races->host);
    host_forget(races);
    races->base = cycle;
}
