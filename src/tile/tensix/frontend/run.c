/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The coprocessor's turns. In each cycle T0, T1 and T2, in this order, pass at most one instruction each through their
 * gates, and the instruction completes. Latencies of units are not modelled.
 *
 * Each thread has a clock of its own. The thread with the earliest clock runs next; of two, the lower number. It runs
 * alone while it stays the earliest. Gpr-only instructions (TF_TENSIX_GPR_ONLY) may run further ahead, since no other
 * thread can observe them. They may not while another thread may occupy the scalar unit, which stalls them (ATCAS,
 * ATINCGETPTR, FLUSHDMA, STOREIND: ScalarUnit.md), nor in a turn that halts for parked cores.
 *
 * A stalled thread does not run until an event of another thread may release it; its clock then catches up. All threads
 * run up to the cycle in which a core acts on shared state, and to the end of the slice (order.h).
 */
#include <stdarg.h>
#include <stdio.h>

#include "host/extremes.h"
#include "tile/check.h"
#include "tile/explore/explore.h"
#include "tile/tensix/data/srcbanks.h"
#include "tile/tensix/debug/disasm.h"
#include "tile/tensix/debug/trace.h"
#include "tile/tensix/frontend/busy.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/frontend/frontend.h"
#include "tile/tensix/frontend/gate.h"
#include "tile/tensix/frontend/isa.h"
#include "tile/tensix/frontend/kind.h"
#include "tile/tensix/frontend/next.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/frontend/ttsync.h"
#include "tile/tensix/scalar/alu.h"
#include "tile/tensix/scalar/gpr_only.h"
#include "tile/tensix/scalar/state.h"
#include "tile/tensix/state.h"
#include "tile/tensix/tensix.h"
#include "tile/tensix/vector/run.h"

/* Why a thread stops running before its turn ends. */
enum pause {
    PAUSE_NONE,  /* it continues */
    PAUSE_HARD,  /* the next instruction needs the whole gate */
    PAUSE_LIMIT, /* its clock has reached the limit */
    PAUSE_EMPTY, /* nothing arrives before the limit */
    PAUSE_WAIT,  /* the instruction at the gate stalls */
    PAUSE_EVENT, /* it may have released a stalled thread */
    PAUSE_FAULT,
    PAUSE_HALT, /* the instruction at the gate has one of halt_flags */
};

void tf_tensix_fault(struct tf_tile *tile, unsigned t, enum tf_fault_category category, uint64_t address,
                     const char *format, ...)
{
    struct tf_tensix_thread *thread = &tile->tensix->thread[t];
    char instruction[120], what[120];
    tf_tensix_disassemble_of(tile->arch, thread->gate.word, instruction, sizeof instruction);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    thread->faulted = true;
    tf_tile_fault_record(tile, TF_CORE_T0 + t, thread->gate.pc, thread->cycle, category, thread->gate.word, address,
                         "Tensix T%u: %s: %s", t, what, instruction);
}

static void fault_at_gate(struct tf_tile *tile, unsigned t, uint32_t word)
{
    const struct tf_tensix_op *op = tf_tensix_op((uint8_t)(word >> 24));
    if (op == NULL)
        tf_tensix_fault(tile, t, TF_FAULT_UNDEFINED, 0, "there is no such opcode");
    else if ((word & op->reserved) != 0)
        tf_tensix_fault(tile, t, TF_FAULT_UNDEFINED, 0, "reserved bits are set");
    else if (op->unit == TF_UNIT_FRONTEND)
        tf_tensix_fault(tile, t, TF_FAULT_UNDEFINED, 0,
                        "it passed the part of the frontend that executes it, and reached the gate");
    else
        tf_tensix_fault(tile, t, TF_FAULT_UNDEFINED, 0, "no source defines what the %s unit does then",
                        tf_tensix_unit_name(op->unit));
}

/* Returns the first cycle after `cycle` in which a unit completes something, or UINT64_MAX. */
static uint64_t next_completion(const struct tf_busy *busy, uint64_t cycle)
{
    uint64_t next = UINT64_MAX;
    for (unsigned kind = 0; kind < TF_BUSY_KINDS; kind++)
        for (unsigned t = 0; t < TF_TENSIX_THREADS; t++)
            if (busy->until[kind][t] > cycle && busy->until[kind][t] < next)
                next = busy->until[kind][t];
    return next;
}

