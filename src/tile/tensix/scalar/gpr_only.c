/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/scalar/gpr_only.h"

#include "tile/tensix/debug/trace.h"
#include "tile/tensix/frontend/kind.h"
#include "tile/tensix/state.h"

/*
 * Each of these passes on what it can, moves the clock, and says how many instructions it were. All are compiled twice:
 * without a trace (NULL), which then costs nothing, and with one.
 */
#define TWICE static inline __attribute__((always_inline))

TWICE void note(struct tf_tensix_trace *trace, unsigned t, uint64_t cycle, uint32_t word, uint32_t pc)
{
    if (trace != NULL)
        tf_trace_note(trace, t, cycle, word, pc);
}

/* From the replay buffer. The last of a playback that Auto TTSync counts is left to the gate. */
TWICE uint32_t run_replay(struct tf_tensix *tensix, unsigned t, uint64_t deadline, struct tf_tensix_trace *trace)
{
    struct tf_tensix_thread *thread = &tensix->thread[t];
    uint32_t *gpr = tensix->thcon.gpr[t];
    struct tf_replay *replay = &thread->replay;
    uint32_t left = replay->play_left - (replay->resources != 0), done = 0, index = replay->index;
    if (left > deadline - thread->cycle)
        left = (uint32_t)(deadline - thread->cycle);
    for (; done < left; done++, index = (index + 1) % TF_REPLAY_ENTRIES) {
        uint32_t word = replay->buffer[index];
        uint8_t kind = replay->kind[index];
        if (kind == TF_THCON_UNSEEN)
            kind = replay->kind[index] = tf_thcon_kind(word);
        if (!tf_thcon_is_local(kind))
            break;
        tf_thcon_do(gpr, word, kind);
        note(trace, t, thread->cycle + done, word, replay->pc);
    }
    if (done == 0)
        return 0;
    replay->index = (uint8_t)index;
    replay->play_left = (uint8_t)(replay->play_left - done);
    thread->gate.word = replay->buffer[(index - 1) % TF_REPLAY_ENTRIES];
    thread->gate.pc = replay->pc;
    thread->cycle += done;
    return done;
}

/* The same so many times. */
static void repeat(uint32_t *gpr, uint32_t word, uint8_t kind, uint32_t times)
{
    uint32_t left, right, *result = &gpr[TF_FIELD(word, ADDDMAREG, result_reg_index)];
    const uint32_t *a = &gpr[TF_FIELD(word, ADDDMAREG, op_a_reg_index)];
    const uint32_t number = TF_FIELD(word, ADDDMAREG, op_b_reg_index), *b = &gpr[number];
    switch (kind) {
#define X(kind, value)                          \
    case TF_THCON_##kind:                       \
        for (; times != 0; times--) {           \
            left = *a;                          \
            right = *b;                         \
            *result = value;                    \
        }                                       \
        return;                                 \
    case TF_THCON_##kind##_NUMBER:              \
        for (; times != 0; times--) {           \
            left = *a;                          \
            right = number;                     \
            *result = value;                    \
        }                                       \
        return;
    TF_THCON_PAIRS(X)
#undef X
    default:
        tf_thcon_do(gpr, word, kind);
    }
}

/* The innermost loop of a MOP, but for the last instruction of a round, which may be another one. */
TWICE uint32_t run_inner_loop(struct tf_tensix *tensix, unsigned t, uint64_t deadline, struct tf_tensix_trace *trace)
{
    struct tf_tensix_thread *thread = &tensix->thread[t];
    uint32_t *gpr = tensix->thcon.gpr[t];
    struct tf_mop *mop = &thread->mop;
    if (!mop->looping || mop->phase != TF_MOP_LOOP || mop->inner + 1 >= mop->inner_count)
        return 0;
    uint32_t left = mop->inner_count - mop->inner - 1u, done = 0;
    uint8_t kind = tf_thcon_kind(mop->loop), other = kind;
    if (left > deadline - thread->cycle)
        left = (uint32_t)(deadline - thread->cycle);
    if (mop->flip == 0 && tf_thcon_is_local(kind)) {
        repeat(gpr, mop->loop, kind, left);
        for (; done < left; done++)
            note(trace, t, thread->cycle + done, mop->loop, mop->pc);
    } else if (mop->flip != 0) {
        other = tf_thcon_kind(mop->loop ^ mop->flip);
    }
    for (; done < left && tf_thcon_is_local(kind); done++) {
        uint8_t last = kind;
        tf_thcon_do(gpr, mop->loop, kind);
        note(trace, t, thread->cycle + done, mop->loop, mop->pc);
        mop->loop ^= mop->flip;
        kind = other;
        other = last;
    }
    mop->inner = (uint16_t)(mop->inner + done);
    mop->remaining -= done;
    thread->cycle += done;
    return done;
}

/* Until it is done, plays a replay, or has something else for the gate. */
TWICE uint32_t run_mop(struct tf_tensix *tensix, unsigned t, uint64_t deadline, struct tf_tensix_trace *trace)
{
    struct tf_tensix_thread *thread = &tensix->thread[t];
    uint32_t *gpr = tensix->thcon.gpr[t];
    struct tf_mop *mop = &thread->mop;
    struct tf_gate *gate = &thread->gate;
    uint32_t done = 0;
    while (mop->remaining != 0 && thread->cycle < deadline) {
        uint32_t inner = run_inner_loop(tensix, t, deadline, trace);
        done += inner;
        if (inner != 0)
            continue;
        uint32_t word = tf_mop_next(mop);
        uint16_t resources = mop->remaining == 0 ? mop->resources : 0;
        if (word >> 24 == TF_OP_REPLAY) {
            tf_replay_start(&thread->replay, word, mop->pc, resources);
            break;
        }
        gate->word = word;
        gate->pc = mop->pc;
        gate->resources = resources;
        gate->kind = TF_THCON_UNSEEN;
        gate->full = resources != 0 || !tf_thcon_alu(gpr, word);
        if (gate->full)
            break;
        note(trace, t, thread->cycle, word, gate->pc);
        thread->cycle++;
        done++;
    }
    return done;
}

