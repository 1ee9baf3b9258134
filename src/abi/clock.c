/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many cycles a call of libttsim_clock() runs. Clients poll: they read a word, call clock(1), and read it again
 * until it changes. So a call runs more cycles the longer the host repeats the same accesses. The chip runs whole
 * ticks, and more of them the longer the host makes no access between calls: each begins an epoch. Cycles beyond the
 * requested ones count for the next calls, until the host writes. All of this depends on the calls of the host only, so
 * equal calls give equal runs.
 */
#include "abi/clock.h"

#include <string.h>
#include <xxhash.h>

#include "farm/epoch/time.h"
#include "abi/abi.h"
#include "abi/families.h"
#include "abi/debug.h"
#include "abi/hang.h"
#include "host/extremes.h"
#include "abi/report.h"
#include "system/lead.h"
#include "system/state.h"
#include "system/system.h"

#define FACTOR_MAX (1u << 16)
#define PACED_CYCLES_MAX (1u << 18)
#define POLLED_BYTES_MAX 1024u /* clients poll with shorter reads; comparing longer ones costs too much */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9E3779B97F4A7C15ull;
    return hash ^ hash >> 29;
}

static uint64_t hash_of(const void *data, uint32_t bytes)
{
    uint32_t word;
    if (bytes != sizeof word)
        return XXH3_64bits(data, bytes);
    memcpy(&word, data, sizeof word);
    return word;
}

void abi_note(struct abi *abi, const struct abi_access *access)
{
    struct abi_pace *pace = &abi->pace;
    const void *data = access->into != NULL ? access->into : access->from;
    pace->wrote |= access->into == NULL && !abi_is_window_config(abi, access->address);
    pace->differs |= pace->wrote || access->bytes > POLLED_BYTES_MAX;
    if (pace->differs)
        return;
    pace->accesses++;
    pace->round = mix(mix(pace->round, access->address << 8 ^ access->bytes), hash_of(data, access->bytes));
}

static uint64_t paced_cycles(struct abi_pace *pace, uint32_t cycles)
{
    uint64_t round = mix(pace->round, pace->accesses);
    bool repeats = !pace->differs && pace->accesses != 0 && round == pace->round_before;
    if (!repeats)
        pace->factor = 1;
    else if (pace->factor < FACTOR_MAX)
        pace->factor *= 2;
    pace->round_before = round;
    pace->round = 0;
    pace->accesses = 0;
    pace->differs = false;
    cycles = tf_max(cycles, pace->least);
    uint64_t paced = (uint64_t)cycles * pace->factor;
    if (paced > PACED_CYCLES_MAX)
        paced = tf_max(cycles, PACED_CYCLES_MAX);
    return paced;
}

/* Has a debugger saved the chips, after which they run on? */
static bool is_saved(struct abi *abi, enum tf_end end)
{
    return abi->gdb != NULL && tf_gdb_saved(abi->gdb, end);
}

static void run_system(struct abi *abi, uint64_t until)
{
    if (!tf_system_is_quiet(abi->system)) {
        enum tf_end end = TF_END_QUIET;
        int error;
        abi->running = true;
        do {
            const struct tf_system_run_options options = {.run.cycles_max = until - abi_cycles(abi)};
            error = tf_system_run(abi->system, &options, &end);
        } while (is_saved(abi, end) && abi_cycles(abi) < until);
        abi->running = false;
        abi->stopped = end == TF_END_FAULT || error != TF_OK;
        if (error == TF_EIO)
            abi_refuse(abi, "%.180s", tf_lead_why(abi->lead));
        else if (abi->stopped)
            abi_debug_stopped(abi);
        if (abi->stopped && abi->gdb != NULL)
            tf_gdb_ended(abi->gdb, end);
    }
    if (!abi->stopped)
        tf_system_pass(abi->system, until);
}

