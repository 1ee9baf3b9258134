/* SPDX-License-Identifier: Apache-2.0 */
/* A tile that explores (state.h) delays accesses. */
#ifndef TILE_EXPLORE_CORES_EXPLORE_H
#define TILE_EXPLORE_CORES_EXPLORE_H

#include "tile/explore/state.h"
#include "tile/riscv/hart/step.h"
#include "tile/riscv/isa/decoded.h"
#include "tile/state.h"

/* At most so many later instructions overtake a load (MemoryOrdering.md). */
#define TF_OVERTAKE_MOST 7u

/* Let a tile explore. Returns false if the host has no memory. */
bool tf_explore_attach(struct tf_tile *tile, const struct tf_plan *plan, uint32_t slice_cycles);
void tf_explore_detach(struct tf_tile *tile);

/* A slice begins: accesses that are due are processed, and cores may be slow. */
void tf_explore_slice(struct tf_tile *tile);

/* Is something on its way, so that the tile is not quiet? */
bool tf_explore_pending(const struct tf_tile *tile);

#endif