/* Lets time pass until a unit completes something, or until `limit`. False: nothing is under way. */
static bool await_completion(struct tf_tensix *tensix, struct tf_tensix_thread *thread, uint64_t limit)
{
    if (tensix->delay_cycles == 0)
        return false;
    uint64_t next = next_completion(tensix->busy, thread->cycle);
    if (next == UINT64_MAX)
        return false;
    thread->cycle = tf_min(next, limit);
    return true;
}

/* Completion is delayed: the instruction counts as under way in its unit for delay_cycles. */
static void delay_completion(struct tf_tile *tile, unsigned t, const struct tf_tensix_op *op, uint32_t word)
{
    struct tf_tensix *tensix = tile->tensix;
    static const uint8_t kind_of[TF_UNITS] = {
        [TF_UNIT_FRONTEND] = TF_BUSY_KINDS, [TF_UNIT_SYNC] = TF_BUSY_KINDS,    [TF_UNIT_UNPACK] = TF_BUSY_UNPACK_0,
        [TF_UNIT_MATRIX] = TF_BUSY_MATRIX,  [TF_UNIT_PACK] = TF_BUSY_PACK,     [TF_UNIT_VECTOR] = TF_BUSY_VECTOR,
        [TF_UNIT_SCALAR] = TF_BUSY_SCALAR,  [TF_UNIT_CONFIG] = TF_BUSY_CONFIG, [TF_UNIT_MOVER] = TF_BUSY_MOVER,
        [TF_UNIT_MISC] = TF_BUSY_KINDS,
    };
    unsigned kind = kind_of[op->unit];
    if (op->unit == TF_UNIT_UNPACK && TF_FIELD(word, UNPACR, unpack_block_selection))
        kind = TF_BUSY_UNPACK_1;
    if (kind == TF_BUSY_KINDS || (op->unit == TF_UNIT_SCALAR && (op->flags & TF_TENSIX_MEMORY) == 0))
        return;
    tf_gate_before_change(tile, TF_CHANGE_ALL);
    uint64_t until = tensix->thread[t].cycle + tensix->delay_cycles;
    uint64_t late = tile->explore != NULL && op->opcode == TF_OP_PACR ? tf_explored_pack(tile, t) : 0;
    until = tf_max(late, until);
    tensix->busy->until[kind][t] = until;
    for (unsigned i = 0; i < TF_BUSY_PACKERS && kind == TF_BUSY_PACK && tensix->busy_packers != NULL; i++)
        if ((tf_busy_packers(word) >> i & 1) != 0)
            tensix->busy_packers->until[i][t] = until;
}

enum verdict { PASSES, WAITS, NEXT_CYCLE };

/* Clears the latched wait if its conditions are met in `cycle`, and it is evaluated in that cycle. */
static void clear_if_met(struct tf_tile *tile, unsigned t, uint64_t cycle)
{
    struct tf_wait *wait = &tile->tensix->thread[t].gate.wait;
    if (wait->opcode != 0 && wait->since <= cycle && tf_gate_met(tile, t, cycle))
        wait->opcode = 0;
}

/*
 * Decides whether the instruction at the gate passes, in the order of WaitGate.md. A latched wait that was not met at
 * the end of the cycle before stalls it; if the wait is met in this cycle, it is cleared and the next cycle decides.
 */
static enum verdict ask_gate(struct tf_tile *tile, unsigned t, const struct tf_tensix_op *op, uint32_t word)
{
    struct tf_tensix_thread *thread = &tile->tensix->thread[t];
    struct tf_wait *wait = &thread->gate.wait;
    if (wait->opcode != 0 && thread->cycle != 0)
        clear_if_met(tile, t, thread->cycle - 1);
    if (wait->opcode != 0 && tf_gate_catches(op, wait->block)) {
        clear_if_met(tile, t, thread->cycle);
        thread->cycle += wait->opcode == 0;
        if (wait->opcode == 0)
            return NEXT_CYCLE;
        tile->tensix->frontend->awaits[t] = (uint8_t)tf_gate_awaits(tile->tensix, t, op);
        return WAITS;
    }
    if (!tf_gate_held(tile, t, word))
        return PASSES;
    tile->tensix->frontend->awaits[t] = (uint8_t)tf_gate_awaits(tile->tensix, t, op);
    if (tf_gate_occupies(tile, t, word))
        tile->tensix->frontend->scalar_holder = (uint8_t)(t + 1);
    return WAITS;
}

