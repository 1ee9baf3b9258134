/* SPDX-License-Identifier: Apache-2.0 */
/* What the two sides of each workload agree on: addresses, sizes, the layout of results. */
#ifndef TILEFARM_WORKLOADS_H
#define TILEFARM_WORKLOADS_H

#include "tilefarm_layout.h"

/* ---- mixed: every hart runs eight kinds of integer work in turn, starting with the one its core picks ---- */

enum tf_mixed_phase {
    TF_MIXED_HASH, TF_MIXED_CRC, TF_MIXED_SORT, TF_MIXED_SIEVE,
    TF_MIXED_MATRIX, TF_MIXED_BITS, TF_MIXED_DIVIDE, TF_MIXED_BYTES, TF_MIXED_PHASES
};
#define TF_MIXED_WORDS 256u     /* the buffer that phases work on */
#define TF_MIXED_SIDE 12u       /* of the matrices */
#define TF_MIXED_SIEVE_BASE 1024u
#define TF_MIXED_SIEVE_SPAN 1024u
#define TF_MIXED_DIVISIONS 96u
/* Result words: a sum for each phase, then the state and the number of rounds. */
#define TF_MIXED_STATE TF_MIXED_PHASES
#define TF_MIXED_ROUNDS (TF_MIXED_PHASES + 1)

/* ---- ring: packets travel round all tiles, forwards by writes on NOC 0, backwards by reads on NOC 1 ---- */

enum tf_ring_variant { TF_RING_BOTH, TF_RING_WRITE, TF_RING_READ, TF_RING_LONG };
#define TF_RING_BYTES 16384u
#define TF_RING_LONG_BYTES 40960u /* split by the NIU */
#define TF_RING_ARRIVED(way) (TF_K_SHARED + 0x00u + (way) * 0x40u)
#define TF_RING_CREDIT(way) (TF_K_SHARED + 0x10u + (way) * 0x40u)
#define TF_RING_SLOT(way, slot) (TF_K_BUFFER + ((way) * 2u + (slot)) * 0x10000u)
/* Result words, of B for the writes and NC for the reads: packets seen, and a sum over their headers. */
enum tf_ring_result { TF_RING_SEEN, TF_RING_SUM };
/* A packet's header; the rest is tf_k_input(seed, origin, i), of which a hop changes one word. */
enum tf_ring_header { TF_RING_ORIGIN, TF_RING_HOPS, TF_RING_TRACE, TF_RING_HEADER_WORDS = 4 };

/* ---- allreduce ---- */

enum tf_allreduce_variant { TF_ALLREDUCE_BOTH, TF_ALLREDUCE_TREE, TF_ALLREDUCE_ACC, TF_ALLREDUCE_DIRECT };
#define TF_TREE_WORDS 1024u
#define TF_TREE_LEVELS 8u
#define TF_TREE_ARRIVED(level) (TF_K_SHARED + 0x100u + (level) * 0x10u)
#define TF_TREE_READY(level) (TF_K_SHARED + 0x200u + (level) * 0x10u)
#define TF_TREE_DOWN (TF_K_SHARED + 0x300u)
#define TF_TREE_VECTOR TF_K_BUFFER
#define TF_TREE_INBOX(level) (TF_K_BUFFER + 0x1000u + (level) * 0x1000u)
#define TF_TREE_SUMS 0x40000u   /* after each round: the sum of the result, a word */

/* Each tile sums a chunk of all vectors, of 66 KiB. A word of tile t in a round is its input plus round * (t + 1). */
#define TF_DIRECT_CHUNK_WORDS 120u
#define TF_DIRECT_WORDS (TF_K_TILES * TF_DIRECT_CHUNK_WORDS)
#define TF_DIRECT_CHUNK_BYTES (TF_DIRECT_CHUNK_WORDS * 4u)
#define TF_DIRECT_VECTOR 0x50000u
#define TF_DIRECT_INPUT 0x70000u
#define TF_DIRECT_INBOX 0x90000u  /* chunks of the tile's own number, one from each */
#define TF_DIRECT_CAME (TF_K_SHARED + 0x500u)
#define TF_DIRECT_DONE (TF_K_SHARED + 0x510u)

