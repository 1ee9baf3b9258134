/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/local.h"

#include "tile/tensix/alu.h"
#include "tile/tensix/state.h"

/* Each of these passes on what it can, moves the clock, and says how many instructions it were. */

/* From the replay buffer. The last of a playback that Auto TTSync counts is left to the gate. */
static uint32_t run_replay(struct tf_tensix_thread *thread, uint32_t *gpr, uint64_t deadline)
{
    struct tf_replay *replay = &thread->replay;
    uint32_t left = replay->play_left - (replay->resources != 0), done = 0;
    if (left > deadline - thread->cycle)
        left = (uint32_t)(deadline - thread->cycle);
    for (; done < left && tf_thcon_alu(gpr, replay->buffer[replay->index]); done++)
        tf_replay_play(replay, &thread->gate);
    thread->gate.full = false;
    thread->cycle += done;
    return done;
}

/* The innermost loop of a MOP, but for the last instruction of a round, which may be another one. */
static uint32_t run_inner_loop(struct tf_tensix_thread *thread, uint32_t *gpr, uint64_t deadline)
{
    struct tf_mop *mop = &thread->mop;
    if (!mop->looping || mop->phase != TF_MOP_LOOP || mop->inner + 1 >= mop->inner_count)
        return 0;
    uint32_t left = mop->inner_count - mop->inner - 1u, done = 0;
    uint32_t word = mop->loop, flip = mop->flip;
    if (left > deadline - thread->cycle)
        left = (uint32_t)(deadline - thread->cycle);
    for (; done < left && tf_thcon_alu(gpr, word); done++)
        word ^= flip;
    mop->loop = word;
    mop->inner = (uint16_t)(mop->inner + done);
    mop->remaining -= done;
    thread->cycle += done;
    return done;
}

static uint32_t run_mop(struct tf_tensix_thread *thread, uint32_t *gpr, uint64_t deadline)
{
    struct tf_mop *mop = &thread->mop;
    struct tf_gate *gate = &thread->gate;
    uint32_t done = 0;
    while (mop->remaining != 0 && thread->cycle < deadline) {
        uint32_t inner = run_inner_loop(thread, gpr, deadline);
        done += inner;
        if (inner != 0)
            continue;
        gate->word = tf_mop_next(mop);
        gate->pc = mop->pc;
        gate->resources = mop->remaining == 0 ? mop->resources : 0;
        gate->full = gate->resources != 0 || !tf_thcon_alu(gpr, gate->word);
        if (gate->full)
            break;
        thread->cycle++;
        done++;
    }
    return done;
}

static uint32_t run_fifo(struct tf_tensix_thread *thread, uint32_t *gpr, uint64_t limit, uint64_t deadline)
{
    struct tf_fifo *fifo = &thread->fifo;
    const struct tf_push *last = NULL;
    uint64_t cycle = thread->cycle;
    uint32_t done = 0, first = fifo->first, count = fifo->count;
    for (; done < count && cycle < deadline; done++) {
        const struct tf_push *head = &fifo->entry[(first + done) % TF_FIFO_ENTRIES];
        uint64_t at = head->arrival <= cycle ? cycle : head->arrival;
        if ((at != cycle && at >= limit) || head->resources != 0 || !tf_thcon_alu(gpr, head->word))
            break;
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

bool tf_local_run(struct tf_tensix *tensix, unsigned t, uint64_t limit, uint64_t deadline)
{
    struct tf_tensix_thread *thread = &tensix->thread[t];
    uint32_t *gpr = tensix->thcon.gpr[t];
    if (thread->gate.resources != 0 || !tf_thcon_alu(gpr, thread->gate.word))
        return false;
    thread->gate.full = false;
    thread->cycle++;
    uint32_t done = 1, more = 1;
    while (more != 0 && !thread->gate.full && thread->cycle < deadline) {
        more = 0;
        if (thread->replay.play_left != 0)
            more = run_replay(thread, gpr, deadline);
        else if ((thread->replay.record_left | thread->mid.count) != 0)
            break;
        else if (thread->mop.remaining == 0)
            more = run_fifo(thread, gpr, limit, deadline);
        else if (thread->mop.plain)
            more = run_mop(thread, gpr, deadline);
        done += more;
    }
    tensix->passed += done;
    return true;
}
