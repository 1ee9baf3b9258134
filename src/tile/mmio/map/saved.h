/* SPDX-License-Identifier: Apache-2.0 */
/* The saved state of a tile's registers. */
#ifndef TILE_MMIO_MAP_SAVED_H
#define TILE_MMIO_MAP_SAVED_H

struct tf_saved;
struct tf_tile;

/* The saved state (host/saved.h). */
void tf_mmio_state(struct tf_saved *saved, struct tf_tile *tile);

#endif
