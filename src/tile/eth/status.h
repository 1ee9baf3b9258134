/* SPDX-License-Identifier: Apache-2.0 */
/* What the firmware of an Ethernet tile says about its link: is it up, how often was it trained, and counters. */
#ifndef TILE_ETH_STATUS_H
#define TILE_ETH_STATUS_H

#include "tile/eth/parts.h"

/* The link has gone down or up: link->down. */
void tf_eth_status_changed(struct tf_tile *tile);

/* Write the counters of the link, as firmware does when it checks the link. */
void tf_eth_status_count(struct tf_tile *tile);

#endif