/* Frees the scalar unit, or keeps it for an atomic that did not succeed and stays at the gate (thmem.h). */
static void leave_scalar_unit(struct tf_tensix *tensix, unsigned t)
{
    tensix->thread[t].gate.full = tensix->thcon->unfinished;
    tensix->frontend->passed -= tensix->thcon->unfinished;
    tensix->frontend->scalar_holder = tensix->thcon->unfinished ? (uint8_t)(t + 1) : 0;
    tensix->thcon->unfinished = false;
    tensix->events |= TF_CHANGE_ANY;
}

/* Is a wait latched, the scalar unit occupied, or a unit held in reset? Then the gate must be asked. */
static inline bool is_wait_pending(const struct tf_tensix *tensix, const struct tf_tensix_thread *thread)
{
    return (thread->gate.wait.opcode | tensix->frontend->scalar_holder | tensix->units_held) != 0;
}

/* Does the instruction touch nothing but its thread's GPRs? SETDMAREG's second form reads the packers' state. */
static inline bool is_gpr_only(const struct tf_tensix_op *op, uint32_t word)
{
    return (op->flags & TF_TENSIX_GPR_ONLY) != 0 &&
           (op->opcode != TF_OP_SETDMAREG || !TF_FIELD(word, SETDMAREG, set_signals_mode));
}

/* May the instruction have a condition of its own that is not met? The gate decides. */
static inline bool may_be_held(const struct tf_tensix *tensix, const struct tf_tensix_op *op, uint32_t word)
{
    const struct tf_src_banks *src = tensix->src;
    if ((op->flags & TF_TENSIX_WAITS) != 0)
        return op->opcode != TF_OP_STOREIND || !TF_FIELD(word, STOREIND, mem_hier_sel);
    return ((op->flags & TF_TENSIX_SRCA) != 0 && tf_src_matrix_waits(src, TF_SRC_A)) ||
           ((op->flags & TF_TENSIX_SRCB) != 0 && tf_src_matrix_waits(src, TF_SRC_B));
}

/*
 * May another thread occupy the scalar unit and so stall this one, or may a halt wake cores that read its GPRs? Then
 * threads run cycle by cycle.
 */
static inline bool may_not_run_ahead(const struct tf_tensix *tensix, unsigned t)
{
    return ((tensix->frontend->occupants & ~(1u << t)) | tensix->frontend->halt_flags) != 0;
}

/* Records whether the thread may occupy the scalar unit. */
static void note_occupant(struct tf_tensix *tensix, unsigned t)
{
    unsigned bit = 1u << t;
    tensix->frontend->occupants = (uint8_t)((tensix->frontend->occupants & ~bit) |
                                            (tf_frontend_may_occupy(&tensix->thread[t]) ? bit : 0));
}

/*
 * The steps after an instruction that has a condition of its own, that Auto TTSync counts, or that has faulted. True:
 * the thread stops running, with *pause.
 */
static bool after_special(struct tf_tensix *tensix, unsigned t, const struct tf_tensix_op *op, enum pause *pause)
{
    struct tf_tensix_thread *thread = &tensix->thread[t];
    if ((op->flags & TF_TENSIX_WAITS) != 0 && (tensix->thcon->unfinished || tensix->frontend->scalar_holder == t + 1)) {
        leave_scalar_unit(tensix, t);
        *pause = PAUSE_WAIT;
        tensix->frontend->awaits[t] = TF_CHANGE_ANY;
        if (thread->gate.full)
            return true;
    }
    if ((tensix->frontend->occupants >> t & 1) != 0 && op->unit == TF_UNIT_SCALAR)
        note_occupant(tensix, t);
    if (thread->gate.resources != 0)
        tf_ttsync_passed(tensix, t, thread->gate.resources);
    *pause = PAUSE_FAULT;
    return thread->faulted;
}

