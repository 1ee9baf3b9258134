/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The link of a tile that explores other orders. Frames take long, but stay in order. A TT-link packet may be lost, and
 * is sent again. An RX queue writes L1 by two streams, each in order, and registers in order; nothing orders the three
 * (EthernetTxRx.md, "RX Queue Memory Ordering"). Late writes take effect when slices begin.
 */
#ifndef TILE_ETH_LATE_H
#define TILE_ETH_LATE_H

#include <stdbool.h>
#include <stdint.h>

struct tf_eth_link;
struct tf_eth_load;
struct tf_eth_packet;
struct tf_tile;

/* Let the link of a tile that explores have late writes. Returns false if the host has no memory. */
bool tf_eth_late_attach(struct tf_tile *tile);
void tf_eth_late_detach(struct tf_eth_link *link);

/* Frames from now on are sent by a command of this core, or (TF_FROM_NOC) by nobody's. */
void tf_eth_late_command(struct tf_tile *tile, unsigned core);

/* A frame is sent, the number-th. It arrives in cycle `arrives` in the usual order. Returns the cycle in which it does.
   *lost: it is sent again instead. */
uint64_t tf_eth_late_frame(struct tf_tile *tile, const struct tf_eth_load *load, uint64_t number, uint64_t arrives,
                           bool *lost);

/* The first cycle in which an acknowledgement may arrive that would arrive in cycle `arrives` in the usual order: not
   before the frames that were sent before it. */
uint64_t tf_eth_late_answer(const struct tf_eth_link *link, uint64_t arrives);

/* An RX queue has taken a TT-link packet, whose data are within L1. Write it to L1 or to a register, now or later. */
void tf_eth_late_write(struct tf_tile *tile, unsigned queue, const struct tf_eth_packet *packet);

/* A slice begins: write what is due. */
void tf_eth_late_due(struct tf_tile *tile);

/* Is something to be written? */
bool tf_eth_late_pending(const struct tf_tile *tile);

/* The bytes that a queue has not written to L1 yet. */
uint32_t tf_eth_late_bytes(const struct tf_eth_link *link, unsigned queue);

#endif
