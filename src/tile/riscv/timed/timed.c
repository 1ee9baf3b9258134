/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/ids.h"
#include "tile/riscv/timed/timed.h"

#include <stdlib.h>
#include <string.h>

#include "host/extremes.h"
#include "host/saved.h"
#include "tile/times.h"
#include "tile/hash.h"
#include "tile/riscv/code/page.h"
#include "tile/riscv/hart/pure.h"
#include "tile/riscv/timed/fetch.h"
#include "tile/riscv/timed/trail.h"
#include "tile/riscv/timed/wait.h"
#include "tile/state.h"
#include "tilefarm_address.h"

bool tf_timed_create(struct tf_tile *tile)
{
    struct tf_timed_tile *whole = calloc(1, sizeof *whole);
    tile->timing = whole != NULL ? &whole->timing : NULL;
    return whole != NULL;
}

void tf_timed_destroy(struct tf_tile *tile)
{
    if (tile->timing != NULL)
        tf_path_destroy(tf_path_of(tile->timing));
    free(tile->timing);
    tile->timing = NULL;
}

static inline unsigned duration(const struct tf_tile *tile, enum tf_time time)
{
    return tile->arch->times->value[time];
}

/* The registers that an instruction reads, by their numbers in ready[]: as bits of x and of f. */
static void read_of(const struct tf_rv_insn *insn, uint32_t *x, uint32_t *f)
{
    const uint32_t rs1 = UINT32_C(1) << insn->rs1, rs2 = UINT32_C(1) << insn->rs2;
    *x = insn->id >= TF_RV_LISTED ? 0 : tf_rv_x_read(insn);
    switch (tf_rv_info(insn->id)->format) {
    case TF_RV_FMT_FSTORE: *f = rs2; break;
    case TF_RV_FMT_R4: *f = rs1 | rs2 | UINT32_C(1) << insn->rs3; break;
    case TF_RV_FMT_FR:
    case TF_RV_FMT_FCMP: *f = rs1 | rs2; break;
    case TF_RV_FMT_FFF:
    case TF_RV_FMT_FXF: *f = rs1; break;
    default: *f = 0; break;
    }
}

static void await_registers(struct tf_core_timing *timing, struct tf_hart *hart, uint32_t set, unsigned first)
{
    for (; set != 0; set &= set - 1) {
        unsigned r = first + (unsigned)__builtin_ctz(set);
        tf_timed_wait(timing, &hart->cycle, timing->ready[r], (enum tf_time)timing->because[r]);
    }
}

/* The row with the latency of a load from a register window. */
static enum tf_time time_of_window(enum tf_window_id window)
{
    switch (window) {
    case TF_AT_OWN_LOCAL: return TF_TIME_RV_LOAD_LOCAL;
    case TF_AT_PCBUF0:
    case TF_AT_PCBUF1:
    case TF_AT_PCBUF2:
    case TF_AT_MAILBOX: return TF_TIME_RV_LOAD_SYNC;
    case TF_AT_GPRS:
    case TF_AT_CONFIG: return TF_TIME_RV_LOAD_GPRS;
    case TF_AT_TDMA: return TF_TIME_RV_LOAD_TDMA;
    case TF_AT_LOCAL_B:
    case TF_AT_LOCAL_NC:
    case TF_AT_LOCAL_T0:
    case TF_AT_LOCAL_T1:
    case TF_AT_LOCAL_T2: return TF_TIME_RV_LOAD_L1; /* "via slow access path": as L1 */
    default: return TF_TIME_RV_LOAD_REGISTER;
    }
}

/* Has the L0 data cache the line of an address? If not, it has it afterwards. */
static bool in_l0(const struct tf_tile *tile, const struct tf_hart *hart, struct tf_core_timing *timing,
                  uint32_t address)
{
    if (tile->arch->no_l0 || (hart->csr.word[TF_CSR_CFG0] & TF_CFG0_NO_L0) != 0)
        return false;
    uint32_t line = address / 16 + 1;
    for (unsigned i = 0; i < TF_TIMED_L0_LINES; i++)
        if (timing->l0[i] == line)
            return true;
    memmove(timing->l0 + 1, timing->l0, sizeof timing->l0 - sizeof timing->l0[0]);
    timing->l0[0] = line;
    return false;
}

static enum tf_time time_of_load(const struct tf_tile *tile, const struct tf_hart *hart, struct tf_core_timing *timing,
                                 uint32_t address)
{
    if (address < tile->arch->l1_bytes)
        return in_l0(tile, hart, timing, address) ? TF_TIME_RV_LOAD_L0 : TF_TIME_RV_LOAD_L1;
    return time_of_window(tf_map_find(tile->arch->map, address));
}

