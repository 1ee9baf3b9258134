/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The list of workloads. For each, what its device program and its host program share: addresses, sizes, the layout of
 * results, and the kinds of the tensor workloads.
 */
#ifndef TILEFARM_WORKLOADS_H
#define TILEFARM_WORKLOADS_H

#include "tilefarm_layout.h"
#include "tilefarm_tensor.h"

_Static_assert(TF_TENSOR_BUFFERS == TF_K_BUFFER && TF_TENSOR_READY == TF_K_SHARED, "the defaults suit the workloads");

/*
 * TF_WORKLOAD(name, cores), in the order of `tilefarm list`. CMake reads these rows, too. For each row it compiles
 * kernels/NAME.c for the cores, adds src/cli/workloads/NAME.c to the command, and adds the test golden_NAME.
 */
#define TF_WORKLOADS(TF_WORKLOAD)          \
    TF_WORKLOAD(mixed, B NC T0 T1 T2)      \
    TF_WORKLOAD(ring, B NC)                \
    TF_WORKLOAD(allreduce, B NC T0)        \
    TF_WORKLOAD(atomics, B NC T0 T1 T2)    \
    TF_WORKLOAD(semaphores, B NC T0 T1 T2) \
    TF_WORKLOAD(cb, B NC T0 T1 T2)         \
    TF_WORKLOAD(barrier, B NC T0 T1 T2)    \
    TF_WORKLOAD(fifo, B NC T0 T1)          \
    TF_WORKLOAD(locks, B NC T0 T1 T2)      \
    TF_WORKLOAD(pipeline, T0 T1 T2)        \
    TF_WORKLOAD(eltwise, B NC T0 T1 T2)    \
    TF_WORKLOAD(activation, B NC T0 T1 T2) \
    TF_WORKLOAD(matmul, B NC T0 T1 T2)     \
    TF_WORKLOAD(reduce, B NC T0 T1 T2)     \
    TF_WORKLOAD(softmax, B NC T0 T1 T2)    \
    TF_WORKLOAD(norm, B NC T0 T1 T2)       \
    TF_WORKLOAD(pool, B NC T0 T1 T2)       \
    TF_WORKLOAD(transpose, B NC T0 T1 T2)  \
    TF_WORKLOAD(convert, B NC T0 T1 T2)

/* ---- mixed: every core runs eight kinds of integer work in turn, and begins with that of its own number ---- */

enum tf_mixed_phase {
    TF_MIXED_HASH,
    TF_MIXED_CRC,
    TF_MIXED_SORT,
    TF_MIXED_SIEVE,
    TF_MIXED_MATRIX,
    TF_MIXED_BITS,
    TF_MIXED_DIVIDE,
    TF_MIXED_BYTES,
    TF_MIXED_PHASES
};
#define TF_MIXED_WORDS 256u /* the buffer that phases work on */
#define TF_MIXED_SIDE 12u   /* of the matrices */
#define TF_MIXED_SIEVE_BASE 1024u
#define TF_MIXED_SIEVE_SPAN 1024u
#define TF_MIXED_DIVISIONS 96u
/* Result words: a sum for each phase, then the state and the number of rounds. */
#define TF_MIXED_STATE TF_MIXED_PHASES
#define TF_MIXED_ROUNDS (TF_MIXED_PHASES + 1)

/* ---- ring: packets go round all tiles, forwards by writes on NOC 0, backwards by reads on NOC 1 ---- */

enum tf_ring_variant { TF_RING_BOTH, TF_RING_WRITE, TF_RING_READ, TF_RING_LONG };
#define TF_RING_BYTES 16384u
#define TF_RING_LONG_BYTES 40960u /* the NIU splits it */
#define TF_RING_ARRIVED(way) (TF_K_SHARED + 0x00u + (way)*0x40u)
#define TF_RING_CREDIT(way) (TF_K_SHARED + 0x10u + (way)*0x40u)
#define TF_RING_SLOT(way, slot) (TF_K_BUFFER + ((way)*2u + (slot)) * 0x10000u)
/* Result words of B (writes) and NC (reads): number of packets, and a sum over their headers. */
enum tf_ring_result { TF_RING_SEEN, TF_RING_SUM };
/* A packet's header. The rest is tf_k_input(seed, origin, i); each hop changes one word of it. */
enum tf_ring_header { TF_RING_ORIGIN, TF_RING_HOPS, TF_RING_TRACE, TF_RING_HEADER_WORDS = 4 };

/* ---- allreduce ---- */

