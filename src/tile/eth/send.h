/* SPDX-License-Identifier: Apache-2.0 */
/* The commands of an Ethernet tile's TX queues. */
#ifndef TILE_ETH_SEND_H
#define TILE_ETH_SEND_H

#include "tile/eth/parts.h"

/* Does a store to this register let a TX queue send? Let it do so; command: not 0. */
bool tf_eth_is_command(const struct tf_eth_arch *arch, uint32_t address);
enum tf_access tf_eth_send(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t command);

/* A load of a TX queue's register whose value changes with time. Returns false for other registers. *pure: time will
   not change it any more. */
bool tf_eth_load_sending(const struct tf_tile *tile, uint32_t address, uint32_t *value, bool *pure);

#endif
