/* SPDX-License-Identifier: Apache-2.0 */
/* The replay expander of a thread (TensixCoprocessor/REPLAY.md). */
#ifndef TILE_TENSIX_REPLAY_H
#define TILE_TENSIX_REPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/gate.h"

#define TF_REPLAY_ENTRIES 32u

struct tf_replay {
    uint32_t buffer[TF_REPLAY_ENTRIES];
    uint8_t index;       /* next entry to record or to play */
    uint8_t record_left; /* instructions still to be recorded */
    uint8_t play_left;   /* instructions still to be played */
    bool tee;            /* what is recorded is executed too */
    uint32_t pc;         /* of the REPLAY that plays */
    uint16_t resources;  /* of the REPLAY that plays */
};

/* The next instruction that is played comes to the gate; play_left is not 0. */
static inline void tf_replay_play(struct tf_replay *replay, struct tf_gate *gate)
{
    gate->word = replay->buffer[replay->index];
    gate->pc = replay->pc;
    replay->index = (replay->index + 1) % TF_REPLAY_ENTRIES;
    replay->play_left--;
    gate->resources = replay->play_left == 0 ? replay->resources : 0;
    gate->full = true;
}

#endif
