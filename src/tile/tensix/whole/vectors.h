/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of a tile's coprocessor: one vector level (host/vectors.h) for all of its units. */
#ifndef TILE_TENSIX_WHOLE_VECTORS_H
#define TILE_TENSIX_WHOLE_VECTORS_H

#include <stdbool.h>

#include "host/vectors.h"

struct tf_tile;

/*
 * From now on all units of the tile's coprocessor use the kernels of the level. Returns false if the host lacks the
 * level; nothing is changed then. Call on the worker that owns the tile.
 */
bool tf_vectors_choose(struct tf_tile *tile, enum tf_vectors level);

#endif
