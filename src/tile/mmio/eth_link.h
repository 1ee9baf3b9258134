/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The link of an Ethernet tile: packets that its TX queues send, and packets that arrive. What joins two tiles takes
 * the packets of one, and gives them to the other when they arrive (src/system). Without a link nothing arrives.
 * Sources: EthernetTxRx.md of both families.
 */
#ifndef TILE_MMIO_ETH_LINK_H
#define TILE_MMIO_ETH_LINK_H

#include <stdbool.h>
#include <stdint.h>

enum tf_eth_kind {
    TF_ETH_RAW,      /* bytes for the receiver's buffer */
    TF_ETH_L1,       /* a write to the receiver's L1 */
    TF_ETH_REGISTER, /* a write of a word to a register of the receiver */
};

/* A packet on a link. free() gives its memory back. */
struct tf_eth_packet {
    struct tf_eth_packet *next;
    uint64_t arrives; /* cycle, of sender and receiver, in which the whole packet is at the receiver */
    uint32_t to;      /* address there; TF_ETH_RAW: 0 */
    uint32_t bytes;   /* of data; at least 1 */
    uint8_t kind;     /* enum tf_eth_kind */
    uint8_t queue;    /* of the sender; the receiver's has the same number */
    uint8_t data[];
};

/* The time that a link takes, in cycles of the sender. */
struct tf_eth_timing {
    uint32_t latency_cycles;  /* from the last byte sent to the last byte received */
    uint32_t byte_cycles_q20; /* for one byte, times 2^20; below 2^24 */
};

struct tf_hash;
struct tf_saved;
struct tf_tile;

/* Give an Ethernet tile a link, or another timing. Returns false if the host has no memory. */
bool tf_eth_connect(struct tf_tile *tile, const struct tf_eth_timing *timing);
void tf_eth_disconnect(struct tf_tile *tile);

/* Take the packets that the tile has sent since the last call: a list by rising arrival. NULL: none. */
struct tf_eth_packet *tf_eth_take_sent(struct tf_tile *tile);

/* A packet arrives at a tile, which is up to date. What it must not do there is a fault of the tile. */
void tf_eth_receive(struct tf_tile *tile, const struct tf_eth_packet *packet);

/* Write or read a packet (host/saved.h). *packet: when reading, gets the packet; NULL after a failure. l1_bytes: of the
   receiver. */
void tf_eth_packet_state(struct tf_saved *saved, struct tf_eth_packet **packet, uint32_t l1_bytes);

/* Hash a list of packets. */
void tf_eth_packets_hash(const struct tf_eth_packet *packet, struct tf_hash *hash);

#endif
