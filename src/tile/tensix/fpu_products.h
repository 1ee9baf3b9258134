/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums of products for the matrix unit: a product is a piece of SrcA's mantissa (5 bits) times one of SrcB's (7 bits),
 * with a sign. Eight of them are brought to the largest exponent among them, each rounded by itself with ties away
 * from zero, and added. That fits lanes of 16 bits: a sum is below 2^15, an exponent below 2^11.
 *
 * Rounding: p / 2^d is (4p - (p < 0)) * 2^(13 - d), plus 2^14, shifted right by 15, which is what a rounding multiply
 * of the host does. The quarter that a negative p gives away decides ties alone. From d = 14 on the result is 0.
 */
#ifndef TILE_TENSIX_FPU_PRODUCTS_H
#define TILE_TENSIX_FPU_PRODUCTS_H

#include <stdint.h>

#include "tile/tensix/fpu_isa.h"
#include "tile/tensix/sfpu_lanes.h"

#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

#define COLUMNS TF_SRC_COLUMNS
#define NO_EXPONENT (-4096) /* of a zero: below all others, and still when two are added */

/*
 * An operand apart: signed mantissa and exponent of each datum. SrcB's mantissas are times 4 (times 1 if lanes are
 * wider than 16 bits), its exponents include the bias.
 */
struct pieces {
    _Alignas(64) int16_t mantissa[16][COLUMNS], exponent[16][COLUMNS];
};

/* Of a row of Dst: the two sums of eight products, and their exponents, the least of which is `least`. */
struct sums {
    _Alignas(64) int16_t sum[2][COLUMNS], exponent[2][COLUMNS];
};

#if TF_SFPU_WIDTH == 16
#define PRODUCT_SCALE 4
#define PRODUCT_ROWS 2u /* rows of Dst at a time, one in each half of a vector */
typedef int16_t vh __attribute__((vector_size(64)));

INLINE vh both_halves(const int16_t *row)
{
    return (vh)_mm512_broadcast_i64x4(_mm256_load_si256((const __m256i *)(const void *)row));
}

INLINE vh two_rows(const int16_t *row)
{
    return (vh)_mm512_loadu_si512(row);
}

/* Datum k of the row in each half, for all lanes of that half. */
INLINE vh pick(vh rows, unsigned k)
{
    __m512i index = _mm512_inserti64x4(_mm512_set1_epi16((short)k), _mm256_set1_epi16((short)(k + 16)), 1);
    return (vh)_mm512_permutexvar_epi16(index, (__m512i)rows);
}

INLINE vh larger(vh a, vh b)
{
    return (vh)_mm512_max_epi16((__m512i)a, (__m512i)b);
}

INLINE vh shift_rounded(vh product, vh distance)
{
    __m512i factor = _mm512_srlv_epi16(_mm512_set1_epi16(1 << 13), (__m512i)distance);
    return (vh)_mm512_mulhrs_epi16((__m512i)(product + (product >> 15)), factor);
}

INLINE void put_rows(int16_t *first, int16_t *second, vh value)
{
    _mm256_store_si256((__m256i *)(void *)first, _mm512_castsi512_si256((__m512i)value));
    _mm256_store_si256((__m256i *)(void *)second, _mm512_extracti64x4_epi64((__m512i)value, 1));
}

#elif TF_SFPU_WIDTH == 8
#define PRODUCT_SCALE 4
#define PRODUCT_ROWS 1u
typedef int16_t vh __attribute__((vector_size(32)));

INLINE vh both_halves(const int16_t *row)
{
    return *(const vh *)(const void *)row;
}

INLINE vh two_rows(const int16_t *row)
{
    return both_halves(row);
}

INLINE vh larger(vh a, vh b)
{
    return (vh)_mm256_max_epi16((__m256i)a, (__m256i)b);
}

