/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words that actors read again and again. Two cores may both store to a word and both wait for it, as in Peterson's
 * lock: the algorithm allows either order. A core may also wait for a word of another node, by NOC reads.
 */
#include "races/ahead.h"
#include "races/cores.h"
#include "races/polls.h"
#include "races/state/spin.h"
#include "races/syncs.h"
#include "races/state/words.h"
#include "races/state/state.h"
#include "races/state/written.h"
#include "tile/run/tile.h"

#define LOOK_BYTES 16u      /* a read that polls L1 is not longer, */
#define LOOK_DRAM_BYTES 64u /* nor one that polls DRAM, whose alignment it has (NoC/Alignment.md) */

void polled(struct site *site, unsigned core, uint32_t pc, uint32_t word)
{
    uint8_t *pollers = sync_pollers(&site->syncs, word);
    if (pollers == NULL || (*pollers >> core & 1) != 0 || !spins(site->tile, pc))
        return;
    *pollers |= (uint8_t)(1u << core);
    if ((*pollers & (*pollers - 1)) != 0)
        withdraw(site, word, *pollers);
}

/* Does a core wait for the word? Its loop may not have run, if another condition has ended the wait before. */
static bool waits_for(const struct site *site, const uint8_t *pollers, tf_trace access)
{
    const unsigned core = tf_trace_slot(access) % SLOT_STORES;
    return (pollers != NULL && (*pollers >> core & 1) != 0) || waits_later(site->tile, tf_trace_pc(access));
}

bool both_poll(const struct site *site, uint32_t word, tf_trace one, tf_trace other)
{
    const uint8_t *pollers = sync_pollers(&site->syncs, word);
    return waits_for(site, pollers, one) && waits_for(site, pollers, other);
}

bool noc_polls(struct site *site, const struct tf_noc_request *request, uint32_t caller)
{
    if (request->kind != TF_NOC_READ || request->multicast || request->core >= cores_of(site))
        return false;
    const bool dram = site->all->fabric->node[request->target].l1 == NULL;
    if (request->length > (dram ? LOOK_DRAM_BYTES : LOOK_BYTES))
        return false;
    const struct look now = {request->address, request->pc, request->target, request->core};
    for (unsigned i = 0; i < LOOKS; i++) {
        struct look *last = &site->look[i];
        if (last->pc != now.pc || last->core != now.core)
            continue;
        const bool again = last->address == now.address && last->target == now.target;
        *last = now;
        return again;
    }
    site->look[site->oldest_look++ % LOOKS] = now;
    return is_in_loop(site->tile, request->pc) || is_in_loop(site->tile, caller);
}

bool noc_polled(struct site *site, const struct who *who, uint64_t word)
{
    struct tf_shadow_words *words = tf_shadow_words(&site->shadow, word);
    if (words == NULL)
        return false;
    const unsigned index = tf_shadow_word(word);
    struct tf_cell *cell = &words->cell[index];
    read_first(site, who, word);
    if (!words->synchronizes[index] && (cell->write == 0 || !is_ordered(site, who, cell->write))) {
        mark_sync(site, word, &words->synchronizes[index], cell->write);
        withdraw_read(site, word, who->record);
    }
    note_read(site, who, cell, words->synchronizes[index], TF_WORD_BYTES);
    return words->synchronizes[index] != 0;
}
