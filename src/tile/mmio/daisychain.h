/* SPDX-License-Identifier: Apache-2.0 */
/* The debug daisychain: DBG_RD_DATA, and a store to DBG_L1_MEM_REG2. */
#ifndef TILE_MMIO_DAISYCHAIN_H
#define TILE_MMIO_DAISYCHAIN_H

#include <stdint.h>

#include "tile/access.h"

struct tf_tile;

enum tf_access tf_daisychain_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value);
enum tf_access tf_daisychain_store_l1(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);

#endif
