/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The next instruction of a thread. One order serves every loop that passes instructions. The replay expander plays
 * first. Then come the FIFO between the expanders, the MOP expander, and the T core's FIFO. Sources:
 * Diagrams/Out/TensixFrontend_BH.svg, TensixCoprocessor/MOPExpander.md and REPLAY.md.
 *
 * Each body here is compiled twice. With `all` it handles every case. Without `all` it handles the cases that need only
 * the thread's own expanders and FIFO, and returns false for others. The caller passes `all` as a constant.
 */
#ifndef TILE_TENSIX_FRONTEND_NEXT_H
#define TILE_TENSIX_FRONTEND_NEXT_H

#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/state.h"

#define TF_ALWAYS_INLINE static inline __attribute__((always_inline))

/* An instruction that has left its source. */
struct tf_next {
    uint32_t word, pc;
    uint16_t resources; /* counted by Auto TTSync until the instruction passes the gate; ttsync.h */
    uint8_t kind;       /* enum tf_kind */
};

enum tf_source { TF_SOURCE_NONE, TF_SOURCE_PLAY, TF_SOURCE_MID, TF_SOURCE_MOP, TF_SOURCE_FIFO };

/* Is there an instruction in a FIFO or an expander? Pushes of the core in cycle `before` or later do not count. */
static inline bool tf_frontend_has_work_before(const struct tf_tensix_thread *thread, uint64_t before)
{
    const struct tf_fifo *fifo = &thread->fifo;
    return (thread->replay.play_left | thread->mid.count | thread->mop.remaining) != 0 ||
           (fifo->count != 0 && fifo->entry[fifo->first].arrival < before);
}

static inline bool tf_frontend_has_work(const struct tf_tensix_thread *thread)
{
    return (thread->replay.play_left | thread->mid.count | thread->mop.remaining | thread->fifo.count) != 0;
}

/* Is the instruction one of the MOP expander's? */
static inline bool tf_frontend_is_mop(uint32_t word)
{
    return word >> 24 == TF_OP_MOP || word >> 24 == TF_OP_MOP_CFG;
}

/* Does an expander keep the instruction, so that it never comes to the gate? */
static inline bool tf_frontend_keeps(uint32_t word)
{
    return tf_frontend_is_mop(word) || word >> 24 == TF_OP_REPLAY;
}

/* The T core's side: the MOP expander comes before the FIFO. `cycle`: the FIFO's head must have arrived by then. */
TF_ALWAYS_INLINE enum tf_source tf_next_source_of_t(struct tf_tensix_thread *thread, uint64_t cycle)
{
    if (thread->mop.remaining != 0)
        return TF_SOURCE_MOP;
    return thread->fifo.count != 0 && tf_fifo_head(&thread->fifo)->arrival <= cycle ? TF_SOURCE_FIFO : TF_SOURCE_NONE;
}

/*
 * The source of the next instruction in `cycle`. TF_SOURCE_NONE: nothing has arrived. Without `all` it is also
 * TF_SOURCE_NONE while the replay expander records and while the FIFO between the expanders holds anything.
 */
TF_ALWAYS_INLINE enum tf_source tf_next_source(struct tf_tensix_thread *thread, uint64_t cycle, const bool all)
{
    if (thread->replay.play_left != 0)
        return TF_SOURCE_PLAY;
    if (!all && (thread->replay.record_left | thread->mid.count) != 0)
        return TF_SOURCE_NONE;
    if (all && thread->mid.count != 0 && tf_fifo_head(&thread->mid)->arrival <= cycle)
        return TF_SOURCE_MID;
    if (all && thread->mid_own != 0)
        return TF_SOURCE_NONE;
    return tf_next_source_of_t(thread, cycle);
}

TF_ALWAYS_INLINE struct tf_next tf_next_of_push(const struct tf_push *push)
{
    return (struct tf_next){push->word, push->pc, push->resources, push->kind};
}

/* The MOP expander's next instruction. The last one carries the MOP's resources. */
TF_ALWAYS_INLINE struct tf_next tf_next_of_mop(struct tf_mop *mop)
{
    struct tf_mop_next next = tf_mop_next(mop);
    return (struct tf_next){next.word, mop->pc, mop->remaining == 0 ? mop->resources : 0, next.kind};
}

/* Puts an instruction at the empty gate. */
TF_ALWAYS_INLINE void tf_next_to_gate(struct tf_gate *gate, const struct tf_next *next)
{
    gate->word = next->word;
    gate->pc = next->pc;
    gate->resources = next->resources;
    gate->kind = next->kind;
    gate->full = true;
}

/* The MOP expander executes a MOP or MOP_CFG from the FIFO. It may fault. */
void tf_frontend_take_mop(struct tf_tile *tile, unsigned thread, const struct tf_next *mop);

