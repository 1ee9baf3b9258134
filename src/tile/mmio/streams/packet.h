/* SPDX-License-Identifier: Apache-2.0 */
/* Packets between streams of different tiles, and from streams to DRAM (peer.c). */
#ifndef TILE_MMIO_STREAMS_PACKET_H
#define TILE_MMIO_STREAMS_PACKET_H

#include <stdbool.h>
#include <stdint.h>

struct tf_tile;

/* A posted write: of 16-byte lines of L1, or of a word to a register. */
struct tf_stream_packet {
    uint32_t stream;  /* which sends it */
    uint32_t hi;      /* coordinates, as in NOC_TARG_ADDR_HI and NOC_RET_ADDR_HI of Blackhole */
    uint32_t ctrl;    /* NOC_CTRL */
    uint32_t tag;     /* NOC_PACKET_TAG */
    uint64_t address; /* at the receiver */
    uint32_t bytes;   /* of data; 0: `word` goes to a register */
    uint32_t data;    /* address in L1 */
    uint32_t header;  /* NOC_AT_DATA of a packet with data: where the receiver stores a header */
    uint32_t word;
    bool says_who; /* the word lacks the sender's coordinates, bits 11:0 */
};

/* NOC_PACKET_TAG of a packet for a stream. */
#define TF_TAG_STREAM 0x3Fu
#define TF_TAG_TO_OVERLAY (1u << 6)
#define TF_TAG_FIRST (1u << 7)
#define TF_TAG_LAST (1u << 8)
#define TF_TAG_HEADER_STORE (1u << 9)

#endif
