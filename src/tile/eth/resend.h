/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sequence numbers of TT-link packets. A TX queue keeps what it has sent until the other end acknowledges it, and sends
 * it again after ETH_TXQ_REMOTE_SEQ_TIMEOUT: from the oldest packet on, since the receiver takes packets in order alone
 * (Go-Back-N; tt-metal, tech_reports/TT-Fabric, 2.1). Numbers have 8 bits on the wire and in registers.
 */
#ifndef TILE_ETH_RESEND_H
#define TILE_ETH_RESEND_H

#include "tile/eth/parts.h"

struct tf_eth_update;
struct tf_tile;

/* So many unacknowledged packets let a queue take no further command. The page has no number: half of the numbers of 8
   bits tell new packets from old ones. */
#define TF_ETH_WINDOW 128u

/* Send a TT-link packet, and keep it. Returns false if the host has no memory. */
bool tf_eth_resend_begin(struct tf_tile *tile, struct tf_eth_load *load);

/* Free what the queues keep. */
void tf_eth_resend_end(struct tf_eth_link *link);

/* Packets of a queue without an acknowledgement up to a cycle. */
unsigned tf_eth_unacknowledged(const struct tf_eth_link *link, unsigned queue, uint64_t cycle);

/* The number that the other end expected in its last acknowledgement up to a cycle. */
uint64_t tf_eth_acknowledged(const struct tf_eth_link *link, unsigned queue, uint64_t cycle);

/* Send all unacknowledged packets of all queues again. */
void tf_eth_resend_all(struct tf_tile *tile);

/* When the queues have to send again, and let them do so. */
uint64_t tf_eth_resend_due(const struct tf_tile *tile);
void tf_eth_resend_act(struct tf_tile *tile);

/* A packet has been received at a cycle, and the queue tells the other end what it expects next. dropped: a packet is
   missing. Returns false if the host has no memory. */
bool tf_eth_acknowledge(struct tf_tile *tile, unsigned queue, uint64_t cycle, bool dropped);

void tf_eth_resend_hash(const struct tf_eth_link *link, struct tf_hash *hash);

/* Take the updates since the last call, which are for the other end, and arrive there later than what it has done.
   They stay where they are until the tile is run again. */
const struct tf_eth_update *tf_eth_take_updates(struct tf_tile *tile, unsigned *count);

/* An update for the tile is under way. */
void tf_eth_update(struct tf_tile *tile, const struct tf_eth_update *update);

#endif