enum tf_allreduce_variant { TF_ALLREDUCE_BOTH, TF_ALLREDUCE_TREE, TF_ALLREDUCE_ACC, TF_ALLREDUCE_DIRECT };
#define TF_TREE_WORDS 1024u
#define TF_TREE_LEVELS 8u
#define TF_TREE_ARRIVED(level) (TF_K_SHARED + 0x100u + (level)*0x10u)
#define TF_TREE_READY(level) (TF_K_SHARED + 0x200u + (level)*0x10u)
#define TF_TREE_DOWN (TF_K_SHARED + 0x300u)
#define TF_TREE_VECTOR TF_K_BUFFER
#define TF_TREE_INBOX(level) (TF_K_BUFFER + 0x1000u + (level)*0x1000u)
#define TF_TREE_SUMS 0x40000u /* one word for each round: the sum of its result */

/* Each tile adds up one chunk of all vectors of 66 KiB. A word of tile t in a round is its input + round * (t + 1). */
#define TF_DIRECT_CHUNK_WORDS 120u
#define TF_DIRECT_WORDS(tiles) ((tiles)*TF_DIRECT_CHUNK_WORDS)
#define TF_DIRECT_CHUNK_BYTES (TF_DIRECT_CHUNK_WORDS * 4u)
#define TF_DIRECT_VECTOR 0x50000u
#define TF_DIRECT_INPUT 0x70000u
#define TF_DIRECT_INBOX 0x90000u /* the tile's own chunk, from each tile */
#define TF_DIRECT_CAME (TF_K_SHARED + 0x500u)
#define TF_DIRECT_DONE(tile) (TF_K_SHARED + 0x600u + (tile)*0x10u) /* at each tile: the rounds of all tiles */

#define TF_ACC_LINES 32u /* accumulators of 16 bytes, spread over tiles */
#define TF_ACC_HOME(line, tiles) (((line)*9u + 4u) % (tiles))
#define TF_ACC_LINE(line) (TF_K_SHARED + 0x1000u + (line)*0x10u)
#define TF_ACC_COPY(line) (TF_K_BUFFER + 0x60000u + (line)*0x10u)
#define TF_ACC_ARRIVED (TF_K_SHARED + 0x400u)
#define TF_ACC_DONE (TF_K_SHARED + 0x410u)
/* clang-format off */
#define TF_ACC_FORMATS { 4, 0, 1, 2, 7, 8, 9, 10, 12, 13, 15 } /* by line % 11 */
/* clang-format on */
#define TF_ACC_FORMAT_COUNT 11u

/*
 * The numbers that a tile adds to a line. Their sums are exact, so they do not depend on order. To keep them exact, the
 * 16-bit formats add zeros after the first round.
 */
static inline uint32_t tf_acc_data(uint32_t format, uint32_t seed, uint32_t tile, uint32_t line, uint32_t round)
{
    uint32_t random = tf_k_input(seed + line, tile, round), pick = round ? 0 : random;
    switch (format & 7) {
    case 0: return random & 1 ? 0x3F800000u : 0x40000000u;
    case 1: return (pick & 1 ? 0x3C00u : 0) | (pick & 2 ? 0x3C000000u : 0);
    case 2: return (pick & 1 ? 0x3F80u : 0) | (pick & 2 ? 0x3F800000u : 0);
    case 7: return format == 7 ? random & 0x03010301u : random;
    default: return random;
    }
}

/* ---- atomics: each core has its own kind of atomics; several tiles contend for the same words ---- */

enum tf_atomics_variant {
    TF_ATOMICS_ALL,
    TF_ATOMICS_TICKETS,
    TF_ATOMICS_LOCKS,
    TF_ATOMICS_QUEUE,
    TF_ATOMICS_SWAPS,
    TF_ATOMICS_SUMS,
    TF_ATOMICS_LOCAL
};
#define TF_TICKET_COUNTERS 4u
#define TF_TICKET_HOME(counter, tiles) ((counter)*37u % (tiles))
#define TF_TICKET_COUNTER (TF_K_SHARED + 0x000u)
#define TF_TICKETS 16u /* that a tile takes, times the scale; at most TF_TICKETS_MAX */
#define TF_TICKETS_MAX 0x4000u
#define TF_TICKET_LIST TF_K_BUFFER

#define TF_LOCKS 20u
#define TF_LOCK_HOME(lock, tiles) ((lock) * ((tiles) % 7u != 0 || (tiles) == 140u ? 7u : 9u) % (tiles))
#define TF_LOCK (TF_K_SHARED + 0x100u)
#define TF_LOCK_RECORD (TF_K_SHARED + 0x110u) /* entries, sum, xor, last */
#define TF_LOCK_ENTRIES 3u                    /* of a tile, times the scale */

