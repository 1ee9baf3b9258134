/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time of a coprocessor that has no work. The fields that a slice needs lie in the tile: coprocessors begin at pages,
 * so their lines displace each other in the host's cache (rows `atomic1-inc-spread` and `reader-writer`).
 */
#ifndef TILE_TENSIX_ASLEEP_H
#define TILE_TENSIX_ASLEEP_H

#include "host/extremes.h"
#include "tile/state.h"

/* Do all threads lack work until the next push, or has the tile no coprocessor? */
static inline bool tf_tensix_asleep(const struct tf_tile *tile)
{
    return tile->asleep_until != TF_AWAKE;
}

/* Let time pass up to `deadline` for a coprocessor that is asleep. Returns false if it is awake. */
static inline bool tf_tensix_sleeps(struct tf_tile *tile, uint64_t deadline)
{
    if (!tf_tensix_asleep(tile))
        return false;
    tile->asleep_until = tf_max(tile->asleep_until, deadline);
    return true;
}

#endif
