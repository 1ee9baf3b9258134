/* SPDX-License-Identifier: Apache-2.0 */
/* What Ethernet tiles note for the critical path (path/path.h). Packets of links are actors of their own. Nothing
   happens if the tile records no path. */
#ifndef TILE_ETH_TRAIL_H
#define TILE_ETH_TRAIL_H

#include <stdint.h>

struct tf_eth_load;
struct tf_eth_packet;
struct tf_tile;

/* A core gives a TX queue a command; from: its number, or TF_FROM_NOC, whose commands are not followed. The load gets a
   reference to the path, which the caller gives back. */
void tf_eth_trail_command(struct tf_tile *tile, unsigned from, struct tf_eth_load *load);

/* A frame will be on the wire from one cycle until another, and arrive. */
void tf_eth_trail_sent(struct tf_tile *tile, const struct tf_eth_load *load, struct tf_eth_packet *packet,
                       uint64_t began, uint64_t ended);

/* A packet has arrived, and an RX queue takes it now. */
void tf_eth_trail_taken(struct tf_tile *tile, struct tf_eth_packet *packet);

/* An RX queue has done with it what it does. */
void tf_eth_trail_acted(struct tf_tile *tile, struct tf_eth_packet *packet);

#endif