#define TF_QUEUE_HOME(row, row_tiles) ((row) * (row_tiles) + 3u)
/* Half of the tiles of a row put items in, half take them out. In a row of odd length the last tile does neither. */
#define TF_QUEUE_IDLE(tile, row_tiles) ((row_tiles) % 2u != 0 && (tile) % (row_tiles) == (row_tiles)-1u)
#define TF_QUEUE_SLOTS 12u
#define TF_QUEUE_HEAD (TF_K_SHARED + 0x200u)
#define TF_QUEUE_TAIL (TF_K_SHARED + 0x210u)
#define TF_QUEUE_STATE(slot) (TF_K_SHARED + 0x220u + (slot)*0x20u)
#define TF_QUEUE_VALUE(slot) (TF_K_SHARED + 0x230u + (slot)*0x20u)
#define TF_QUEUE_ITEMS 4u /* of a tile, times the scale */
enum tf_queue_state { TF_QUEUE_EMPTY, TF_QUEUE_FULL, TF_QUEUE_FILLING, TF_QUEUE_DRAINING };
enum tf_queue_result { TF_QUEUE_COUNT, TF_QUEUE_SUM, TF_QUEUE_XOR };

#define TF_SWAP_GROUP 8u /* tiles that share a line; each has one 16-bit granule */
#define TF_SWAP_LINE (TF_K_SHARED + 0x400u)
#define TF_SWAPS 8u /* of a tile, times the scale */
#define TF_TOKEN_WORDS 14u
#define TF_TOKEN_HOME(word, tiles) (((word) * ((tiles) % 3u != 0 ? 9u : 13u) + 2u) % (tiles))
#define TF_TOKEN (TF_K_SHARED + 0x414u)
#define TF_BYTES_LINE (TF_K_SHARED + 0x440u) /* 64 bytes, one for each of 64 tiles */
#define TF_BYTES_HOME(tile) ((tile) / 64u)
enum tf_swap_result { TF_SWAP_TOKEN, TF_SWAP_LAST };

#define TF_SUM_HOMES 4u
#define TF_SUM_HOME(home, tiles) (((home)*41u + 1u) % (tiles))
#define TF_SUM_WORD(op) (TF_K_SHARED + 0x500u + (op)*4u)
#define TF_SUMS 4u /* of a tile for each operation, times the scale */
#define TF_MAP_WORD (TF_K_SHARED + 0x530u)
#define TF_MAP_VALUE 0x00A70A70u

/* Returns the operand of a Zaamo request. OR sets one bit, and AND clears one bit. */
static inline uint32_t tf_sum_data(uint32_t op, uint32_t seed, uint32_t tile, uint32_t index)
{
    uint32_t random = tf_k_input(seed + op, tile, index);
    if (op == TF_K_OR)
        return 1u << (random % 29);
    return op == TF_K_AND ? ~(1u << (random % 29)) : random;
}

#define TF_LOCAL_LINE (TF_K_SHARED + 0x600u)  /* amoadd by five cores, increments and accumulations by neighbours */
#define TF_LOCAL_MULTI (TF_K_SHARED + 0x610u) /* increments by multicast */
#define TF_LOCAL_OPS (TF_K_SHARED + 0x620u)   /* nine words for T2's own operations */
#define TF_LOCAL_ADDS 200u                    /* of a core, times the scale */
#define TF_LOCAL_REMOTE 8u                    /* of a tile, times the scale */
/* How many tiles multicast, each TF_LOCAL_REMOTE times the scale: the first tile of every second row. */
#define TF_LOCAL_CASTERS(rows) (((rows) + 1u) / 2u)

/* ---- semaphores ---- */

#define TF_SEM(index) (TF_K_SHARED + (index)*0x10u)
enum tf_sem {
    TF_SEM_GO,       /* set by multicast from tile 0 */
    TF_SEM_ARRIVED,  /* on tile 0: all tiles increment it */
    TF_SEM_CHAIN,    /* the tile before sets it */
    TF_SEM_ROW,      /* the first tile of each row sets it by multicast */
    TF_SEM_ROW_DONE, /* on the first tile of a row: its other tiles increment it */
    TF_SEM_LOCAL,    /* first of four, between cores of a tile */
};
enum tf_sem_result { TF_SEM_ROUNDS, TF_SEM_SUM };

/* ---- cb: a pipeline of circular buffers in each of ten rows of tiles ---- */

