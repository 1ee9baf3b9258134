/* SPDX-License-Identifier: Apache-2.0 */
#include "system/lane.h"

#include <stdlib.h>
#include <string.h>

#include "farm/run/part.h"
#include "host/saved.h"
#include "tile/hash.h"
#include "tile/eth/link.h"
#include "tile/eth/packets.h"
#include "tile/eth/link_saved.h"
#include "tile/eth/resend.h"
#include "tile/eth/wire.h"
#include "tile/eth/connect.h"
#include "tile/run/tile.h"

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
        tf_eth_packet_free(take_first(lane));
}

/* What the sender tells about packets that it has received. */
static void gather_updates(const struct tf_lane *lane)
{
    unsigned count;
    const struct tf_eth_update *update = tf_eth_take_updates(lane->sender, &count);
    for (unsigned i = 0; i < count; i++)
        tf_eth_update(lane->receiver, &update[i]);
}

static void append(struct tf_lane *lane, struct tf_eth_packet *sent)
{
    *lane->end = sent;
    for (; sent != NULL; sent = sent->next) {
        lane->packets++;
        lane->bytes += sent->bytes;
        lane->end = &sent->next;
    }
}

_Static_assert((int)TF_PACKET_RAW == TF_ETH_RAW && (int)TF_PACKET_L1 == TF_ETH_L1 &&
                   (int)TF_PACKET_REGISTER == TF_ETH_REGISTER,
               "kinds of packets");

/* Tell of packets that have been sent. number: of the first of them. */
static void tell(const struct tf_lane *lane, uint64_t number, const struct tf_eth_packet *sent,
                 const struct tf_lane_listener *listener)
{
    struct tf_packet_event event = {.from = lane->from, .to = lane->to, .number = number};
    for (; sent != NULL && listener->on_packet != NULL; sent = sent->next, event.number++) {
        event.sent = sent->arrives - lane->line.latency_cycles;
        event.arrives = sent->arrives;
        event.address = sent->to;
        event.bytes = sent->bytes;
        event.cycles = tf_eth_frame_cycles(&lane->line, sent->frame_bytes);
        event.kind = (enum tf_packet_kind)sent->kind;
        listener->on_packet(listener->user, &event);
    }
}

void tf_lane_gather(struct tf_lane *lane, const struct tf_lane_listener *listener)
{
    gather_updates(lane);
    struct tf_eth_packet *sent = tf_eth_take_sent(lane->sender);
    tell(lane, lane->packets, sent, listener);
    append(lane, sent);
}

bool tf_lane_has_sent(const struct tf_lane *lane)
{
    return tf_eth_has_sent(lane->sender);
}

void tf_lane_give(struct tf_lane *lane, struct tf_saved *letter, const struct tf_lane_listener *listener)
{
    unsigned count;
    const struct tf_eth_update *update = tf_eth_take_updates(lane->sender, &count);
    tf_saved_number(letter, count);
    for (unsigned i = 0; i < count; i++) {
        struct tf_eth_update copy = update[i];
        tf_eth_update_state(letter, &copy);
    }
    struct tf_eth_packet *packet = tf_eth_take_sent(lane->sender);
    tell(lane, lane->given, packet, listener);
    bool more = packet != NULL;
    for (; more; more = packet != NULL) {
        struct tf_eth_packet *sent = packet;
        lane->given++;
        TF_SAVED(letter, more);
        tf_eth_packet_state(letter, &sent, lane->receiver->arch->l1_bytes);
        packet = sent->next;
        tf_eth_packet_free(sent);
    }
    TF_SAVED(letter, more);
}

void tf_lane_take(struct tf_lane *lane, struct tf_saved *letter, const struct tf_lane_listener *listener)
{
    const uint64_t count = tf_saved_number(letter, 0);
    for (uint64_t i = 0; i < count && letter->why == NULL; i++) {
        struct tf_eth_update update = {.queue = 0};
        tf_eth_update_state(letter, &update);
        if (letter->why == NULL)
            tf_eth_update(lane->receiver, &update);
    }
    uint8_t more = 0;
    for (TF_SAVED(letter, more); more == 1 && letter->why == NULL; TF_SAVED(letter, more)) {
        struct tf_eth_packet *packet;
        tf_eth_packet_state(letter, &packet, lane->receiver->arch->l1_bytes);
        if (packet == NULL)
            return;
        packet->next = NULL;
        tell(lane, lane->packets, packet, listener);
        append(lane, packet);
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
}

void tf_lane_hash(const struct tf_lane *lane, struct tf_hash *hash)
{
    tf_hash_u64(hash, lane->packets);
    tf_eth_packets_hash(lane->first, hash);
}

static void write_packets(struct tf_saved *saved, struct tf_lane *lane)
{
    for (struct tf_eth_packet *packet = lane->first; packet != NULL; packet = packet->next)
        tf_eth_packet_state(saved, &packet, lane->receiver->arch->l1_bytes);
}

static void read_packets(struct tf_saved *saved, struct tf_lane *lane, uint64_t count)
{
    uint64_t arrives = 0;
    for (uint64_t i = 0; i < count && saved->why == NULL; i++) {
        struct tf_eth_packet *packet;
        tf_eth_packet_state(saved, &packet, lane->receiver->arch->l1_bytes);
        if (packet == NULL)
            return;
        tf_saved_demand(saved, packet->arrives >= arrives, "it is damaged: packets are not in order");
        arrives = packet->arrives;
        *lane->end = packet;
        lane->end = &packet->next;
    }
}

void tf_lane_state(struct tf_saved *saved, struct tf_lane *lane)
{
    TF_SAVED(saved, lane->packets);
    TF_SAVED(saved, lane->bytes);
    TF_SAVED(saved, lane->arrived);
    tf_saved_demand(saved, lane->arrived <= lane->packets, "it is damaged: more packets have arrived than were sent");
    if (saved->reads)
        read_packets(saved, lane, saved->why == NULL ? lane->packets - lane->arrived : 0);
    else
        write_packets(saved, lane);
}

bool tf_lane_copy(struct tf_lane *lane, const struct tf_lane *other)
{
    lane->packets = other->packets;
    lane->bytes = other->bytes;
    lane->arrived = other->arrived;
    for (const struct tf_eth_packet *packet = other->first; packet != NULL; packet = packet->next) {
        const size_t bytes = sizeof *packet + packet->frame_bytes;
        struct tf_eth_packet *copy = malloc(bytes);
        if (copy == NULL)
            return false;
        memcpy(copy, packet, bytes);
        copy->next = NULL;
        *lane->end = copy;
        lane->end = &copy->next;
    }
    return true;
}

void tf_lane_swap(struct tf_lane *lane, struct tf_lane *other)
{
    struct tf_lane kept = *lane;
    lane->first = other->first;
    lane->end = other->first != NULL ? other->end : &lane->first;
    lane->packets = other->packets;
    lane->bytes = other->bytes;
    lane->arrived = other->arrived;
    other->first = kept.first;
    other->end = kept.first != NULL ? kept.end : &other->first;
}
