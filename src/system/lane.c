/* SPDX-License-Identifier: Apache-2.0 */
#include "system/lane.h"

#include <stdlib.h>

#include "farm/chip/part.h"
#include "tile/hash.h"
#include "tile/mmio/eth_link.h"

void tf_lane_init(struct tf_lane *lane, struct tf_cluster_end from, struct tf_tile *sender, struct tf_cluster_end to,
                  struct tf_tile *receiver)
{
    *lane = (struct tf_lane){.from = from, .to = to, .sender = sender, .receiver = receiver};
    lane->end = &lane->first;
}

static struct tf_eth_packet *take_first(struct tf_lane *lane)
{
    struct tf_eth_packet *packet = lane->first;
    lane->first = packet->next;
    if (lane->first == NULL)
        lane->end = &lane->first;
    return packet;
}

void tf_lane_fini(struct tf_lane *lane)
{
    while (lane->first != NULL)
        free(take_first(lane));
}

void tf_lane_gather(struct tf_lane *lane)
{
    struct tf_eth_packet *sent = tf_eth_take_sent(lane->sender);
    *lane->end = sent;
    for (; sent != NULL; sent = sent->next) {
        lane->packets++;
        lane->bytes += sent->bytes;
        lane->end = &sent->next;
    }
}

uint64_t tf_lane_due(const struct tf_lane *lane, const struct tf_chip *chip)
{
    return lane->first != NULL ? tf_part_tick_from(chip, lane->first->arrives) : UINT64_MAX;
}

void tf_lane_arrive(struct tf_lane *lane, struct tf_chip *chip)
{
    struct tf_eth_packet *packet = take_first(lane);
    lane->arrived++;
    tf_part_receive(chip, lane->receiver, packet);
    free(packet);
}

void tf_lane_hash(const struct tf_lane *lane, struct tf_hash *hash)
{
    tf_hash_u64(hash, lane->packets);
    tf_eth_packets_hash(lane->first, hash);
}