/* Other orders are explored: does the thread wait before the instruction at its gate? */
static bool add_explored_wait(struct tf_tile *tile, unsigned t)
{
    uint64_t cycles = tile->explore == NULL ? 0 : tf_explored_thread(tile, t);
    tile->tensix->thread[t].cycle += cycles;
    return cycles != 0;
}

/* A turn of one thread. */
struct turn {
    struct tf_tensix *tensix;
    struct tf_tensix_thread *thread;
    unsigned t;
    uint64_t limit;    /* the thread's clock stays before it, except during gpr-only instructions */
    uint64_t deadline; /* the clock always stays before it */
    unsigned awaited;  /* by stalled threads (enum tf_change): stop after such a change */
};

/*
 * Is the next instruction gpr-only? False also where its kind is not at hand. Rows `thcon` and `replay`, and the
 * workload `pipeline`, pay for batches that begin before the gate.
 */
static inline bool begins_gpr_only(struct tf_tensix_thread *thread)
{
    struct tf_replay *replay = &thread->replay;
    if (thread->gate.full)
        return false;
    switch (tf_next_source(thread, UINT64_MAX, false)) {
    case TF_SOURCE_PLAY:
        return tf_thcon_is_gpr_only(tf_kind_at(&replay->kind[replay->index], replay->buffer[replay->index]));
    case TF_SOURCE_MOP:
        return thread->mop.kinds.plays && thread->mop.looping && tf_thcon_is_gpr_only(thread->mop.loop_kind);
    case TF_SOURCE_FIFO: return tf_thcon_is_gpr_only(tf_fifo_head(&thread->fifo)->kind);
    default: return false;
    }
}

/*
 * Passes the next instruction of a thread through its gate, or a batch that begins with it. PAUSE_NONE: it passed, or
 * time passed. With `all`, a compile-time flag, every case is handled. Without `all`, only an instruction that a few
 * tests of the gate let pass; else PAUSE_HARD, and at most an instruction has moved to the gate. Rows `unpack-add-pack`
 * and `matmul-*` of tilefarm bench pay for the second instance.
 */
TF_ALWAYS_INLINE enum pause pass_next(struct tf_tile *tile, const struct turn *turn, const bool all)
{
    const unsigned t = turn->t;
    struct tf_tensix *const tensix = turn->tensix;
    struct tf_tensix_thread *const thread = turn->thread;
    if (!all && (is_wait_pending(tensix, thread) || tensix->delay_cycles != 0))
        return PAUSE_HARD;
    if (!all && begins_gpr_only(thread) &&
        tf_gpr_only_run(tile, t, may_not_run_ahead(tensix, t) ? turn->limit : turn->deadline))
        return PAUSE_NONE;
    if (!thread->gate.full && !tf_next_take(tile, thread, t, 0, false)) {
        if (!all)
            return PAUSE_HARD;
        if (!tf_frontend_take(tile, t, turn->limit))
            return thread->faulted ? PAUSE_FAULT : thread->cycle >= turn->limit ? PAUSE_LIMIT : PAUSE_EMPTY;
    }
    uint32_t word = thread->gate.word;
    const struct tf_tensix_op *op = &tf_tensix_ops[word >> 24];
    bool wait_pending = all && is_wait_pending(tensix, thread);
    /* A MOP_CFG before the instruction has taken a cycle. */
    if (all && thread->cycle >= turn->limit &&
        (may_not_run_ahead(tensix, t) || thread->cycle >= turn->deadline || !is_gpr_only(op, word)))
        return PAUSE_LIMIT;
    if (!wait_pending && (op->flags & TF_TENSIX_GPR_ONLY) != 0 && !(all && tile->explore != NULL) &&
        tf_gpr_only_run(tile, t, may_not_run_ahead(tensix, t) ? turn->limit : turn->deadline))
        return PAUSE_NONE;
    if ((op->flags & tensix->frontend->halt_flags) != 0)
        return PAUSE_HALT;
    if (wait_pending || may_be_held(tensix, op, word)) {
        if (!all)
            return PAUSE_HARD;
        if (thread->cycle >= turn->limit)
            return PAUSE_LIMIT;
        enum verdict verdict = ask_gate(tile, t, op, word);
        if (verdict == NEXT_CYCLE || (verdict == WAITS && await_completion(tensix, thread, turn->limit)))
            return PAUSE_NONE;
        if (verdict == WAITS)
            return PAUSE_WAIT;
    } else if (all && op->unit == TF_UNIT_VECTOR && tf_sfpu_run(tile, t, turn->limit)) {
        return PAUSE_NONE;
    }
    if (!all && thread->gate.resources != 0)
        return PAUSE_HARD;
    tf_tensix_execute *execute = tf_tensix_dispatch[word >> 24];
    if ((word & op->reserved) != 0 || execute == NULL) {
        if (!all)
            return PAUSE_HARD;
        fault_at_gate(tile, t, word);
        return PAUSE_FAULT;
    }
    if (all && tensix->delay_cycles != 0 && add_explored_wait(tile, t))
        return PAUSE_NONE;
    thread->gate.full = false;
    tile->now = thread->cycle++;
    if (all && tensix->delay_cycles != 0)
        delay_completion(tile, t, op, word);
    execute(tile, t, word);
    tensix->frontend->passed++;
    if (tensix->trace != NULL && !tensix->thcon->unfinished)
        tf_trace_note(tensix->trace, t, thread->cycle - 1, word, thread->gate.pc);
    if (tile->check != NULL && !tensix->thcon->unfinished)
        tile->check->passed(tile->check, t, word, thread->gate.pc, tile->now);
    enum pause pause;
    if (all && (thread->gate.resources != 0 || (op->flags & TF_TENSIX_WAITS) != 0 || thread->faulted) &&
        after_special(tensix, t, op, &pause))
        return pause;
    if (!all && thread->faulted)
        return PAUSE_FAULT;
    return (tensix->events & turn->awaited) != 0 ? PAUSE_EVENT : PAUSE_NONE;
}

