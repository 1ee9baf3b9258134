/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The link of an Ethernet tile: packets that its TX queues send, and packets that arrive. What joins two tiles takes
 * the packets of one, and gives them to the other when they arrive (src/system). Without a link nothing arrives.
 * Sources: EthernetTxRx.md of both families.
 */
#ifndef TILE_ETH_LINK_H
#define TILE_ETH_LINK_H

#include <stdbool.h>
#include <stdint.h>

enum tf_eth_kind {
    TF_ETH_RAW,      /* bytes for the receiver's buffer */
    TF_ETH_L1,       /* a TT-link packet: a write to the receiver's L1 */
    TF_ETH_REGISTER, /* a TT-link packet: a write of a word to a register of the receiver */
};

struct tf_path_node;

/* A packet on a link. */
struct tf_eth_packet {
    struct tf_eth_packet *next;
    struct tf_path_node *path; /* NULL: the critical path is not recorded; not state */
    uint64_t sequence;         /* of a TT-link packet: its number in its queue, from 0 on */
    uint64_t expected;         /* of a TT-link packet: the number that the sender's RX queue expects next */
    uint64_t arrives;          /* cycle, of sender and receiver, in which the whole packet is at the receiver */
    uint32_t to;               /* address there; TF_ETH_RAW: 0 */
    uint32_t bytes;            /* of data; at least 1 */
    uint32_t head;             /* bytes of the frame before the data */
    uint32_t frame_bytes;      /* head, data, and what fills the data up; without Ethernet's checksum */
    uint8_t kind;              /* enum tf_eth_kind */
    uint8_t queue;             /* of the sender */
    uint8_t frame[];
};

/* From one cycle until another the link is down, in both directions. UINT64_MAX: for ever. */
struct tf_eth_outage {
    uint64_t from, until;
};

/* What a direction of a link does to packets. The lists stay where they are while the tile has the link. */
struct tf_eth_line {
    uint32_t latency_cycles;            /* from the last byte sent to the last byte received */
    uint32_t byte_cycles_q20;           /* for one byte, times 2^20 */
    const struct tf_eth_outage *outage; /* by rising time; equal at both ends of the link */
    unsigned outages;
    const uint64_t *lost; /* rising numbers of packets, from 0 on, that are lost */
    unsigned losses;
    uint32_t loss_q32; /* how probable it is that another packet is lost, times 2^32 */
    uint64_t seed;     /* for that */
};

/* A sequence number that one end tells the other: packets before it have been received. */
struct tf_eth_update {
    uint64_t arrives;  /* cycle */
    uint64_t expected; /* the number of the packet that the receiver expects next */
    uint8_t queue;
    bool dropped; /* another packet came instead, and was dropped */
};

struct tf_hash;
struct tf_saved;
struct tf_tile;

#endif
