/* SPDX-License-Identifier: Apache-2.0 */
/* Ethernet frames, as TX queues make them: EthernetTxRx.md of both families, "TX Header Table". */
#ifndef TILE_ETH_FRAME_H
#define TILE_ETH_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/eth/link.h"

struct tf_tile;

#define TF_ETH_MAC_BYTES 6u
#define TF_ETH_HEADER_BYTES 14u   /* addresses, and type or length */
#define TF_ETH_TT_LINK_BYTES 18u  /* the header of a TT-link packet */
#define TF_ETH_REGISTER_BYTES 16u /* the payload of a TT-link packet is a multiple of 16 bytes */
#define TF_ETH_HEADS_MAX (14u + 8u + 40u + 20u)

/* What a packet consists of. */
struct tf_eth_content {
    uint8_t kind, queue;
    uint8_t row;                    /* of the table of headers */
    uint8_t sequence, acknowledged; /* of a TT-link packet */
    uint32_t to;
    const uint8_t *data;
    uint32_t bytes;
};

/* The entry of the table of headers that a queue chooses for a kind of packets. 0: the family has no such table. */
unsigned tf_eth_frame_row(const struct tf_tile *tile, unsigned queue, enum tf_eth_kind kind);

/* The reason why a row makes no frame, or NULL. */
const char *tf_eth_frame_why_not(const struct tf_tile *tile, unsigned row);

/* Make a packet, which arrives at 0. Returns NULL if the host has no memory. */
struct tf_eth_packet *tf_eth_frame_make(const struct tf_tile *tile, const struct tf_eth_content *content);

#endif
