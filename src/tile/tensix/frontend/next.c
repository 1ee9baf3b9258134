/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/frontend/gate_fault.h"
#include "tile/tensix/frontend/next.h"

#include "host/extremes.h"
#include "tile/tensix/frontend/ttsync.h"

/* Hand an instruction that an expander refuses to the gate, which reports it. */
static void fault_in_expander(struct tf_tile *tile, unsigned t, const struct tf_next *at, const char *why)
{
    tile->tensix->thread[t].gate.word = at->word;
    tile->tensix->thread[t].gate.pc = at->pc;
    tf_tensix_fault(tile, t, TF_FAULT_UNDEFINED, 0, "%s", why);
}

void tf_frontend_take_mop(struct tf_tile *tile, unsigned t, const struct tf_next *mop)
{
    struct tf_tensix_thread *thread = &tile->tensix->thread[t];
    if (!tf_tensix_valid(mop->word)) {
        fault_in_expander(tile, t, mop, "reserved bits are set");
        return;
    }
    if (mop->word >> 24 == TF_OP_MOP_CFG) {
        tf_mop_set_mask(&thread->mop, mop->word);
        thread->cycle++;
        return;
    }
    tf_mop_start(&thread->mop, mop->word, mop->pc, mop->resources);
    if (thread->mop.remaining == 0)
        tf_ttsync_passed(tile->tensix, t, mop->resources);
}

/*
 * If instructions of B and of the T core reach the mux in one cycle, that of the T core is lost
 * (WormholeB0/TensixTile/TensixCoprocessor/README.md, "Frontend").
 */
static void lose_to_b(struct tf_tile *tile, unsigned t, uint32_t from_b)
{
    struct tf_tensix_thread *thread = &tile->tensix->thread[t];
    struct tf_next lost;
    if (thread->mid_own != 0 || !tf_next_from_t(tile, thread, t, thread->cycle, &lost, true))
        return;
    tf_ttsync_passed(tile->tensix, t, lost.resources);
    tf_tile_hazard_at(tile, TF_CORE_T0 + t, lost.pc, thread->cycle, TF_FAULT_UNDEFINED, lost.word,
                      "an instruction of Tensix T%u is lost: core B pushed 0x%08x in the same cycle", t, from_b);
}

void tf_frontend_take_mid(struct tf_tile *tile, unsigned t, struct tf_next *next)
{
    struct tf_tensix_thread *thread = &tile->tensix->thread[t];
    const struct tf_push push = *tf_fifo_head(&thread->mid);
    tf_fifo_pop(&thread->mid);
    thread->mid_own -= !push.from_b;
    if (push.from_b && push.arrival == thread->cycle)
        lose_to_b(tile, t, push.word);
    *next = tf_next_of_push(&push);
}

uint64_t tf_frontend_next_arrival(const struct tf_tensix_thread *thread)
{
    uint64_t next = UINT64_MAX;
    if (thread->mid.count != 0)
        next = tf_fifo_entry(&thread->mid, 0)->arrival;
    if (thread->mid_own == 0 && thread->fifo.count != 0)
        next = tf_min(tf_fifo_entry(&thread->fifo, 0)->arrival, next);
    return next;
}

bool tf_frontend_await(struct tf_tensix_thread *thread, uint64_t limit)
{
    uint64_t next = tf_frontend_next_arrival(thread);
    if (next >= limit)
        return false;
    thread->cycle = tf_max(thread->cycle, next);
    return true;
}

/* The chip does something else for a REPLAY of more instructions than the buffer holds (REPLAY.md). Here it is a
   fault. */
static void start_recording(struct tf_tile *tile, unsigned t, const struct tf_next *in)
{
    struct tf_replay *replay = &tile->tensix->thread[t].replay;
    if (!tf_tensix_valid(in->word) || !tf_replay_fits(in->word)) {
        fault_in_expander(tile, t, in,
                          tf_tensix_valid(in->word) ? "the replay buffer has fewer entries" : "reserved bits are set");
        return;
    }
    replay->index = (uint8_t)TF_FIELD(in->word, REPLAY, start_idx);
    replay->record_left = (uint8_t)tf_replay_count(in->word);
    replay->tee = TF_FIELD(in->word, REPLAY, execute_while_loading) == 1;
    tf_ttsync_passed(tile->tensix, t, in->resources);
}

bool tf_frontend_replay_keeps(struct tf_tile *tile, unsigned t, const struct tf_next *next)
{
    struct tf_tensix_thread *thread = &tile->tensix->thread[t];
    struct tf_replay *replay = &thread->replay;
    if (replay->record_left != 0) {
        tf_replay_record(replay, next->word);
        if (replay->tee)
            return false;
        tf_ttsync_passed(tile->tensix, t, next->resources);
        thread->cycle++;
        return true;
    }
    if (next->word >> 24 != TF_OP_REPLAY || tf_replay_plays(next->word))
        return tf_next_plays(replay, *next);
    start_recording(tile, t, next);
    return true;
}