/* Run to a cycle, or until a fault. */
static void run(struct abi *abi, uint64_t until)
{
    struct tf_chip *chip = abi->chip;
    if (abi->system != NULL) {
        run_system(abi, until);
        return;
    }
    if (!tf_sites_none(&chip->epochs.active)) {
        enum tf_end end = TF_END_QUIET;
        abi->running = true;
        do
            tf_run(chip, &(struct tf_run_options){.cycles_max = until - tf_chip_cycles(chip)}, &end);
        while (is_saved(abi, end) && tf_chip_cycles(chip) < until);
        abi->running = false;
        abi->stopped = end == TF_END_FAULT;
        if (abi->stopped)
            abi_debug_stopped(abi);
        if (abi->stopped && abi->gdb != NULL)
            tf_gdb_ended(abi->gdb, end);
    }
    uint64_t cycle = tf_chip_cycles(chip);
    if (!abi->stopped && cycle < until)
        tf_pass_time(&chip->epochs, &chip->schedule, until - cycle);
}

/* The number of cycles that a call runs beyond the requested ones. It equals the number that the host has requested
   since its last access, up to one epoch. It is 0 once the chip has accessed memory of the host, because the library
   does not see the host's own accesses there. */
static uint64_t cycles_beyond(const struct abi *abi, uint64_t wanted)
{
    if (abi->pace.shares)
        return 0;
    return tf_min(abi->pace.asked - wanted - abi->pace.rests, abi->chip->rules.epoch_cycles_max);
}

/* Note how far the chip leads: it has run more than it was asked to, the host has accessed nothing since the last call,
   and there is no observer. */
static void note_lead(struct abi *abi)
{
    struct abi_pace *pace = &abi->pace;
    uint64_t cycle = abi_cycles(abi);
    bool rests = pace->round_before == mix(0, 0) && pace->factor == 1 && pace->least <= 1;
    bool looked_at = abi->record != NULL || abi->past != NULL || abi->gdb != NULL || abi->hang.on || abi->hang.signal;
    if (rests && !looked_at && !abi->stopped && cycle > pace->asked)
        pace->lead = (uint32_t)tf_min(cycle - pace->asked, UINT32_MAX);
}

void abi_clock(struct abi *abi, uint32_t cycles)
{
    struct abi_pace *pace = &abi->pace;
    bool accessed = pace->differs || pace->accesses != 0;
    uint64_t wanted = paced_cycles(pace, cycles);
    if (accessed)
        pace->rests = pace->asked;
    if (abi->stopped || cycles == 0)
        return;
    if (pace->wrote)
        pace->asked = pace->rests = abi_cycles(abi);
    pace->wrote = false;
    pace->asked += wanted;
    if (abi_cycles(abi) < pace->asked)
        run(abi, pace->asked + cycles_beyond(abi, wanted));
    abi->hang.clocks += cycles;
    if (abi->hang.on || abi->hang.signal)
        abi_hang_check(abi);
    if (abi->gdb != NULL)
        tf_gdb_poll(abi->gdb);
    note_lead(abi);
}

/*
 * A debugger's command to a core: RISC_DBG_CNTL_0 triggers a write of DR(1) (WormholeB0/TensixTile/BabyRISCV/
 * DebugInterface.md). Debuggers read the outcome by further writes and a final read, and clients call clock() only
 * after reads. On hardware each write takes hundreds of cycles, so the core has acted by then.
 */
#define DEBUG_CONTROL TF_DEBUG_ADDRESS(TF_DEBUG_RISC_CNTL_0)
#define DEBUG_COMMAND_MASK 0x800107FFu
#define DEBUG_COMMAND 0x80010001u

void abi_written(struct abi *abi, uint64_t address, const struct abi_access *access)
{
    uint32_t control;
    abi->pace.reset |= TF_DEBUG_ADDRESS(TF_DEBUG_SOFT_RESET_0) - address < access->bytes;
    if (address != DEBUG_CONTROL || access->bytes != sizeof control)
        return;
    memcpy(&control, access->from, sizeof control);
    if ((control & DEBUG_COMMAND_MASK) == DEBUG_COMMAND && !abi->stopped)
        run(abi, abi_cycles(abi) + 1);
}

/* A host may want the chip to advance between its accesses (TILEFARM_CLOCK). It may read results of cores immediately
   after it has released them: clients call clock() only after reads. */
void abi_reset_written(struct abi *abi)
{
    struct abi_pace *pace = &abi->pace;
    if (pace->reset && pace->least > 1 && !abi->stopped)
        run(abi, abi_cycles(abi) + pace->least);
    pace->reset = false;
}