/* Runs a thread while its clock is before `limit`, and on to `deadline` while it touches nothing but its GPRs. */
static __attribute__((noinline)) enum pause run_thread(struct tf_tile *tile, unsigned t, uint64_t limit,
                                                       uint64_t deadline, unsigned awaited)
{
    struct tf_tensix *tensix = tile->tensix;
    const struct turn turn = {tensix, &tensix->thread[t], t, limit, deadline, awaited};
    while (turn.thread->cycle < deadline) {
        enum pause pause = pass_next(tile, &turn, true);
        if (pause != PAUSE_NONE)
            return pause;
    }
    return PAUSE_LIMIT;
}

static uint64_t first_cycle(const struct tf_tensix *tensix, unsigned live)
{
    uint64_t first = UINT64_MAX;
    const struct tf_tensix_thread *thread = tensix->thread;
#pragma GCC unroll 3
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++)
        if ((live >> t & 1) != 0 && thread[t].cycle < first)
            first = thread[t].cycle;
    return first;
}

/* Does no instruction reach the empty gate before the deadline? */
static inline bool is_idle(const struct tf_tensix_thread *thread, uint64_t deadline)
{
    return !thread->gate.full && thread->replay.play_left == 0 && thread->mop.remaining == 0 &&
           tf_frontend_next_arrival(thread) >= deadline;
}

/*
 * Runs the threads of *live cycle by cycle, until one pauses for more than a cycle. Returns that thread and *pause; the
 * number of threads if all have reached the deadline. Idle threads leave *live. Row `unpack-add-pack` pays for it. Its
 * loop is not unrolled: three copies of pass_next() crowd out a quarter of the host's instruction cache (same row).
 */
static unsigned run_in_step(struct tf_tile *tile, unsigned *live, uint64_t deadline, unsigned awaited,
                            enum pause *pause)
{
    struct tf_tensix *tensix = tile->tensix;
    uint64_t cycle = first_cycle(tensix, *live);
    while (cycle < deadline) {
        bool any = false;
        for (unsigned t = 0; t < TF_TENSIX_THREADS; t++) {
            if ((*live >> t & 1) == 0 || tensix->thread[t].cycle != cycle)
                continue;
            const struct turn turn = {tensix, &tensix->thread[t], t, cycle + 1, deadline, awaited};
            any = true;
            *pause = pass_next(tile, &turn, false);
            if (*pause == PAUSE_NONE)
                continue;
            if (*pause == PAUSE_HARD && is_idle(&tensix->thread[t], deadline)) {
                *live &= ~(1u << t);
                continue;
            }
            if (*pause == PAUSE_HARD)
                *pause = run_thread(tile, t, cycle + 1, deadline, awaited);
            if (*pause != PAUSE_LIMIT)
                return t;
        }
        cycle = any ? cycle + 1 : first_cycle(tensix, *live);
    }
    return TF_TENSIX_THREADS;
}

