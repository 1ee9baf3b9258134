/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/issue/timed.h"

#include "host/extremes.h"
#include "tile/times.h"
#include "tile/timing.h"
#include "tile/state.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/frontend/trail.h"
#include "tile/tensix/data/transfer.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/isa/sfpu.h"
#include "tile/tensix/frontend/gate.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/state.h"

_Static_assert((unsigned)TF_UNITS <= TF_TIMED_UNITS, "a place for each unit");

static inline unsigned duration(const struct tf_tile *tile, enum tf_time time)
{
    return tile->arch->times->value[time];
}

/* The row that says for how long an instruction occupies its unit. */
static enum tf_time occupation(const struct tf_tensix_op *op)
{
    switch (op->opcode) {
    case TF_OP_ADDDMAREG:
    case TF_OP_SUBDMAREG:
    case TF_OP_MULDMAREG:
    case TF_OP_CMPDMAREG:
    case TF_OP_BITWOPDMAREG:
    case TF_OP_SHIFTDMAREG: return TF_TIME_TX_GPRS;
    case TF_OP_LOADIND:
    case TF_OP_LOADREG:
    case TF_OP_STOREIND:
    case TF_OP_STOREREG:
    case TF_OP_ATSWAP:
    case TF_OP_ATINCGET: return TF_TIME_TX_MEMORY;
    case TF_OP_ATCAS:
    case TF_OP_ATINCGETPTR: return TF_TIME_TX_ATOMIC;
    case TF_OP_REG2FLOP:
    case TF_OP_FLUSHDMA: return TF_TIME_TX_FLUSH;
    case TF_OP_RDCFG: return TF_TIME_TX_RDCFG;
    case TF_OP_CFGSHIFTMASK: return TF_TIME_TX_SHIFTMASK;
    case TF_OP_SHIFTXB: return TF_TIME_TX_SHIFTXB;
    case TF_OP_UNPACR: return TF_TIME_TX_UNPACK;
    default: return TF_TIME_TX_ISSUE;
    }
}

/* Until the thread may pass its next instruction. */
static unsigned blocks(const struct tf_tile *tile, const struct tf_tensix_op *op)
{
    if (op->opcode == TF_OP_RDCFG)
        return duration(tile, TF_TIME_TX_RDCFG_BLOCKS);
    const bool waits = op->opcode == TF_OP_UNPACR ||
                       (op->unit == TF_UNIT_SCALAR && duration(tile, TF_TIME_TX_SCALAR_BLOCKS) != 0);
    return waits ? duration(tile, occupation(op)) : 1;
}

/* Does each thread have the unit of its own? SETC16 goes to the thread's own configuration. The miscellaneous unit
   takes an instruction of each thread, and mutexes too (ConfigurationUnit.md, MiscellaneousUnit.md, SyncUnit.md). */
static bool is_own(const struct tf_tensix_op *op)
{
    return op->unit == TF_UNIT_FRONTEND || op->unit == TF_UNIT_MISC || op->opcode == TF_OP_SETC16 ||
           op->opcode == TF_OP_ATGETM || op->opcode == TF_OP_ATRELM;
}

/* --- The frontend --- */

/* Is the thread's instruction one of its last MOP? Other pushes have another pc. */
static bool is_of_mop(const struct tf_tensix_thread *thread)
{
    return thread->gate.pc == thread->mop.pc;
}

/* Does a REPLAY begin with it? */
static bool begins_replay(const struct tf_tensix_thread *thread, const struct tf_thread_timing *timing)
{
    return thread->replay.play_left > timing->play_left && thread->replay.pc == thread->gate.pc;
}

/* When the expanders have the thread's next instruction. */
static uint64_t expanded(const struct tf_tile *tile, unsigned t)
{
    const struct tf_tensix_thread *thread = &tile->tensix->thread[t];
    const struct tf_thread_timing *timing = &tile->timing->thread[t];
    if (is_of_mop(thread))
        return timing->passed + (begins_replay(thread, timing) ? duration(tile, TF_TIME_TX_MOP_REPLAY) : 0);
    return timing->passed + (timing->of_mop && !timing->mop_replayed ? duration(tile, TF_TIME_TX_MOP_END) : 0);
}

