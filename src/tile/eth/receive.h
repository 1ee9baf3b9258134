/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of an Ethernet tile's RX queues. */
#ifndef TILE_ETH_RECEIVE_H
#define TILE_ETH_RECEIVE_H

#include "tile/eth/parts.h"

struct tf_eth_packet;
struct tf_tile;

/* The bits of a stored value that the register takes; others stay. All of those of registers elsewhere. */
uint32_t tf_eth_receiving_bits(const struct tf_eth_arch *arch, uint32_t address);

/* A register of the tile has been stored to. Packets that have waited for it arrive. */
void tf_eth_stored_receiving(struct tf_tile *tile, uint32_t address);

/* A load of a register whose value is not kept as a word. Returns false for others. *pure: as in tf_mmio_load(). */
bool tf_eth_load_receiving(const struct tf_tile *tile, uint32_t address, uint32_t *value, bool *pure);

/* A packet arrives at a tile, which is up to date. The tile keeps or frees it. What it must not do there is a fault of
   the tile. */
void tf_eth_receive(struct tf_tile *tile, struct tf_eth_packet *packet);

#endif