#define TF_CB_PAGE_BYTES 256u
#define TF_CB_PAGES 8u  /* capacity of a buffer */
#define TF_CB_ITEMS 24u /* pages that pass through, times the scale */
#define TF_CB_BUFFER(stream) (TF_K_BUFFER + (stream)*0x1000u)
#define TF_CB_OUT (TF_K_BUFFER + 0x8000u) /* NC's copies of pages that go to the next tile */
#define TF_CB_STREAM_IN 4u                /* pages from the tile before; that tile writes RECEIVED */
#define TF_CB_STREAM_OUT 5u               /* the sender's copy of the counters of the next tile's TF_CB_STREAM_IN */
#define TF_CB_CREDIT_STREAM 48u           /* of tile 0: the last tile of each row adds to its space */
#define TF_CB_CREDIT_START 1000u
#define TF_CB_SUMS (TF_K_BUFFER + 0x10000u) /* on the last tile of a row: a sum for each page */
#define TF_CB_STEP(word, tile, core) ((word) * (2u * (core) + 3u) + ((tile)*8u + (core)) * 0x01000193u)

/* ---- barrier: of all cores of the chip ---- */

enum tf_barrier_variant { TF_BARRIER_CENTRAL, TF_BARRIER_MAILBOX, TF_BARRIER_DISSEMINATE };
#define TF_BARRIER_LOCAL (TF_K_SHARED + 0x00u)
#define TF_BARRIER_RELEASE (TF_K_SHARED + 0x10u)
#define TF_BARRIER_ARRIVED (TF_K_SHARED + 0x20u)
#define TF_BARRIER_NC (TF_K_SHARED + 0x30u)
/* A core's round number. Odd and even rounds have different words, because round r + 2 overwrites the numbers of round
   r. While a core still reads these, it is not in round r + 1, so no core has entered round r + 2. The numbers of all
   cores fit in 32 aligned bytes. */
#define TF_BARRIER_ROUND(round, core) (TF_K_SHARED + 0x40u + ((round)&1u) * 0x20u + (core)*4u)
#define TF_BARRIER_FLAG(level) (TF_K_SHARED + 0x80u + (level)*0x10u)
#define TF_BARRIER_LEVELS 8u

/*
 * ---- fifo: items pass along rows of tiles. In each tile T0's thread takes them out of a FIFO, and T1's thread puts
 * them into another one. Cores carry them to the next tile ----
 */

#define TF_FIFO_CAPACITY 4u
#define TF_FIFO_WRAP (2u * TF_FIFO_CAPACITY) /* of the counters */
#define TF_FIFO_IN (TF_K_SHARED + 0x00u)     /* two words: how many items have been taken out, and put in */
#define TF_FIFO_OUT (TF_K_SHARED + 0x10u)
#define TF_FIFO_IN_SLOTS (TF_K_SHARED + 0x40u)
#define TF_FIFO_HAND_SLOTS (TF_K_SHARED + 0x80u) /* from T0's thread to T1's; a semaphore counts the items */
#define TF_FIFO_OUT_SLOTS (TF_K_SHARED + 0xC0u)
#define TF_FIFO_ITEM_BYTES 16u
#define TF_FIFO_ITEMS 6u         /* times the scale */
#define TF_FIFO_SUMS TF_K_BUFFER /* on the last tile of a row: a sum for each item */
#define TF_FIFO_ADD 37u

/* Change the four words of an item as a tile does. The keys are tf_k_input(seed, tile, 0) and (seed, tile, 1). */
static inline void tf_fifo_step(uint32_t word[4], uint32_t key_0, uint32_t key_1)
{
    for (unsigned i = 0; i < 4; i++)
        word[i] = (word[i] ^ key_0) + TF_FIFO_ADD - key_1;
    word[3] ^= word[0];
}

/* ---- locks: a word in each tile. Its Tensix threads take it with ATCAS, cores of two other tiles with CAS ---- */

#define TF_TLOCK_LINE TF_K_SHARED
#define TF_TLOCK(home) (TF_TLOCK_LINE + (home) % 4u * 4u)
#define TF_TLOCK_RECORD (TF_K_SHARED + 0x40u) /* entries, sum, xor, last */
#define TF_TLOCK_HOME(core, tile, tiles) ((core) >= 2u ? (tile) : ((tile) + ((core) == 0u ? 1u : 37u)) % (tiles))
#define TF_TLOCK_HELD(core) ((core) < 2u ? 1u : (core)) /* the word while a core holds the lock */
#define TF_TLOCK_ENTRIES 3u                             /* of a core, times the scale */

/* ---- pipeline: three Tensix threads pass blocks of four lines to each other through rings of two blocks ---- */

