/* SPDX-License-Identifier: Apache-2.0 */
/* One direction of a link: the packets that one Ethernet tile has sent to another. */
#ifndef SYSTEM_LANE_H
#define SYSTEM_LANE_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/eth/link.h"
#include "tilefarm/tilefarm_links.h"

struct tf_chip;
struct tf_eth_packet;
struct tf_hash;
struct tf_saved;
struct tf_tile;

/* Who is called with packets. */
struct tf_lane_listener {
    void (*on_packet)(void *user, const struct tf_packet_event *event); /* NULL: nobody */
    void *user;
};

struct tf_lane {
    struct tf_cluster_end from, to;
    struct tf_tile *sender, *receiver;
    struct tf_eth_line line;            /* what it does to packets; of the configuration */
    struct tf_eth_packet *first, **end; /* under way, by rising arrival */
    uint64_t packets, bytes, arrived;   /* sent; data sent; packets that have arrived */
    bool crosses;                       /* it leads from a chip of one rank to a chip of another (ranks.h) */
    uint64_t given;                     /* then, at the sender's rank: packets sent */
};

void tf_lane_init(struct tf_lane *lane, struct tf_cluster_end from, struct tf_tile *sender, struct tf_cluster_end to,
                  struct tf_tile *receiver);
void tf_lane_fini(struct tf_lane *lane);

/* Take what the sender has sent: packets and updates. The receiver knows at once that an update is under way. */
void tf_lane_gather(struct tf_lane *lane, const struct tf_lane_listener *listener);

/* The same over ranks. The sender's rank: has it sent anything? Write that, instead of tf_lane_gather(). The receiver's
   rank: read it. Both tell the listener. */
bool tf_lane_has_sent(const struct tf_lane *lane);
void tf_lane_give(struct tf_lane *lane, struct tf_saved *letter, const struct tf_lane_listener *listener);
void tf_lane_take(struct tf_lane *lane, struct tf_saved *letter, const struct tf_lane_listener *listener);

/* The tick of the receiving chip at which the next packet arrives. UINT64_MAX: none is under way. */
uint64_t tf_lane_due(const struct tf_lane *lane, const struct tf_chip *chip);

/* Let the next packet arrive at the receiving chip. */
void tf_lane_arrive(struct tf_lane *lane, struct tf_chip *chip);

void tf_lane_hash(const struct tf_lane *lane, struct tf_hash *hash);

/* Write or read what is under way (host/saved.h). A lane that reads is new. */
void tf_lane_state(struct tf_saved *saved, struct tf_lane *lane);

/* Give a new lane a copy of what is under way on another one. Returns false if the host has no memory. */
bool tf_lane_copy(struct tf_lane *lane, const struct tf_lane *other);

/* Swap what is under way on two lanes. */
void tf_lane_swap(struct tf_lane *lane, struct tf_lane *other);

#endif
