/* SPDX-License-Identifier: Apache-2.0 */
/* The saved state of packets on a link. */
#ifndef TILE_ETH_LINK_SAVED_H
#define TILE_ETH_LINK_SAVED_H

#include <stdint.h>

struct tf_eth_link;
struct tf_eth_packet;
struct tf_eth_update;
struct tf_saved;

/* Write or read a packet (host/saved.h). *packet: when reading, gets the packet; NULL after a failure. l1_bytes: of the
   receiver. */
void tf_eth_packet_state(struct tf_saved *saved, struct tf_eth_packet **packet, uint32_t l1_bytes);

/* Write or read an update. */
void tf_eth_update_state(struct tf_saved *saved, struct tf_eth_update *update);

/* The saved state of a link from whose tile all packets have been taken (host/saved.h). */
void tf_eth_link_state(struct tf_saved *saved, struct tf_eth_link *link, uint32_t l1_bytes);

#endif