static void note_passed(struct tf_tile *tile, unsigned t, const struct tf_tensix_op *op)
{
    const struct tf_tensix_thread *thread = &tile->tensix->thread[t];
    struct tf_thread_timing *timing = &tile->timing->thread[t];
    const bool of_mop = is_of_mop(thread);
    timing->mop_replayed = of_mop && (timing->mop_replayed || begins_replay(thread, timing));
    timing->of_mop = of_mop;
    timing->play_left = thread->replay.play_left;
    timing->passed = thread->cycle + 1;
    timing->free = thread->cycle + blocks(tile, op);
}

/* --- The matrix unit --- */

enum dst_use { USES_NO_DST, READS_DST, WRITES_DST, ADDS_TO_DST };

/* What the matrix unit's instructions do with Dst. Tensixbench: ELWADD that only writes waits as well. */
static enum dst_use use_of_dst(const struct tf_tensix_op *op)
{
    switch (op->opcode) {
    case TF_OP_MVMUL:
    case TF_OP_DOTPV:
    case TF_OP_GAPOOL:
    case TF_OP_GMPOOL:
    case TF_OP_ELWMUL:
    case TF_OP_ELWADD:
    case TF_OP_ELWSUB: return ADDS_TO_DST;
    case TF_OP_MOVD2A:
    case TF_OP_MOVD2B: return READS_DST;
    case TF_OP_MOVA2D:
    case TF_OP_MOVB2D: return WRITES_DST;
    default: return USES_NO_DST;
    }
}

/* The eight rows of Dst that it uses. */
static uint64_t *rows_of(const struct tf_tile *tile, unsigned t)
{
    const struct tf_tensix *tensix = tile->tensix;
    const struct tf_backend_config *config = tensix->config;
    const unsigned row = TF_FIELD(tensix->thread[t].gate.word, MVMUL, dst) + tensix->rwc[t].dst +
                         tf_config_dst_base(config->thread[t], config->bank[tf_config_bank(config, t)]);
    return &tile->timing->dst[row / 8 % TF_TIMED_BLOCKS];
}

/* May it follow the last instruction of the matrix unit without a wait? */
static bool may_follow(const struct tf_timing *timing, const struct tf_tensix_op *op)
{
    return timing->matrix_last == TF_OP_MOVD2B ? op->opcode == TF_OP_MOVD2B
                                               : op->opcode == TF_OP_MOVD2A || op->opcode == TF_OP_MOVB2A;
}

static uint64_t matrix_ready(const struct tf_tile *tile, unsigned t, const struct tf_tensix_op *op)
{
    const struct tf_timing *timing = tile->timing;
    const struct tf_src_banks *banks = tile->tensix->src;
    const enum dst_use use = use_of_dst(op);
    uint64_t at = may_follow(timing, op) ? 0 : timing->matrix_alone;
    if ((op->flags & TF_TENSIX_SRCA) != 0)
        at = tf_max(at, timing->valid[TF_SRC_A][banks->matrix_bank[TF_SRC_A]]);
    if ((op->flags & TF_TENSIX_SRCB) != 0)
        at = tf_max(at, timing->valid[TF_SRC_B][banks->matrix_bank[TF_SRC_B]]);
    if (use == READS_DST || use == ADDS_TO_DST)
        at = tf_max(at, tf_max(timing->moved, *rows_of(tile, t)));
    return at;
}

static void matrix_passes(struct tf_tile *tile, unsigned t, const struct tf_tensix_op *op, uint64_t cycle)
{
    struct tf_timing *timing = tile->timing;
    const enum dst_use use = use_of_dst(op);
    timing->matrix_last = op->opcode;
    timing->mvmuls += op->opcode == TF_OP_MVMUL;
    if (op->opcode == TF_OP_MOVD2B)
        timing->matrix_alone = cycle + duration(tile, TF_TIME_TX_MOVD2B);
    if (op->opcode == TF_OP_MOVD2A || op->opcode == TF_OP_MOVB2A)
        timing->matrix_alone = cycle + duration(tile, TF_TIME_TX_MOVD2A);
    if (use == WRITES_DST)
        timing->moved = cycle + duration(tile, TF_TIME_TX_MOVA2D);
    if (use == ADDS_TO_DST)
        *rows_of(tile, t) = cycle + duration(tile, TF_TIME_TX_DST_REUSE);
}

/* --- The vector unit --- */

