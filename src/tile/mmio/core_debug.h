/* SPDX-License-Identifier: Apache-2.0 */
/* The debug registers DR of cores. */
#ifndef TILE_MMIO_CORE_DEBUG_H
#define TILE_MMIO_CORE_DEBUG_H

#include <stdint.h>

#include "tile/access.h"

struct tf_retired;
struct tf_tile;

/* After a store to RISC_DBG_CNTL_0, whose value was `old`; at the reset of a core. */
enum tf_access tf_core_debug_command(struct tf_tile *tile, unsigned from, uint32_t old);
void tf_core_debug_reset(struct tf_tile *tile, unsigned core);

/* A watched core has retired an instruction: must the core pause? (WormholeB0/TensixTile/BabyRISCV/ DebugInterface.md,
   "Breakpoints and memory watchpoints") */
void tf_core_debug_retired(struct tf_tile *tile, unsigned core, const struct tf_retired *retired);

#endif
