/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stores to TDMA-RISC: parameters that all cores share, commands to the mover, and what PACR_SETREG and UNPACR_NOP
 * read. A load of the status, or a pushed instruction, may overtake them. Source: WormholeB0/TensixTile/TDMA-RISC.md.
 */
#include "races/tensix/config.h"
#include "races/tensix/tdma.h"
#include "races/state/state.h"
#include "tilefarm_address.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/isa/isa.h"
#include "tile/run/tile.h"

#define OFFSET_STATUS 0x14u
#define MOVER_BUSY 1u

/* The number of the shared word that a register sets; TDMA_WORDS if it sets no word that several cores share. */
static unsigned word_of(uint32_t offset)
{
    switch (offset) {
    case 0x00:
    case 0x04:
    case 0x08:
    case 0x0C: return offset / 4; /* CmdParams */
    case 0x24: return TDMA_SETREG;
    case 0x28: return TDMA_SETREG + 1;
    case 0x38: return TDMA_SETREG + 2;
    case 0x3C:
    case 0x13C: return TDMA_SETREG + 3;
    default: return TDMA_WORDS;
    }
}

void tdma_stored(struct site *site, unsigned core, uint32_t pc, uint32_t address)
{
    struct race_core *of = &site->core[core];
    const unsigned word = word_of(address - TF_TDMA_BASE);
    const struct who who = {
        .view = &of->view,
        .own = {(int)(SLOT_CORE + core), (int)(SLOT_STORES + core)},
        .trace = tf_trace_make(SLOT_STORES + core, TF_WORD_BYTES, pc, core_time(site, core)),
        .write = true,
    };
    if (word < TDMA_WORDS) {
        const tf_trace before = site->tdma[word];
        const unsigned other = before == 0 ? core : tf_trace_slot(before) - SLOT_STORES;
        if (other != core && !tf_view_knows(who.view, TF_ACTOR(site->number, SLOT_CORE + other), tf_trace_time(before)))
            found(site, TF_RACE_DATA, address, before, &who);
        site->tdma[word] = who.trace;
    }
    if (stores_synchronized(site, core, TF_TRISC_SYNC_TRACK_TDMA))
        return;
    of->tdma = tf_trace_time(who.trace);
    if (word >= TDMA_SETREG && word < TDMA_WORDS)
        of->setreg = (struct config_store){who.trace, address};
}

void tdma_loaded(struct site *site, unsigned core, uint32_t address, uint32_t value)
{
    struct race_core *of = &site->core[core];
    if (of->tdma <= of->emitted)
        tdma_arrived(of);
    if (address == TF_TDMA_BASE + OFFSET_STATUS && (value & MOVER_BUSY) == 0)
        mover_idle(site, core);
}

void tdma_arrived(struct race_core *of)
{
    of->tdma = 0;
    of->setreg.trace = 0;
}

/* Does the instruction read the words for SETREG? PACR_SETREG does, and UNPACR_NOP with Unpack_Pop 0 and bit 0 of
   src_clr_val_ctrl set. Sources: PACR_SETREG.md, UNPACR_NOP_SETREG.md. */
static bool reads_setreg(uint32_t word)
{
    return word >> 24 == TF_OP_PACR_SETREG ||
           (word >> 24 == TF_OP_UNPACR_NOP && TF_FIELD(word, UNPACR_NOP, unpack_pop) == 0 &&
            (TF_FIELD(word, UNPACR_NOP, src_clr_val_ctrl) & 1) != 0);
}

void tdma_passed(struct site *site, unsigned t, uint32_t word, uint32_t pc, uint64_t cycle)
{
    struct race_core *of = &site->core[TF_CORE_T0 + t];
    const unsigned slot = SLOT_OF_PUSHED(t);
    if (of->setreg.trace == 0 || !reads_setreg(word))
        return;
    const struct who who = {
        .view = &site->thread[t].view,
        .own = {(int)slot, (int)slot},
        .trace = tf_trace_make(slot, TF_WORD_BYTES, pc, time_at(site, cycle)),
    };
    found(site, TF_RACE_OVERTAKEN, of->setreg.address, of->setreg.trace, &who);
}
