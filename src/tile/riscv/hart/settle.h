/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time of stopped cores. Most cores of most tiles are in reset, and a slice does not touch them. The mask tile->moving
 * lacks their bits, and hart->cycle lags until code reads it. Rows atomic1-* and `ping-pong` pay for it.
 */
#ifndef TILE_RISCV_HART_SETTLE_H
#define TILE_RISCV_HART_SETTLE_H

#include "tile/state.h"

/* Bring the cycle of a core that may be stopped up to date: its turn has passed to the end of the slice. */
static inline void tf_hart_settle(const struct tf_tile *tile, struct tf_hart *hart)
{
    if ((tile->moving >> hart->core & 1) != 0)
        return;
    uint64_t passed = hart->core < tile->turn ? tile->slice.deadline : tile->slice.begin;
    if (hart->cycle < passed)
        hart->cycle = passed;
}

/* All cores may move: in reset, and where the state comes from elsewhere. */
static inline void tf_tile_unsettle(struct tf_tile *tile)
{
    tile->moving = (uint8_t)((1u << tile->arch->cores) - 1);
}

/* tf_hart_settle() for all cores. */
static inline void tf_tile_settle(struct tf_tile *tile)
{
    for (unsigned core = 0; core < tile->arch->cores; core++)
        tf_hart_settle(tile, &tile->hart[core]);
}

/* A core is about to leave the state in which it is stopped, or another slice needs its cycle. */
static inline void tf_hart_unsettle(struct tf_tile *tile, struct tf_hart *hart)
{
    tf_hart_settle(tile, hart);
    tile->moving |= (uint8_t)(1u << hart->core);
}

#endif