static uint64_t vector_ready(const struct tf_tile *tile, unsigned t, const struct tf_tensix_op *op)
{
    const struct tf_timing *timing = tile->timing;
    const uint32_t word = tile->tensix->thread[t].gate.word;
    if (op->opcode == TF_OP_SFPNOP)
        return 0;
    if (timing->result <= tile->tensix->thread[t].cycle)
        return timing->vector_alone;
    const struct tf_sfpu_uses uses = tf_sfpu_own_uses(word);
    return ((uses.reads | uses.may_read) & timing->results) != 0 ? tf_max(timing->vector_alone, timing->result)
                                                                 : timing->vector_alone;
}

static void vector_passes(struct tf_tile *tile, unsigned t, const struct tf_tensix_op *op, uint64_t cycle)
{
    struct tf_timing *timing = tile->timing;
    const uint32_t word = tile->tensix->thread[t].gate.word;
    if (op->opcode == TF_OP_SFPSWAP)
        timing->vector_alone = cycle + duration(tile, TF_TIME_TX_SFPSWAP);
    else if (op->opcode == TF_OP_SFPSHFT2 && tf_sfpu_takes_two_cycles(word))
        timing->vector_alone = cycle + duration(tile, TF_TIME_TX_SFPSHFT2);
    else if (tf_sfpu_takes_two_cycles(word)) {
        timing->result = cycle + duration(tile, TF_TIME_TX_SFP_RESULT);
        timing->results = tf_sfpu_own_uses(word).may_write;
    }
}

/* --- All units --- */

/* An atomic that has failed tries again after as many cycles. `since`: its first try. */
static uint64_t next_try(const struct tf_tile *tile, uint64_t since, uint64_t cycle)
{
    const unsigned takes = duration(tile, TF_TIME_TX_ATOMIC);
    return cycle <= since ? since : since + (cycle - since + takes - 1) / takes * takes;
}

/* From when on nothing but other threads keeps the instruction out of its unit. */
static uint64_t ready(const struct tf_tile *tile, unsigned t, const struct tf_tensix_op *op)
{
    const struct tf_timing *timing = tile->timing;
    uint64_t at = tf_max(timing->thread[t].free, expanded(tile, t));
    if (is_own(op))
        return at;
    at = tf_max(at, timing->unit[op->unit]);
    switch (op->unit) {
    case TF_UNIT_MATRIX: return tf_max(at, matrix_ready(tile, t, op));
    case TF_UNIT_VECTOR: return tf_max(at, vector_ready(tile, t, op));
    case TF_UNIT_UNPACK: return tf_max(at, tf_timed_unpacker_ready(tile, t));
    case TF_UNIT_PACK: return tf_max(at, tf_timed_packer_ready(tile, t));
    case TF_UNIT_SCALAR:
        if (tile->tensix->frontend->scalar_holder == t + 1 && occupation(op) == TF_TIME_TX_ATOMIC)
            return next_try(tile, at, tile->tensix->thread[t].cycle);
        return at;
    default: return at;
    }
}

/* Does nothing but the unit's time hold a thread's instruction for the unit? */
static bool is_next(struct tf_tile *tile, unsigned t, unsigned unit)
{
    const struct tf_gate *gate = &tile->tensix->thread[t].gate;
    const struct tf_tensix_op *op = &tf_tensix_ops[gate->word >> 24];
    return gate->full && op->unit == unit && (gate->wait.opcode == 0 || !tf_gate_catches(op, gate->wait.block)) &&
           !tf_gate_held(tile, t, gate->word);
}

/* Has another thread waited for the unit since before `since`? One that the scalar unit now keeps out, since an atomic
   of this thread tries again, does not count. */
static bool comes_later(struct tf_tile *tile, unsigned t, unsigned unit, uint64_t since)
{
    for (unsigned other = 0; other < TF_TENSIX_THREADS; other++) {
        const uint64_t wanted = tile->timing->wanted[unit][other];
        if (other != t && wanted != 0 && wanted < since && is_next(tile, other, unit))
            return true;
    }
    return false;
}

