/* SPDX-License-Identifier: Apache-2.0 */
/* The mover, XMOV and the command queue of TDMA-RISC (WormholeB0/TensixTile/Mover.md, TDMA-RISC.md, XMOV.md). */
#ifndef TILE_TENSIX_MOVER_MOVER_H
#define TILE_TENSIX_MOVER_MOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/access.h"
#include "tile/tensix/mover_job.h"

struct tf_tdma;
struct tf_tile;

/*
 * Registers at TF_TDMA_BASE, for B, T0..T2 and the scalar unit. The scalar unit is TF_FROM_NOC; its caller records
 * faults.
 */
enum tf_access tf_tdma_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
enum tf_access tf_tdma_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);

/* Returns true if a load would wait for a packer's metadata. No side effects. */
bool tf_tdma_load_blocks(struct tf_tile *tile, unsigned from, uint32_t address);

/* Moves the data of a transfer, unless the mover is in reset. */
void tf_mover_finish(struct tf_tile *tile, const struct tf_mover_job *job);

/* SOFT_RESET_0's bit of TDMA-RISC has become set (SoftReset.md). */
void tf_tdma_reset(struct tf_tdma *tdma);

#endif
