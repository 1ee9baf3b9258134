/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a tile holds at power-on beside L1, where no page defines it: local RAM, and registers of the coprocessor. On
 * Blackhole a core that leaves reset clears its local RAM, unless RISCV_DEBUG_REG_DISABLE_RESET says otherwise.
 * Wormhole has no such reset. The cores' own registers become zero on both (SoftReset.md).
 */
#ifndef TILE_RUN_FILL_H
#define TILE_RUN_FILL_H

#include <stdint.h>

struct tf_tile;

/* Give each word the next one of a source, before the tile has run. */
void tf_tile_fill(struct tf_tile *tile, uint32_t (*next)(void *source), void *source);

#endif