/* The unit takes the instruction. */
static void occupy(struct tf_tile *tile, unsigned t, const struct tf_tensix_op *op)
{
    struct tf_timing *timing = tile->timing;
    const uint64_t cycle = tile->tensix->thread[t].cycle;
    const unsigned takes = duration(tile, occupation(op));
    timing->unit[op->unit] = cycle + takes;
    if (op->unit == TF_UNIT_MATRIX)
        matrix_passes(tile, t, op, cycle);
    else if (op->unit == TF_UNIT_VECTOR)
        vector_passes(tile, t, op, cycle);
    if (op->unit == TF_UNIT_PACK)
        tf_timed_packs(tile, t);
    else if (op->opcode == TF_OP_XMOV)
        timing->busy[TF_UNIT_MOVER] += tf_timed_moving(tile, t);
    else if (op->unit != TF_UNIT_UNPACK)
        timing->busy[op->unit] += tf_max(takes, 1u);
}

/* For the critical path: note why the instruction has to wait until `at`. */
static void note_held(struct tf_tile *tile, struct tf_path *path, unsigned t, const struct tf_tensix_op *op,
                      uint64_t at)
{
    const struct tf_timing *timing = tile->timing;
    const struct tf_src_banks *banks = tile->tensix->src;
    const bool by_data = !is_own(op) && ((op->unit == TF_UNIT_MATRIX && matrix_ready(tile, t, op) >= at) ||
                                         (op->unit == TF_UNIT_VECTOR && vector_ready(tile, t, op) >= at));
    int side = -1;
    for (int i = TF_SRC_A; i <= TF_SRC_B && by_data && op->unit == TF_UNIT_MATRIX; i++)
        if ((op->flags & (i == TF_SRC_A ? TF_TENSIX_SRCA : TF_TENSIX_SRCB)) != 0 &&
            timing->valid[i][banks->matrix_bank[i]] == at)
            side = i;
    tf_trail_held(tile, path, t, op, by_data ? TF_PATH_OPERAND : TF_PATH_UNIT, side);
}

bool tf_timed_passes(struct tf_tile *tile, unsigned t, const struct tf_tensix_op *op, uint64_t limit)
{
    struct tf_path *path = tf_path_of(tile->timing);
    struct tf_tensix_thread *thread = &tile->tensix->thread[t];
    const uint64_t at = ready(tile, t, op);
    uint64_t *wanted = &tile->timing->wanted[op->unit][t];
    if (!is_own(op) && *wanted == 0)
        *wanted = thread->cycle + 1;
    if (thread->cycle < at) {
        if (path != NULL)
            note_held(tile, path, t, op, at);
        thread->cycle = tf_min(at, tf_max(limit, thread->cycle + 1));
        return false;
    }
    if (!is_own(op)) {
        if (comes_later(tile, t, op->unit, *wanted)) {
            if (path != NULL)
                tf_trail_held(tile, path, t, op, TF_PATH_UNIT, -1);
            thread->cycle++;
            return false;
        }
        *wanted = 0;
        occupy(tile, t, op);
    }
    note_passed(tile, t, op);
    if (path != NULL)
        tf_trail_passes(tile, path, t, op);
    return true;
}

uint64_t tf_timed_under_way(const struct tf_tile *tile, unsigned t, const struct tf_tensix_op *op)
{
    const struct tf_timing *timing = tile->timing;
    const uint64_t next = tile->tensix->thread[t].cycle;
    switch (op->unit) {
    case TF_UNIT_MATRIX: return duration(tile, TF_TIME_TX_MATRIX_LATENCY) - 1;
    case TF_UNIT_VECTOR: return duration(tile, TF_TIME_TX_VECTOR_LATENCY) - 1;
    case TF_UNIT_CONFIG:
        return occupation(op) != TF_TIME_TX_ISSUE || op->opcode == TF_OP_WRCFG
                   ? duration(tile, TF_TIME_TX_CONFIG_LATENCY) - 1
                   : 0;
    case TF_UNIT_PACK: return timing->packed > next ? timing->packed - next : 0;
    case TF_UNIT_MOVER: return op->opcode == TF_OP_XMOV ? tf_timed_moving(tile, t) : 0;
    case TF_UNIT_SCALAR:
        if (op->opcode == TF_OP_LOADIND || op->opcode == TF_OP_LOADREG || op->opcode == TF_OP_ATINCGET)
            return duration(tile, TF_TIME_TX_LOAD_LATENCY) - 1;
        return duration(tile, occupation(op)) - 1;
    default: return duration(tile, occupation(op)) - 1;
    }
}
