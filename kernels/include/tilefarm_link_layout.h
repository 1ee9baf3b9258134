/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The layout of an Ethernet tile's L1 while a workload of links runs, and what the host writes for its program and
 * reads from it. The addresses are free of what either family's firmware uses. The device programs and the host share
 * this file.
 */
#ifndef TILEFARM_LINK_LAYOUT_H
#define TILEFARM_LINK_LAYOUT_H

#define TF_L_JOB 0x14000u    /* struct tf_link_job */
#define TF_L_DONE 0x14400u   /* the done word of E0, as in tilefarm_layout.h */
#define TF_L_RESULT 0x14800u /* struct tf_link_result */
#define TF_L_OWN 0x14C00u    /* from which this tile sends signals: TF_L_OWN_BYTES for each */
#define TF_L_OWN_BYTES 0x1800u
#define TF_L_PROGRAM 0x18000u
#define TF_L_PROGRAM_BYTES 0x4000u
#define TF_L_SIGNAL 0x1C000u  /* of the peer: TF_LINK_SIGNAL_BYTES each, 64 apart; by enum tf_link_signal */
#define TF_L_ARRIVED 0x1C800u /* counters that the other tile of a ring increments, 64 apart */
#define TF_L_BUFFER 0x20000u
#define TF_L_BUFFER_BYTES 0x1C000u

#define TF_L_MAGIC 0x7F4C4B31u

enum tf_link_role {
    TF_L_PING,     /* sends data to the peer, waits for them to return, and measures the time */
    TF_L_PONG,     /* returns data */
    TF_L_SOURCE,   /* sends as fast as the link takes data, and measures the time */
    TF_L_SINK,     /* receives them */
    TF_L_IN,       /* of a ring of chips: receives from the chip before, and passes on to the chip's other tile */
    TF_L_OUT,      /* of a ring of chips: sends to the chip behind */
    TF_L_RELAY,    /* as TF_L_IN, and keeps nothing: for TF_L_REDUCE */
    TF_L_REDUCE,   /* of a ring of chips: adds what arrives to its own data, and sends */
    TF_L_FETCH,    /* of a ring of chips: receives, and passes all on to a Tensix tile of the chip */
    TF_L_SEND,     /* of a ring of chips: sends what a Tensix tile of the chip has made */
    TF_L_EXCHANGE, /* sends a block of a Tensix tile, and gets one for it, in each round */
    TF_L_ROLES,
};

enum tf_link_signal { TF_L_DATA, TF_L_CREDIT };
enum tf_link_counter {
    TF_L_BLOCKS, /* that the other tile has got from the one that counts */
    TF_L_ROUNDS, /* that have ended there */
    TF_L_FREE,   /* of a Tensix tile: blocks that TF_L_SEND lets it overwrite */
};
#define TF_L_COUNTER(which) (TF_L_ARRIVED + 64u * (which))
#define TF_L_WINDOW 16u /* blocks at TF_L_FETCH and TF_L_SEND */

/* TF_L_EXCHANGE: a block that leaves, a block that has come, and the same at the tile. A block of the round after the
   next one can come only when its place is free, since each end needs the other's block before it makes the next. */
#define TF_L_LEAVES(round, bytes) (TF_L_BUFFER + (round) % 2u * (bytes))
#define TF_L_COMES(round, bytes) (TF_L_BUFFER + 0x8000u + (round) % 2u * (bytes))
#define TF_L_AT_TILE(port, round, bytes) (TF_L_BUFFER + ((port)*2u + (round) % 2u) * (bytes))

#ifndef __ASSEMBLER__
#include <stdint.h>

struct tf_link_job {
    uint32_t magic;
    uint32_t role; /* enum tf_link_role */
    uint32_t seed;
    uint32_t rounds;
    uint32_t bytes;    /* of a message or a block: a multiple of 16 */
    uint32_t chips;    /* of a ring */
    uint32_t chip;     /* place of this one in the ring, from 0; of TF_L_EXCHANGE: number of the port at its tile */
    uint32_t other_xy; /* raw coordinates of the chip's other tile on NOC 0, as x | y << 6 */
};

struct tf_link_result {
    uint32_t rounds;
    uint32_t cycles_min, cycles_max; /* of a round of TF_L_PING, there and back */
    uint32_t cycles;                 /* of all rounds */
    uint32_t sum;                    /* over the words that have arrived */
};

/* An all-reduce moves so many blocks over each link in a round: partial sums, and then whole ones. A Tensix tile gets
   block i of a round from TF_L_FETCH at TF_L_BUFFER + i * bytes. */
static inline uint32_t tf_l_reduce_steps(uint32_t chips)
{
    return 2 * (chips - 1);
}

/* The place of block k of the result among the blocks of the buffer, behind those that arrive. */
static inline uint32_t tf_l_reduce_place(uint32_t chips, uint32_t k)
{
    return tf_l_reduce_steps(chips) + 1 + k;
}
#endif

#endif
