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

/* A packet on a link. free() gives its memory back. */
struct tf_eth_packet {
    struct tf_eth_packet *next;
    uint64_t sequence;    /* of a TT-link packet: its number in its queue, from 0 on */
    uint64_t expected;    /* of a TT-link packet: the number that the sender's RX queue expects next */
    uint64_t arrives;     /* cycle, of sender and receiver, in which the whole packet is at the receiver */
    uint32_t to;          /* address there; TF_ETH_RAW: 0 */
    uint32_t bytes;       /* of data; at least 1 */
    uint32_t head;        /* bytes of the frame before the data */
    uint32_t frame_bytes; /* head, data, and what fills the data up; without Ethernet's checksum */
    uint8_t kind;         /* enum tf_eth_kind */
    uint8_t queue;        /* of the sender */
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

/* Give an Ethernet tile a link. Returns false if the host has no memory. */
bool tf_eth_connect(struct tf_tile *tile, const struct tf_eth_line *line);
void tf_eth_disconnect(struct tf_tile *tile);

/* Let an equal line replace that of a tile's link: its lists are elsewhere. */
void tf_eth_move_line(struct tf_tile *tile, const struct tf_eth_line *line);

/* The cycles that a line needs for a frame. */
uint32_t tf_eth_frame_cycles(const struct tf_eth_line *line, uint32_t frame_bytes);

/* Take the packets that the tile has sent since the last call: a list by rising arrival. NULL: none. */
struct tf_eth_packet *tf_eth_take_sent(struct tf_tile *tile);

/* Has the tile sent packets or updates since the last calls? */
bool tf_eth_has_sent(const struct tf_tile *tile);

/* A packet arrives at a tile, which is up to date. The tile keeps or frees it. What it must not do there is a fault of
   the tile. */
void tf_eth_receive(struct tf_tile *tile, struct tf_eth_packet *packet);

/* Packets of the tile that the line has lost. */
uint64_t tf_eth_lost(const struct tf_tile *tile);

/* Take the updates since the last call, which are for the other end, and arrive there later than what it has done.
   They stay where they are until the tile is run again. */
const struct tf_eth_update *tf_eth_take_updates(struct tf_tile *tile, unsigned *count);

/* An update for the tile is under way. */
void tf_eth_update(struct tf_tile *tile, const struct tf_eth_update *update);

/* The cycle at which the tile has to act by itself: packets are sent again, the link goes down or up. UINT64_MAX: at
   none. tf_eth_act(): the tile is up to date, and that cycle has come. */
uint64_t tf_eth_due(const struct tf_tile *tile);
void tf_eth_act(struct tf_tile *tile);

/* Write or read a packet (host/saved.h). *packet: when reading, gets the packet; NULL after a failure. l1_bytes: of the
   receiver. */
void tf_eth_packet_state(struct tf_saved *saved, struct tf_eth_packet **packet, uint32_t l1_bytes);

/* Write or read an update. */
void tf_eth_update_state(struct tf_saved *saved, struct tf_eth_update *update);

/* Hash a list of packets. */
void tf_eth_packets_hash(const struct tf_eth_packet *packet, struct tf_hash *hash);

#endif