#define TF_ACC_LINES 32u        /* accumulators, 16 bytes each, on ... */
#define TF_ACC_HOME(line) (((line) * 9u + 4u) % TF_K_TILES)
#define TF_ACC_LINE(line) (TF_K_SHARED + 0x1000u + (line) * 0x10u)
#define TF_ACC_COPY(line) (TF_K_BUFFER + 0x60000u + (line) * 0x10u)
#define TF_ACC_ARRIVED (TF_K_SHARED + 0x400u)
#define TF_ACC_DONE (TF_K_SHARED + 0x410u)
#define TF_ACC_FORMATS { 4, 0, 1, 2, 7, 8, 9, 10, 12, 13, 15 } /* of line % 11 */
#define TF_ACC_FORMAT_COUNT 11u

/*
 * What a tile adds to a line: numbers whose sums are exact and do not depend on order. The 16-bit formats count only
 * in the first round, for that.
 */
static inline uint32_t tf_acc_data(uint32_t format, uint32_t seed, uint32_t tile, uint32_t line, uint32_t round)
{
    uint32_t random = tf_k_input(seed + line, tile, round), pick = round ? 0 : random;
    switch (format & 7) {
    case 0:
        return random & 1 ? 0x3F800000u : 0x40000000u;
    case 1:
        return (pick & 1 ? 0x3C00u : 0) | (pick & 2 ? 0x3C000000u : 0);
    case 2:
        return (pick & 1 ? 0x3F80u : 0) | (pick & 2 ? 0x3F800000u : 0);
    case 7:
        return format == 7 ? random & 0x03010301u : random;
    default:
        return random;
    }
}

/* ---- atomics: each core its own kind, several tiles on the same words ---- */

enum tf_atomics_variant {
    TF_ATOMICS_ALL, TF_ATOMICS_TICKETS, TF_ATOMICS_LOCKS, TF_ATOMICS_QUEUE, TF_ATOMICS_SWAPS, TF_ATOMICS_SUMS,
    TF_ATOMICS_LOCAL
};
#define TF_TICKET_COUNTERS 4u
#define TF_TICKET_HOME(counter) ((counter) * 37u)
#define TF_TICKET_COUNTER (TF_K_SHARED + 0x000u)
#define TF_TICKETS 16u          /* taken by a tile, times the scale; TF_TICKETS_MAX at most */
#define TF_TICKETS_MAX 0x4000u
#define TF_TICKET_LIST TF_K_BUFFER

#define TF_LOCKS 20u
#define TF_LOCK_HOME(lock) ((lock) * 7u)
#define TF_LOCK (TF_K_SHARED + 0x100u)
#define TF_LOCK_RECORD (TF_K_SHARED + 0x110u) /* entries, sum, xor, last */
#define TF_LOCK_ENTRIES 3u      /* by a tile, times the scale */

#define TF_QUEUE_HOME(row) ((row) * TF_K_ROW + 3u)
#define TF_QUEUE_SLOTS 12u
#define TF_QUEUE_HEAD (TF_K_SHARED + 0x200u)
#define TF_QUEUE_TAIL (TF_K_SHARED + 0x210u)
#define TF_QUEUE_STATE(slot) (TF_K_SHARED + 0x220u + (slot) * 0x20u)
#define TF_QUEUE_VALUE(slot) (TF_K_SHARED + 0x230u + (slot) * 0x20u)
#define TF_QUEUE_ITEMS 4u       /* by a tile, times the scale */
enum tf_queue_state { TF_QUEUE_EMPTY, TF_QUEUE_FULL, TF_QUEUE_FILLING, TF_QUEUE_DRAINING };
enum tf_queue_result { TF_QUEUE_COUNT, TF_QUEUE_SUM, TF_QUEUE_XOR };