#define TF_PIPE_BLOCKS 32u /* in a round; the scale is the number of rounds */
#define TF_PIPE_LINES 4u
#define TF_PIPE_BYTES (TF_PIPE_BLOCKS * TF_PIPE_LINES * 16u)
#define TF_PIPE_RING_BYTES (2u * TF_PIPE_LINES * 16u)
#define TF_PIPE_READY TF_K_SHARED
#define TF_PIPE_IN TF_K_BUFFER
#define TF_PIPE_OUT (TF_K_BUFFER + 0x1000u)
#define TF_PIPE_RING(index) (TF_K_SHARED + 0x100u + (index)*0x100u)
/* A bit for each line of a block: the last thread subtracts the line if it is 1, and adds it if it is 0. */
#define TF_PIPE_MASK(seed, block) (tf_k_input(seed, 0x7000u, block) & 15u)

/* Change a line as the first two threads do. The keys are tf_k_input(seed, tile, 0) and (seed, tile, 1). */
static inline void tf_pipe_step(uint32_t word[4], uint32_t key_0, uint32_t key_1)
{
    for (unsigned i = 0; i < 4; i++)
        word[i] = (word[i] ^ key_0) + key_1;
    word[3] = (word[3] & 0xFFFFu) * (word[0] & 0xFFFFu);
}

/* ---- eltwise: tiles i of A and B give tile i of OUT. Of n Tensix tiles, tile i modulo n computes it ---- */

enum tf_eltwise_op {
    TF_ELTWISE_ADD,
    TF_ELTWISE_SUB,
    TF_ELTWISE_MUL,
    TF_ELTWISE_MUL_STOCHASTIC /* stochastic rounding of sums in Dst */
};
#define TF_ELTWISE_KINDS                                                                                        \
    {                                                                                                           \
        TF_KIND(TF_BF16, TF_BF16, 0, 1, TF_ELTWISE_ADD), TF_KIND(TF_BF16, TF_BF16, 0, 1, TF_ELTWISE_SUB),       \
            TF_KIND(TF_BF16, TF_BF16, 0, 4, TF_ELTWISE_MUL), TF_KIND(TF_BF16, TF_BF16, 0, 1, TF_ELTWISE_MUL),   \
            TF_KIND(TF_FP16, TF_FP16, 0, 1, TF_ELTWISE_ADD), TF_KIND(TF_FP16, TF_FP16, 0, 4, TF_ELTWISE_MUL),   \
            TF_KIND(TF_BFP8, TF_BFP8, 0, 1, TF_ELTWISE_ADD), TF_KIND(TF_BF16, TF_FP32, 1, 4, TF_ELTWISE_MUL),   \
            {TF_FP32, TF_FP32, 1, 1, TF_ELTWISE_ADD, TF_TF32, TF_HOW_DEFAULT, 0},                               \
            {TF_FP32, TF_FP32, 1, 4, TF_ELTWISE_MUL, TF_TF32, TF_HOW_DEFAULT, 0},                               \
            TF_KIND(TF_FP8, TF_FP16, 0, 1, TF_ELTWISE_MUL), TF_KIND(TF_BFP4, TF_BF16, 0, 1, TF_ELTWISE_ADD),    \
            TF_KIND(TF_INT8, TF_INT32, 1, 1, TF_ELTWISE_ADD), TF_KIND(TF_INT8, TF_INT32, 1, 4, TF_ELTWISE_MUL), \
            TF_KIND(TF_INT8, TF_INT8, 1, 1, TF_ELTWISE_SUB),                                                    \
            TF_KIND(TF_BF16, TF_BF16, 0, 4, TF_ELTWISE_MUL_STOCHASTIC),                                         \
    }
#define TF_ELTWISE_NAMES                                                                                     \
    "add", "sub", "mul", "mul-lofi", "add-fp16", "mul-fp16", "add-bfp8", "mul-fp32", "add-tf32", "mul-tf32", \
        "mul-fp8", "add-bfp4", "add-int8", "mul-int8", "sub-int8", "mul-stochastic"

/*
 * ---- matmul: OUT = A * B. Tile (m, n) of OUT has index m * N + n. Each Tensix tile computes a block of 2 by 2. In a
 * step of K, the first Tensix tile of a row (a column) sends two tiles of A (B) to the others ----
 */

