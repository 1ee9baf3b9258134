/* SPDX-License-Identifier: Apache-2.0 */
/* The debug registers DR of cores. */
#ifndef TILE_MMIO_CORE_DEBUG_H
#define TILE_MMIO_CORE_DEBUG_H

#include <stdint.h>

#include "tile/access.h"

struct tf_tile;

/* After a store to RISC_DBG_CNTL_0, whose value was `old`; at the reset of a core. */
enum tf_access tf_core_debug_command(struct tf_tile *tile, unsigned from, uint32_t old);
void tf_core_debug_reset(struct tf_tile *tile, unsigned core);

#endif
