/* SPDX-License-Identifier: Apache-2.0 */
/* Packets leave their NIUs, and pass the links. Sources: WormholeB0/NoC/README.md, "Performance"; RoutingPaths.md. */
#ifndef FARM_TRANSIT_DEPART_H
#define FARM_TRANSIT_DEPART_H

#include <stdbool.h>
#include <stdint.h>

struct tf_chip;
struct tf_flight;
struct tf_sites;
struct tf_transit;

/* Make the state of a new chip in timing mode, which has its nodes. Returns false if the host has no memory. */
bool tf_transit_begin(struct tf_chip *chip);

/* Two chips have exchanged their nodes: they exchange their packets. */
void tf_transit_exchange(struct tf_chip *chip, struct tf_chip *twin);

/* Free it. NULL is allowed. */
void tf_transit_end(struct tf_transit *transit);

/* Forget all packets, and when things are free. */
void tf_transit_clear(struct tf_transit *transit);

/* At the end of an epoch: packets leave their NIUs. */
void tf_transit_depart(struct tf_transit *transit);

/*
 * After that: add to *active, the tiles that are busy, the sites at which packets arrive in the next epoch. If none is
 * busy, time passes to the next arrival, but not beyond tick_limit. Returns true if no packet is under way.
 */
bool tf_transit_activate(struct tf_transit *transit, struct tf_sites *active, uint64_t tick_limit);

/*
 * How many ticks an epoch that is about to begin may have beyond the first one, without a change of any outcome. A
 * second one, if no packet is under way: what is sent in both leaves after the first one, and arrives after the second.
 * In coarse mode none: epochs are longer there.
 */
uint32_t tf_transit_unites(const struct tf_transit *transit);

/* For the parts of it: insert an arrival in the list of a site; append to the queue of a NIU. */
void tf_transit_insert(struct tf_transit *transit, struct tf_flight *flight);
void tf_transit_append(struct tf_transit *transit, unsigned queue, struct tf_flight *flight);

#endif
