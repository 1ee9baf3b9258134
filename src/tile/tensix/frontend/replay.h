/* SPDX-License-Identifier: Apache-2.0 */
/* The replay expander of a thread (TensixCoprocessor/REPLAY.md). */
#ifndef TILE_TENSIX_FRONTEND_REPLAY_H
#define TILE_TENSIX_FRONTEND_REPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/wait.h"

#define TF_REPLAY_ENTRIES 32u

struct tf_replay {
    uint32_t buffer[TF_REPLAY_ENTRIES];
    uint8_t index;       /* next entry to record or to play */
    uint8_t record_left; /* instructions still to be recorded */
    uint8_t play_left;   /* instructions still to be played */
    bool tee;            /* recorded instructions are executed too */
    uint32_t pc;         /* of the REPLAY that plays */
    uint16_t resources;  /* of the REPLAY that plays */
    /* Derived from the buffer, not part of the state: kinds (enum tf_kind), and which entries may occupy. */
    uint8_t kind[TF_REPLAY_ENTRIES];
    uint32_t may_occupy; /* mask, tf_tensix_may_occupy() */
};

static inline void tf_replay_record(struct tf_replay *replay, uint32_t word)
{
    uint32_t bit = 1u << replay->index;
    replay->buffer[replay->index] = word;
    replay->kind[replay->index] = 0;
    replay->may_occupy = (replay->may_occupy & ~bit) | (tf_tensix_may_occupy(word) ? bit : 0);
    replay->index = (replay->index + 1) % TF_REPLAY_ENTRIES;
    replay->record_left--;
}

/* Does a REPLAY name no more instructions than the buffer holds? */
static inline bool tf_replay_fits(uint32_t word)
{
    return TF_FIELD(word, REPLAY, len) <= TF_REPLAY_ENTRIES;
}

/* Is it a REPLAY that plays? */
static inline bool tf_replay_plays(uint32_t word)
{
    return word >> 24 == TF_OP_REPLAY && !TF_FIELD(word, REPLAY, load_mode) && tf_replay_fits(word) &&
           tf_tensix_valid(word);
}

/* The number of instructions that it plays or records. 0 means 32, as in the later edition of the page; the earlier one
   has 64. */
static inline uint32_t tf_replay_count(uint32_t word)
{
    uint32_t count = TF_FIELD(word, REPLAY, len);
    return count != 0 ? count : TF_REPLAY_ENTRIES;
}

/* Starts to play. */
static inline void tf_replay_start(struct tf_replay *replay, uint32_t word, uint32_t pc, uint16_t resources)
{
    replay->index = (uint8_t)TF_FIELD(word, REPLAY, start_idx);
    replay->play_left = (uint8_t)tf_replay_count(word);
    replay->pc = pc;
    replay->resources = resources;
}

/* Moves the next instruction of the replay to the gate. play_left must not be 0. */
static inline void tf_replay_play(struct tf_replay *replay, struct tf_gate *gate)
{
    gate->word = replay->buffer[replay->index];
    gate->kind = replay->kind[replay->index];
    gate->pc = replay->pc;
    replay->index = (replay->index + 1) % TF_REPLAY_ENTRIES;
    replay->play_left--;
    gate->resources = replay->play_left == 0 ? replay->resources : 0;
    gate->full = true;
}

#endif
