/* SPDX-License-Identifier: Apache-2.0 */
/* The saved state of a tile. */
#ifndef TILE_RUN_SAVED_H
#define TILE_RUN_SAVED_H

struct tf_saved;
struct tf_tile;

/* The saved state (host/saved.h) of the tile, without its NIUs. The tile must be connected to them. */
void tf_tile_state(struct tf_saved *saved, struct tf_tile *tile);

#endif
