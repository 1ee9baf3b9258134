/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words that actors read again and again. Two cores may both store to a word and both wait for it, as in Peterson's
 * lock: the algorithm allows either order. A core may also wait for a word of another node, by NOC reads.
 */
#include <string.h>

#include "races/ahead.h"
#include "races/cores.h"
#include "races/polls.h"
#include "races/state/exits.h"
#include "races/state/insn.h"
#include "races/state/rounds.h"
#include "races/state/spin.h"
#include "races/syncs.h"
#include "races/state/words.h"
#include "races/state/state.h"
#include "races/state/written.h"
#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/ids.h"
#include "tile/run/tile.h"

#define LOOK_BYTES 16u /* a read that polls L1 is not longer, if its loop does not show what ends it, */
#define LOOK_LINE_BYTES \
    64u /* nor than that if it does, or if it polls DRAM, whose alignment it has (NoC/Alignment.md) */

/* A core loads a word that passes a clock on. Keep the core's clock from before the first round of its loop, if others
   take the word. */
static void note_spin(struct site *site, unsigned core, uint32_t pc, uint32_t word, const struct sync *sync)
{
    struct race_core *of = &site->core[core];
    struct spin *spin = &of->spin;
    if (spin->address != word || spin->pc != pc || spin->event + 1 != of->events) {
        tf_view_clear(&spin->before);
        spin->held = false;
    }
    if (!spin->held && sync->taken != 0 && tf_trace_slot(sync->taken) != SLOT_STORES + core) {
        tf_view_join(&spin->before, of->view.clock);
        spin->held = true;
    }
    memcpy(&spin->seen, site->tile->l1 + word, sizeof spin->seen);
}

void polled(struct site *site, unsigned core, uint32_t pc, uint32_t word)
{
    struct sync *sync = sync_at(&site->syncs, word);
    if (sync == NULL)
        return;
    note_spin(site, core, pc, word, sync);
    if ((sync->pollers >> core & 1) != 0 || !polls(site->tile, core, pc, word))
        return;
    sync->pollers |= (uint8_t)(1u << core);
    if ((sync->pollers & (sync->pollers - 1)) != 0)
        withdraw(site, word, sync->pollers);
}

/*
 * A core has seen a word as 0, and sets it at once, so that others wait: a lock without an atomic. Another core has
 * done so with the same value. Did the core know of that before it looked at the word? Else both may see 0. In
 * Peterson's lock each core stores a value of its own, and in a sense barrier the arrivals of all cores are known.
 */
void doubt_taking(struct site *site, struct who *who, struct tf_check_access access)
{
    const struct race_core *of = &site->core[access.core];
    const struct spin *spin = &of->spin;
    struct tf_rv_insn insn;
    uint32_t now;
    memcpy(&now, site->tile->l1 + (access.address & ~3u), sizeof now);
    if (spin->address != access.address || spin->event + 1 != of->events || access.bytes != 4 ||
        (spin->synchronizes ? spin->seen : now) != 0 || !insn_at(site->tile, access.pc, &insn))
        return;
    const uint32_t value = site->tile->hart[access.core].x[insn.rs2];
    if (value == 0 || !spins(site->tile, spin->pc) || sync_view(&site->syncs, access.address) == NULL)
        return;
    struct sync *sync = sync_at(&site->syncs, access.address);
    struct who before = *who;
    before.view = &spin->before;
    if (sync->taken != 0 && sync->value == value && spin->held && !is_ordered(site, &before, sync->taken)) {
        who->fix = taken_twice;
        found(site, TF_RACE_DATA, access.address, sync->taken, who);
        who->fix = NULL;
    }
    sync->taken = tf_trace_of_bytes(who->trace, TF_WORD_BYTES);
    sync->value = value;
}

/* Does a core wait for the word? Its loop may not have run, if another condition has ended the wait before. */
static bool waits_for(const struct site *site, const struct sync *sync, tf_trace access)
{
    const unsigned core = tf_trace_slot(access) % SLOT_STORES;
    return (sync != NULL && (sync->pollers >> core & 1) != 0) || waits_later(site->tile, tf_trace_pc(access));
}

bool both_poll(const struct site *site, uint32_t word, tf_trace one, tf_trace other)
{
    const struct sync *sync = sync_at(&site->syncs, word);
    return waits_for(site, sync, one) && waits_for(site, sync, other);
}

#define FRAMES_BYTES 256u /* of the stack */

/* Does a function return to pc that the place `inner` is in? Then pc follows a call of one that begins before. */
static bool returns_to(const struct tf_tile *tile, uint32_t pc, uint32_t inner)
{
    struct tf_rv_insn call;
    if (!insn_at(tile, pc - 4, &call) || call.rd != 1 || (call.id != TF_RV_JAL && call.id != TF_RV_JALR))
        return false;
    return call.id == TF_RV_JALR || pc - 4 + (uint32_t)call.imm <= inner;
}

/* Does a core that reads over the NOC wait for the result of the function that it is in, or of one that calls it? Or is
   one of these functions, or the read, in a loop that ends by a value of the data? Return addresses are on the
   stack. */
static bool awaits_result(const struct site *site, const struct tf_noc_request *request)
{
    const struct tf_hart *hart = &site->tile->hart[request->core];
    const uint32_t pc = request->pc, landing = (uint32_t)request->return_address;
    uint32_t offset = hart->x[2] - TF_LOCAL_BASE, inner = pc, to = hart->x[1];
    if (ends_by_load(site->tile, pc, hart->x, landing, request->length))
        return true;
    for (unsigned i = 0; i <= FRAMES_BYTES / sizeof to; i++) {
        if (returns_to(site->tile, to, inner)) {
            if (waits_for_call(site->tile, to - 4) ||
                ends_by_load(site->tile, to - 4, hart->x, landing, request->length))
                return true;
            inner = to;
        }
        if (hart->local == NULL || offset > hart->local_bytes - sizeof to)
            return false;
        memcpy(&to, hart->local + offset, sizeof to);
        offset += sizeof to;
    }
    return false;
}

bool noc_polls(struct site *site, const struct tf_noc_request *request, uint32_t caller)
{
    if (request->kind != TF_NOC_READ || request->multicast || request->core >= cores_of(site))
        return false;
    const bool dram = site->all->fabric->node[request->target].l1 == NULL;
    const bool brief = request->length <= (dram ? LOOK_LINE_BYTES : LOOK_BYTES);
    if (request->length > LOOK_LINE_BYTES)
        return false;
    struct look now = {request->address, request->pc, request->target, request->core, brief};
    for (unsigned i = 0; i < LOOKS; i++) {
        struct look *last = &site->look[i];
        if (last->pc != now.pc || last->core != now.core)
            continue;
        const bool again = last->address == now.address && last->target == now.target;
        now.flags |= again && last->flags;
        *last = now;
        return again && now.flags;
    }
    const bool waits = awaits_result(site, request);
    now.flags |= waits;
    site->look[site->oldest_look++ % LOOKS] = now;
    return waits || (brief && (is_in_loop(site->tile, request->pc) || is_in_loop(site->tile, caller)));
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
