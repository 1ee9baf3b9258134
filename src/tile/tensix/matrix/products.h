/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums of products for the matrix unit. A product is a piece of SrcA's mantissa (5 bits) times one of SrcB's (7 bits),
 * with a sign. Eight products are aligned to their largest exponent, each rounded with ties away from zero, and added.
 * That fits lanes of 16 bits: a sum is below 2^15, an exponent below 2^11.
 */
#ifndef TILE_TENSIX_MATRIX_PRODUCTS_H
#define TILE_TENSIX_MATRIX_PRODUCTS_H

#include <stdint.h>

#include "host/fused.h"
#include "host/lanes.h"
#include "tile/tensix/matrix/kernel_set.h"
#include "tile/tensix/matrix/pieces.h"

#ifdef __clang__
#define UNROLL _Pragma("unroll")
#define ROLLED _Pragma("nounroll")
#else
#define UNROLL _Pragma("GCC unroll 8")
#define ROLLED _Pragma("GCC unroll 1")
#endif

#define COLUMNS TF_SRC_COLUMNS
#define SIGN 0x40000u /* of a datum of SrcA or SrcB, above its mantissa */

/* The bits of a piece in a mantissa with its leading one at bit 10. */
struct cut {
    int right, left;
    int16_t mask;
};

/* The cuts of a fidelity phase: five bits of SrcA, and seven or four of SrcB. */
INLINE struct cut cut_of_a(const struct tf_fpu_job *job)
{
    static const struct cut cuts[2] = {{6, 0, 31}, {1, 0, 31}};
    return cuts[job->phase & 1];
}

INLINE struct cut cut_of_b(const struct tf_fpu_job *job)
{
    static const struct cut cuts[2] = {{4, 0, 127}, {0, 3, 15}};
    return cuts[job->phase >> 1];
}

/*
 * For a row of Dst: the two sums of eight products, and their exponents. `least` is the least exponent. Kernels of wide
 * vectors have already zeroed sums with an exponent of 0.
 */
struct sums {
    _Alignas(64) int16_t sum[2][COLUMNS], exponent[2][COLUMNS];
};

/*
 * name(): an operand of SrcA or SrcB (`side`) that `take` splits, from the cache where it has been split. Instructions
 * reuse rows of either with other rows of the other one, or of Dst. Each `rows` rows have an entry. `own` is for an
 * operand that is not cached.
 */
#define KEPT_OPERAND(name, kind, side, rows, take)                                                   \
    INLINE const struct tf_fpu_##kind *name(const struct tf_fpu_job *job, struct tf_fpu_##kind *own) \
    {                                                                                                \
        struct tf_fpu_memory *memory = job->memory;                                                  \
        if (memory == NULL || job->key_##side == 0) {                                                \
            take(job, own);                                                                          \
            return own;                                                                              \
        }                                                                                            \
        const uint64_t key = job->key_##side | TF_HOST_WIDTH;                                        \
        const unsigned place = tf_fpu_key_row(key) / (rows);                                         \
        if (memory->key.kind[place] != key) {                                                        \
            memory->key.kind[place] = key;                                                           \
            take(job, &memory->kind[place]);                                                         \
        }                                                                                            \
        return &memory->kind[place];                                                                 \
    }

/* Data of SrcA and SrcB need not have a vector's alignment. */
INLINE vu load_src(const uint32_t *row, unsigned part)
{
    vu value;
    memcpy(&value, row + part * TF_HOST_WIDTH, sizeof value);
    return value;
}

#if TF_HOST_WIDTH == 4
/* SrcB's exponents include the bias. */
typedef struct tf_fpu_pieces operand_a, operand_b;
typedef struct sums row_sums;

struct scale {
    int16_t least; /* the least exponent */
    bool fits;     /* always, other than in fused.h */
};
#endif

#if TF_HOST_WIDTH == 16
typedef int16_t vh __attribute__((vector_size(64)));
typedef uint16_t vhu __attribute__((vector_size(64)));

/* Low or high halves of the words of two rows, one after the other. */
INLINE vhu low_halves(vu first, vu second)
{
    const vhu from = {0,  2,  4,  6,  8,  10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30,
                      32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62};
    return (vhu)_mm512_permutex2var_epi16((__m512i)first, (__m512i)from, (__m512i)second);
}

INLINE vhu high_halves(vu first, vu second)
{
    const vhu from = {1,  3,  5,  7,  9,  11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31,
                      33, 35, 37, 39, 41, 43, 45, 47, 49, 51, 53, 55, 57, 59, 61, 63};
    return (vhu)_mm512_permutex2var_epi16((__m512i)first, (__m512i)from, (__m512i)second);
}

INLINE vh larger(vh a, vh b)
{
    return (vh)_mm512_max_epi16((__m512i)a, (__m512i)b);
}

#elif TF_HOST_WIDTH == 8
typedef int16_t vh __attribute__((vector_size(32)));
typedef uint16_t vhu __attribute__((vector_size(32)));