/* A place for a load in flight: the one that is free first. */
static uint64_t *place_of_load(const struct tf_tile *tile, struct tf_core_timing *timing)
{
    uint64_t *first = timing->load;
    for (unsigned i = 1; i < duration(tile, TF_TIME_RV_LOADS); i++)
        first = timing->load[i] < *first ? &timing->load[i] : first;
    return first;
}

/* Does a store to L1 join the one before it in the queue? */
static bool joins(const struct tf_tile *tile, const struct tf_core_timing *timing, uint32_t address)
{
    const uint32_t block = duration(tile, TF_TIME_RV_STORE_BLOCK);
    if (block == 0 || timing->store_at == 0)
        return false;
    const uint32_t last = timing->store_at - 1;
    return last / block == address / block && address - last + 4 <= 8;
}

/* Cycles of a division. */
static unsigned divides(const struct tf_tile *tile, const struct tf_hart *hart, const struct tf_rv_insn *insn)
{
    const bool is_signed = insn->id == TF_RV_DIV || insn->id == TF_RV_REM;
    uint32_t a = hart->x[insn->rs1], b = hart->x[insn->rs2];
    if (b <= 1 || (is_signed && a == UINT32_C(1) << 31 && b == UINT32_MAX))
        return duration(tile, TF_TIME_RV_DIVIDE_SPECIAL);
    if (is_signed && a >> 31 != 0)
        a = 0 - a;
    const unsigned bits = a == 0 ? 1 : 32 - (unsigned)__builtin_clz(a);
    const unsigned cycles = duration(tile, TF_TIME_RV_DIVIDE_LEAST) +
                            (bits - 1) / 4 * duration(tile, TF_TIME_RV_DIVIDE_STEP);
    return tf_min(cycles, duration(tile, TF_TIME_RV_DIVIDE_MOST));
}

static bool is_divide(const struct tf_rv_insn *insn)
{
    return insn->id == TF_RV_DIV || insn->id == TF_RV_DIVU || insn->id == TF_RV_REM || insn->id == TF_RV_REMU;
}

static bool is_multiply(const struct tf_rv_insn *insn)
{
    return insn->id == TF_RV_MUL || insn->id == TF_RV_MULH || insn->id == TF_RV_MULHU || insn->id == TF_RV_MULHSU;
}

void tf_timed_look(struct tf_tile *tile, const struct tf_hart *hart)
{
    tile->timing->core[hart->core].look = (uint32_t)(hart->cycle - tile->timing->core[hart->core].anchor);
}

void tf_timed_probe(struct tf_tile *tile, struct tf_hart *hart)
{
    struct tf_core_timing *timing = &tile->timing->core[hart->core];
    if (hart->state == TF_CORE_PARKED) {
        timing->round = (uint32_t)tf_min(tf_max(hart->cycle - timing->anchor, hart->park.period), UINT32_MAX);
        memset(hart->park.memo_at, 0, sizeof hart->park.memo_at); /* remembered rounds would take no time */
    } else if (hart->park.anchored && hart->park.period == 0) {
        timing->anchor = hart->cycle;
        timing->look = 0;
    }
}

/* Skip rounds of a parked core. */
static void skip(const struct tf_tile *tile, struct tf_hart *hart, uint64_t rounds)
{
    hart->park.held = true;
    hart->cycle += rounds * tile->timing->core[hart->core].round;
    hart->instret += rounds * hart->park.period;
}

void tf_timed_rest(const struct tf_tile *tile, struct tf_hart *hart, uint64_t cycle)
{
    skip(tile, hart, hart->cycle >= cycle ? 0 : (cycle - hart->cycle) / tile->timing->core[hart->core].round);
}

void tf_timed_see(const struct tf_tile *tile, struct tf_hart *hart, uint64_t cycle)
{
    tf_timed_rest(tile, hart, cycle);
    skip(tile, hart, hart->cycle + tile->timing->core[hart->core].look < cycle);
}

enum tf_spent tf_timed_waits_for(const struct tf_tile *tile, const struct tf_hart *hart)
{
    if (hart->state == TF_CORE_BLOCKED)
        return tf_timed_wait_at(tile, hart->wait_address);
    for (unsigned i = 0; i < hart->park.inputs; i++)
        if (hart->park.input[i].size != 0 && hart->park.input[i].address - TF_LOCAL_BASE >= hart->local_bytes)
            return tf_timed_wait_at(tile, hart->park.input[i].address);
    return TF_SPENT_OTHER;
}

