/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums of products for vectors of 256 and 512 bits; part of kernels.h. These hosts multiply, round and add lanes of 32
 * bits by one fused instruction.
 *
 * A sum of eight products begins at its origin, 1.5 * 2^23 units. A unit is the place to which products are rounded.
 * While each product is added, the host rounds to units, and ties to even. The chip rounds ties away from zero. So
 * SrcA's factor is larger by 2^-14. That changes no other rounding, since products are below 2^12.
 *
 * The unit follows from the largest exponent of eight products. A byte of an operand says how far its exponent is below
 * the operand's largest one; 255: the datum is zero. The bytes of SrcA and SrcB add up to the byte of a product, at
 * most 255. Each word has the bytes of four rows of Dst. Rows `mvmul-*` and `matmul-*` of tilefarm bench pay for it. A
 * product and a row of Dst take 5 operations; lanes of 16 bits took 11.
 *
 * Sixteen columns are one vector of 512 bits, or two of 256: half 0 has columns 0 to 3 and 8 to 11, half 1 the others.
 */
#define SUM_ROWS 4u
#define HALVES (COLUMNS / TF_HOST_WIDTH)

typedef struct tf_fpu_fused_a operand_a;
typedef struct tf_fpu_fused_b operand_b;

/* A row of 16 bits each. */
typedef int16_t vr __attribute__((vector_size(COLUMNS * 2)));
typedef uint16_t vru __attribute__((vector_size(COLUMNS * 2)));

#if TF_HOST_WIDTH == 16
INLINE vu larger_bytes(vu a, vu b)
{
    return (vu)_mm512_max_epu8((__m512i)a, (__m512i)b);
}

INLINE vu smaller_bytes(vu a, vu b)
{
    return (vu)_mm512_min_epu8((__m512i)a, (__m512i)b);
}

INLINE vu add_bytes(vu a, vu b)
{
    return (vu)_mm512_adds_epu8((__m512i)a, (__m512i)b);
}

/* The low byte of each word, in all its bytes. */
INLINE vu low_byte_four_times(vu a)
{
    const __m128i from = _mm_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
    return (vu)_mm512_shuffle_epi8((__m512i)a, _mm512_broadcast_i32x4(from));
}

/* The larger of each byte and the one at the same place in the other half of the vector. */
INLINE __m256i fold(vu a)
{
    return _mm256_max_epu8(_mm512_castsi512_si256((__m512i)a), _mm512_extracti64x4_epi64((__m512i)a, 1));
}

INLINE vf broadcast(const float *number)
{
    return (vf)_mm512_set1_ps(*number);
}

INLINE vu load_half(const uint32_t *row, unsigned half)
{
    return load_src(row, half);
}

/* A row of signed words, which fit 16 bits. */
INLINE vr row_of_words(const vu word[HALVES])
{
    return (vr)_mm512_cvtepi32_epi16((__m512i)word[0]);
}

/* The high halves of words, whose low halves are 0. */
INLINE void words_of_row(vr row, vf word[HALVES])
{
    word[0] = (vf)((vu)_mm512_cvtepu16_epi32((__m256i)row) << 16);
}

INLINE vr high_halves_of(const vu word[HALVES])
{
    return (vr)_mm512_cvtepi32_epi16((__m512i)(word[0] >> 16));
}
#else
INLINE vu larger_bytes(vu a, vu b)
{
    return (vu)_mm256_max_epu8((__m256i)a, (__m256i)b);
}

INLINE vu smaller_bytes(vu a, vu b)
{
    return (vu)_mm256_min_epu8((__m256i)a, (__m256i)b);
}

INLINE vu add_bytes(vu a, vu b)
{
    return (vu)_mm256_adds_epu8((__m256i)a, (__m256i)b);
}

INLINE vu low_byte_four_times(vu a)
{
    const __m128i from = _mm_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
    return (vu)_mm256_shuffle_epi8((__m256i)a, _mm256_broadcastsi128_si256(from));
}

