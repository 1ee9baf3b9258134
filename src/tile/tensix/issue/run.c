/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The coprocessor's turns. In each cycle T0, T1 and T2, in this order, pass at most one instruction each through their
 * gates, and the instruction completes. Latencies of units are not modelled.
 *
 * Each thread has a clock of its own. The thread with the earliest clock runs next; if clocks are equal, the lower
 * number. It runs alone while its clock is the earliest. Gpr-only instructions (scalar/alu.h) may run further ahead,
 * since no other thread can observe them. They may not while another thread may occupy the scalar unit, which stalls
 * them (ATCAS, ATINCGETPTR, FLUSHDMA, STOREIND: ScalarUnit.md), nor in a turn that halts for parked cores.
 *
 * A stalled thread does not run until an event of another thread may release it; its clock then catches up. All threads
 * run up to the cycle in which a core acts on shared state, and to the end of the slice (order.h).
 */
#include "host/extremes.h"
#include "tile/tensix/asleep.h"
#include "tile/tensix/frontend/busy.h"
#include "tile/tensix/frontend/gate.h"
#include "tile/tensix/issue/pass.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/issue/run.h"
#include "tile/tensix/thcon.h"
#include "tile/tensix/state.h"

/* Does an observer look at the coprocessor of a tile, or are other orders explored? If not, the instance without these
   tests runs. */
static inline bool tf_tensix_has_observers(const struct tf_tile *tile)
{
    return TF_HOOK(tile->observer) != NULL || TF_HOOK(tile->tensix->trace) != NULL;
}

TF_ALWAYS_INLINE enum pause run_thread_as(struct tf_tile *tile, unsigned t, uint64_t limit, uint64_t deadline,
                                          unsigned awaited, const bool with_observers)
{
    struct tf_tensix *tensix = tile->tensix;
    const struct turn turn = {tensix, &tensix->thread[t], t, limit, deadline, awaited};
    if (!with_observers && begins_vector(turn.thread) && !is_wait_pending(tensix, turn.thread))
        tf_sfpu_run(tile, t, limit);
    while (turn.thread->cycle < deadline) {
        enum pause pause = pass_next(tile, &turn, true, with_observers);
        if (pause != PAUSE_NONE)
            return pause;
    }
    return PAUSE_LIMIT;
}

static __attribute__((noinline)) enum pause run_thread_with_observers(struct tf_tile *tile, unsigned t, uint64_t limit,
                                                                      uint64_t deadline, unsigned awaited)
{
    return run_thread_as(tile, t, limit, deadline, awaited, true);
}

static __attribute__((noinline)) enum pause run_thread_without_observers(struct tf_tile *tile, unsigned t,
                                                                         uint64_t limit, uint64_t deadline,
                                                                         unsigned awaited)
{
    return run_thread_as(tile, t, limit, deadline, awaited, false);
}

/* Runs a thread while its clock is before `limit`. It continues to `deadline` while it touches nothing but its GPRs. */
TF_ALWAYS_INLINE enum pause run_thread(struct tf_tile *tile, unsigned t, uint64_t limit, uint64_t deadline,
                                       unsigned awaited, const bool with_observers)
{
    return with_observers ? run_thread_with_observers(tile, t, limit, deadline, awaited)
                          : run_thread_without_observers(tile, t, limit, deadline, awaited);
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

/* The thread with the earliest clock, and the clock of the next one. Up to that clock the thread runs alone, and its
   MVMULs pass in batches (rows `matmul-*`). */
struct lead {
    unsigned thread;
    uint64_t until;
};

static inline struct lead find_lead(const struct tf_tensix *tensix, unsigned live, uint64_t deadline)
{
    struct lead lead = {0, deadline};
    uint64_t first = UINT64_MAX;
#pragma GCC unroll 3
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++) {
        uint64_t cycle = tensix->thread[t].cycle;
        if ((live >> t & 1) == 0)
            continue;
        lead.until = tf_min(lead.until, cycle < first ? first : cycle);
        lead.thread = cycle < first ? t : lead.thread;
        first = tf_min(cycle, first);
    }
    return lead;
}

