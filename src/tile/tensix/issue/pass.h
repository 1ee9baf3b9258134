/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One instruction passes the gate of a thread: from its source (next.h) to the gate, through the wait gate, into its
 * unit (dispatch.h). Part of run.c, whose loops instantiate pass_next().
 */
#ifndef TILE_TENSIX_ISSUE_PASS_H
#define TILE_TENSIX_ISSUE_PASS_H

#include "host/extremes.h"
#include "tile/check.h"
#include "tile/explore/lag.h"
#include "tile/explore/noted.h"
#include "tile/explore/units.h"
#include "tile/tensix/data/report.h"
#include "tile/tensix/frontend/gate_fault.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/frontend/trace.h"
#include "tile/tensix/frontend/busy.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/frontend/frontend.h"
#include "tile/tensix/frontend/gate.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/kind.h"
#include "tile/tensix/frontend/next.h"
#include "tile/tensix/frontend/state.h"
#include "tile/timing.h"
#include "tile/tensix/issue/timed.h"
#include "tile/tensix/frontend/trail.h"
#include "tile/tensix/frontend/ttsync.h"
#include "tile/tensix/matrix/math.h"
#include "tile/tensix/scalar/alu.h"
#include "tile/tensix/scalar/gpr_only.h"
#include "tile/tensix/thcon.h"
#include "tile/tensix/state.h"
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

