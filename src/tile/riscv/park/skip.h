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

/*
 * After a control transfer: if a remembered round begins at pc, execute it, and park the hart if the next round would
 * equal it. Only where a probe would find this period before the deadline. False: nothing has changed. Harts park by
 * this with parking off, too. Bench row `barrier-700` pays for it.
 */
bool tf_memo_waits(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline);

/* tf_park_probe() where no remembered round decides. */
bool tf_park_probe_on(struct tf_tile *tile, struct tf_hart *hart, bool at_transfer, uint64_t deadline);

/*
 * Probe a running hart: execute its next instructions one by one. The probe ends when the hart parks, the probe fails,
 * or a control transfer retires at or past `deadline`. An unfinished probe goes on at the next call. at_transfer: the
 * hart's last instruction in this turn was a control transfer. Returns false if the hart is between two control
 * transfers, or does not run.
 */
static inline bool tf_park_probe(struct tf_tile *tile, struct tf_hart *hart, bool at_transfer, uint64_t deadline)
{
    return (at_transfer && tf_memo_waits(tile, hart, deadline)) || tf_park_probe_on(tile, hart, at_transfer, deadline);
}

/* Are all inputs and the code of a parked hart's period unchanged? Reads of registers change some state of the tile;
   nothing else changes. */
bool tf_park_unchanged(struct tf_tile *tile, const struct tf_hart *hart);

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
