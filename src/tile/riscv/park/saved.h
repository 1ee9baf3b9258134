/* SPDX-License-Identifier: Apache-2.0 */
/* The saved state of parking. */
#ifndef TILE_RISCV_PARK_SAVED_H
#define TILE_RISCV_PARK_SAVED_H

struct tf_hart;
struct tf_saved;
struct tf_tile;

/* The saved state (host/saved.h). */
void tf_park_state(struct tf_saved *saved, struct tf_tile *tile, struct tf_hart *hart);

#endif
