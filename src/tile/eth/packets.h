/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of packets. */
#ifndef TILE_ETH_PACKETS_H
#define TILE_ETH_PACKETS_H

struct tf_eth_list;
struct tf_eth_packet;
struct tf_hash;

/* Give the memory of a packet back. */
void tf_eth_packet_free(struct tf_eth_packet *packet);

/* Hash a list of packets. */
void tf_eth_packets_hash(const struct tf_eth_packet *packet, struct tf_hash *hash);

/* A list in order; take: the first one, NULL if there is none. */
void tf_eth_list_init(struct tf_eth_list *list);
void tf_eth_list_add(struct tf_eth_list *list, struct tf_eth_packet *packet);
struct tf_eth_packet *tf_eth_list_take(struct tf_eth_list *list);
void tf_eth_list_free(struct tf_eth_list *list);

#endif
