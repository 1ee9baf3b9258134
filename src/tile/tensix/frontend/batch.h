/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Batches: a thread passes consecutive instructions of one unit without a visit to the gate for each. This file has the
 * order of sources and the counts. A unit supplies functions that execute the instructions of a source. These rows of
 * tilefarm bench pay for it: `thcon`, `mop` and `replay` for the scalar unit, `vector` and `mvmul-*` for the other two.
 */
#ifndef TILE_TENSIX_FRONTEND_BATCH_H
#define TILE_TENSIX_FRONTEND_BATCH_H

#include "host/extremes.h"
#include "tile/tensix/frontend/kind.h"
#include "tile/tensix/frontend/next.h"

/*
 * How a unit executes the instructions of a batch; `of` is the unit's own data. The instructions neither fault nor
 * stall. An instruction of another kind, or that Auto TTSync counts, ends the batch and stays in its source.
 */
struct tf_batch_unit {
    /* Executes one instruction, in the thread's cycle. Returns false if it is not of this unit, and nothing was
       done. */
    bool (*one)(void *of, struct tf_tensix_thread *thread, uint32_t word, uint8_t kind, uint32_t pc);
    /* Executes up to `count` entries of the replay buffer from `first` on, without wrapping. Returns how many. */
    uint32_t (*play)(void *of, struct tf_tensix_thread *thread, uint32_t first, uint32_t count);
    /* NULL, or executes equal instructions of a MOP (tf_mop_equal()); otherwise like pass_fifo. */
    uint32_t (*pass_equal)(void *of, struct tf_tensix_thread *thread, uint64_t deadline);
    /* Takes and executes instructions from the FIFO, moves the thread's clock, returns how many. */
    uint32_t (*pass_fifo)(void *of, struct tf_tensix_thread *thread, uint64_t limit, uint64_t deadline);
};

/* The cycle in which entry `index` of the FIFO passes, if the head may pass from `cycle` on: see tf_batch_arrived(). */
TF_ALWAYS_INLINE uint64_t tf_batch_passes_at(const struct tf_fifo *fifo, uint32_t index, uint64_t cycle)
{
    uint64_t arrival = tf_fifo_entry(fifo, index)->arrival;
    return tf_max(arrival, cycle + index);
}

/*
 * How many entries pass before the deadline. Entries that arrive after the thread's clock arrive in different cycles.
 * So an entry passes when it arrives, or one cycle after the entry before it. Rows `thcon` and `vector` pay for it: the
 * loops that execute them keep no time.
 */
TF_ALWAYS_INLINE uint32_t tf_batch_arrived(const struct tf_fifo *fifo, uint64_t cycle, uint64_t deadline)
{
    uint32_t count = fifo->count;
    for (uint32_t i = 1; i < count; i++)
        TF_ASSERT(tf_fifo_entry(fifo, i)->arrival <= cycle + i ||
                  tf_fifo_entry(fifo, i)->arrival > tf_fifo_entry(fifo, i - 1)->arrival);
    while (count != 0 && tf_batch_passes_at(fifo, count - 1, cycle) >= deadline)
        count--;
    return count;
}

/* The gate remembers the instruction that was last to pass. */
TF_ALWAYS_INLINE void tf_batch_passed(struct tf_gate *gate, uint32_t word, uint32_t pc)
{
    gate->word = word;
    gate->pc = pc;
}

/* `count` entries of the FIFO, not 0, have passed; the next cycle is `cycle`. */
TF_ALWAYS_INLINE void tf_batch_passed_fifo(struct tf_tensix_thread *thread, uint32_t count, uint64_t cycle)
{
    struct tf_fifo *fifo = &thread->fifo;
    const struct tf_push *last = tf_fifo_entry(fifo, count - 1);
    tf_batch_passed(&thread->gate, last->word, last->pc);
    fifo->first = (uint8_t)((fifo->first + count) % TF_FIFO_ENTRIES);
    fifo->count = (uint8_t)(fifo->count - count);
    thread->cycle = cycle;
}

