/* SPDX-License-Identifier: Apache-2.0 */
/* The saved state of a hart. */
#ifndef TILE_RISCV_SAVED_H
#define TILE_RISCV_SAVED_H

struct tf_hart;
struct tf_saved;
struct tf_tile;

/* The saved state (host/saved.h). The tile's L1 and registers need not have been read yet. */
void tf_hart_state(struct tf_saved *saved, struct tf_tile *tile, struct tf_hart *hart);

#endif
