/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tile in timing mode whose cores share nothing (riscv/timed/private.h) runs ahead of the chip: several epochs in one
 * slice. Nothing leaves the tile in such a slice, so others cannot tell. Where a packet arrives at the tile before the
 * slice ends, or somebody looks at it, the slice is undone, and the tile runs up to the chip's time. Row `timing-mixed`
 * pays for it.
 *
 * Thread: the one that visits the tile.
 */
#ifndef TILE_RUN_AHEAD_H
#define TILE_RUN_AHEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/timing.h"

struct tf_schedule;
struct tf_tile;

/* The tick before which a tile in timing mode has run ahead; 0: it has not. Until that tick it needs no visit. */
static inline uint64_t tf_ahead_of(struct tf_timing *timing)
{
    return tf_timed_whole(timing)->ahead;
}

/* Until a tick a tile may run ahead, if no packet arrives. */
static inline void tf_ahead_may(struct tf_timing *timing, uint64_t last)
{
    tf_timed_whole(timing)->last = last;
}

/* The chip has come to the tick before which the tile has run ahead. */
static inline void tf_ahead_reached(struct tf_timing *timing)
{
    tf_timed_whole(timing)->ahead = 0;
}

/* Run a tile in timing mode, which has ticks left before tick_end, up to that tick in one slice, and perhaps ahead.
   Returns false if its cores need order: nothing has happened then. */
bool tf_ahead_run(struct tf_tile *tile, const struct tf_schedule *schedule, uint64_t tick_end);

/* The tile has run ahead. Let it be as before. It has ticks to run then, up to the chip's time. */
void tf_ahead_undo(struct tf_tile *tile);

#endif