/* What the core has waited for, which now comes to an instruction: its access was blocked, or the core has polled. */
static enum tf_spent waits_for(const struct tf_tile *tile, const struct tf_hart *hart, const struct tf_rv_insn *insn)
{
    const enum tf_exec_kind kind = tf_exec_kind[insn->id];
    if (kind == TF_EXEC_STORE || kind == TF_EXEC_LOAD) {
        const uint32_t address = hart->x[insn->rs1] + (uint32_t)insn->imm;
        if (address - TF_LOCAL_BASE >= hart->local_bytes)
            return tf_timed_wait_at(tile, address);
    }
    return tf_timed_waits_for(tile, hart);
}

void tf_timed_issue(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn, struct tf_timed *timed)
{
    struct tf_core_timing *timing = &tile->timing->core[hart->core];
    const enum tf_exec_kind kind = tf_exec_kind[insn->id];
    uint32_t x, f;
    struct tf_path *path = tf_path_of(tile->timing);
    *timed = (struct tf_timed){.pc = hart->pc};
    if (path != NULL)
        tf_trail_comes(tile, hart, path, insn, waits_for(tile, hart, insn));
    if (hart->cycle > timing->counted) { /* it was parked, blocked or stopped; its first start ends no wait */
        if (timing->spent[TF_TIME_RV_ISSUE] != 0)
            timing->waited[waits_for(tile, hart, insn)] += hart->cycle - timing->counted;
        timing->counted = hart->cycle;
    }
    tf_timed_fetch(tile, hart, timing);
    read_of(insn, &x, &f);
    await_registers(timing, hart, x, 0);
    await_registers(timing, hart, f, TF_OP_F);
    if (kind == TF_EXEC_LOAD || kind == TF_EXEC_STORE || kind == TF_EXEC_AMO)
        timed->address = hart->x[insn->rs1] + (kind == TF_EXEC_AMO ? 0 : (uint32_t)insn->imm);
    if ((kind == TF_EXEC_LOAD && tf_map_find(tile->arch->map, timed->address) != TF_AT_OWN_LOCAL) ||
        kind == TF_EXEC_AMO)
        tf_timed_wait(timing, &hart->cycle, *place_of_load(tile, timing), TF_TIME_RV_LOADS);
    if (kind == TF_EXEC_STORE && timed->address < tile->arch->l1_bytes && !joins(tile, timing, timed->address))
        tf_timed_wait(timing, &hart->cycle, timing->store[timing->next_store], TF_TIME_RV_STORE_L1);
    if (is_divide(insn))
        timed->divides = (uint16_t)divides(tile, hart, insn);
    if ((tf_rv_info(insn->id)->flags & (TF_RV_F_BRANCH | TF_RV_F_JUMP)) != 0)
        timed->jumps = tf_timed_jumps(hart, insn);
    timing->counted = hart->cycle;
    if (path != NULL)
        tf_trail_pass(path, timing, hart->core, timed->pc);
}

/* The register `r` has its value as long after the instruction issued as the row says. */
static inline void known_after(const struct tf_tile *tile, struct tf_core_timing *timing, unsigned r, uint64_t issued,
                               enum tf_time row)
{
    timing->ready[r] = issued + duration(tile, row);
    timing->because[r] = (uint8_t)row;
}

/* The number in ready[] of the register that an instruction writes; the sink if it writes none. */
static unsigned written_by(const struct tf_rv_insn *insn)
{
    unsigned r = insn->id >= TF_RV_LISTED ? 0 : tf_rv_destination(insn);
    return r == 0 ? TF_OP_SINK : r >= 32 ? r - 32 + TF_OP_F : r;
}

static void loaded(const struct tf_tile *tile, const struct tf_hart *hart, struct tf_core_timing *timing,
                   const struct tf_rv_insn *insn, uint64_t issued, uint32_t address)
{
    const bool atomic = tf_exec_kind[insn->id] == TF_EXEC_AMO;
    enum tf_time time = atomic ? TF_TIME_RV_LOAD_ATOMIC : time_of_load(tile, hart, timing, address);
    unsigned latency = duration(tile, time);
    known_after(tile, timing, written_by(insn), issued, time);
    if (latency >= 5) /* "one per cycle if the load latency is less than five cycles" (Load/Store Unit) */
        *place_of_load(tile, timing) = issued + latency - 1;
}

static void stored(const struct tf_tile *tile, struct tf_core_timing *timing, uint64_t issued, uint32_t address)
{
    if (address >= tile->arch->l1_bytes) {
        timing->store_at = 0;
        return;
    }
    const bool joined = joins(tile, timing, address);
    timing->store_at = address + 1;
    for (unsigned i = 0; i < TF_TIMED_L0_LINES; i++)
        if (timing->l0[i] == address / 16 + 1)
            timing->l0[i] = 0;
    if (joined)
        return;
    timing->stored = tf_max(timing->stored, issued) + duration(tile, TF_TIME_RV_STORE_L1);
    timing->store[timing->next_store] = timing->stored;
    timing->next_store = (uint8_t)((timing->next_store + 1) % duration(tile, TF_TIME_RV_STORE_QUEUE));
}