static void fault_at_gate(struct tf_tile *tile, unsigned t, uint32_t word)
{
    const struct tf_tensix_op *op = tf_tensix_op((uint8_t)(word >> 24));
    if (op == NULL)
        tf_tensix_fault(tile, t, TF_FAULT_UNDEFINED, 0, "there is no such opcode");
    else if ((word & op->reserved) != 0)
        tf_tensix_fault(tile, t, TF_FAULT_UNDEFINED, 0, "reserved bits are set");
    else if (op->unit == TF_UNIT_FRONTEND)
        tf_tensix_fault(tile, t, TF_FAULT_UNDEFINED, 0,
                        "an instruction of the frontend reached the wait gate, past the stage that executes it");
    else
        tf_tensix_fault(tile, t, TF_FAULT_UNDEFINED, 0, "no page defines what the %s unit does with this instruction",
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

/* Lets time pass until a unit completes something, or until `limit`. Returns false if nothing is under way. */
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

/* Completion is delayed: the instruction counts as under way in its unit for delay_cycles. Returns true if the unit
   executes it later, too. */
static bool delay_completion(struct tf_tile *tile, unsigned t, const struct tf_tensix_op *op, uint32_t word)
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
        return false;
    tf_gate_before_change(tile, TF_CHANGE_ALL);
    uint64_t until = tensix->thread[t].cycle +
                     (tile->timing != NULL ? tf_timed_under_way(tile, t, op) : tensix->delay_cycles);
    if (TF_HOOK(tile->explore) != NULL)
        until = tf_max(until, tf_explored_unit(tile, t, word));
    tensix->busy->until[kind][t] = until;
    for (unsigned i = 0; i < TF_BUSY_PACKERS && kind == TF_BUSY_PACK && tensix->busy_packers != NULL; i++)
        if ((tf_busy_packers(word) >> i & 1) != 0)
            tensix->busy_packers->until[i][t] = until;
    return TF_HOOK(tile->explore) != NULL && tf_explored_lags(tile);
}

enum verdict { PASSES, WAITS, NEXT_CYCLE };

/*
 * Decides whether the instruction at the gate passes, in the order of WaitGate.md. A latched wait that was not met at
 * the end of the last cycle stalls it. If the wait is met in this cycle, it is cleared, and the next cycle decides.
 */
TF_ALWAYS_INLINE enum verdict ask_gate(struct tf_tile *tile, unsigned t, const struct tf_tensix_op *op, uint32_t word)
{
    struct tf_tensix_thread *thread = &tile->tensix->thread[t];
    struct tf_wait *wait = &thread->gate.wait;
    if (wait->opcode != 0 && thread->cycle != 0)
        tf_gate_clear(tile, t, wait, thread->cycle - 1);
    if (wait->opcode != 0 && tf_gate_catches(op, wait->block)) {
        tf_gate_clear(tile, t, wait, thread->cycle);
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

/* ask_gate() where no wait is latched, and no unit is occupied or held in reset. WAITS also where the whole gate must
   decide, since the scalar unit may be occupied. Most UNPACRs pass: row `unpack-add-pack` pays for it. */
TF_ALWAYS_INLINE enum verdict ask_simple_gate(struct tf_tile *tile, unsigned t, const struct tf_tensix_op *op,
                                              uint32_t word)
{
    return op->unit == TF_UNIT_SCALAR || tf_gate_held(tile, t, word) ? WAITS : PASSES;
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

/* May the instruction have a condition of its own that is not met? The gate decides. */
static inline bool may_be_held(const struct tf_tensix *tensix, const struct tf_tensix_op *op, uint32_t word)
{
    return tf_tensix_may_wait(op, word) || tf_gate_awaits_src(tensix->src, op);
}

/* May an instruction before which the turn halts pass in it? Each turn searches once: rows `mop-1t` and `replay-1t` pay
   for it. */
static bool may_halt(struct tf_tensix *tensix)
{
    struct tf_frontend *frontend = tensix->frontend;
    unsigned flags = 0;
    if (frontend->halt_flags == 0 || frontend->halt_searched)
        return frontend->halt_flags != 0;
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++)
        flags |= tf_frontend_flags(&tensix->thread[t]);
    frontend->halt_searched = true;
    frontend->halt_flags &= (uint8_t)flags;
    return frontend->halt_flags != 0;
}

/*
 * May another thread occupy the scalar unit and so stall this one, or may a halt wake cores that read its GPRs? Then
 * threads run cycle by cycle.
 */
static inline bool needs_lockstep(struct tf_tensix *tensix, unsigned t)
{
    return (tensix->frontend->occupants & ~(1u << t)) != 0 || (tensix->frontend->halt_flags != 0 && may_halt(tensix));
}

/* Records whether the thread may occupy the scalar unit. */
static void note_occupant(struct tf_tensix *tensix, unsigned t)
{
    unsigned bit = 1u << t;
    tensix->frontend->occupants = (uint8_t)((tensix->frontend->occupants & ~bit) |
                                            (tf_frontend_may_occupy(&tensix->thread[t]) ? bit : 0));
}

/*
 * The steps after an instruction that has a condition of its own, that Auto TTSync counts, or that has faulted. Returns
 * true if the thread stops running, with *pause.
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

/* If other orders are explored: does the thread wait before the instruction at its gate? */
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
 * The kind of the next instruction, before it comes to the empty gate. It is also TF_KIND_UNKNOWN if the kind is not
 * stored with the instruction. Rows `thcon`, `replay` and `vector`, and the workload `pipeline`, pay for batches that
 * begin before the gate.
 */
static inline uint8_t kind_before_gate(struct tf_tensix_thread *thread)
{
    struct tf_replay *replay = &thread->replay;
    if (thread->gate.full)
        return TF_KIND_UNKNOWN;
    switch (tf_next_source(thread, UINT64_MAX, false)) {
    case TF_SOURCE_PLAY: return tf_kind_at(&replay->kind[replay->index], replay->buffer[replay->index]);
    case TF_SOURCE_MOP: return thread->mop.kinds.plays && thread->mop.looping ? thread->mop.loop_kind : TF_KIND_UNKNOWN;
    case TF_SOURCE_FIFO: return tf_fifo_head(&thread->fifo)->kind;
    default: return TF_KIND_UNKNOWN;
    }
}

static inline bool begins_gpr_only(struct tf_tensix_thread *thread)
{
    return tf_kind_is_scalar(kind_before_gate(thread));
}

/* Does the vector unit execute the next instruction in batches? */
static inline bool begins_vector(struct tf_tensix_thread *thread)
{
    return tf_kind_in_vector(kind_before_gate(thread)) < TF_VECTOR_KINDS;
}

/* Does a trace or a race checker see each instruction? */
static inline bool is_seen(const struct tf_tile *tile)
{
    return tile->tensix->trace != NULL || tf_reports_all(tile);
}

TF_ALWAYS_INLINE bool run_gpr_only(const struct tf_tile *tile, unsigned t, uint64_t deadline, const bool with_observers)
{
    return with_observers && is_seen(tile) ? tf_gpr_only_run_observed(tile, t, deadline)
                                           : tf_gpr_only_run(tile, t, deadline);
}

/* Passes the instruction at the gate, which nothing holds, in a batch of its unit. Returns false if it begins no
   batch. */
TF_ALWAYS_INLINE bool run_batch(struct tf_tile *tile, const struct turn *turn, const struct tf_tensix_op *op)
{
    if (op->unit == TF_UNIT_VECTOR)
        return tf_sfpu_run(tile, turn->t, turn->limit);
    return turn->thread->gate.kind == TF_KIND_MATRIX && tf_fpu_run(tile, turn->t, turn->limit);
}

/* While the critical path is recorded: the gate holds the instruction. changes: what may release it; 0: time. */
static inline void note_gate(struct tf_tile *tile, unsigned t, uint32_t changes)
{
    if (tf_path_of(tile->timing) != NULL)
        tf_trail_gate(tile, tf_path_of(tile->timing), t, changes);
}

/* The instruction at the gate passes: it executes, and observers are called. The flags are those of pass_next(). */
TF_ALWAYS_INLINE enum pause execute_passed(struct tf_tile *tile, const struct turn *turn, const struct tf_tensix_op *op,
                                           uint32_t word, const bool all, const bool with_observers)
{
    const unsigned t = turn->t;
    struct tf_tensix *const tensix = turn->tensix;
    struct tf_tensix_thread *const thread = turn->thread;
    thread->gate.full = false;
    tile->cycle = thread->cycle++;
    const uint32_t events = tensix->events;
    if (!(all && tensix->delay_cycles != 0 && delay_completion(tile, t, op, word)))
        tf_tensix_dispatch[word >> 24](tile, t, word);
    tensix->frontend->passed++;
    if (with_observers && tile->timing != NULL && tf_path_of(tile->timing) != NULL)
        tf_trail_passed(tile, tf_path_of(tile->timing), t, op, events);
    if (with_observers && tensix->trace != NULL && !tensix->thcon->unfinished)
        tf_trace_note(tensix->trace, t, thread->cycle - 1, word, thread->gate.pc);
    if (with_observers && tile->check != NULL && !tensix->thcon->unfinished)
        tf_noted_passed(tile, t, word, thread->gate.pc, tile->cycle);
    enum pause pause;
    if (all && (thread->gate.resources != 0 || (op->flags & TF_TENSIX_WAITS) != 0 || thread->faulted) &&
        after_special(tensix, t, op, &pause))
        return pause;
    if (!all && thread->faulted)
        return PAUSE_FAULT;
    return (tensix->events & turn->awaited) != 0 ? PAUSE_EVENT : PAUSE_NONE;
}

/*
 * Passes the next instruction of a thread through its gate, or a batch that begins with it. PAUSE_NONE: it passed, or
 * time passed. Both flags are constants. With `all`, it handles every case. Without `all`, it passes an instruction
 * only if a few tests of the gate suffice. Else it returns PAUSE_HARD, and has at most moved an instruction to the
 * gate. Rows `unpack-add-pack` and `matmul-*` of tilefarm bench pay for the second instance. Without `looked` there is
 * no observer (tf_tensix_has_observers()), so runs without one pay nothing for it.
 */
TF_ALWAYS_INLINE enum pause pass_next(struct tf_tile *tile, const struct turn *turn, const bool all,
                                      const bool with_observers)
{
    const unsigned t = turn->t;
    struct tf_tensix *const tensix = turn->tensix;
    struct tf_tensix_thread *const thread = turn->thread;
    if (!all && (is_wait_pending(tensix, thread) || tensix->delay_cycles != 0))
        return PAUSE_HARD;
    if (!all && begins_gpr_only(thread) &&
        run_gpr_only(tile, t, needs_lockstep(tensix, t) ? turn->limit : turn->deadline, with_observers))
        return PAUSE_NONE;
    /* A push by the debug bus in this cycle may come first. */
    if (all && thread->cycle >= turn->limit && !thread->gate.full && needs_lockstep(tensix, t))
        return PAUSE_LIMIT;
    if (!thread->gate.full && !tf_next_take(tile, thread, t, 0, false)) {
        if (!all)
            return PAUSE_HARD;
        if (!tf_frontend_take(tile, t, turn->limit))
            return thread->faulted ? PAUSE_FAULT : thread->cycle >= turn->limit ? PAUSE_LIMIT : PAUSE_EMPTY;
    }
    uint32_t word = thread->gate.word;
    const struct tf_tensix_op *op = &tf_tensix_ops[word >> 24];
    const bool is_timed = all && with_observers &&
                          tile->timing != NULL; /* then units take their time, and no batches pass */
    const bool gpr_only = !is_timed && tf_kind_is_scalar(tf_kind_at(&thread->gate.kind, word));
    bool wait_pending = all && is_wait_pending(tensix, thread);
    /* A MOP_CFG before the instruction has taken a cycle. */
    if (all && thread->cycle >= turn->limit &&
        (needs_lockstep(tensix, t) || thread->cycle >= turn->deadline || !gpr_only))
        return PAUSE_LIMIT;
    if (!wait_pending && gpr_only && !(all && with_observers && tile->explore != NULL) &&
        run_gpr_only(tile, t, needs_lockstep(tensix, t) ? turn->limit : turn->deadline, with_observers))
        return PAUSE_NONE;
    if ((op->flags & tensix->frontend->halt_flags) != 0)
        return PAUSE_HALT;
    if (wait_pending || may_be_held(tensix, op, word)) {
        if (all && thread->cycle >= turn->limit)
            return PAUSE_LIMIT;
        enum verdict verdict = all ? ask_gate(tile, t, op, word) : ask_simple_gate(tile, t, op, word);
        if (!all && verdict == WAITS)
            return PAUSE_HARD;
        if (is_timed && verdict != PASSES)
            note_gate(tile, t, 0);
        if (verdict == NEXT_CYCLE || (verdict == WAITS && await_completion(tensix, thread, turn->limit)))
            return PAUSE_NONE;
        if (is_timed && verdict == WAITS)
            note_gate(tile, t, tensix->frontend->awaits[t]);
        if (verdict == WAITS)
            return PAUSE_WAIT;
    } else if (all && !(with_observers && (is_timed || is_seen(tile) || tile->explore != NULL)) &&
               run_batch(tile, turn, op)) {
        return PAUSE_NONE;
    }
    if (!all && thread->gate.resources != 0)
        return PAUSE_HARD;
    if ((word & op->reserved) != 0 || tf_tensix_dispatch[word >> 24] == NULL) {
        if (!all)
            return PAUSE_HARD;
        fault_at_gate(tile, t, word);
        return PAUSE_FAULT;
    }
    if (all && with_observers && tensix->delay_cycles != 0 && add_explored_wait(tile, t))
        return PAUSE_NONE;
    if (is_timed && !tf_timed_passes(tile, t, op, turn->limit))
        return PAUSE_NONE;
    return execute_passed(tile, turn, op, word, all, with_observers);
}

#endif
