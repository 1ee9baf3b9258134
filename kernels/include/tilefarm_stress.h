/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interface between the two sides of `tilefarm stress`. Each core that takes part waits for a round, issues random
 * requests, and logs them with their answers. Many requests equal the one before, because the library has a shorter
 * path for those.
 */
#ifndef TILEFARM_STRESS_H
#define TILEFARM_STRESS_H

#include "tilefarm_layout.h"

#define TF_STRESS_PARAMS TF_K_SHARED               /* struct tf_stress_params, in each tile that takes part */
#define TF_STRESS_LINE (TF_K_SHARED + 0x4000u)     /* in each target: the 16 bytes of contention */
#define TF_STRESS_POINTERS (TF_K_SHARED + 0x4100u) /* for indirect stores: word i points to word i of the line */
/* In each tile of the rectangle: three lines that its cores, its coprocessor and NOC atomics change. */
#define TF_STRESS_WORDS (TF_K_SHARED + 0x4200u) /* words for any atomic */
#define TF_STRESS_LOCK (TF_STRESS_WORDS + 16u)  /* word 0: a lock; 0 if no core holds it */
#define TF_STRESS_FIFO (TF_STRESS_WORDS + 32u)  /* words 0 and 1: number of pops and of pushes of a FIFO */
#define TF_STRESS_WORDS_BYTES 48u
#define TF_STRESS_FIFO_WRAP 15u /* log2 of the limit of these counters; a round does not reach it */
/* The stream register that all cores raise in each tile of the rectangle, by stores, by STOREREG and by NOC
   writes. */
#define TF_STRESS_STREAM 7u /* the register is its space available, 17 bits */
#define TF_STRESS_STREAM_MASK 0x1FFFFu
#define TF_STRESS_SEMAPHORE 5u      /* T0 to T2 post and get it, by instructions and by stores */
#define TF_STRESS_SEMAPHORE_BASE 6u /* its value when all posts have been taken */
#define TF_STRESS_MUTEX 3u          /* guards the next word, which T0 to T2 raise by load and store */
#define TF_STRESS_GUARDED (TF_K_SHARED + 0x4300u)
#define TF_STRESS_UNITS(core) (TF_K_SHARED + 0x4400u + (core)*0x40u) /* struct tf_stress_units */
#define TF_STRESS_RECTANGLE 4u /* a multicast reaches the first four tiles that take part */
#define TF_STRESS_STEPS(core) (TF_K_BUFFER + 0x20000u + (core)*0x8000u) /* struct tf_stress_step, two a request */

#define TF_STRESS_LOG(core) (TF_K_BUFFER + (core)*0x4000u) /* struct tf_stress_entry, one for each request */
#define TF_STRESS_OFFICE 0x100000u                         /* on the tile `office`: words for answers that go there */

#define TF_STRESS_REQUESTS_MAX 1024u /* of a core in a round */
#define TF_STRESS_ROWS_MAX 64u
#define TF_STRESS_TARGETS_MAX 16u
#define TF_STRESS_NO_OFS 0xFFu
#define TF_STRESS_AWAITED_TID(core) (core) /* transaction ids; a core waits for answers of the first only */
#define TF_STRESS_UNAWAITED_TID(core) (8u + (core))
#define TF_STRESS_OFFICE_WORD(hart, requests, index) (TF_STRESS_OFFICE + ((hart) * (requests) + (index)) * 4u)

#ifndef __ASSEMBLER__
/* An operation. NOC_AT_LEN_BE has the bits of `match`, and some of the bits of `operands`. */
struct tf_stress_row {
    uint16_t match, operands;
    uint8_t ofs;      /* lowest bit of the word offset, or TF_STRESS_NO_OFS */
    uint8_t indirect; /* the target is a pointer */
    uint16_t word;    /* the operation returns and changes one word */
};

struct tf_stress_place {
    uint8_t x, y;                 /* raw NOC 0 coordinates */
    uint8_t logical_x, logical_y; /* for both NOCs, if they translate */
};

struct tf_stress_params {
    uint32_t round; /* the host raises it to start a round */
    uint32_t seed;
    uint32_t requests; /* of a core in a round */
    uint32_t slot;     /* number of this tile among those that take part */
    uint32_t rows;
    uint32_t targets;
    /* NOC_AT_LEN_BE of operations on word 0: add NOC_AT_DATA; take a lock that is 0; swap-7. */
    uint16_t add, lock, swap;
    uint16_t unused;
    struct tf_stress_place corner[2]; /* of the rectangle for multicast, start and end on NOC 0 */
    struct tf_stress_place office;
    struct tf_stress_place target[TF_STRESS_TARGETS_MAX];
    struct tf_stress_row row[TF_STRESS_ROWS_MAX];
};

/* How a core issues a request, and where the answer goes. */
enum tf_stress_manner {
    TF_STRESS_AWAITED,
    TF_STRESS_POSTED,
    TF_STRESS_OFFICE_ANSWERED, /* the answer goes to the office */
    TF_STRESS_MULTICAST,       /* each recipient answers to the log entry */
    TF_STRESS_MULTICAST_POSTED,
};

struct tf_stress_entry {
    uint16_t at_len_be;
    uint8_t manner;     /* enum tf_stress_manner */
    uint8_t target : 7; /* index; a multicast does not use it */
    uint8_t noc : 1;
    uint32_t at_data;
    uint32_t address;
    uint32_t answer;
};

/* How a core, or the coprocessor for it, changes a word of the core's tile. */
enum tf_stress_step_kind {
    TF_STRESS_NO_STEP,
    TF_STRESS_AMO,      /* code: enum tf_k_zaamo, or TF_K_ZAAMO_COUNT for amoswap */
    TF_STRESS_ATINCGET, /* code: WrapVal */
    TF_STRESS_ATINCGETPTR,
    TF_STRESS_ATCAS,
    TF_STRESS_ATSWAP, /* does not return the old value; stands for a store of a core, too */
};

struct tf_stress_step {
    uint8_t kind; /* enum tf_stress_step_kind */
    uint8_t word; /* index from TF_STRESS_WORDS on */
    uint16_t code;
    uint32_t data;
    uint32_t old; /* value before the step */
};

/* Changes by a core since its program began, other than in L1. */
struct tf_stress_units {
    uint32_t added[TF_STRESS_RECTANGLE];     /* to the streams of the tiles */
    uint32_t writes[2][TF_STRESS_RECTANGLE]; /* number of NOC writes, by NOC and tile */
    uint32_t guarded;                        /* how often the core raised the guarded word */
    uint32_t semaphore;                      /* its value at the end of the round */
};
#endif
#endif