/* What was pushed. What Auto TTSync counts is left to the gate. */
TWICE uint32_t run_fifo(struct tf_tensix *tensix, unsigned t, uint64_t limit, uint64_t deadline,
                        struct tf_tensix_trace *trace)
{
    struct tf_tensix_thread *thread = &tensix->thread[t];
    uint32_t *gpr = tensix->thcon.gpr[t];
    struct tf_fifo *fifo = &thread->fifo;
    uint64_t cycle = thread->cycle;
    uint32_t done = 0, first = fifo->first, count = fifo->count;
    for (; done < count && cycle < deadline; done++) {
        const struct tf_push *head = &fifo->entry[(first + done) % TF_FIFO_ENTRIES];
        uint64_t arrival = head->arrival;
        uint8_t kind = head->kind;
        uint32_t word = head->word;
        if ((arrival > cycle && arrival >= limit) || head->resources != 0)
            break;
        if (kind == TF_THCON_UNSEEN)
            kind = tf_thcon_kind(word);
        if (!tf_thcon_is_local(kind))
            break;
        if (arrival > cycle)
            cycle = arrival;
        tf_thcon_do(gpr, word, kind);
        note(trace, t, cycle, word, head->pc);
        cycle++;
    }
    if (done == 0)
        return 0;
    const struct tf_push *last = &fifo->entry[(first + done - 1) % TF_FIFO_ENTRIES];
    thread->gate.word = last->word;
    thread->gate.pc = last->pc;
    fifo->first = (uint8_t)((first + done) % TF_FIFO_ENTRIES);
    fifo->count = (uint8_t)(count - done);
    thread->cycle = cycle;
    return done;
}

/* A loop of its own, so that the compiler keeps what it needs in registers. */
static __attribute__((noinline)) uint32_t fifo_untraced(struct tf_tensix *tensix, unsigned t, uint64_t limit,
                                                        uint64_t deadline)
{
    return run_fifo(tensix, t, limit, deadline, NULL);
}

bool tf_local_expand(struct tf_tensix_thread *thread, uint64_t limit, uint64_t deadline)
{
    struct tf_fifo *fifo = &thread->fifo;
    const struct tf_push *head = tf_fifo_head(fifo);
    bool arrived = head->arrival <= thread->cycle;
    if (fifo->count == 0 || thread->cycle >= deadline || (!arrived && head->arrival >= limit) || head->resources != 0)
        return false;
    if (tf_replay_plays(head->word))
        tf_replay_start(&thread->replay, head->word, head->pc, 0);
    else if (head->word >> 24 == TF_OP_MOP && tf_tensix_valid(head->word))
        tf_mop_start(&thread->mop, head->word, head->pc, 0);
    else
        return false;
    if (!arrived)
        thread->cycle = head->arrival;
    tf_fifo_pop(fifo);
    return true;
}

/* What follows, while the gate is empty. */
TWICE uint32_t run_on(struct tf_tensix *tensix, unsigned t, uint64_t limit, uint64_t deadline,
                      struct tf_tensix_trace *trace)
{
    struct tf_tensix_thread *thread = &tensix->thread[t];
    uint32_t done = 0;
    while (!thread->gate.full && thread->cycle < deadline) {
        if (thread->replay.play_left != 0) {
            uint32_t more = run_replay(tensix, t, deadline, trace);
            done += more;
            if (more == 0)
                break;
        } else if ((thread->replay.record_left | thread->mid.count) != 0) {
            break;
        } else if (thread->mop.remaining != 0) {
            if (!thread->mop.simple)
                break;
            done += run_mop(tensix, t, deadline, trace);
        } else {
            done += trace == NULL ? fifo_untraced(tensix, t, limit, deadline)
                                  : run_fifo(tensix, t, limit, deadline, trace);
            if (!tf_local_expand(thread, limit, deadline))
                break;
        }
    }
    return done;
}

TWICE bool run(struct tf_tensix *tensix, unsigned t, uint64_t limit, uint64_t deadline, struct tf_tensix_trace *trace)
{
    struct tf_tensix_thread *thread = &tensix->thread[t];
    struct tf_gate *gate = &thread->gate;
    if (gate->full) {
        if (gate->kind == TF_THCON_UNSEEN)
            gate->kind = tf_thcon_kind(gate->word);
        if (gate->resources != 0 || !tf_thcon_is_local(gate->kind))
            return false;
        tf_thcon_do(tensix->thcon.gpr[t], gate->word, gate->kind);
        note(trace, t, thread->cycle, gate->word, gate->pc);
        gate->full = false;
        thread->cycle++;
        tensix->passed++;
    }
    tensix->passed += run_on(tensix, t, limit, deadline, trace);
    return true;
}

/* Out of the other's way. */
static __attribute__((noinline)) bool run_traced(struct tf_tensix *tensix, unsigned t, uint64_t limit,
                                                 uint64_t deadline)
{
    return run(tensix, t, limit, deadline, tensix->trace);
}

bool tf_local_run(struct tf_tensix *tensix, unsigned t, uint64_t limit, uint64_t deadline)
{
    if (__builtin_expect(tensix->trace != NULL, 0))
        return run_traced(tensix, t, limit, deadline);
    return run(tensix, t, limit, deadline, NULL);
}