/* Passes the instructions that the replay expander plays. Returns how many instructions. */
TF_ALWAYS_INLINE uint32_t tf_batch_play(const struct tf_batch_unit *unit, void *of, struct tf_tensix_thread *thread,
                                        uint64_t deadline)
{
    struct tf_replay *replay = &thread->replay;
    uint32_t left = replay->play_left - (replay->resources != 0), first = replay->index;
    left = tf_min(left, TF_REPLAY_ENTRIES - first);
    if (left > deadline - thread->cycle)
        left = (uint32_t)(deadline - thread->cycle);
    uint32_t done = unit->play(of, thread, first, left);
    if (done == 0)
        return 0;
    replay->index = (uint8_t)((first + done) % TF_REPLAY_ENTRIES);
    replay->play_left = (uint8_t)(replay->play_left - done);
    tf_batch_passed(&thread->gate, replay->buffer[first + done - 1], replay->pc);
    thread->cycle += done;
    return done;
}

/* Passes the instructions that the MOP expander emits, up to a REPLAY, which then plays. Returns how many
   instructions. */
TF_ALWAYS_INLINE uint32_t tf_batch_mop(const struct tf_batch_unit *unit, void *of, struct tf_tensix_thread *thread,
                                       uint64_t deadline)
{
    struct tf_gate *gate = &thread->gate;
    uint32_t done = 0;
    while (thread->mop.remaining != 0 && thread->cycle < deadline) {
        uint32_t equal = unit->pass_equal == NULL ? 0 : unit->pass_equal(of, thread, deadline);
        done += equal;
        if (equal != 0)
            continue;
        struct tf_next next = tf_next_of_mop(&thread->mop);
        if (__builtin_expect(tf_next_plays(&thread->replay, next), 0))
            break;
        tf_next_to_gate(gate, &next);
        if (next.resources != 0 || !unit->one(of, thread, next.word, next.kind, next.pc))
            break;
        gate->full = false;
        thread->cycle++;
        done++;
    }
    return done;
}

/*
 * Passes the instruction at the gate, which nothing holds, and those after it, before cycle `deadline`. It waits for
 * pushes that arrive before cycle `limit`. The result equals that of passing them one after another, if no wait is
 * latched and no unit is held in reset. Returns how many instructions passed. 0: the unit cannot execute the
 * instruction at the gate.
 */
TF_ALWAYS_INLINE uint32_t tf_batch_pass(const struct tf_batch_unit *unit, void *of, struct tf_tensix_thread *thread,
                                        uint64_t limit, uint64_t deadline)
{
    struct tf_gate *gate = &thread->gate;
    uint32_t done = 0, more;
    if (gate->full) {
        tf_kind_at(&gate->kind, gate->word);
        if (gate->resources != 0 || !unit->one(of, thread, gate->word, gate->kind, gate->pc))
            return 0;
        gate->full = false;
        thread->cycle++;
        done = 1;
    }
    while (!gate->full && thread->cycle < deadline) {
        switch (tf_next_source(thread, UINT64_MAX, false)) {
        case TF_SOURCE_PLAY:
            more = tf_batch_play(unit, of, thread, deadline);
            if (more == 0)
                return done;
            done += more;
            break;
        case TF_SOURCE_MOP:
            if (!thread->mop.kinds.plays)
                return done;
            done += tf_batch_mop(unit, of, thread, deadline);
            break;
        case TF_SOURCE_FIFO:
            if (tf_fifo_head(&thread->fifo)->kind != TF_KIND_UNBATCHED) /* row `replay` */
                done += unit->pass_fifo(of, thread, limit, deadline);
            if (!tf_next_expand(thread, limit, deadline))
                return done;
            break;
        default: return done;
        }
    }
    return done;
}

#endif
