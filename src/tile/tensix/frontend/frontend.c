/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/frontend/frontend.h"

#include "host/extremes.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/next.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/frontend/ttsync.h"
#include "tile/tensix/state.h"

static void search(struct tf_fifo *fifo)
{
    uint64_t newest = 0;
    fifo->unbatched = false;
    fifo->holds = 0;
    for (unsigned i = 0; i < fifo->count; i++) {
        const struct tf_push *push = tf_fifo_entry(fifo, i);
        newest = tf_max(push->arrival, newest);
        if (push->kind > TF_KIND_UNBATCHED)
            continue;
        fifo->holds |= tf_fifo_held_by(push->word);
        fifo->until = newest;
    }
}

/* The kinds of the FIFO's entries (enum tf_fifo_holds). A push that may change them causes a new search. */
static inline uint8_t holds(struct tf_fifo *fifo)
{
    if (fifo->unbatched)
        search(fifo);
    else if (fifo->holds != 0 && (fifo->count == 0 || tf_fifo_head(fifo)->arrival > fifo->until))
        fifo->holds = 0;
    return fifo->holds;
}

bool tf_frontend_may_occupy(struct tf_tensix_thread *thread)
{
    uint8_t held = holds(&thread->fifo) | holds(&thread->mid) | (thread->mop.remaining != 0 ? TF_HOLDS_MOP : 0);
    bool replays = held != 0 || thread->replay.play_left != 0;
    if ((held & TF_HOLDS_OCCUPANT) != 0 || (replays && thread->replay.may_occupy != 0) ||
        (thread->mop.remaining != 0 && thread->mop.kinds.occupies) ||
        (thread->gate.full && tf_tensix_may_occupy(thread->gate.word)))
        return true;
    for (unsigned i = TF_MOP_COUNTS; (held & TF_HOLDS_MOP) != 0 && i < TF_MOP_CFG_WORDS; i++)
        if (tf_tensix_may_occupy(thread->mop.config[i]))
            return true;
    return false;
}

/* The flags (isa.h) of the instructions, and whether one of them is a MOP or a REPLAY. */
struct summary {
    unsigned flags;
    bool mop, replay;
};

static inline void add(struct summary *summary, uint32_t word)
{
    summary->flags |= tf_tensix_ops[word >> 24].flags;
    summary->mop |= word >> 24 == TF_OP_MOP;
    summary->replay |= word >> 24 == TF_OP_REPLAY;
}

static inline void add_entries(struct summary *summary, const struct tf_fifo *fifo)
{
    for (unsigned i = 0; i < fifo->count; i++)
        add(summary, tf_fifo_entry(fifo, i)->word);
}

unsigned tf_frontend_flags(const struct tf_tensix_thread *thread)
{
    struct summary summary = {0, false, thread->replay.play_left != 0};
    if (thread->gate.full)
        add(&summary, thread->gate.word);
    add_entries(&summary, &thread->fifo);
    add_entries(&summary, &thread->mid);
    for (unsigned i = TF_MOP_COUNTS; thread->mop.remaining != 0 && i < TF_MOP_CFG_WORDS; i++)
        add(&summary, thread->mop.kinds.word[i]);
    for (unsigned i = TF_MOP_COUNTS; summary.mop && i < TF_MOP_CFG_WORDS; i++)
        add(&summary, thread->mop.config[i]);
    for (unsigned i = 0; summary.replay && i < TF_REPLAY_ENTRIES; i++)
        add(&summary, thread->replay.buffer[i]);
    return summary.flags;
}

bool tf_frontend_take(struct tf_tile *tile, unsigned t, uint64_t limit)
{
    return tf_next_take(tile, &tile->tensix->thread[t], t, limit, true);
}

/* Returns the number of instructions that MOPs still emit, and the instructions between them. Returns 0 if there is no
   MOP. */
static uint32_t mop_backlog(const struct tf_tensix_thread *thread)
{
    uint32_t backlog = thread->mop.remaining;
    uint32_t others = 0;
    struct tf_mop next = thread->mop;
    for (unsigned i = 0; i < thread->fifo.count; i++) {
        uint32_t word = tf_fifo_entry(&thread->fifo, i)->word;
        if (word >> 24 == TF_OP_MOP_CFG) {
            tf_mop_set_mask(&next, word);
            continue;
        }
        if (word >> 24 != TF_OP_MOP) {
            others++;
            continue;
        }
        uint32_t length = tf_mop_length(&next, word);
        backlog += others + (length != 0 ? length : 1);
        others = 0;
    }
    return backlog;
}

uint32_t tf_frontend_cycles_left(const struct tf_tensix_thread *thread, bool with_fifo)
{
    const struct tf_fifo *fifo = &thread->fifo;
    uint32_t left = thread->gate.full + thread->replay.play_left +
                    (thread->mop.kinds.plays ? thread->mop.remaining : 0u);
    bool records = thread->replay.record_left != 0 || (thread->mop.remaining != 0 && !thread->mop.kinds.plays);
    for (unsigned i = 0; with_fifo && !records && i < fifo->count; i++) {
        uint32_t word = tf_fifo_entry(fifo, i)->word;
        if (tf_frontend_keeps(word) && !tf_replay_plays(word))
            break;
        left += tf_replay_plays(word) ? tf_replay_count(word) : 1;
    }
    return left;
}

bool tf_frontend_mops_done(const struct tf_tensix_thread *thread)
{
    return mop_backlog(thread) <= TF_MID_ENTRIES - thread->mid.count;
}

void tf_frontend_flush_mops(struct tf_tile *tile, unsigned t)
{
    struct tf_tensix_thread *thread = &tile->tensix->thread[t];
    if (!tf_frontend_mops_done(thread))
        return;
    while (mop_backlog(thread) != 0 && !thread->faulted) {
        struct tf_next out;
        if (!tf_next_from_t(tile, thread, t, UINT64_MAX, &out, true))
            return;
        struct tf_push push = {.arrival = tile->cycle, .word = out.word, .pc = out.pc, .resources = out.resources};
        tf_fifo_put(&thread->mid, &push);
        thread->mid_own++;
    }
}

void tf_frontend_discard(struct tf_tile *tile, unsigned t)
{
    struct tf_tensix_thread *thread = &tile->tensix->thread[t];
    if (thread->mop.remaining != 0) {
        thread->mop.remaining = 0;
        tf_ttsync_passed(tile->tensix, t, thread->mop.resources);
    }
    for (; thread->fifo.count != 0; tf_fifo_pop(&thread->fifo))
        tf_ttsync_passed(tile->tensix, t, tf_fifo_head(&thread->fifo)->resources);
}