/* Takes an instruction from the T core's side. Returns false if there is none that has arrived by `cycle`, or it
   faulted. */
TF_ALWAYS_INLINE bool tf_next_from_t(struct tf_tile *tile, struct tf_tensix_thread *thread, unsigned t, uint64_t cycle,
                                     struct tf_next *next, const bool all)
{
    for (;;) {
        switch (tf_next_source_of_t(thread, cycle)) {
        case TF_SOURCE_MOP:
            if (!all && !thread->mop.kinds.plays)
                return false;
            *next = tf_next_of_mop(&thread->mop);
            return true;
        case TF_SOURCE_FIFO:
            *next = tf_next_of_push(tf_fifo_head(&thread->fifo));
            if (!all && tf_frontend_keeps(next->word) && !tf_replay_plays(next->word))
                return false;
            if (all && thread->faulted)
                return false;
            tf_fifo_pop(&thread->fifo);
            if (!all || !tf_frontend_is_mop(next->word))
                return true;
            tf_frontend_take_mop(tile, t, next);
            break;
        default: return false;
        }
    }
}

/* If the instruction is a REPLAY, which must be one that plays, the replay expander starts. Returns false if it is
   none. */
TF_ALWAYS_INLINE bool tf_next_plays(struct tf_replay *replay, struct tf_next next)
{
    if (next.word >> 24 != TF_OP_REPLAY)
        return false;
    tf_replay_start(replay, next.word, next.pc, next.resources);
    return true;
}

/* Takes the head of the FIFO between the expanders, which has arrived. */
void tf_frontend_take_mid(struct tf_tile *tile, unsigned thread, struct tf_next *next);

/*
 * The replay expander sees an instruction: it records it, or starts to play or to record. Returns true if the
 * instruction was kept. It may fault.
 */
bool tf_frontend_replay_keeps(struct tf_tile *tile, unsigned thread, const struct tf_next *next);

/* Returns the cycle in which the FIFOs' next instruction arrives. UINT64_MAX: they are empty. */
uint64_t tf_frontend_next_arrival(const struct tf_tensix_thread *thread);

/* Let time pass until an instruction arrives. Returns false if none arrives before cycle `limit`. */
bool tf_frontend_await(struct tf_tensix_thread *thread, uint64_t limit);

/*
 * Moves the next instruction to the empty gate. With `all`, time passes while nothing has arrived and while expanders
 * take instructions. Returns false if nothing arrives before cycle `limit`, or the thread faulted. Without `all`,
 * `limit` is ignored, and false means: call again with `all`.
 */
TF_ALWAYS_INLINE bool tf_next_take(struct tf_tile *tile, struct tf_tensix_thread *thread, unsigned t, uint64_t limit,
                                   const bool all)
{
    while (!all || (thread->cycle < limit && !thread->faulted)) {
        struct tf_next next;
        switch (tf_next_source(thread, thread->cycle, all)) {
        case TF_SOURCE_PLAY: tf_replay_play(&thread->replay, &thread->gate); return true;
        case TF_SOURCE_MID: tf_frontend_take_mid(tile, t, &next); break;
        case TF_SOURCE_MOP:
        case TF_SOURCE_FIFO:
            if (tf_next_from_t(tile, thread, t, thread->cycle, &next, all))
                break;
            if (!all)
                return false;
            continue;
        default:
            if (!all || !tf_frontend_await(thread, limit))
                return false;
            continue;
        }
        if (all ? tf_frontend_replay_keeps(tile, t, &next) : tf_next_plays(&thread->replay, next))
            continue;
        tf_next_to_gate(&thread->gate, &next);
        return true;
    }
    return false;
}

/*
 * An expander takes the FIFO's head: a REPLAY that plays, or a MOP. The head must arrive before cycle `limit`; time
 * passes until it does. Returns false if the head is another instruction, Auto TTSync counts it, or it arrives later.
 */
TF_ALWAYS_INLINE bool tf_next_expand(struct tf_tensix_thread *thread, uint64_t limit, uint64_t deadline)
{
    uint64_t until = limit > thread->cycle + 1 ? limit - 1 : thread->cycle;
    const struct tf_push *head = tf_fifo_head(&thread->fifo);
    if (thread->cycle >= deadline || tf_next_source_of_t(thread, until) != TF_SOURCE_FIFO || head->resources != 0)
        return false;
    if (tf_replay_plays(head->word))
        tf_replay_start(&thread->replay, head->word, head->pc, 0);
    else if (head->word >> 24 == TF_OP_MOP && tf_tensix_valid(head->word))
        tf_mop_start(&thread->mop, head->word, head->pc, 0);
    else
        return false;
    if (head->arrival > thread->cycle)
        thread->cycle = head->arrival;
    tf_fifo_pop(&thread->fifo);
    return true;
}

#endif