/* Will no instruction reach the empty gate before the deadline? */
static inline bool is_idle(const struct tf_tensix_thread *thread, uint64_t deadline)
{
    return !thread->gate.full && thread->replay.play_left == 0 && thread->mop.remaining == 0 &&
           tf_frontend_next_arrival(thread) >= deadline;
}

/*
 * Runs the threads of *live cycle by cycle, until one pauses for more than a cycle. Returns that thread, and sets
 * *pause. Returns the number of threads if all have reached the deadline or are idle. Idle threads are removed from
 * *live. Row `unpack-add-pack` pays for it. Its loop is not unrolled: three copies of pass_next() crowd out a quarter
 * of the host's instruction cache (same row).
 */
TF_ALWAYS_INLINE unsigned run_in_step(struct tf_tile *tile, unsigned *live, uint64_t deadline, unsigned awaited,
                                      enum pause *pause, const bool with_observers)
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
            *pause = pass_next(tile, &turn, false, with_observers);
            if (*pause == PAUSE_NONE)
                continue;
            if (*pause == PAUSE_HARD && is_idle(&tensix->thread[t], deadline)) {
                *live &= ~(1u << t);
                if (*live == 0)
                    return TF_TENSIX_THREADS;
                if ((*live & (*live - 1)) != 0)
                    continue;
                *pause = PAUSE_LIMIT;
                return (unsigned)__builtin_ctz(*live);
            }
            if (*pause == PAUSE_HARD)
                *pause = run_thread(tile, t, cycle + 1, deadline, awaited, with_observers);
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
    unsigned threads; /* their mask */
    unsigned awaited; /* what any of them awaits, as enum tf_change, and TF_CHANGE_PUSHED */
};

/*
 * Thread t caused an event in the cycle before its clock. Release the stalled threads that await it: they try again
 * from that cycle on. Returns these threads. A thread that faults may free the scalar unit.
 */
static unsigned release(struct tf_tensix *tensix, struct stalled *stalled, unsigned t)
{
    const uint8_t *awaits = tensix->frontend->awaits;
    uint64_t cycle = tensix->thread[t].cycle;
    unsigned released = 0, awaited = TF_CHANGE_PUSHED;
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

/*
 * In the cycle before its clock thread t has given instructions to others through the debug bus. Returns the threads
 * that do not stall and have instructions now. One that was waiting for an instruction goes on in that cycle. No thread
 * is ahead of it, since threads run cycle by cycle with one that may store to a debug register. They do so for the rest
 * of the turn: more such stores may follow.
 */
static __attribute__((noinline)) unsigned receive(struct tf_tensix *tensix, unsigned stalled, unsigned t)
{
    struct tf_frontend *frontend = tensix->frontend;
    unsigned received = frontend->bus_pushed & ~stalled;
    for (unsigned other = 0; other < TF_TENSIX_THREADS; other++) {
        struct tf_tensix_thread *thread = &tensix->thread[other];
        if ((received >> other & 1) == 0 || thread->faulted || !tf_frontend_has_work(thread))
            received &= ~(1u << other);
        else if (other != t && !thread->gate.full && (thread->replay.play_left | thread->mop.remaining) == 0)
            thread->cycle = tensix->thread[t].cycle - (other > t);
    }
    frontend->bus_pushed = 0;
    frontend->occupants = (1u << TF_TENSIX_THREADS) - 1;
    return received;
}

/* In a turn of fewer cycles than these, a search of the FIFOs for occupants of the scalar unit costs more than it
   saves. _SEARCHED is for FIFOs with more entries than AHEAD_FIFO_MAX. Rows `mop-1t`, `replay-1t` and `matmul-*` pay
   for it. */
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

/* Is it certain that no instruction at the gate or before it may occupy the scalar unit? If this returns false,
   tf_frontend_may_occupy() searches. */
static inline bool holds_no_occupant(const struct tf_tensix_thread *thread)
{
    return !tf_fifo_may_hold(&thread->fifo) && !tf_fifo_may_hold(&thread->mid) && !thread->gate.full &&
           (thread->mop.remaining | thread->replay.play_left) == 0;
}

/* Notes which of several threads may occupy the scalar unit in a turn of so many cycles. In a short turn it notes all
   of them. */
TF_ALWAYS_INLINE void note_occupants(struct tf_tensix *tensix, unsigned live, uint64_t cycles)
{
    tensix->frontend->occupants = (uint8_t)live;
    if (cycles < (any_unbatched(tensix, live) ? AHEAD_CYCLES_SEARCHED : AHEAD_CYCLES_MIN))
        return;
    tensix->frontend->occupants = 0;
#pragma GCC unroll 3
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++)
        if ((live >> t & 1) != 0 && !holds_no_occupant(&tensix->thread[t]))
            note_occupant(tensix, t);
}

