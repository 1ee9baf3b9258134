/* SPDX-License-Identifier: Apache-2.0 */
/* The life of a link. */
#ifndef TILE_ETH_CONNECT_H
#define TILE_ETH_CONNECT_H

#include <stdbool.h>
#include <stdint.h>

struct tf_eth_line;
struct tf_eth_link;
struct tf_eth_packet;
struct tf_hash;
struct tf_tile;

/* Give an Ethernet tile a link. Returns false if the host has no memory. */
bool tf_eth_connect(struct tf_tile *tile, const struct tf_eth_line *line);
void tf_eth_disconnect(struct tf_tile *tile);

/* Let an equal line replace that of a tile's link: its lists are elsewhere. */
void tf_eth_move_line(struct tf_tile *tile, const struct tf_eth_line *line);

/* Take the packets that the tile has sent since the last call: a list by rising arrival. NULL: none. */
struct tf_eth_packet *tf_eth_take_sent(struct tf_tile *tile);

/* Has the tile sent packets or updates since the last calls? */
bool tf_eth_has_sent(const struct tf_tile *tile);

/* The cycle at which the tile has to act by itself: packets are sent again, the link goes down or up. UINT64_MAX: at
   none. tf_eth_act(): the tile is up to date, and that cycle has come. */
uint64_t tf_eth_due(const struct tf_tile *tile);
void tf_eth_act(struct tf_tile *tile);

void tf_eth_link_hash(const struct tf_eth_link *link, struct tf_hash *hash);

#endif
