/* SPDX-License-Identifier: Apache-2.0 */
/* Operands of the matrix unit, split into mantissas and exponents. They are cached for later instructions. */
#ifndef TILE_TENSIX_MATRIX_PIECES_H
#define TILE_TENSIX_MATRIX_PIECES_H

#include <stdint.h>

/* Signed mantissa and exponent of each datum. SrcB's exponents include the bias. */
struct tf_fpu_pieces {
    _Alignas(64) int16_t mantissa[16][16], exponent[16][16];
};

/*
 * The same for vectors of 256 bits and more, in the layout of fused.h: 16 rows of SrcA, 8 of SrcB. Exponents are
 * relative to the largest one. `least` is the least of a datum that is not zero; 256: all are zero.
 */
struct tf_fpu_fused_a {
    _Alignas(64) float factor[16][16]; /* [row][column, in the vectors' order] */
    uint32_t below[16][16];            /* one byte, four times */
    int32_t largest, least;
};

struct tf_fpu_fused_b {
    _Alignas(64) float factor[8][16];
    uint32_t below[2][16]; /* [row / 4], byte row % 4 */
    int32_t largest, least;
};

/* Integers in the layout of int.h: 16 rows of SrcA, 8 of SrcB. */
struct tf_fpu_ints_a {
    _Alignas(64) int8_t factor[16 * 16];
    int16_t offset[2 * 16];
};

struct tf_fpu_ints_b {
    _Alignas(64) uint32_t factor[2][4][4]; /* [row / 4][column / 4][row % 4] */
};

/*
 * A cache, not part of the state: splitting the rows anew gives equal results. A key names the rows of an entry and
 * their style; 0: the entry is empty. Operands of fused sums, and integers, have an entry for each 16 rows of SrcA, and
 * for each 8 of SrcB. Rows `matmul-*` pay for it (15 % of the instructions of `matmul`).
 */
struct tf_fpu_memory {
    struct tf_fpu_pieces pieces[1]; /* of SrcA */
    struct tf_fpu_fused_a fused_a[4];
    struct tf_fpu_fused_b fused_b[8];
    struct tf_fpu_ints_a ints_a[4];
    struct tf_fpu_ints_b ints_b[8];
    struct tf_fpu_keys {
        uint64_t pieces[1], fused_a[4], fused_b[8], ints_a[4], ints_b[8];
    } key;
};

/*
 * A key has the number of writes to the bank, the bank, the first row, the style of its data, and a one. The style has
 * 4 bits; the lowest one is for the phase. Kernels add the width of their vectors. This is the key of row 0 in phase 0.
 */
static inline uint64_t tf_fpu_key(uint64_t writes, unsigned bank, unsigned how)
{
    return writes << 16 | (bank << 15 | how << 5 | 1);
}

/* The key of another row, and of a phase whose pieces differ: 0 or 1. */
static inline uint64_t tf_fpu_key_at(uint64_t key, unsigned row, unsigned phase)
{
    return key | (row << 9 | phase << 5);
}

static inline unsigned tf_fpu_key_row(uint64_t key)
{
    return key >> 9 & 63;
}

#endif