#define TF_MATMUL_BLOCK 2u /* tiles, high and wide */
#define TF_MATMUL_M (TF_K_ROWS * TF_MATMUL_BLOCK)
#define TF_MATMUL_N (TF_K_ROW * TF_MATMUL_BLOCK)
#define TF_MATMUL_K 4u                                                   /* times the scale */
#define TF_MATMUL_TAKEN(operand) (TF_K_SHARED + 0x10u + (operand)*0x20u) /* at the sender: free pages */
#define TF_MATMUL_SENT(operand) (TF_K_SHARED + 0x20u + (operand)*0x20u)  /* at a receiver: pages received */
#define TF_MATMUL_KINDS                                                                                             \
    {                                                                                                               \
        TF_KIND(TF_BF16, TF_BF16, 0, 4, 0), TF_KIND(TF_BF16, TF_BF16, 0, 1, 0), TF_KIND(TF_BF16, TF_BF16, 0, 2, 0), \
            TF_KIND(TF_BF16, TF_BF16, 0, 3, 0), TF_KIND(TF_BF16, TF_FP32, 1, 4, 0),                                 \
            TF_KIND(TF_BF16, TF_FP32, 1, 1, 0), TF_KIND(TF_FP16, TF_FP16, 0, 4, 0),                                 \
            TF_KIND(TF_FP16, TF_FP32, 1, 4, 0), TF_KIND(TF_BFP8, TF_BFP8, 0, 2, 0),                                 \
            TF_KIND(TF_BFP8, TF_FP32, 1, 2, 0), {TF_FP32, TF_FP32, 1, 4, 0, TF_TF32, TF_HOW_DEFAULT, 0},            \
            TF_KIND(TF_FP8, TF_FP16, 0, 1, 0), TF_KIND(TF_BFP4, TF_BF16, 0, 1, 0),                                  \
            TF_KIND(TF_INT8, TF_INT32, 1, 4, 0),                                                                    \
    }
#define TF_MATMUL_NAMES                                                                                       \
    "bf16-hifi4", "bf16-lofi", "bf16-hifi2", "bf16-hifi3", "bf16-hifi4-fp32", "bf16-lofi-fp32", "fp16-hifi4", \
        "fp16-hifi4-fp32", "bfp8-hifi2", "bfp8-hifi2-fp32", "tf32-hifi4", "fp8-lofi", "bfp4-lofi", "int8"

/* ---- activation: tile i of A gives tile i of OUT ---- */

enum tf_activation_op {
    TF_ACTIVATION_EXP,
    TF_ACTIVATION_GELU,
    TF_ACTIVATION_SIGMOID,
    TF_ACTIVATION_RECIPROCAL,
    TF_ACTIVATION_SQRT
};
#define TF_ACTIVATION_KINDS                                                                                          \
    {                                                                                                                \
        TF_KIND(TF_BF16, TF_BF16, 0, 1, TF_ACTIVATION_EXP), TF_KIND(TF_BF16, TF_BF16, 0, 1, TF_ACTIVATION_GELU),     \
            TF_KIND(TF_BF16, TF_BF16, 0, 1, TF_ACTIVATION_SIGMOID),                                                  \
            TF_KIND(TF_BF16, TF_BF16, 0, 1, TF_ACTIVATION_RECIPROCAL),                                               \
            TF_KIND(TF_BF16, TF_BF16, 0, 1, TF_ACTIVATION_SQRT), TF_KIND(TF_BFP8, TF_BF16, 0, 1, TF_ACTIVATION_EXP), \
    }
#define TF_ACTIVATION_NAMES "exp", "gelu", "sigmoid", "reciprocal", "sqrt", "exp-bfp8"

/*
 * ---- reduce: tile i of A gives tile i of OUT; B is a tile of ones. Maxima of columns are in row 0 of OUT's tile. Sums
 * of columns are in rows 0 to 3, sums of rows in columns 0 to 15. The rest is 0.
 * chip-sum: A has as many columns of tiles as the chip. OUT is one row of tiles; row 0 of each has the sums of A's
 * columns. Only the first row of B's tile is ones. Each Tensix tile adds up its tiles of A. The first one of a column
 * of the chip then adds the results of the others ----
 */

enum tf_reduce_op { TF_REDUCE_COLUMN_SUM, TF_REDUCE_COLUMN_MAX, TF_REDUCE_ROW_SUM, TF_REDUCE_CHIP_SUM };
#define TF_REDUCE_ARRIVED (TF_K_SHARED + 0x10u) /* on the column's first tile: sums that have arrived */
#define TF_REDUCE_INBOX(row) (TF_TENSOR_CB(TF_PAGES_COUNT) + (row)*TF_TILE_BYTES(TF_FP32))
#define TF_REDUCE_KINDS                                                                                                \
    {                                                                                                                  \
        TF_KIND(TF_BF16, TF_BF16, 0, 4, TF_REDUCE_COLUMN_SUM), TF_KIND(TF_BF16, TF_BF16, 0, 1, TF_REDUCE_COLUMN_MAX),  \
            TF_KIND(TF_BF16, TF_BF16, 0, 4, TF_REDUCE_ROW_SUM), TF_KIND(TF_BF16, TF_FP32, 1, 4, TF_REDUCE_COLUMN_SUM), \
            TF_KIND(TF_BF16, TF_FP32, 1, 4, TF_REDUCE_ROW_SUM),                                                        \
            {TF_FP32, TF_FP32, 1, 4, TF_REDUCE_CHIP_SUM, TF_TF32, TF_HOW_DEFAULT, 0},                                  \
    }