/* The first stage stays occupied for so many cycles from the issue on, as the row says. */
static inline void occupy(struct tf_core_timing *timing, struct tf_hart *hart, unsigned cycles, enum tf_time row)
{
    tf_timed_wait(timing, &hart->cycle, hart->cycle - 1 + cycles, row);
}

static void computed(const struct tf_tile *tile, struct tf_hart *hart, struct tf_core_timing *timing,
                     const struct tf_rv_insn *insn, const struct tf_timed *timed)
{
    const uint16_t flags = tf_rv_info(insn->id)->flags;
    const uint64_t issued = hart->cycle - 1;
    unsigned r = written_by(insn);
    if (is_multiply(insn)) {
        known_after(tile, timing, r, issued, TF_TIME_RV_MULTIPLY_LATENCY);
        occupy(timing, hart, duration(tile, TF_TIME_RV_MULTIPLY), TF_TIME_RV_MULTIPLY);
    } else if (timed->divides != 0) {
        timing->ready[r] = 0;
        occupy(timing, hart, timed->divides, TF_TIME_RV_DIVIDE_STEP);
    } else if ((flags & TF_RV_F_FP) != 0) {
        known_after(tile, timing, r, issued, TF_TIME_RV_FLOAT_LATENCY);
    } else {
        timing->ready[r] = 0;
    }
    if ((flags & (TF_RV_F_BRANCH | TF_RV_F_JUMP)) != 0 && !tf_timed_predicted(tile, hart, timing, timed))
        occupy(timing, hart, 1 + duration(tile, TF_TIME_RV_MISPREDICT), TF_TIME_RV_MISPREDICT);
    if ((flags & TF_RV_F_FENCE) != 0)
        memset(timing->l0, 0, sizeof timing->l0);
}

void tf_timed_retired(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn,
                      const struct tf_timed *timed)
{
    struct tf_core_timing *timing = &tile->timing->core[hart->core];
    const uint64_t issued = hart->cycle - 1;
    struct tf_path *path = tf_path_of(tile->timing);
    if (path != NULL)
        tf_trail_executed(tile, hart, path, insn, timed);
    timing->spent[TF_TIME_RV_ISSUE]++;
    switch ((enum tf_exec_kind)tf_exec_kind[insn->id]) {
    case TF_EXEC_PURE: computed(tile, hart, timing, insn, timed); break;
    case TF_EXEC_LOAD:
    case TF_EXEC_AMO: loaded(tile, hart, timing, insn, issued, timed->address); break;
    case TF_EXEC_STORE: stored(tile, timing, issued, timed->address); break;
    case TF_EXEC_CSR:
        timing->ready[written_by(insn)] = 0;
        occupy(timing, hart, duration(tile, TF_TIME_RV_CSR), TF_TIME_RV_CSR);
        break;
    case TF_EXEC_VECTOR: /* scalar registers that it writes are few: all wait */
        for (unsigned r = 1; r < 32; r++)
            if ((tf_rv_x_written(insn) >> r & 1) != 0 && timing->ready[r] < issued + 3)
                known_after(tile, timing, r, issued, TF_TIME_RV_VECTOR_LATENCY);
        break;
    default: break;
    }
    timing->counted = hart->cycle;
    if (path != NULL)
        tf_trail_pass(path, timing, hart->core, timed->pc);
}

/* The file may be damaged. */
static bool fits(const struct tf_core_timing *timing, const struct tf_hart *hart)
{
    bool fits = timing->next_store < TF_TIMED_STORES && (hart->state != TF_CORE_PARKED || timing->round != 0);
    for (unsigned r = 0; r < sizeof timing->because; r++)
        fits = fits && timing->because[r] < TF_TIMES;
    return fits;
}

void tf_timed_state(struct tf_saved *saved, struct tf_tile *tile)
{
    if (tile->timing == NULL)
        return;
    TF_SAVED_MEMORY(saved, *tile->timing);
    for (unsigned core = 0; core < tile->arch->cores; core++)
        tf_saved_demand(saved, fits(&tile->timing->core[core], &tile->hart[core]),
                        "it is damaged: the timing of a core is invalid");
}

void tf_timed_hash(const struct tf_tile *tile, struct tf_hash *hash)
{
    if (tile->timing != NULL)
        XXH3_64bits_update(hash->state, tile->timing, sizeof *tile->timing);
}
