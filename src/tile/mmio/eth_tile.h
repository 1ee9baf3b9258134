/* SPDX-License-Identifier: Apache-2.0 */
/* What the map and the debug registers of an Ethernet tile need of its devices (tile/eth/eth.c). */
#ifndef TILE_MMIO_ETH_TILE_H
#define TILE_MMIO_ETH_TILE_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/access.h"

struct tf_tile;

struct tf_eth_calls {
    /* Registers of its windows; addresses are 4-aligned. */
    enum tf_access (*load)(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
    enum tf_access (*store)(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);
    uint32_t (*reset_pc)(const struct tf_tile *tile, unsigned core);
    bool (*starts)(const struct tf_tile *tile, unsigned core); /* when its bit of SOFT_RESET_0 is cleared */
    void (*leave_reset)(struct tf_tile *tile, unsigned core);
    uint32_t (*reset_bits)(const struct tf_tile *tile);            /* the cores' bits of SOFT_RESET_0 */
    bool (*is_spare)(const struct tf_tile *tile, uint32_t offset); /* a debug register that keeps what is stored */
};

#endif