#define TF_SWAP_GROUP 8u        /* tiles that share a line, one 16-bit granule each */
#define TF_SWAP_LINE (TF_K_SHARED + 0x400u)
#define TF_SWAPS 8u             /* by a tile, times the scale */
#define TF_TOKEN_WORDS 14u
#define TF_TOKEN_HOME(word) ((word) * 9u + 2u)
#define TF_TOKEN (TF_K_SHARED + 0x414u)
#define TF_BYTES_LINE (TF_K_SHARED + 0x440u) /* 64 bytes, a byte for each of 64 tiles */
#define TF_BYTES_HOME(tile) ((tile) / 64u)
enum tf_swap_result { TF_SWAP_TOKEN, TF_SWAP_LAST };

#define TF_SUM_HOMES 4u
#define TF_SUM_HOME(home) ((home) * 41u + 1u)
#define TF_SUM_WORD(op) (TF_K_SHARED + 0x500u + (op) * 4u)
#define TF_SUMS 4u              /* of each operation by a tile, times the scale */
#define TF_MAP_WORD (TF_K_SHARED + 0x530u)
#define TF_MAP_VALUE 0x00A70A70u

/* The operand of a Zaamo request; few bits at a time for those that lose or gather bits. */
static inline uint32_t tf_sum_data(uint32_t op, uint32_t seed, uint32_t tile, uint32_t index)
{
    uint32_t random = tf_k_input(seed + op, tile, index);
    if (op == TF_K_OR)
        return 1u << (random % 29);
    return op == TF_K_AND ? ~(1u << (random % 29)) : random;
}

#define TF_LOCAL_LINE (TF_K_SHARED + 0x600u)  /* amoadd of five cores, increments and accumulations of neighbours */
#define TF_LOCAL_MULTI (TF_K_SHARED + 0x610u) /* increments by multicast */
#define TF_LOCAL_OPS (TF_K_SHARED + 0x620u)   /* nine words for T2's own operations */
#define TF_LOCAL_ADDS 200u      /* by a core, times the scale */
#define TF_LOCAL_REMOTE 8u      /* by a tile, times the scale */
#define TF_LOCAL_CASTERS 5u     /* tiles 0, 28, 56 ... that multicast, each TF_LOCAL_REMOTE times the scale */

/* ---- semaphores ---- */

#define TF_SEM(index) (TF_K_SHARED + (index) * 0x10u)
enum tf_sem {
    TF_SEM_GO,       /* set by multicast from tile 0 */
    TF_SEM_ARRIVED,  /* of tile 0: incremented by all */
    TF_SEM_CHAIN,    /* set by the tile before */
    TF_SEM_ROW,      /* set by multicast of the first tile of each row */
    TF_SEM_ROW_DONE, /* incremented at the first tile of the row */
    TF_SEM_LOCAL,    /* four of them: core to core in a tile */
};
enum tf_sem_result { TF_SEM_ROUNDS, TF_SEM_SUM };

/* ---- cb: ten pipelines of 70 cores ---- */

#define TF_CB_PAGE_BYTES 256u
#define TF_CB_PAGES 8u                  /* capacity of a buffer */
#define TF_CB_ITEMS 24u                 /* pages that travel, times the scale */
#define TF_CB_BUFFER(stream) (TF_K_BUFFER + (stream) * 0x1000u)
#define TF_CB_OUT (TF_K_BUFFER + 0x8000u) /* NC's copies of pages under way to the next tile */
#define TF_CB_STREAM_IN 4u              /* from the tile before; its counters are written from there */
#define TF_CB_STREAM_OUT 5u             /* the sender's view of the next tile's TF_CB_STREAM_IN */
#define TF_CB_CREDIT_STREAM 48u         /* of tile 0: every sink adds to its space */
#define TF_CB_CREDIT_START 1000u
#define TF_CB_SUMS (TF_K_BUFFER + 0x10000u) /* at each row's end: a sum for each page */
#define TF_CB_STEP(word, tile, core) ((word) * (2u * (core) + 3u) + ((tile) * 8u + (core)) * 0x01000193u)

/* ---- barrier: 700 harts ---- */