#define TF_REDUCE_NAMES "column-sum", "column-max", "row-sum", "column-sum-fp32", "row-sum-fp32", "chip-sum"

/* ---- transpose: A has TF_K_ROW columns of tiles, OUT has TF_K_ROW rows ---- */

#define TF_TRANSPOSE_KINDS                                                                                          \
    {                                                                                                               \
        TF_KIND(TF_BF16, TF_BF16, 0, 1, 0), TF_KIND(TF_FP16, TF_FP16, 0, 1, 0), TF_KIND(TF_BFP8, TF_BF16, 0, 1, 0), \
    }
#define TF_TRANSPOSE_NAMES "bf16", "fp16", "bfp8"

/*
 * ---- softmax: exp(x - maximum) / sum. One kind covers the 32 numbers of each column of a tile. The other one covers
 * the 320 numbers of that column in all tiles of a column of the chip. B is a tile of ones. For the second kind, each
 * tile gathers the maxima of its column, then the sums, in the upper faces of a tile. Each sender has one row ----
 */

enum tf_softmax_op { TF_SOFTMAX_TILE, TF_SOFTMAX_CHIP };
enum tf_softmax_gathered { TF_SOFTMAX_MAXIMA, TF_SOFTMAX_SUMS };
#define TF_SOFTMAX_INBOX(what, count) /* of two: one is filled while the other one is read */ \
    (TF_TENSOR_CB(TF_PAGES_COUNT) + ((what)*2u + (count) % 2u) * TF_TILE_BYTES(TF_BF16))
#define TF_SOFTMAX_CAME(what, row) /* how often the tile in that row has sent them */ \
    (TF_K_SHARED + 0x100u + ((what)*TF_K_ROWS + (row)) * 16u)
#define TF_SOFTMAX_KINDS                                                                                    \
    {                                                                                                       \
        TF_KIND(TF_BF16, TF_BF16, 0, 4, TF_SOFTMAX_TILE), TF_KIND(TF_BFP8, TF_BF16, 0, 4, TF_SOFTMAX_TILE), \
            TF_KIND(TF_BF16, TF_BF16, 0, 4, TF_SOFTMAX_CHIP),                                               \
    }
#define TF_SOFTMAX_NAMES "bf16", "bfp8", "chip"

/*
 * ---- norm: tile i of OUT is the layer norm, or the RMS norm, of the columns of tile i of A; B is one tile of ones.
 * Results of steps lie after the circular buffers ----
 */

enum tf_norm_op {
    TF_NORM_RMS = 1,
    TF_NORM_ALL = 2, /* no edge masks: statistics are packed as whole tiles, but only their first rows are read */
};
enum tf_norm_page { TF_NORM_STATISTICS, TF_NORM_DIFFERENCES, TF_NORM_SQUARES };
#define TF_NORM_PAGE(page) (TF_TENSOR_CB(TF_PAGES_COUNT) + (page)*TF_TILE_BYTES(TF_BF16))
#define TF_NORM_PACKED (TF_K_SHARED + 0x100u) /* number of steps that T2 has packed */
#define TF_NORM_EPSILON 0x37800000u           /* 2^-16 */
#define TF_NORM_KINDS                                                                                                 \
    {                                                                                                                 \
        TF_KIND(TF_BF16, TF_BF16, 0, 4, 0), TF_KIND(TF_BF16, TF_BF16, 0, 4, TF_NORM_RMS),                             \
            TF_KIND(TF_BF16, TF_BF16, 0, 4, TF_NORM_ALL), TF_KIND(TF_BF16, TF_BF16, 0, 4, TF_NORM_RMS | TF_NORM_ALL), \
    }
#define TF_NORM_NAMES "layer", "rms", "layer-unmasked", "rms-unmasked"

/*
 * ---- pool. max: the largest number of each channel in a window of an image, and the index of its pixel in the window.
 * A tile of A is 4 rows of 8 pixels, and a pixel is a row of 32 channels. Windows advance by two pixels, and wrap round
 * at the right side. top-16: the 16 largest numbers of each column, and their rows ----
 */

