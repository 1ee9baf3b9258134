/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The layout of a tile's L1 while a workload runs, and the parameters that the host writes for the device programs. The
 * device programs and the host side of the workloads share this file.
 */
#ifndef TILEFARM_LAYOUT_H
#define TILEFARM_LAYOUT_H

#include "tilefarm_family.h"

/* Program regions, one for each core in the order B, NC, T0, T1, T2. Data follow code at a multiple of 1 KiB. */
#define TF_K_PROGRAM_BYTES 0x4000u
#define TF_K_PROGRAM(core) ((core)*TF_K_PROGRAM_BYTES)

#define TF_K_PARAMS 0x14000u /* struct tf_k_params */
#define TF_K_GRID 0x14200u   /* struct tf_k_grid */
#define TF_K_DONE 0x14400u   /* one word for each core */
#define TF_K_RESULT 0x14800u /* TF_K_RESULT_BYTES for each core */
#define TF_K_RESULT_BYTES 0x100u
#define TF_K_SCRATCH 0x15000u /* TF_K_SCRATCH_BYTES for each core: sources and return words of NOC requests */
#define TF_K_SCRATCH_BYTES 0x400u
#define TF_K_SHARED 0x18000u /* semaphores, locks, counters */
#define TF_K_SHARED_BYTES 0x8000u
#define TF_K_BUFFER 0x20000u /* bulk data, up to the end of L1 */

/* A done word: this value plus the status that main() has returned, 0 for success. */
#define TF_K_DONE_MAGIC 0x600D0000u
#define TF_K_PARAMS_MAGIC 0x7F4B5031u

#ifndef __ASSEMBLER__
#include <stdint.h>

/*
 * The encoding of an atomic, which differs between profiles. Bits 15:0 are NOC_AT_LEN_BE without operands. Above them
 * are the bit positions of word offset, first value and second value. A position of 16 or more means none.
 */
#define TF_K_AT(base, offset_at, value_at, second_at) \
    ((uint32_t)(base) | (uint32_t)(offset_at) << 16 | (uint32_t)(value_at) << 21 | (uint32_t)(second_at) << 26)
#define TF_K_NONE 16u

enum tf_k_at {
    TF_K_AT_INC,       /* value: the increment, 1..15, also in NOC_AT_DATA */
    TF_K_AT_INC_PTR,   /* value: the increment; second: the number at which the word wraps to 0 */
    TF_K_AT_SWAP_MASK, /* value: mask of 16-bit granules */
    TF_K_AT_CAS,       /* value: expected; second: new; also in the halves of NOC_AT_DATA */
    TF_K_AT_MAP,
    TF_K_AT_SWAP_0, /* the word swaps that the profile has */
    TF_K_AT_SWAP_1,
    TF_K_AT_SWAP_2,
    TF_K_AT_ZAAMO, /* value: enum tf_k_zaamo */
    TF_K_AT_ACC,   /* value: format */
    TF_K_AT_COUNT
};

/* Operations of the Zaamo requests (BlackholeA0/NoC/Atomics.md). */
enum tf_k_zaamo { TF_K_ADD, TF_K_XOR, TF_K_OR, TF_K_AND, TF_K_MIN, TF_K_MAX, TF_K_MINU, TF_K_MAXU, TF_K_ZAAMO_COUNT };

struct tf_k_params {
    uint32_t magic;
    uint32_t seed;
    uint32_t scale;
    uint32_t variant;
    uint32_t at[TF_K_AT_COUNT];
};

/* The most columns and rows of Tensix tiles. */
#define TF_K_LINES 16u

/* The tiles of a chip with fused-off nodes. Programs for whole chips have these numbers from tilefarm_family.h. */
struct tf_k_grid {
    uint32_t me, tiles, row, rows, channels; /* me: index of this tile; channels: of DRAM */
    uint8_t x[TF_K_LINES], y[TF_K_LINES];    /* names of columns and rows in requests on NOC 0 */
};

/* Mix the bits of a word. Device and host compute the inputs of the workloads with it. */
static inline uint32_t tf_k_mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x21F0AAADu;
    x ^= x >> 15;
    x *= 0x735A2D97u;
    return x ^ x >> 15;
}

/* Returns the pseudorandom input word `index` of stream `stream` for a seed. */
static inline uint32_t tf_k_input(uint32_t seed, uint32_t stream, uint32_t index)
{
    return tf_k_mix(tf_k_mix(seed + 0x9E3779B9u * stream) + index);
}
#endif
#endif
