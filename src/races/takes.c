/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Locks that a core takes by a NOC read, which finds 0, and a NOC write. Two cores may both find 0, and both go on. The
 * second one is in order only if it knew of the first one's write before it looked. What it has learned by looking does
 * not count: in another order the word would still have been 0.
 */
#include "races/takes.h"

#include <stdlib.h>
#include <string.h>

#include "races/cores.h"
#include "races/state/records.h"
#include "races/state/words.h"
#include "races/syncs.h"
#include "tile/run/tile.h"

static bool is_same(const struct looked *looked, const struct tf_noc_request *request)
{
    return looked->looks && looked->address == request->address && looked->target == request->target;
}

/* A word of the tile's L1; a place elsewhere has none, as 0. */
static uint32_t word_at(const struct site *site, uint64_t address)
{
    uint32_t word = 0;
    if (address <= site->tile->arch->l1_bytes - sizeof word)
        memcpy(&word, site->tile->l1 + address, sizeof word);
    return word;
}

static void look(struct site *site, struct looked *looked, const struct tf_noc_request *request)
{
    if (!is_same(looked, request)) {
        tf_view_clear(&looked->before);
        tf_view_join(&looked->before, site->core[request->core].view.clock);
    }
    looked->address = request->address;
    looked->target = request->target;
    looked->landing = request->return_address;
    looked->looks = true;
}

void take_issued(struct site *site, const struct tf_noc_request *request, struct issue *issue)
{
    if (request->core >= cores_of(site) || request->multicast)
        return;
    const bool looks = issue->record.polls && request->length == sizeof(uint32_t);
    if (site->looked == NULL && looks)
        site->looked = calloc(TF_TILE_CORES, sizeof *site->looked);
    if (site->looked == NULL) {
        site->lost |= looks;
        return;
    }
    struct looked *looked = &site->looked[request->core];
    if (looks) {
        look(site, looked, request);
        return;
    }
    if (request->kind == TF_NOC_WRITE && request->length == sizeof(uint32_t) && is_same(looked, request) &&
        word_at(site, looked->landing) == 0) {
        issue->taken = word_at(site, request->source_address);
        issue->before = tf_clock_hold(looked->before.clock);
    }
    looked->looks = false;
}

void take_acts(struct site *site, const struct issue *issue, const struct who *who, uint32_t word)
{
    if (issue->taken == 0 || sync_view(&site->syncs, word) == NULL)
        return;
    struct sync *sync = sync_at(&site->syncs, word);
    const struct record *last = tf_trace_slot(sync->taken) == TF_SLOT_REQUEST ? record_of(site, sync->taken) : NULL;
    const bool own = last != NULL && last->source == issue->record.source && last->core == issue->record.core;
    const struct tf_view before = {issue->before};
    struct who taker = *who;
    taker.view = &before;
    taker.fix = taken_twice;
    if (sync->taken != 0 && sync->value == issue->taken && !own && !is_ordered(site, &taker, sync->taken))
        found(site, TF_RACE_DATA, word, sync->taken, &taker);
    sync->taken = tf_trace_of_bytes(who->trace, TF_WORD_BYTES);
    sync->value = issue->taken;
}

void takes_free(struct site *site)
{
    for (unsigned core = 0; core < TF_TILE_CORES && site->looked != NULL; core++)
        tf_view_clear(&site->looked[core].before);
    free(site->looked);
    site->looked = NULL;
}