static bool pipeline_pending(const struct tf_tensix *tensix, unsigned t, uint64_t cycle)
{
    if (tensix->delay_cycles == 0)
        return false;
    for (unsigned kind = 0; kind < TF_BUSY_KINDS; kind++)
        if (tensix->busy->until[kind][t] > cycle)
            return true;
    return false;
}

bool tf_tensix_can_act(struct tf_tile *tile, unsigned t)
{
    const struct tf_tensix *tensix = tile->tensix;
    const struct tf_tensix_thread *thread = &tensix->thread[t];
    const struct tf_gate *gate = &thread->gate;
    if (pipeline_pending(tensix, t, thread->cycle))
        return true;
    if (thread->faulted)
        return false;
    if (gate->wait.opcode != 0 && tf_gate_met(tile, t, thread->cycle))
        return true;
    if (!gate->full)
        return tf_frontend_has_work(thread);
    if (gate->wait.opcode != 0 && tf_gate_catches(&tf_tensix_ops[gate->word >> 24], gate->wait.block))
        return false;
    return !tf_gate_held(tile, t, gate->word);
}

/* The threads of a turn that are stalled at their gates. */
struct stalled {
    unsigned threads; /* mask */
    unsigned awaited; /* by any of them, enum tf_change */
};

/*
 * Thread t caused an event in the cycle before its clock: the stalled threads that await it try again from that cycle
 * on. Returns them.
 */
static unsigned release(struct tf_tensix *tensix, struct stalled *stalled, unsigned t)
{
    const uint8_t *awaits = tensix->frontend->awaits;
    uint64_t cycle = tensix->thread[t].cycle;
    unsigned released = 0, awaited = 0;
#pragma GCC unroll 3
    for (unsigned other = 0; other < TF_TENSIX_THREADS; other++) {
        if ((stalled->threads >> other & 1) == 0)
            continue;
        if ((awaits[other] & tensix->events) == 0) {
            awaited |= awaits[other];
            continue;
        }
        uint64_t from = cycle - (other > t);
        tensix->thread[other].cycle = tf_max(tensix->thread[other].cycle, from);
        released |= 1u << other;
    }
    *stalled = (struct stalled){stalled->threads & ~released, awaited};
    return released;
}

/* Shorter turns, in cycles, do not repay a search for occupants of the scalar unit: of FIFOs with more entries than
   AHEAD_FIFO_MAX, or of others. Rows `mop-1t`, `replay-1t` and `matmul-*` pay for it. */
#define AHEAD_FIFO_MAX 4u
#define AHEAD_CYCLES_SEARCHED 16u
#define AHEAD_CYCLES_MIN 4u

/* Must long FIFOs be searched to find occupants? */
static inline bool any_unbatched(const struct tf_tensix *tensix, unsigned live)
{
    const struct tf_tensix_thread *thread = tensix->thread;
    bool any = false;
#pragma GCC unroll 3
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++)
        any |= (live >> t & 1) != 0 && thread[t].fifo.unbatched && thread[t].fifo.count > AHEAD_FIFO_MAX;
    return any;
}

/* Is nothing before the gate, or at it, that may occupy the scalar unit? False: tf_frontend_may_occupy() looks. */
static inline bool holds_no_occupant(const struct tf_tensix_thread *thread)
{
    return !tf_fifo_may_hold(&thread->fifo) && !tf_fifo_may_hold(&thread->mid) && !thread->gate.full &&
           (thread->mop.remaining | thread->replay.play_left) == 0;
}

static void note_occupants(struct tf_tensix *tensix, unsigned live)
{
    tensix->frontend->occupants = 0;
    if ((live & (live - 1)) == 0)
        return;
#pragma GCC unroll 3
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++)
        if ((live >> t & 1) != 0 && !holds_no_occupant(&tensix->thread[t]))
            note_occupant(tensix, t);
}

/*
 * A turn begins with the gpr-only instructions that run ahead anyhow: they need not come to the gate one thread after
 * another. Returns the threads of `live` that have more to do. Row `thcon` of tilefarm bench pays for it.
 */
