/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packets that routers carry between Tensix tiles of any chips: shared by kernels/router.c and the host. A router runs
 * on each Ethernet tile. It sends the packets of its producers to the router at the other end of its link. That one
 * hands a packet to the next router of its chip, or to the Tensix tile that it is for.
 *
 * A producer (a Tensix tile, or a router of the same chip) has slots of its own at a router. It may use as many as the
 * router has freed. A router may send as many packets as the other end has slots; that end frees one by a write to a
 * register of the sender's overlay.
 */
#ifndef TILEFARM_ROUTER_LAYOUT_H
#define TILEFARM_ROUTER_LAYOUT_H

#include "tilefarm_layout.h"
#include "tilefarm_link_layout.h"

#define TF_R_MAGIC 0x7F525431u

#define TF_R_PORTS 16u  /* of a chip */
#define TF_R_SENDERS 2u /* Tensix tiles of a chip */
#define TF_R_PRODUCERS (TF_R_PORTS + TF_R_SENDERS)
#define TF_R_SLOTS 4u    /* of a producer */
#define TF_R_IN_SLOTS 8u /* of packets that a link has brought */
#define TF_R_HOPS 16u
#define TF_R_HEADER_BYTES 64u
#define TF_R_DATA_BYTES 192u
#define TF_R_BYTES (TF_R_HEADER_BYTES + TF_R_DATA_BYTES)
#define TF_R_STREAM 4u /* of the overlay: it counts what the other end has freed */

/* At an Ethernet tile: counters of packets that a producer has put in, and of slots that another port has freed. */
#define TF_R_FILLED(producer) (TF_L_ARRIVED + 16u * (producer))
#define TF_R_FREED(port) (TF_L_ARRIVED + 0x200u + 16u * (port))
#define TF_R_SLOT(producer, number) (TF_L_BUFFER + ((producer)*TF_R_SLOTS + (number) % TF_R_SLOTS) * TF_R_BYTES)
#define TF_R_IN(number) (TF_L_BUFFER + 0x8000u + (number) % TF_R_IN_SLOTS * TF_R_BYTES)
#define TF_R_JOB TF_L_JOB /* struct tf_router_job */

/* At a Tensix tile: the same, packets that have arrived, headers of packets to each receiver, and their data. */
#define TF_R_TILE_JOB TF_K_SHARED
#define TF_R_TILE_FREED(port) (TF_K_SHARED + 0x100u + 16u * (port))
#define TF_R_TILE_ARRIVED (TF_K_SHARED + 0x300u)
#define TF_R_TILE_RESULT (TF_K_SHARED + 0x380u) /* the sum of all words that have arrived */
#define TF_R_TILE_PACKET (TF_K_SHARED + 0x400u) /* where packets are made */
#define TF_R_TILE_HEADERS TF_K_BUFFER
#define TF_R_TILE_DATA (TF_K_BUFFER + 0x2000u)

#ifndef __ASSEMBLER__
#include <stdint.h>

/* A hop: the port through which a packet leaves a chip, by NOC 0 coordinates and by its number. */
#define TF_R_HOP(x, y, port) ((uint16_t)((x) | (y) << 6 | (port) << 12))

struct tf_router_header {
    uint32_t hops, at; /* of the route; the next one that a router takes */
    uint32_t xy;       /* of the receiver, on NOC 0 */
    uint32_t to;       /* address of its data there */
    uint32_t reserved[4];
    uint16_t hop[TF_R_HOPS];
};

/* Of a router. */
struct tf_router_job {
    uint32_t magic;
    uint32_t port;                        /* its number among the ports of the chip */
    uint32_t sends, receives;             /* packets over its link */
    uint32_t producer_xy[TF_R_PRODUCERS]; /* on NOC 0 */
};

/* Of a Tensix tile. */
struct tf_router_tile_job {
    uint32_t magic;
    uint32_t me, tiles; /* among the senders of all chips */
    uint32_t producer;  /* its number at routers */
    uint32_t seed, rounds;
};

static inline uint32_t tf_r_word(uint32_t seed, uint32_t from, uint32_t to, uint32_t round, uint32_t at)
{
    return tf_k_input(seed + round, from << 8 | to, at);
}
#endif

#endif