/* Powers of two by bytes: entry i is 2^(13 - i) for i from 6 to 13; a high byte looks 8 entries further up. */
INLINE vh shift_rounded(vh product, vh distance)
{
    const __m256i power = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 0, 0, 0, 0, 0, (char)128, 64, 32, 16, 8, 4, 2, 1, 0, 0));
    /* An index of 16 or more has its bit 7 set, and gives 0. */
    __m256i index = _mm256_min_epu16((__m256i)distance, _mm256_set1_epi16(15));
    index = _mm256_add_epi16(_mm256_mullo_epi16(index, _mm256_set1_epi16(0x0101)), _mm256_set1_epi16(0x7870));
    __m256i factor = _mm256_shuffle_epi8(power, index);
    return (vh)_mm256_mulhrs_epi16((__m256i)(product + (product >> 15)), factor);
}

INLINE void put_rows(int16_t *first, int16_t *second, vh value)
{
    (void)second;
    *(vh *)(void *)first = value;
}
#endif

#if TF_SFPU_WIDTH > 4
/* `b` has rows row and, with PRODUCT_ROWS, row + 1 of SrcB; so has `out` of Dst. */
INLINE void multiply_rows(const struct pieces *a, const struct pieces *b, unsigned row, int16_t least,
                          struct sums *out)
{
#if PRODUCT_ROWS == 2
    vh b_mantissa = two_rows(b->mantissa[row]), b_exponent = two_rows(b->exponent[row]);
#define B_OF(what, k) pick(b_##what, k)
#else
#define B_OF(what, k) ((vh){0} + b->what[row][k])
#endif
    for (unsigned group = 0; group < 2; group++) {
        vh exponent[8], largest = (vh){0} + least;
        UNROLL
        for (unsigned k = 0; k < 8; k++) {
            exponent[k] = both_halves(a->exponent[8 * group + k]) + B_OF(exponent, 8 * group + k);
            largest = larger(largest, exponent[k]);
        }
        vh sum = (vh){0};
        UNROLL
        for (unsigned k = 0; k < 8; k++) {
            vh product = both_halves(a->mantissa[8 * group + k]) * B_OF(mantissa, 8 * group + k);
            sum += shift_rounded(product, largest - exponent[k]);
        }
        put_rows(out[0].sum[group], out[PRODUCT_ROWS - 1].sum[group], sum);
        put_rows(out[0].exponent[group], out[PRODUCT_ROWS - 1].exponent[group], largest);
    }
#undef B_OF
}

#else
#define PRODUCT_SCALE 1
#define PRODUCT_ROWS 1u

INLINE vi widen(const int16_t *row, unsigned part)
{
    typedef int16_t vs __attribute__((vector_size(TF_SFPU_WIDTH * 2)));
    return __builtin_convertvector(*(const vs *)(const void *)(row + part * TF_SFPU_WIDTH), vi);
}

/* 2^-distance as a number; 2^-30 for what is farther. */
INLINE vf power_of(vi distance)
{
    vu near = minu((vu)distance, splat(30));
    return (vf)((127 - near) << 23);
}

/* In floating point, where all of this is exact but the truncation that is meant. */
INLINE void multiply_rows(const struct pieces *a, const struct pieces *b, unsigned row, int16_t least,
                          struct sums *out)
{
    typedef int16_t vs __attribute__((vector_size(TF_SFPU_WIDTH * 2)));
    for (unsigned part = 0; part < COLUMNS / TF_SFPU_WIDTH; part++) {
        for (unsigned group = 0; group < 2; group++) {
            vi largest = (vi)splat((uint32_t)(int32_t)least), sum = (vi)splat(0);
            for (unsigned k = 8 * group; k < 8 * group + 8; k++)
                largest = max(largest, widen(a->exponent[k], part) + b->exponent[row][k]);
            for (unsigned k = 8 * group; k < 8 * group + 8; k++) {
                vi distance = largest - (widen(a->exponent[k], part) + b->exponent[row][k]);
                vf product = __builtin_convertvector(widen(a->mantissa[k], part), vf) * (float)b->mantissa[row][k];
                product *= power_of(distance);
                vf half = (vf)(((vu)product & 0x80000000u) | 0x3F000000u);
                sum += __builtin_convertvector(product + half, vi);
            }
            *(vs *)(void *)(out->sum[group] + part * TF_SFPU_WIDTH) = __builtin_convertvector(sum, vs);
            *(vs *)(void *)(out->exponent[group] + part * TF_SFPU_WIDTH) = __builtin_convertvector(largest, vs);
        }
    }
}
#endif

#endif