/*
 * Executes at the start of a turn the gpr-only instructions that would run ahead in any case. So they need not pass the
 * gates in turns of their threads. Returns the threads of `live` that have more to do. Row `thcon` of tilefarm bench
 * pays for it.
 */
TF_ALWAYS_INLINE unsigned run_ahead(const struct tf_tile *tile, unsigned live, uint64_t deadline,
                                    const bool with_observers)
{
    struct tf_tensix *tensix = tile->tensix;
    struct tf_tensix_thread *thread = tensix->thread;
#pragma GCC unroll 3
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++) {
        if ((live >> t & 1) == 0 || !begins_gpr_only(&thread[t]) || is_wait_pending(tensix, &thread[t]) ||
            needs_lockstep(tensix, t))
            continue;
        run_gpr_only(tile, t, deadline, with_observers);
        if (thread[t].cycle >= deadline || (!thread[t].gate.full && !tf_frontend_has_work(&thread[t])))
            live &= ~(1u << t);
    }
    return live;
}

/*
 * The threads that the last turn left stalled and that are still stalled: nothing that they await has changed, not even
 * by a core. They halt no turn, unless another thread releases them in it. Rows `matmul-*` and `unpack-add-pack` pay
 * for it.
 */
static inline struct stalled find_stalled(const struct tf_tensix *tensix)
{
    const struct tf_frontend *frontend = tensix->frontend;
    struct stalled stalled = {0, TF_CHANGE_PUSHED};
#pragma GCC unroll 3
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++) {
        if ((frontend->stalled >> t & 1) == 0 || !tensix->thread[t].gate.full ||
            (frontend->awaits[t] & (tensix->events | TF_CHANGE_ANY)) != 0)
            continue;
        stalled.threads |= 1u << t;
        stalled.awaited |= frontend->awaits[t];
    }
    return stalled;
}

/* The threads that have work before the deadline, and the clock of the first one. */
struct busy {
    unsigned threads; /* their mask */
    uint64_t first;
};

static inline struct busy find_busy(const struct tf_tensix *tensix, uint64_t deadline)
{
    const struct tf_tensix_thread *thread = tensix->thread;
    struct busy busy = {0, deadline};
#pragma GCC unroll 3
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++) {
        bool works = thread[t].gate.full || tf_frontend_has_work(&thread[t]);
        if (!works || thread[t].faulted || thread[t].cycle >= deadline)
            continue;
        busy.threads |= 1u << t;
        busy.first = tf_min(thread[t].cycle, busy.first);
    }
    return busy;
}

/* Run the busy threads up to the deadline. `stalled`: some of the busy threads, but not all. Returns false if a thread
   has halted. */
