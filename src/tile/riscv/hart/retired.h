/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TILE_RISCV_HART_RETIRED_H
#define TILE_RISCV_HART_RETIRED_H

#include "tile/state.h"

/* A core has executed `count` instructions, or, if negative, has not. */
static inline void tf_hart_retired(struct tf_tile *tile, struct tf_hart *hart, int count)
{
    hart->cycle += (uint64_t)count;
    hart->instret += (uint64_t)count;
    tile->figures.executed += (uint64_t)count;
}

#endif
