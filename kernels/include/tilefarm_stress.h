/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interface between the two sides of `tilefarm stress`. Each core that takes part waits for a round, issues
 * requests drawn from a generator, and logs them with the answers that came back. Many requests equal the one before:
 * the library serves those by a shorter path.
 */
#ifndef TILEFARM_STRESS_H
#define TILEFARM_STRESS_H

#include "tilefarm_layout.h"

#define TF_STRESS_PARAMS TF_K_SHARED               /* struct tf_stress_params, in each tile that takes part */
#define TF_STRESS_LINE (TF_K_SHARED + 0x4000u)     /* the 16 bytes fought for, in each target */
#define TF_STRESS_POINTERS (TF_K_SHARED + 0x4100u) /* word i points to word i of the line; for indirect stores */
/* Of each tile of the rectangle, three lines that its cores and its coprocessor change as well as NOC atomics. */
#define TF_STRESS_WORDS (TF_K_SHARED + 0x4200u) /* words for any atomic */
#define TF_STRESS_LOCK (TF_STRESS_WORDS + 16u)  /* word 0: a lock; 0 when no core has it */
#define TF_STRESS_FIFO (TF_STRESS_WORDS + 32u)  /* words 0 and 1: how often a FIFO was popped and pushed */
#define TF_STRESS_WORDS_BYTES 48u
#define TF_STRESS_FIFO_WRAP 15u /* bits of these counters; a round does not reach their end */
/* The stream register that all cores raise in each tile of the rectangle: by stores of cores, STOREREG and NOC
   writes. */
#define TF_STRESS_STREAM 7u /* its space available, of 17 bits */
#define TF_STRESS_STREAM_MASK 0x1FFFFu
#define TF_STRESS_SEMAPHORE 5u      /* T0 to T2 post and get by turns, by instructions and by stores */
#define TF_STRESS_SEMAPHORE_BASE 6u /* value of the semaphore when each post has been taken */
#define TF_STRESS_MUTEX 3u          /* guards the word; T0 to T2 raise it in two steps */
#define TF_STRESS_GUARDED (TF_K_SHARED + 0x4300u)
#define TF_STRESS_UNITS(core) (TF_K_SHARED + 0x4400u + (core)*0x40u) /* struct tf_stress_units */
#define TF_STRESS_RECTANGLE 4u /* tiles that a multicast reaches: the first of those that take part */
#define TF_STRESS_STEPS(core) (TF_K_BUFFER + 0x20000u + (core)*0x8000u) /* struct tf_stress_step, two a request */

#define TF_STRESS_LOG(core) (TF_K_BUFFER + (core)*0x4000u) /* struct tf_stress_entry, one for each request */
#define TF_STRESS_OFFICE 0x100000u                         /* in the office: words for answers sent to another tile */

#define TF_STRESS_REQUESTS_MAX 1024u /* by a core in a round */
#define TF_STRESS_ROWS_MAX 64u
#define TF_STRESS_TARGETS_MAX 16u
#define TF_STRESS_NO_OFS 0xFFu
#define TF_STRESS_AWAITED_TID(core) (core) /* transaction ids; a core counts the answers of the first alone */
#define TF_STRESS_UNAWAITED_TID(core) (8u + (core))
#define TF_STRESS_OFFICE_WORD(hart, requests, index) (TF_STRESS_OFFICE + ((hart) * (requests) + (index)) * 4u)

#ifndef __ASSEMBLER__
/* An operation: NOC_AT_LEN_BE is match, with any of the bits of operands. */
struct tf_stress_row {
    uint16_t match, operands;
    uint8_t ofs;      /* lowest bit of the word offset, or TF_STRESS_NO_OFS */
    uint8_t indirect; /* the target is a pointer */
    uint16_t word;    /* it answers and changes one word */
};

struct tf_stress_place {
    uint8_t x, y;                 /* raw NOC 0 coordinates */
    uint8_t logical_x, logical_y; /* for both NOCs, when they translate */
};

struct tf_stress_params {
    uint32_t round; /* raised by the host: go */
    uint32_t seed;
    uint32_t requests; /* by a core in a round */
    uint32_t slot;     /* number of this tile among those that take part */
    uint32_t rows;
    uint32_t targets;
    /* NOC_AT_LEN_BE, at word 0: what adds NOC_AT_DATA; what takes a lock that is 0; swap-7. */
    uint16_t add, lock, swap;
    uint16_t unused;
    struct tf_stress_place corner[2]; /* of the rectangle for multicast, start and end on NOC 0 */
    struct tf_stress_place office;
    struct tf_stress_place target[TF_STRESS_TARGETS_MAX];
    struct tf_stress_row row[TF_STRESS_ROWS_MAX];
};

/* How a request is made, and where its answer goes. */
enum tf_stress_manner {
    TF_STRESS_AWAITED,
    TF_STRESS_POSTED,
    TF_STRESS_OFFICE_ANSWERED, /* to the office */
    TF_STRESS_MULTICAST,       /* to the log entry, from each recipient */
    TF_STRESS_MULTICAST_POSTED,
};

struct tf_stress_entry {
    uint16_t at_len_be;
    uint8_t manner;     /* enum tf_stress_manner */
    uint8_t target : 7; /* index; of a multicast: not used */
    uint8_t noc : 1;
    uint32_t at_data;
    uint32_t address;
    uint32_t answer;
};

/* How a core, or the coprocessor for it, changes a word of its own tile. */
enum tf_stress_step_kind {
    TF_STRESS_NO_STEP,
    TF_STRESS_AMO,      /* code: enum tf_k_zaamo, or TF_K_ZAAMO_COUNT for amoswap */
    TF_STRESS_ATINCGET, /* code: WrapVal */
    TF_STRESS_ATINCGETPTR,
    TF_STRESS_ATCAS,
    TF_STRESS_ATSWAP, /* leaves no record of the old value; also a store of a core */
};

struct tf_stress_step {
    uint8_t kind; /* enum tf_stress_step_kind */
    uint8_t word; /* from TF_STRESS_WORDS on */
    uint16_t code;
    uint32_t data;
    uint32_t old; /* the word before */
};

/* The changes that a core has made, since its program began, to shared parts other than L1. */
struct tf_stress_units {
    uint32_t added[TF_STRESS_RECTANGLE];     /* to the streams of the tiles */
    uint32_t writes[2][TF_STRESS_RECTANGLE]; /* by NOC writes: how many over each NOC */
    uint32_t guarded;                        /* how often it raised the guarded word */
    uint32_t semaphore;                      /* at the end of the round */
};
#endif
#endif