INLINE __m256i fold(vu a)
{
    return (__m256i)a;
}

INLINE vf broadcast(const float *number)
{
    return (vf)_mm256_broadcast_ss(number);
}

INLINE vu load_half(const uint32_t *row, unsigned half)
{
    const __m128i *four = (const __m128i *)(const void *)(row + 4 * half);
    return (vu)_mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(four)), _mm_loadu_si128(four + 2), 1);
}

INLINE vr row_of_words(const vu word[HALVES])
{
    return (vr)_mm256_packs_epi32((__m256i)word[0], (__m256i)word[1]);
}

INLINE void words_of_row(vr row, vf word[HALVES])
{
    const __m256i zero = _mm256_setzero_si256();
    word[0] = (vf)_mm256_unpacklo_epi16(zero, (__m256i)row);
    word[1] = (vf)_mm256_unpackhi_epi16(zero, (__m256i)row);
}

INLINE vr high_halves_of(const vu word[HALVES])
{
    return (vr)_mm256_packus_epi32((__m256i)(word[0] >> 16), (__m256i)(word[1] >> 16));
}
#endif

struct range {
    int32_t largest, least;
};

/* The largest byte 0 of the data, and the smallest that is not 0. 256: all are 0. */
INLINE struct range range_of(const uint32_t (*row)[COLUMNS], unsigned rows, unsigned step, uint32_t mask)
{
    vu largest = splat(0), least = ~splat(0);
    for (unsigned i = 0; i < rows; i++, row += step) {
        UNROLL
        for (unsigned part = 0; part < COLUMNS / TF_HOST_WIDTH; part++) {
            vu datum = load_src(*row, part) & mask;
            largest = larger_bytes(largest, datum);
            least = smaller_bytes(least, datum - 1);
        }
    }
    /* Byte 0: the largest; byte 1: 255 minus the least, so that a maximum serves both. */
    const __m256i both = fold((largest & 0xFF) | ((~least & 0xFF) << 8));
    __m128i half = _mm_max_epu8(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
    half = _mm_max_epu8(half, _mm_srli_si128(half, 8));
    half = _mm_max_epu8(half, _mm_srli_si128(half, 4));
    const int32_t result = _mm_cvtsi128_si32(half);
    return (struct range){result & 0xFF, 256 - (result >> 8 & 0xFF)};
}

/* How far exponents are below the largest one; all bits set for a zero. */
INLINE vu below_largest(vu place, int32_t largest)
{
    return or_if(eq(place, splat(0)), (uint32_t)largest - place, ~splat(0));
}

INLINE vf float_of(uint32_t bits)
{
    return (vf)splat(bits);
}

/* 2 to the power of `exponent` as a number of the host. */
INLINE vf power_of(int32_t exponent)
{
    return float_of((uint32_t)(exponent + 127) << 23);
}

INLINE vu magnitude_of(vf number)
{
    return (vu)number & 0x7FFFFFFF;
}

/*
 * The powers of two of SrcA's and of SrcB's factor, for an exponent of 0 and the pieces of a phase. No factor is beyond
 * the host's numbers, inexact, or a denormal, which hosts may treat as zero, where scale_of() says that they fit. With
 * exponents of eight bits, units are then those of Dst's numbers (add_fused()).
 */
#define FP16_POWER (-40)
#define A_POWER (-122)
#define B_POWER (-142)
#define B_FIRST_POWER (-27) /* a part of it: both steps have normal numbers */
#define B_LEAST 23          /* the least exponent for which SrcB's factor is normal in each phase */

INLINE int32_t power_of_a(const struct tf_fpu_job *job)
{
    return (job->exponent_8b ? A_POWER : FP16_POWER) - (job->phase & 1 ? 5 : 0);
}

INLINE int32_t power_of_b(const struct tf_fpu_job *job)
{
    return (job->exponent_8b ? B_POWER : FP16_POWER) - (job->phase & 2 ? 7 : 0);
}

/* A number of the host: the piece times `first` with the datum's sign, times a power of two, unless the datum is 0. */
INLINE vf factor_of(vu datum, struct cut cut, vf first, int32_t power)
{
    vu place = datum & 0xFF, piece = (datum | SIGN) >> (8 + cut.right) & (uint32_t)cut.mask;
    vf factor = __builtin_convertvector((vi)piece, vf) * first;
    vu scale = zero_if(eq(place, splat(0)), (place + (uint32_t)(power + 127)) << 23);
    return (vf)((vu)(factor * (vf)scale) ^ (datum << 13 & 0x80000000));
}

INLINE void take_a(const struct tf_fpu_job *job, operand_a *a)
{
    const struct range range = range_of(job->a, COLUMNS, 1, job->mask_a & 0xFF);
    const struct cut cut = cut_of_a(job);
    const vf more = float_of(0x3F800200); /* 1 + 2^-14 */
    a->largest = range.largest;
    a->least = range.least;
    for (unsigned row = 0; row < COLUMNS; row++) {
        UNROLL
        for (unsigned half = 0; half < HALVES; half++) {
            vu datum = load_half(job->a[row], half) & job->mask_a, below = below_largest(datum & 0xFF, range.largest);
            *(vf *)(void *)&a->factor[row][half * TF_HOST_WIDTH] = factor_of(datum, cut, more, power_of_a(job));
            store(a->below[row], half, low_byte_four_times(below));
        }
    }
}

INLINE void take_b(const struct tf_fpu_job *job, operand_b *b)
{
    const struct range range = range_of(job->b, TF_FPU_ROWS, job->b_step, job->mask_b & 0xFF);
    const struct cut cut = cut_of_b(job);
    const vf first = power_of(B_FIRST_POWER + cut.left);
    b->largest = range.largest;
    b->least = range.least;
    for (unsigned row = 0; row < TF_FPU_ROWS; row += SUM_ROWS) {
        UNROLL
        for (unsigned part = 0; part < COLUMNS / TF_HOST_WIDTH; part++) {
            vu below = splat(0);
            UNROLL
            for (unsigned i = 0; i < SUM_ROWS; i++) {
                vu datum = load_src(job->b[(row + i) * job->b_step], part) & job->mask_b;
                vf factor = factor_of(datum, cut, first, power_of_b(job) - B_FIRST_POWER);
                *(vf *)(void *)&b->factor[row + i][part * TF_HOST_WIDTH] = factor;
                below |= (below_largest(datum & 0xFF, range.largest) & 0xFF) << 8 * i;
            }
            store(b->below[row / SUM_ROWS], part, below);
        }
    }
}

KEPT_OPERAND(pieces_of_a, fused_a, a, COLUMNS, take_a)
KEPT_OPERAND(kept_b, fused_b, b, TF_FPU_ROWS, take_b)

INLINE const operand_b *pieces_of_b(const struct tf_fpu_job *job, operand_b *own, int32_t bias)
{
    (void)bias;
    return kept_b(job, own);
}

/* The units of an instruction's sums. */
struct scale {
    vu origin;      /* of a sum with a byte of 0 */
    vu least;       /* byte of the least exponent, four times */
    int32_t offset; /* the exponent of an origin, less that of its sum */
    bool direct;    /* add_fused() can do it */
    bool fits;
};

/*
 * Bytes of products that are too far below the largest one become 255. That has no effect: the least exponent is at
 * most 241 below it, so these products are rounded to 0.
 */
INLINE struct scale scale_of(const struct tf_fpu_job *job, const operand_a *a, const operand_b *b, int32_t bias,
                             int32_t least)
{
    const int32_t product = a->largest + b->largest + bias, largest = product < least ? least : product;
    const int32_t offset = 127 + 23 - bias + power_of_a(job) + power_of_b(job);
    return (struct scale){
        .origin = splat((uint32_t)(largest + offset) << 23 | 0x400000),
        .least = splat((uint32_t)(largest - least) * 0x01010101u),
        .offset = offset,
        .direct = job->exponent_8b && a->least + b->least + bias > 0,
        .fits = largest <= 241 && a->largest <= 244 && b->largest <= 242 && (!job->exponent_8b || b->least >= B_LEAST),
    };
}

/* The smallest bytes of eight products for four rows of Dst. */
struct nearest {
    vu half[HALVES];
};

INLINE struct nearest nearest_of(const operand_a *a, const uint32_t *b_below, unsigned first, vu least)
{
    struct nearest nearest;
    for (unsigned half = 0; half < HALVES; half++)
        nearest.half[half] = least;
    UNROLL
    for (unsigned k = first; k < first + 8; k++) {
        const vu b = splat(b_below[k]);
        UNROLL
        for (unsigned half = 0; half < HALVES; half++)
            nearest.half[half] = smaller_bytes(nearest.half[half], add_bytes(b, load(a->below[k], half)));
    }
    return nearest;
}

/* For a row of Dst: the two sums of eight products, and their origins. */
struct fused_sums {
    vf sum[2][HALVES], origin[2][HALVES];
};
typedef struct fused_sums row_sums;

/* SUM_ROWS rows from `row` on. */
INLINE void multiply_rows(const operand_a *a, const operand_b *b, unsigned row, const struct scale *scale,
                          row_sums *out)
{
    UNROLL
    for (unsigned group = 0; group < 2; group++) {
        const unsigned first = 8 * group;
        const struct nearest nearest = nearest_of(a, b->below[row / SUM_ROWS], first, scale->least);
        vf sum[SUM_ROWS][HALVES];
        UNROLL
        for (unsigned i = 0; i < SUM_ROWS; i++) {
            for (unsigned half = 0; half < HALVES; half++) {
                vu byte = i < 3 ? nearest.half[half] << (23 - 8 * i) : nearest.half[half] >> 1;
                sum[i][half] = out[i].origin[group][half] = (vf)(scale->origin - (byte & 0x7F800000));
            }
        }
        UNROLL
        for (unsigned k = first; k < first + 8; k++) {
            const vf *factor_a = (const vf *)(const void *)a->factor[k];
            UNROLL
            for (unsigned i = 0; i < SUM_ROWS; i++) {
                const vf factor = broadcast(&b->factor[row + i][k]);
                UNROLL
                for (unsigned half = 0; half < HALVES; half++)
                    sum[i][half] = fused_add(factor, factor_a[half], sum[i][half]);
            }
        }
        UNROLL
        for (unsigned i = 0; i < SUM_ROWS; i++)
            for (unsigned half = 0; half < HALVES; half++)
                out[i].sum[group][half] = sum[i][half];
    }
}

/* Converts sums to integers, in units, and gives each unit's exponent. */
INLINE const struct sums *units_of(const row_sums *from, const struct scale *scale, struct sums *out)
{
    for (unsigned i = 0; i < SUM_ROWS; i++) {
        for (unsigned group = 0; group < 2; group++) {
            vu units[HALVES], exponent[HALVES];
            for (unsigned half = 0; half < HALVES; half++) {
                vu origin = (vu)from[i].origin[group][half];
                units[half] = (vu)from[i].sum[group][half] - origin;
                exponent[half] = (origin >> 23) - (uint32_t)scale->offset;
            }
            vr place = row_of_words(exponent);
            *(vr *)(void *)out[i].exponent[group] = place;
            *(vr *)(void *)out[i].sum[group] = row_of_words(units) & (vr)(place > 0);
        }
    }
    return out;
}

/*
 * Compute half of a new row of Dst, before it is rounded to 16 bits; `dst` is the old row. Both addends are rounded to
 * units of the largest exponent. *common is the origin of these units.
 *
 * Ties of Dst go away from zero: its 8 bits of mantissa are increased by 2^-13. Ties of sums go up, after a rounding to
 * 2^-13 units, again with ties up. For this, two amounts are added. One is a little more than 2^-14 units, where that
 * is above the last place of a sum. The other is 2^-17 of the magnitude. Both together are below the distance of a sum
 * to the next tie.
 */
INLINE vf add_half(vf dst, const row_sums *sums, unsigned half, vu *common)
{
    const vf more = float_of(0x3F800400); /* 1 + 2^-13 */
    const vf up = float_of(0x2CAB5555);   /* 2^-14 (1 + 2^-8) / (1.5 * 2^23) */
    const vf magnitude_share = float_of((127 - 17) << 23);
    vu origin = ((vu)dst & 0x7F800000) + (13u << 23 | 0x400000);
    origin = maxu(maxu(origin, (vu)sums->origin[0][half]), (vu)sums->origin[1][half]);
    *common = origin;
    vf total = fused_add(dst, more, (vf)origin);
    for (unsigned group = 0; group < 2; group++) {
        vf sum = sums->sum[group][half] - sums->origin[group][half];
        total += fused_add((vf)magnitude_of(sum), magnitude_share, fused_add((vf)origin, up, sum));
    }
    return total - (vf)origin;
}

/* A row of Dst, where BF16 is sign, mantissa and exponent, as numbers of the host, and back. An exponent of 0 is 0. */
INLINE void numbers_of_row(vr dst, vf number[HALVES])
{
    vr exponent = (dst & 0xFF) << 7;
    vr bits = (dst & (int16_t)0x8000) | exponent | (vr)((vru)dst >> 8 & 0x7F);
    words_of_row(bits & (vr)(exponent != 0), number);
}

INLINE vr row_of_numbers(const vf number[HALVES])
{
    vu rounded[HALVES];
    for (unsigned half = 0; half < HALVES; half++)
        rounded[half] = (vu)number[half] + 0x8000;
    vr bits = high_halves_of(rounded);
    return (bits & (int16_t)0x8000) | (bits & 0x7F) << 8 | (vr)((vru)bits >> 7 & 0xFF);
}

/*
 * Adds to SUM_ROWS rows of Dst of 16 bits, in the host's numbers: origins and BF16's exponents differ by 13. Returns
 * false if nothing was done, since an exponent is outside of these numbers, or so small that a result may be 0.
 */
INLINE bool add_fused(const struct tf_fpu_job *job, const struct scale *scale, unsigned row, const row_sums *sums)
{
    const uint32_t nothing = 13u << 23 | 0x400000, small = 40u << 23;
    vr result[SUM_ROWS], largest = {0};
    vu least = ~splat(0);
    if (!scale->direct)
        return false;
    ROLLED
    for (unsigned i = 0; i < SUM_ROWS; i++) {
        vf number[HALVES];
        vr dst = *(const vr *)(const void *)job->dst[job->at[row + i]];
        numbers_of_row(dst, number);
        largest = (vr)_mm256_max_epi16((__m256i)largest, (__m256i)(dst & 0xFF));
        UNROLL
        for (unsigned half = 0; half < HALVES; half++) {
            vu common;
            number[half] = add_half(number[half], &sums[i], half, &common);
            least = minu(least, common - (nothing + 1)); /* all bits set where everything is 0 */
        }
        result[i] = row_of_numbers(number);
    }
    if (m_any(ltu(least, splat(small))) || _mm256_movemask_epi8((__m256i)(largest > 241)) != 0)
        return false;
    ROLLED
    for (unsigned i = 0; i < SUM_ROWS; i++)
        *(vr *)(void *)job->dst[job->at[row + i]] = result[i];
    return true;
}
