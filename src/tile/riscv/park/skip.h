/* SPDX-License-Identifier: Apache-2.0 */
/* Parked harts: re-testing their inputs, skipping their periods, waking them. Only for the files of tile/riscv. */
#ifndef TILE_RISCV_PARK_SKIP_H
#define TILE_RISCV_PARK_SKIP_H

#include <stdbool.h>
#include <stdint.h>

#include "host/assert.h"
#include "tile/riscv/hart/look.h"
#include "tile/riscv/hart/wake.h"
#include "tile/state.h"

/* One turn of a parked hart up to `deadline`. Returns false if an input or the code has changed, and the hart runs
   again. */
bool tf_park_turn(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline);

/* The rest of the turn in which a hart has parked. It polls only words, and its periods are executed. */
void tf_park_continue(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline);

/* Save the registers of a hart that parks and will be executed. A check compares them later with the result of
   skipping. */
void tf_park_note_start(struct tf_hart *hart);

/* Decode all of the period's unchanged code, so that its next change increments tile->code_generation. Returns false if
   the host has no memory. */
bool tf_park_keep_code(struct tf_tile *tile, struct tf_park *park);

/* Park a hart that is at the start of its period. */
static inline void tf_park_begin(struct tf_hart *hart)
{
    /* The period ends with a control transfer. */
    TF_ASSERT(hart->park.period != 0 && hart->park.transfers != 0 &&
              hart->park.transfer[hart->park.transfers - 1] == hart->park.period);
    TF_ASSERT(hart->park.inputs <= TF_PARK_INPUTS);
    hart->park.probing = false;
    hart->park.position = 0;
    hart->state = TF_CORE_PARKED;
}

/* The rest of the turn in which a hart has parked that polls only words. Rows `atomic-inc-*` pay for it. */
static inline __attribute__((always_inline)) void tf_park_go_on(struct tf_tile *tile, struct tf_hart *hart,
                                                                uint64_t deadline)
{
    tile->cycle = hart->cycle;
    if (tile->mode.parking && __builtin_expect(!hart->park.beats, 1))
        tf_park_advance(hart, deadline);
    else
        tf_park_continue(tile, hart, deadline);
}

#endif
