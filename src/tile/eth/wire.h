/* SPDX-License-Identifier: Apache-2.0 */
/* The wire of an Ethernet tile's link: which frame is on it at which time, and what becomes of it. */
#ifndef TILE_ETH_WIRE_H
#define TILE_ETH_WIRE_H

#include "tile/eth/parts.h"

struct tf_eth_line;
struct tf_tile;

/* Send a packet behind those that are being sent; its data are read now. The tile has a link. Returns the cycle in
   which it is sent as a whole. 0: the host has no memory. */
uint64_t tf_eth_wire_send(struct tf_tile *tile, const struct tf_eth_load *load);

/* What the counters of a queue count too early, since they count frames when they get their time on the wire. */
struct tf_eth_early {
    uint32_t started, ended, lines;
};

struct tf_eth_early tf_eth_wire_early(const struct tf_eth_link *link, unsigned queue, uint64_t cycle);

/* A queue sends a part of its data. For tiles without a link, too. */
void tf_eth_wire_count(const struct tf_tile *tile, unsigned queue, uint32_t bytes);

void tf_eth_wire_hash(const struct tf_eth_link *link, struct tf_hash *hash);

/* The cycles that a line needs for a frame. */
uint32_t tf_eth_frame_cycles(const struct tf_eth_line *line, uint32_t frame_bytes);

/* Packets of the tile that the line has lost. */
uint64_t tf_eth_lost(const struct tf_tile *tile);

#endif