static unsigned run_ahead(const struct tf_tile *tile, unsigned live, uint64_t deadline)
{
    struct tf_tensix *tensix = tile->tensix;
    struct tf_tensix_thread *thread = tensix->thread;
#pragma GCC unroll 3
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++) {
        if ((live >> t & 1) == 0 || !begins_gpr_only(&thread[t]) || is_wait_pending(tensix, &thread[t]) ||
            may_not_run_ahead(tensix, t))
            continue;
        tf_gpr_only_run(tile, t, deadline);
        if (thread[t].cycle >= deadline || (!thread[t].gate.full && !tf_frontend_has_work(&thread[t])))
            live &= ~(1u << t);
    }
    return live;
}

/*
 * The threads that the last turn left stalled, and that still are: nothing that they await has changed, not even by a
 * core. Rows `matmul-*` and `unpack-add-pack` pay for it.
 */
static inline struct stalled still_stalled(struct tf_tensix *tensix)
{
    struct tf_frontend *frontend = tensix->frontend;
    struct stalled stalled = {0, 0};
#pragma GCC unroll 3
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++) {
        if ((frontend->stalled >> t & 1) == 0 || !tensix->thread[t].gate.full ||
            (frontend->awaits[t] & (tensix->events | TF_CHANGE_ANY)) != 0)
            continue;
        stalled.threads |= 1u << t;
        stalled.awaited |= frontend->awaits[t];
    }
    frontend->stalled = 0;
    return frontend->halt_flags == 0 ? stalled : (struct stalled){0, 0};
}

/* False: a thread has halted. */
static bool run_threads(struct tf_tile *tile, uint64_t deadline)
{
    struct tf_tensix *tensix = tile->tensix;
    const struct tf_tensix_thread *thread = tensix->thread;
    struct stalled stalled = still_stalled(tensix);
    unsigned live = 0, missed = 0; /* missed: threads whose release may have been lost */
    uint64_t first = deadline;
#pragma GCC unroll 3
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++) {
        bool busy = thread[t].gate.full || tf_frontend_has_work(&thread[t]);
        if (!busy || thread[t].faulted || thread[t].cycle >= deadline)
            continue;
        live |= 1u << t;
        first = tf_min(thread[t].cycle, first);
    }
    tensix->frontend->occupants = (uint8_t)live;
    if (deadline - first >= (any_unbatched(tensix, live) ? AHEAD_CYCLES_SEARCHED : AHEAD_CYCLES_MIN))
        note_occupants(tensix, live);
    stalled.threads &= live;
    live &= ~stalled.threads;
    if (tile->explore == NULL)
        live = run_ahead(tile, live, deadline);
    while (live != 0) {
        enum pause pause;
        unsigned t = (unsigned)__builtin_ctz(live);
        tensix->events = 0;
        if ((live & (live - 1)) == 0)
            pause = run_thread(tile, t, deadline, deadline, stalled.awaited);
        else
            t = run_in_step(tile, &live, deadline, stalled.awaited, &pause);
        if (t == TF_TENSIX_THREADS)
            break;
        if (pause != PAUSE_EVENT && (tensix->events & stalled.awaited) != 0)
            missed |= stalled.threads;
        switch (pause) {
        case PAUSE_LIMIT:
            if (tensix->thread[t].cycle >= deadline)
                live &= ~(1u << t);
            break;
        case PAUSE_EVENT: live |= release(tensix, &stalled, t); break;
        case PAUSE_WAIT:
            stalled.threads |= 1u << t;
            stalled.awaited |= tensix->frontend->awaits[t];
            live &= ~(1u << t);
            break;
        case PAUSE_EMPTY:
            if (tf_frontend_next_arrival(&tensix->thread[t]) >= deadline)
                live &= ~(1u << t);
            else
                tensix->thread[t].cycle = tf_frontend_next_arrival(&tensix->thread[t]);
            break;
        case PAUSE_HALT: return false;
        default: live &= ~(1u << t); break;
        }
    }
    tensix->events = 0;
    tensix->frontend->stalled = (uint8_t)(stalled.threads & ~missed);
    return true;
}