TF_ALWAYS_INLINE bool run_threads_as(struct tf_tile *tile, uint64_t deadline, struct busy busy, struct stalled stalled,
                                     const bool with_observers)
{
    struct tf_tensix *tensix = tile->tensix;
    unsigned live = busy.threads & ~stalled.threads, missed = 0; /* missed: threads whose release may have been lost */
    tensix->frontend->stalled = 0;
    tensix->frontend->occupants = 0;
    tensix->frontend->bus_pushed = 0;
    if ((busy.threads & (busy.threads - 1)) != 0)
        note_occupants(tensix, busy.threads, deadline - busy.first);
    if (!with_observers || (tile->explore == NULL && tile->timing == NULL))
        live = run_ahead(tile, live, deadline, with_observers);
    while (live != 0) {
        enum pause pause;
        const struct lead lead = find_lead(tensix, live, deadline);
        unsigned t = lead.thread;
        tensix->events = 0;
        if (lead.until > tensix->thread[t].cycle + 1)
            pause = run_thread(tile, t, lead.until, deadline, stalled.awaited, with_observers);
        else
            t = run_in_step(tile, &live, deadline, stalled.awaited, &pause, with_observers);
        if (t == TF_TENSIX_THREADS)
            break;
        if (pause != PAUSE_EVENT && pause != PAUSE_FAULT && (tensix->events & stalled.awaited) != 0)
            missed |= stalled.threads;
        switch (pause) {
        case PAUSE_LIMIT:
            if (tensix->thread[t].cycle >= deadline)
                live &= ~(1u << t);
            break;
        case PAUSE_EVENT: live |= release(tensix, &stalled, t); break;
        case PAUSE_FAULT: live = (live & ~(1u << t)) | release(tensix, &stalled, t); break;
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
        case PAUSE_HALT: tensix->frontend->halted_at = tensix->thread[t].cycle; return false;
        default: live &= ~(1u << t); break;
        }
        if (__builtin_expect(tensix->frontend->bus_pushed != 0, 0))
            live |= receive(tensix, stalled.threads, t);
    }
    tensix->events = 0;
    tensix->frontend->stalled = (uint8_t)(stalled.threads & ~missed);
    return true;
}

static __attribute__((noinline)) bool run_threads_with_observers(struct tf_tile *tile, uint64_t deadline,
                                                                 struct busy busy, struct stalled stalled)
{
    return run_threads_as(tile, deadline, busy, stalled, true);
}

static __attribute__((noinline)) bool run_threads_without_observers(struct tf_tile *tile, uint64_t deadline,
                                                                    struct busy busy, struct stalled stalled)
{
    return run_threads_as(tile, deadline, busy, stalled, false);
}

static inline void pass_clocks(struct tf_tensix *tensix, uint64_t deadline)
{
#pragma GCC unroll 3
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++)
        tensix->thread[t].cycle = tf_max(tensix->thread[t].cycle, deadline);
}

static void pass_time(struct tf_tile *tile, uint64_t deadline)
{
    if (!tf_tensix_sleeps(tile, deadline))
        pass_clocks(tile->tensix, deadline);
}

/* Is a wait latched? */
static inline bool any_wait(const struct tf_tensix *tensix)
{
    const struct tf_tensix_thread *thread = tensix->thread;
    return (thread[0].gate.wait.opcode | thread[1].gate.wait.opcode | thread[2].gate.wait.opcode) != 0;
}

/*
 * Ends a turn in which all threads have run up to `deadline`. If no thread has work or a latched wait, the coprocessor
 * falls asleep: until a push, only time passes.
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
    tile->asleep_until = deadline;
}

/* Has a wait been latched that the end of the last turn did not settle yet? */
static inline bool any_new_wait(const struct tf_tensix *tensix)
{
    bool any = false;
#pragma GCC unroll 3
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++) {
        const struct tf_tensix_thread *thread = &tensix->thread[t];
        any |= thread->gate.wait.opcode != 0 && thread->gate.wait.since >= thread->cycle;
    }
    return any;
}

/*
 * If all threads that have work are stalled, time passes up to the deadline. Latched waits were settled at the end of
 * the last turn, and by each change since then. Only new ones, and units that complete late, need end_turn(). Two of
 * three turns end so, since blocked cores try again: rows `matmul-*` pay for this short path. Returns false if nothing
 * was done.
 */
static bool rest(struct tf_tile *tile, uint64_t deadline, struct busy busy, struct stalled stalled)
{
    struct tf_tensix *tensix = tile->tensix;
    if ((busy.threads & ~stalled.threads) != 0)
        return false;
    tensix->events = 0;
    tensix->frontend->stalled = (uint8_t)busy.threads;
    if (busy.threads != 0 && tensix->delay_cycles == 0 && !any_new_wait(tensix))
        pass_clocks(tensix, deadline);
    else
        end_turn(tile, deadline);
    return true;
}

