/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of packets. */
#include "tile/eth/packets.h"

#include <stdlib.h>

#include "tile/eth/parts.h"
#include "tile/path/path.h"

void tf_eth_list_init(struct tf_eth_list *list)
{
    list->first = NULL;
    list->end = &list->first;
}

void tf_eth_list_add(struct tf_eth_list *list, struct tf_eth_packet *packet)
{
    packet->next = NULL;
    *list->end = packet;
    list->end = &packet->next;
}

struct tf_eth_packet *tf_eth_list_take(struct tf_eth_list *list)
{
    struct tf_eth_packet *packet = list->first;
    if (packet == NULL)
        return NULL;
    list->first = packet->next;
    if (list->first == NULL)
        list->end = &list->first;
    return packet;
}

void tf_eth_list_free(struct tf_eth_list *list)
{
    struct tf_eth_packet *packet;
    while ((packet = tf_eth_list_take(list)) != NULL)
        tf_eth_packet_free(packet);
}

void tf_eth_packet_free(struct tf_eth_packet *packet)
{
    tf_path_unref(packet->path);
    free(packet);
}

void tf_eth_packets_hash(const struct tf_eth_packet *packet, struct tf_hash *hash)
{
    for (; packet != NULL; packet = packet->next) {
        tf_hash_u64(hash, packet->arrives);
        tf_hash_u32(hash, packet->to);
        tf_hash_u32(hash, packet->kind | (uint32_t)packet->queue << 8);
        tf_hash_bytes(hash, packet->frame, packet->frame_bytes);
    }
}