enum tf_pool_op { TF_POOL_MAX, TF_POOL_TOP };
#define TF_POOL_WIDTH 8u /* pixels */
#define TF_POOL_WINDOW 3u
#define TF_POOL_WINDOWS 8u
/* The number of pixel i of a window in the image. */
#define TF_POOL_PIXEL(window, i)                              \
    (((window) / 4u + (i) / TF_POOL_WINDOW) * TF_POOL_WIDTH + \
     ((window) % 4u * 2u + (i) % TF_POOL_WINDOW) % TF_POOL_WIDTH)
#define TF_POOL_K 16u
#define TF_POOL_KINDS                                                                               \
    {                                                                                               \
        TF_KIND(TF_BF16, TF_BF16, 0, 1, TF_POOL_MAX), TF_KIND(TF_BF16, TF_BF16, 0, 1, TF_POOL_TOP), \
    }
#define TF_POOL_NAMES "max", "top-16"

/* ---- convert: tile i of OUT is tile i of A in another format or order, or clamped, or added up ---- */

enum tf_convert_op { TF_CONVERT_NEAREST, TF_CONVERT_STOCHASTIC }; /* how the packer rounds to tf32 and bfp8 */
#define TF_CONVERT_KINDS                                                                                               \
    {                                                                                                                  \
        {TF_FP32, TF_BF16, 0, 1, 0, TF_BF16, TF_HOW_DEFAULT, 0},                                                       \
            {TF_FP32, TF_FP32, 1, 1, 0, TF_TF32, TF_HOW_DEFAULT, 0}, {TF_FP32, TF_FP32, 1, 1, 0, 0, TF_HOW_TO_DST, 0}, \
            {TF_FP32, TF_FP16, 0, 1, 0, TF_FP16, TF_HOW_DEFAULT, 0},                                                   \
            {TF_FP32, TF_BFP8, 1, 1, 0, TF_TF32, TF_HOW_DEFAULT, 0},                                                   \
            {TF_INT32, TF_INT32, 1, 1, 0, 0, TF_HOW_TO_DST, 0}, TF_KIND(TF_UINT16, TF_UINT16, 0, 1, 0),                \
            TF_KIND(TF_FP8, TF_FP16, 0, 1, 0), TF_KIND(TF_FP8_E4M3, TF_FP16, 0, 1, 0),                                 \
            TF_KIND(TF_FP16, TF_FP8_E4M3, 0, 1, 0), TF_KIND(TF_BFP4, TF_BF16, 0, 1, 0),                                \
            TF_KIND(TF_BFP2, TF_BF16, 0, 1, 0), TF_KIND(TF_BF16, TF_BFP4, 0, 1, 0),                                    \
            TF_KIND(TF_BF16, TF_BFP2, 0, 1, 0), {TF_BF16, TF_BF16, 0, 1, 0, 0, TF_HOW_DEFAULT, 1},                     \
            {TF_FP16, TF_FP16, 0, 1, 0, 0, TF_HOW_DEFAULT, 2},                                                         \
            {TF_FP32, TF_FP32, 1, 1, 0, TF_TF32, TF_HOW_DEFAULT, 3},                                                   \
            {TF_BF16, TF_BF16, 0, 1, 0, 0, TF_HOW_ACCUMULATE, 0},                                                      \
            {TF_FP16, TF_FP16, 0, 1, 0, 0, TF_HOW_ACCUMULATE, 0},                                                      \
            {TF_FP32, TF_FP32, 1, 1, 0, TF_TF32, TF_HOW_ACCUMULATE, 0},                                                \
            {TF_BF16, TF_BF16, 0, 1, 0, 0, TF_HOW_TILIZE, 0}, {TF_BF16, TF_BF16, 0, 1, 0, 0, TF_HOW_UNTILIZE, 0},      \
            {TF_FP32, TF_FP32, 1, 1, TF_CONVERT_STOCHASTIC, 0, TF_HOW_TO_DST, 0},                                      \
            TF_KIND(TF_BF16, TF_BFP8, 0, 1, TF_CONVERT_STOCHASTIC),                                                    \
    }
#define TF_CONVERT_NAMES                                                                                               \
    "fp32-bf16", "fp32-tf32", "fp32-dst", "fp32-fp16", "fp32-bfp8", "int32-dst", "uint16", "fp8-fp16", "fp8e4m3-fp16", \
        "fp16-fp8e4m3", "bfp4-bf16", "bfp2-bf16", "bf16-bfp4", "bf16-bfp2", "relu", "relu-above", "relu-below",        \
        "accumulate", "accumulate-fp16", "accumulate-fp32", "tilize", "untilize", "tf32-stochastic", "bfp8-stochastic"

#endif
