/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/local.h"

#include "tile/tensix/alu.h"
#include "tile/tensix/state.h"
#include "tile/tensix/trace.h"

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
    uint32_t left = replay->play_left - (replay->resources != 0), done = 0;
    if (left > deadline - thread->cycle)
        left = (uint32_t)(deadline - thread->cycle);
    for (; done < left && tf_thcon_alu(gpr, replay->buffer[replay->index]); done++) {
        note(trace, t, thread->cycle + done, replay->buffer[replay->index], replay->pc);
        tf_replay_play(replay, &thread->gate);
    }
    thread->gate.full = false;
    thread->cycle += done;
    return done;
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
    uint32_t word = mop->loop, flip = mop->flip;
    if (left > deadline - thread->cycle)
        left = (uint32_t)(deadline - thread->cycle);
    for (; done < left && tf_thcon_alu(gpr, word); done++) {
        note(trace, t, thread->cycle + done, word, mop->pc);
        word ^= flip;
    }
    mop->loop = word;
    mop->inner = (uint16_t)(mop->inner + done);
    mop->remaining -= done;
    thread->cycle += done;
    return done;
}

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
        gate->word = tf_mop_next(mop);
        gate->pc = mop->pc;
        gate->resources = mop->remaining == 0 ? mop->resources : 0;
        gate->full = gate->resources != 0 || !tf_thcon_alu(gpr, gate->word);
        if (gate->full)
            break;
        note(trace, t, thread->cycle, gate->word, gate->pc);
        thread->cycle++;
        done++;
    }
    return done;
}

TWICE uint32_t run_fifo(struct tf_tensix *tensix, unsigned t, uint64_t limit, uint64_t deadline,
                        struct tf_tensix_trace *trace)
{
    struct tf_tensix_thread *thread = &tensix->thread[t];
    uint32_t *gpr = tensix->thcon.gpr[t];
    struct tf_fifo *fifo = &thread->fifo;
    const struct tf_push *last = NULL;
    uint64_t cycle = thread->cycle;
    uint32_t done = 0, first = fifo->first, count = fifo->count;
    for (; done < count && cycle < deadline; done++) {
        const struct tf_push *head = &fifo->entry[(first + done) % TF_FIFO_ENTRIES];
        uint64_t at = head->arrival <= cycle ? cycle : head->arrival;
        if ((at != cycle && at >= limit) || head->resources != 0 || !tf_thcon_alu(gpr, head->word))
            break;
        note(trace, t, at, head->word, head->pc);
        cycle = at + 1;
        last = head;
    }
    if (last == NULL)
        return 0;
    thread->gate.word = last->word;
    thread->gate.pc = last->pc;
    fifo->first = (uint8_t)((first + done) % TF_FIFO_ENTRIES);
    fifo->count = (uint8_t)(count - done);
    thread->cycle = cycle;
    return done;
}

TWICE bool run(struct tf_tensix *tensix, unsigned t, uint64_t limit, uint64_t deadline, struct tf_tensix_trace *trace)
{
    struct tf_tensix_thread *thread = &tensix->thread[t];
    uint32_t *gpr = tensix->thcon.gpr[t];
    if (thread->gate.resources != 0 || !tf_thcon_alu(gpr, thread->gate.word))
        return false;
    note(trace, t, thread->cycle, thread->gate.word, thread->gate.pc);
    thread->gate.full = false;
    thread->cycle++;
    uint32_t done = 1, more = 1;
    while (more != 0 && !thread->gate.full && thread->cycle < deadline) {
        more = 0;
        if (thread->replay.play_left != 0)
            more = run_replay(tensix, t, deadline, trace);
        else if ((thread->replay.record_left | thread->mid.count) != 0)
            break;
        else if (thread->mop.remaining == 0)
            more = run_fifo(tensix, t, limit, deadline, trace);
        else if (thread->mop.plain)
            more = run_mop(tensix, t, deadline, trace);
        done += more;
    }
    tensix->passed += done;
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