enum tf_barrier_variant { TF_BARRIER_CENTRAL, TF_BARRIER_MAILBOX, TF_BARRIER_DISSEMINATE };
#define TF_BARRIER_LOCAL (TF_K_SHARED + 0x00u)
#define TF_BARRIER_RELEASE (TF_K_SHARED + 0x10u)
#define TF_BARRIER_ARRIVED (TF_K_SHARED + 0x20u)
#define TF_BARRIER_NC (TF_K_SHARED + 0x30u)
#define TF_BARRIER_ROUND(core) (TF_K_SHARED + 0x40u + (core) * 4u) /* 32 aligned bytes */
#define TF_BARRIER_FLAG(level) (TF_K_SHARED + 0x80u + (level) * 0x10u)
#define TF_BARRIER_LEVELS 8u

/*
 * ---- fifo: rows of tiles; in each, T0's thread takes items out of a FIFO and T1's puts them into another, cores carry
 * them on ----
 */

#define TF_FIFO_CAPACITY 4u
#define TF_FIFO_WRAP (2u * TF_FIFO_CAPACITY) /* of the counters */
#define TF_FIFO_IN (TF_K_SHARED + 0x00u)     /* two words: elements taken, elements put */
#define TF_FIFO_OUT (TF_K_SHARED + 0x10u)
#define TF_FIFO_IN_SLOTS (TF_K_SHARED + 0x40u)
#define TF_FIFO_HAND_SLOTS (TF_K_SHARED + 0x80u) /* from T0's thread to T1's, counted by a semaphore */
#define TF_FIFO_OUT_SLOTS (TF_K_SHARED + 0xC0u)
#define TF_FIFO_ITEM_BYTES 16u
#define TF_FIFO_ITEMS 6u                     /* times the scale */
#define TF_FIFO_SUMS TF_K_BUFFER             /* at the row's end: a sum for each item */
#define TF_FIFO_ADD 37u

/* What a tile does to the four words of an item; its keys are tf_k_input(seed, tile, 0 and 1). */
static inline void tf_fifo_step(uint32_t word[4], uint32_t key_0, uint32_t key_1)
{
    for (unsigned i = 0; i < 4; i++)
        word[i] = (word[i] ^ key_0) + TF_FIFO_ADD - key_1;
    word[3] ^= word[0];
}

/* ---- locks: a word in each tile, taken by its Tensix threads with ATCAS and by cores of two others with CAS ---- */

#define TF_TLOCK_LINE TF_K_SHARED
#define TF_TLOCK(home) (TF_TLOCK_LINE + (home) % 4u * 4u)
#define TF_TLOCK_RECORD (TF_K_SHARED + 0x40u) /* entries, sum, xor, last */
#define TF_TLOCK_HOME(core, tile) ((core) >= 2u ? (tile) : ((tile) + ((core) == 0u ? 1u : 37u)) % TF_K_TILES)
#define TF_TLOCK_HELD(core) ((core) < 2u ? 1u : (core)) /* what the word is then */
#define TF_TLOCK_ENTRIES 3u                   /* by a core, times the scale */

/* ---- pipeline: three Tensix threads pass blocks of four lines on through rings of two blocks ---- */

#define TF_PIPE_BLOCKS 32u                /* in a round; as many rounds as the scale says */
#define TF_PIPE_LINES 4u
#define TF_PIPE_BYTES (TF_PIPE_BLOCKS * TF_PIPE_LINES * 16u)
#define TF_PIPE_RING_BYTES (2u * TF_PIPE_LINES * 16u)
#define TF_PIPE_IN TF_K_BUFFER
#define TF_PIPE_OUT (TF_K_BUFFER + 0x1000u)
#define TF_PIPE_RING(index) (TF_K_SHARED + 0x100u + (index) * 0x100u)
/* Lines of a block that are subtracted in the end, a bit for each; the others are added. */
#define TF_PIPE_MASK(seed, block) (tf_k_input(seed, 0x7000u, block) & 15u)

/* What the first two threads do to a line; keys are tf_k_input(seed, tile, 0 and 1). */
static inline void tf_pipe_step(uint32_t word[4], uint32_t key_0, uint32_t key_1)
{
    for (unsigned i = 0; i < 4; i++)
        word[i] = (word[i] ^ key_0) + key_1;
    word[3] = (word[3] & 0xFFFFu) * (word[0] & 0xFFFFu);
}

#endif
