/* SPDX-License-Identifier: Apache-2.0 */
/* What an Ethernet tile does (mmio/eth_tile.h has the calls for its registers). */
#ifndef TILE_ETH_ETH_H
#define TILE_ETH_ETH_H

#include <stdbool.h>

struct tf_tile;

/* Does the first core run the firmware? (eth.c) */
bool tf_eth_runs_firmware(const struct tf_tile *tile);

#endif