static void pass_time(struct tf_tensix *tensix, uint64_t deadline)
{
    if (tensix->asleep) {
        tensix->asleep_until = tf_max(tensix->asleep_until, deadline);
        return;
    }
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++)
        tensix->thread[t].cycle = tf_max(tensix->thread[t].cycle, deadline);
}

/* Is a wait latched? */
static inline bool any_wait(const struct tf_tensix *tensix)
{
    const struct tf_tensix_thread *thread = tensix->thread;
    return (thread[0].gate.wait.opcode | thread[1].gate.wait.opcode | thread[2].gate.wait.opcode) != 0;
}

/*
 * All threads have run up to `deadline`. The coprocessor falls asleep if no thread has work or a latched wait: until a
 * push, only time passes.
 */
static void end_turn(struct tf_tile *tile, uint64_t deadline)
{
    _Static_assert(TF_TENSIX_THREADS == 3, "any_wait() asks three");
    struct tf_tensix *tensix = tile->tensix;
    bool busy = tensix->delay_cycles != 0;
#pragma GCC unroll 3
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++) {
        struct tf_tensix_thread *thread = &tensix->thread[t];
        thread->cycle = tf_max(thread->cycle, deadline);
        busy |= thread->gate.full || tf_frontend_has_work(thread);
    }
    if (any_wait(tensix) && deadline != 0)
        tf_gate_settle(tile, deadline - 1);
    if (busy || any_wait(tensix))
        return;
    tensix->asleep = true;
    tensix->asleep_until = deadline;
}

void tf_tensix_wake(struct tf_tensix *tensix)
{
    if (!tensix->asleep)
        return;
    tensix->asleep = false;
    pass_time(tensix, tensix->asleep_until);
}

/* False: a thread has halted. */
static bool run_to(struct tf_tile *tile, uint64_t cycle)
{
    uint64_t now = tile->now;
    bool all = run_threads(tile, cycle);
    if (all)
        end_turn(tile, cycle);
    tile->now = now;
    return all;
}

bool tf_tensix_turn(struct tf_tile *tile, uint64_t deadline)
{
    if (tile->tensix->asleep) {
        pass_time(tile->tensix, deadline);
        return false;
    }
    run_to(tile, deadline);
    return true;
}

bool tf_tensix_asleep(const struct tf_tile *tile)
{
    return tile->tensix->asleep;
}

uint64_t tf_tensix_clock(const struct tf_tile *tile)
{
    const struct tf_tensix *tensix = tile->tensix;
    uint64_t clock = tensix->thread[0].cycle;
    if (tensix->asleep)
        return tensix->asleep_until;
    for (unsigned t = 1; t < TF_TENSIX_THREADS; t++)
        clock = tf_min(clock, tensix->thread[t].cycle);
    return clock;
}

bool tf_tensix_run_to(struct tf_tile *tile, uint64_t cycle, bool halts)
{
    struct tf_tensix *tensix = tile->tensix;
    if (tf_tensix_clock(tile) >= cycle)
        return true;
    if (tensix->asleep) {
        pass_time(tensix, cycle);
        return true;
    }
    tensix->frontend->halt_flags = halts ? TF_TENSIX_REGISTER : 0;
    bool all = run_to(tile, cycle);
    tensix->frontend->halt_flags = 0;
    return all;
}

void tf_tensix_catch_up(struct tf_tile *tile, uint64_t deadline)
{
    pass_time(tile->tensix, deadline);
}

bool tf_tensix_waiting(struct tf_tile *tile)
{
    if (tile->tensix->asleep)
        return true;
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++)
        if (tf_tensix_can_act(tile, t))
            return false;
    return true;
}

bool tf_tensix_thread_idle(const struct tf_tile *tile, unsigned t, uint64_t before)
{
    const struct tf_tensix *tensix = tile->tensix;
    const struct tf_tensix_thread *thread = &tensix->thread[t];
    return !thread->gate.full && !tf_frontend_has_work_before(thread, before) &&
           !pipeline_pending(tensix, t, tile->now);
}

uint64_t tf_tensix_not_before(const struct tf_tile *tile, unsigned t, bool idle)
{
    const struct tf_tensix_thread *thread = &tile->tensix->thread[t];
    return tile->tensix->asleep ? 0 : thread->cycle + tf_frontend_cycles_left(thread, idle);
}
