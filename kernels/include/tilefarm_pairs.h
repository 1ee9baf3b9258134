/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interface between the two sides of the pairs of `tilefarm stress`. Two tiles execute the same short program
 * against each other, as fast as they can, and log what they saw. A litmus test has one outcome in each run; here every
 * round of a loop gives one. The values of a word rise by 1, so a log tells which rounds met.
 */
#ifndef TILEFARM_PAIRS_H
#define TILEFARM_PAIRS_H

#include "tilefarm_layout.h"

#define TF_PAIRS_PARAMS TF_K_SHARED           /* struct tf_pairs_params */
#define TF_PAIRS_RESULT (TF_K_SHARED + 0x40u) /* struct tf_pairs_result */
#define TF_PAIRS_READY (TF_K_SHARED + 0x80u)  /* the partner is ready for this round */
/* Words at their own lines of 64 bytes, 0 before a round. */
#define TF_PAIRS_MINE (TF_K_SHARED + 0x1000u)    /* this tile stores to it */
#define TF_PAIRS_THEIRS (TF_K_SHARED + 0x2000u)  /* the partner stores to it */
#define TF_PAIRS_PLAIN (TF_K_SHARED + 0x3000u)   /* 64 bytes that this tile stores to, then 64 of the partner */
#define TF_PAIRS_SOURCE (TF_K_SHARED + 0x3100u)  /* of writes to the partner */
#define TF_PAIRS_FETCHED (TF_K_SHARED + 0x3200u) /* data of reads */
#define TF_PAIRS_LOG TF_K_BUFFER                 /* a pair of words for each round of the loop */
#define TF_PAIRS_WORD_BYTES 32u                  /* length of long writes of plain words */

#define TF_PAIRS_LOOPS_MAX 4096u

/*
 * X(name, text, loops, runs): what a program does, the rounds of its loop, and how often the host runs it. In the first
 * four, each tile makes `mine` rise and then looks at `theirs`.
 */
#define TF_PAIRS_PROGRAMS(X)                                                             \
    X(SB_ATOMIC, "store mine, read theirs by a NOC atomic", 4000, 1)                     \
    X(SB_READ, "store mine, read theirs by a NOC read", 4000, 1)                         \
    X(SB_WRITE, "write mine over the NOC, load theirs", 4000, 1)                         \
    X(SB_MULTICAST, "write mine by a multicast, load theirs", 4000, 1)                   \
    X(MP, "store data, write a flag; load the flag, read the data", 2000, 1)             \
    X(PLAIN, "store and write plain words, load and read them", 1000, 1)                 \
    X(WAKE, "write to the other tile, sleep until it has written", 500, 1)               \
    X(ANSWERS, "write registers of the other tile, sleep until all are answered", 40, 1) \
    X(END, "meet and end", 1, 20)

enum tf_pairs_program {
#define X(name, text, loops, runs) TF_PAIR_##name,
    TF_PAIRS_PROGRAMS(X)
#undef X
        TF_PAIRS_COUNT,
};

#define TF_PAIRS_BURST 24u /* register writes of a round of TF_PAIR_ANSWERS */

/* The four bytes of a plain word are equal. */
#define TF_PAIRS_PLAIN_WORD(i) (((i)&0xFFu) * 0x01010101u)

#ifndef __ASSEMBLER__
#include <stdint.h>

struct tf_pairs_params {
    uint32_t round; /* the host raises it to start a round */
    uint32_t program;
    uint32_t loops;
    uint32_t seed;
    uint32_t x, y;    /* raw NOC 0 coordinates of the partner */
    uint32_t logical; /* its name where NIUs translate, x | y << 6 */
    uint32_t spins;   /* how often a tile looks for its partner before it sleeps */
    uint32_t read;    /* NOC_AT_LEN_BE of an atomic that changes nothing */
};

struct tf_pairs_result {
    uint32_t done;    /* the round that the program has ended */
    uint32_t torn;    /* plain words whose bytes differ */
    uint32_t torn_as; /* the first of them */
    uint32_t torn_by; /* 0: it was loaded; 1: it was read over the NOC */
    uint32_t writes;  /* to registers of the partner, since the program began */
};
#endif
#endif