/* Low or high halves of the words of a row, as two vectors have it. */
INLINE vhu low_halves(vu first, vu second)
{
    __m256i packed = _mm256_packus_epi32((__m256i)(first & 0xFFFF), (__m256i)(second & 0xFFFF));
    return (vhu)_mm256_permute4x64_epi64(packed, 0xD8);
}

INLINE vhu high_halves(vu first, vu second)
{
    return (vhu)_mm256_permute4x64_epi64(_mm256_packus_epi32((__m256i)(first >> 16), (__m256i)(second >> 16)), 0xD8);
}

INLINE vh larger(vh a, vh b)
{
    return (vh)_mm256_max_epi16((__m256i)a, (__m256i)b);
}

#endif

#if TF_HOST_WIDTH > 4
#include "tile/tensix/matrix/fused.h"
#else
#define NO_EXPONENT (-4096) /* exponent of a zero: below all others, even the sum of two */

INLINE vi widen(const int16_t *row, unsigned part)
{
    typedef int16_t vs __attribute__((vector_size(TF_HOST_WIDTH * 2)));
    return __builtin_convertvector(*(const vs *)(const void *)(row + part * TF_HOST_WIDTH), vi);
}

/* 2^-distance as a number; at least 2^-30. */
INLINE vf power_of(vi distance)
{
    vu near = minu((vu)distance, splat(30));
    return (vf)((127 - near) << 23);
}

#define SUM_ROWS 1u

/* In floating point: every step is exact, except the intended truncation. SUM_ROWS rows from `row` on. */
INLINE void multiply_rows(const operand_a *a, const operand_b *b, unsigned row, const struct scale *scale,
                          struct sums *out)
{
    typedef int16_t vs __attribute__((vector_size(TF_HOST_WIDTH * 2)));
    for (unsigned part = 0; part < COLUMNS / TF_HOST_WIDTH; part++) {
        for (unsigned group = 0; group < 2; group++) {
            vi largest = (vi)splat((uint32_t)(int32_t)scale->least), sum = (vi)splat(0);
            for (unsigned k = 8 * group; k < 8 * group + 8; k++)
                largest = max(largest, widen(a->exponent[k], part) + b->exponent[row][k]);
            for (unsigned k = 8 * group; k < 8 * group + 8; k++) {
                vi distance = largest - (widen(a->exponent[k], part) + b->exponent[row][k]);
                vf product = __builtin_convertvector(widen(a->mantissa[k], part), vf) * (float)b->mantissa[row][k];
                product *= power_of(distance);
                vf half = (vf)(((vu)product & 0x80000000u) | 0x3F000000u);
                sum += __builtin_convertvector(product + half, vi);
            }
            *(vs *)(void *)(out->sum[group] + part * TF_HOST_WIDTH) = __builtin_convertvector(sum, vs);
            *(vs *)(void *)(out->exponent[group] + part * TF_HOST_WIDTH) = __builtin_convertvector(largest, vs);
        }
    }
}

INLINE void take_row(struct tf_fpu_pieces *pieces, unsigned row, const uint32_t *data, uint32_t mask, int32_t bias,
                     struct cut cut)
{
    for (unsigned i = 0; i < COLUMNS; i++) {
        uint32_t datum = data[i] & mask, exponent = datum & 0xFF;
        int piece = (int)(((datum >> 8 & 0x3FF) | 0x400) >> cut.right & (uint32_t)cut.mask) << cut.left;
        pieces->mantissa[row][i] = (int16_t)(exponent == 0 ? 0 : datum >> 18 ? -piece : piece);
        pieces->exponent[row][i] = (int16_t)(exponent == 0 ? NO_EXPONENT : (int32_t)exponent + bias);
    }
}

INLINE void take_a(const struct tf_fpu_job *job, operand_a *a)
{
    for (unsigned row = 0; row < COLUMNS; row++)
        take_row(a, row, job->a[row], job->mask_a, 0, cut_of_a(job));
}

KEPT_OPERAND(pieces_of_a, pieces, a, TF_SRC_ROWS, take_a)

INLINE const operand_b *pieces_of_b(const struct tf_fpu_job *job, operand_b *own, int32_t bias)
{
    for (unsigned row = 0; row < job->rows; row++)
        take_row(own, row, job->b[row * job->b_step], job->mask_b, bias, cut_of_b(job));
    return own;
}

INLINE struct scale scale_of(const struct tf_fpu_job *job, const operand_a *a, const operand_b *b, int32_t bias,
                             int32_t least)
{
    (void)job, (void)a, (void)b, (void)bias;
    return (struct scale){.least = (int16_t)least, .fits = true};
}

INLINE const struct sums *units_of(const row_sums *from, const struct scale *scale, struct sums *out)
{
    (void)scale, (void)out;
    return from;
}

INLINE bool add_fused(const struct tf_fpu_job *job, const struct scale *scale, unsigned row, const row_sums *sums)
{
    (void)job, (void)scale, (void)row, (void)sums;
    return false;
}
#endif

#endif
