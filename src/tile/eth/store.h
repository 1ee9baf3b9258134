/* SPDX-License-Identifier: Apache-2.0 */
/* Packets that arrive store to L1 and registers of an Ethernet tile. */
#ifndef TILE_ETH_STORE_H
#define TILE_ETH_STORE_H

#include <stdint.h>

#include "tilefarm/tilefarm_chip.h"

struct tf_tile;

/* A packet does what it must not do: a fault of the tile. */
void tf_eth_packet_fault(struct tf_tile *tile, enum tf_fault_category category, uint32_t address, const char *why);

/* Store bytes to L1, where they fit. */
void tf_eth_store_l1(struct tf_tile *tile, uint32_t to, const void *data, uint32_t bytes);

/* Store the word of a packet to a register of the tile. */
void tf_eth_store_register(struct tf_tile *tile, uint32_t to, const uint8_t *data);

#endif