void tf_tensix_wake(struct tf_tile *tile)
{
    uint64_t until = tile->asleep_until;
    if (!tf_tensix_asleep(tile))
        return;
    tile->asleep_until = TF_AWAKE;
    pass_time(tile, until);
}

/* Returns false if a thread has halted. */
static bool run_to(struct tf_tile *tile, uint64_t cycle)
{
    struct tf_tensix *tensix = tile->tensix;
    const struct busy busy = find_busy(tensix, cycle);
    struct stalled stalled = find_stalled(tensix);
    uint64_t kept = tile->cycle;
    stalled.threads &= busy.threads;
    if (rest(tile, cycle, busy, stalled))
        return true;
    bool all = tf_tensix_has_observers(tile) ? run_threads_with_observers(tile, cycle, busy, stalled)
                                             : run_threads_without_observers(tile, cycle, busy, stalled);
    if (all)
        end_turn(tile, cycle);
    tile->cycle = kept;
    return all;
}

bool tf_tensix_turn(struct tf_tile *tile, uint64_t deadline)
{
    if (tf_tensix_sleeps(tile, deadline))
        return false;
    run_to(tile, deadline);
    return true;
}

uint64_t tf_tensix_clock(const struct tf_tile *tile)
{
    const struct tf_tensix *tensix = tile->tensix;
    uint64_t clock = tensix->thread[0].cycle;
    if (tf_tensix_asleep(tile))
        return tile->asleep_until;
    for (unsigned t = 1; t < TF_TENSIX_THREADS; t++)
        clock = tf_min(clock, tensix->thread[t].cycle);
    return clock;
}

bool tf_tensix_run_to(struct tf_tile *tile, uint64_t cycle, bool halts)
{
    struct tf_tensix *tensix = tile->tensix;
    if (tf_tensix_clock(tile) >= cycle)
        return true;
    if (tf_tensix_asleep(tile)) {
        pass_time(tile, cycle);
        return true;
    }
    tensix->frontend->halt_flags = halts ? TF_TENSIX_REGISTER : 0;
    tensix->frontend->halt_searched = false;
    bool all = run_to(tile, cycle);
    tensix->frontend->halt_flags = 0;
    return all;
}

uint64_t tf_tensix_halted_at(const struct tf_tile *tile)
{
    return tile->tensix->frontend->halted_at;
}

bool tf_tensix_rest(struct tf_tile *tile, uint64_t cycle)
{
    const struct tf_tensix *tensix = tile->tensix;
    return rest(tile, cycle, find_busy(tensix, cycle), find_stalled(tensix));
}

void tf_tensix_catch_up(struct tf_tile *tile, uint64_t deadline)
{
    pass_time(tile, deadline);
}

bool tf_tensix_waiting(struct tf_tile *tile)
{
    if (tf_tensix_asleep(tile))
        return true;
    const struct tf_tensix *tensix = tile->tensix;
    const unsigned stalled = tensix->delay_cycles != 0 ? 0 : find_stalled(tensix).threads;
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++)
        if (((stalled >> t & 1) == 0 || tensix->thread[t].gate.wait.opcode != 0) && tf_tensix_can_act(tile, t))
            return false;
    return true;
}

bool tf_tensix_thread_idle(const struct tf_tile *tile, unsigned t, uint64_t before)
{
    const struct tf_tensix *tensix = tile->tensix;
    const struct tf_tensix_thread *thread = &tensix->thread[t];
    return !thread->gate.full && !tf_frontend_has_work_before(thread, before) &&
           !pipeline_pending(tensix, t, tile->cycle);
}

uint64_t tf_tensix_not_before(const struct tf_tile *tile, unsigned t, bool idle)
{
    const struct tf_tensix_thread *thread = &tile->tensix->thread[t];
    return tf_tensix_asleep(tile) ? 0 : thread->cycle + tf_frontend_cycles_left(thread, idle);
}
