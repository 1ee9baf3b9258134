/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arithmetic of the matrix unit, included once for each vector level. Results equal ttsim's bit for bit, since
 * WormholeB0's pages call their floating-point models a rough guide. A datum of SrcA or SrcB is sign, ten
 * bits of mantissa, eight of exponent (SrcASrcB.md).
 */
#include "host/lanes.h"
#include "host/widen.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/rounding.h"
#include "tile/tensix/matrix/kernel_set.h"
#include "tile/tensix/matrix/products.h"

#define VECTORS (COLUMNS / TF_HOST_WIDTH)
#define EACH_VECTOR(part) for (unsigned part = 0; part < VECTORS; part++)

/* The kernels for all operands. */
#ifdef TF_FPU_WORMHOLE
#define TF_FPU_ANY tf_fpu_wormhole_portable
#else
#define TF_FPU_ANY tf_fpu_portable
#endif

typedef uint16_t vn __attribute__((vector_size(TF_HOST_WIDTH * 2)));
typedef int16_t vns __attribute__((vector_size(TF_HOST_WIDTH * 2)));

INLINE vu load_narrow(const uint16_t *row, unsigned part)
{
    return TF_WIDEN_U16(TF_HOST_WIDTH, *(const vn *)(const void *)(row + part * TF_HOST_WIDTH), vu);
}

INLINE void store_narrow(uint16_t *row, unsigned part, vu value)
{
    *(vn *)(void *)(row + part * TF_HOST_WIDTH) = __builtin_convertvector(value, vn);
}

INLINE vi load_signed(const int16_t *row, unsigned part)
{
    return TF_WIDEN_I16(TF_HOST_WIDTH, *(const vns *)(const void *)(row + part * TF_HOST_WIDTH), vi);
}

INLINE void store_signed(int16_t *row, unsigned part, vi value)
{
    *(vns *)(void *)(row + part * TF_HOST_WIDTH) = __builtin_convertvector(value, vns);
}

INLINE uint16_t *high_row(const struct tf_fpu_job *job, unsigned row)
{
    return job->dst[job->at[row]];
}

INLINE uint16_t *low_row(const struct tf_fpu_job *job, unsigned row)
{
    return job->dst[job->at[row] + TF_DST_LOW_ROWS];
}

INLINE const uint32_t *b_row(const struct tf_fpu_job *job, unsigned row)
{
    return job->b[row * job->b_step];
}

INLINE vi all(int32_t value)
{
    return (vi)splat((uint32_t)value);
}

INLINE vu negate_if(vu sign, vu magnitude)
{
    return (magnitude ^ (0u - sign)) + sign;
}

#if TF_HOST_WIDTH == 16
/* Shift by any number of bits: 32 and more leave 0 or the sign. */
INLINE vu shift_right(vu a, vu count)
{
    return (vu)_mm512_srlv_epi32((__m512i)a, (__m512i)count);
}

INLINE vi shift_right_signed(vi a, vu count)
{
    return (vi)_mm512_srav_epi32((__m512i)a, (__m512i)count);
}

INLINE vu negate_where(vm condition, vu a)
{
    return (vu)_mm512_mask_sub_epi32((__m512i)a, condition, _mm512_setzero_si512(), (__m512i)a);
}

/* The bits of a number below 2^31 as FP32, rounded to even. */
INLINE vu to_float(vu a)
{
    return (vu)_mm512_cvt_roundepi32_ps((__m512i)a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
#else
INLINE vu shift_right(vu a, vu count)
{
#if TF_HOST_WIDTH == 8
    return (vu)_mm256_srlv_epi32((__m256i)a, (__m256i)count);
#else
    return a >> minu(count, splat(31)); /* for numbers below 2^31 */
#endif
}

INLINE vi shift_right_signed(vi a, vu count)
{
#if TF_HOST_WIDTH == 8
    return (vi)_mm256_srav_epi32((__m256i)a, (__m256i)count);
#else
    return a >> (vi)minu(count, splat(31));
#endif
}

INLINE vu negate_where(vm condition, vu a)
{
    return (a ^ (vu)condition) - (vu)condition;
}

INLINE vu to_float(vu a)
{
    return (vu) __builtin_convertvector((vi)a, vf);
}
#endif

/* Does any lane have a bit that is set in both? */
INLINE bool any_common(vu a, vu b)
{
#if TF_HOST_WIDTH == 16
    return _mm512_test_epi32_mask((__m512i)a, (__m512i)b) != 0;
#elif TF_HOST_WIDTH == 8
    return !_mm256_testz_si256((__m256i)a, (__m256i)b);
#else
    a &= b;
    return (a[0] | a[1] | a[2] | a[3]) != 0;
#endif
}

#include "tile/tensix/matrix/terms.h"

/* Bias of the product's exponent, with the weight of the phase's pieces. */
INLINE int32_t product_bias(const struct tf_fpu_job *job)
{
    int32_t bias = job->exponent_8b ? -127 : job->accumulator == TF_ACC_FP32 ? 127 - 30 : -15;
    return bias - (job->phase & 1 ? 5 : 0) - (job->phase & 2 ? 7 : 0);
}

/* Five bits of SrcA's mantissa with its leading one: the first, or the next. The last one is never used. */
INLINE vu piece_of_a(const struct tf_fpu_job *job, vu datum)
{
    vu mantissa = (datum >> 8 & 0x3FF) | 0x400;
    return job->phase & 1 ? mantissa >> 1 & 31 : mantissa >> 6;
}

/* Seven bits of SrcB's mantissa: the first, or the remaining four. */
INLINE vu piece_of_b(const struct tf_fpu_job *job, vu datum)
{
    vu mantissa = (datum >> 8 & 0x3FF) | 0x400;
    return job->phase & 2 ? (mantissa & 15) << 3 : mantissa >> 4;
}

#if TF_HOST_WIDTH > 4
#include "tile/tensix/matrix/narrow.h"
#else
#define NARROW_ROWS 1u

INLINE bool elementwise_by_halves(const struct tf_fpu_job *job, bool multiply)
{
    (void)job, (void)multiply;
    return false;
}

INLINE bool add_narrow_sums(const struct tf_fpu_job *job, int fraction, unsigned row, const struct sums *sums)
{
    (void)job, (void)fraction, (void)row, (void)sums;
    return false;
}
#endif

INLINE struct term term_of_sum(const struct sums *sums, unsigned group, unsigned part)
{
    vi exponent = load_signed(sums->exponent[group], part);
    vu sum = (vu)load_signed(sums->sum[group], part);
#if TF_HOST_WIDTH == 4
    sum = zero_unless(lt(all(0), exponent), sum);
#endif
    return (struct term){exponent, (vi)sum};
}

INLINE void add_sums(const struct tf_fpu_job *job, enum tf_fpu_accumulator kind, unsigned row, const struct sums *sums)
{
    EACH_VECTOR(part)
    {
        const struct term term[2] = {term_of_sum(sums, 0, part), term_of_sum(sums, 1, part)};
        add_terms(job, kind, row, part, term, 2);
    }
}

INLINE void multiply_kind(const struct tf_fpu_job *job, const operand_a *a, const operand_b *b,
                          const struct scale *scale, enum tf_fpu_accumulator kind)
{
    const unsigned rows = job->rows;
    for (unsigned row = 0; row < rows; row += SUM_ROWS) {
        row_sums of_rows[SUM_ROWS];
        struct sums own[SUM_ROWS];
        multiply_rows(a, b, row, scale, of_rows);
        if (kind == TF_ACC_BF16 && add_fused(job, scale, row, of_rows))
            continue;
        const struct sums *sums = units_of(of_rows, scale, own);
        for (unsigned i = 0; i < SUM_ROWS; i += NARROW_ROWS) {
            if (kind != TF_ACC_FP32 && add_narrow_sums(job, kind == TF_ACC_BF16 ? 7 : 10, row + i, &sums[i]))
                continue;
            for (unsigned k = i; k < i + NARROW_ROWS; k++)
                add_sums(job, kind, row + k, &sums[k]);
        }
    }
}

/* Returns false if nothing was done, since the numbers do not fit. restrict: stores to Dst do not change the job. */
static bool multiply_fitting(const struct tf_fpu_job *restrict job)
{
    const int32_t bias = product_bias(job);
    operand_a own_a;
    operand_b own_b;
    const operand_a *a = pieces_of_a(job, &own_a);
    const operand_b *b = pieces_of_b(job, &own_b, bias);
    const struct scale scale = scale_of(job, a, b, bias, bias > 0 ? bias : 0);
    if (__builtin_expect(!scale.fits, 0))
        return false;
    switch (job->accumulator) {
    case TF_ACC_FP32: multiply_kind(job, a, b, &scale, TF_ACC_FP32); break;
    case TF_ACC_BF16: multiply_kind(job, a, b, &scale, TF_ACC_BF16); break;
    default: multiply_kind(job, a, b, &scale, TF_ACC_FP16); break;
    }
    return true;
}

static void multiply_float(const struct tf_fpu_job *job)
{
    if (!multiply_fitting(job))
        TF_FPU_ANY.multiply(job);
}

#include "tile/tensix/matrix/int.h"

INLINE struct term product(const struct tf_fpu_job *job, vu a, vu b)
{
    const int32_t bias = product_bias(job);
    vi exponent = (vi)((a & 0xFF) + (b & 0xFF)) + bias;
    vm present = test(a, splat(0xFF)) & lt(all(0), exponent);
    if (!job->keep_b_denormals)
        present &= test(b, splat(0xFF));
    vu magnitude = zero_unless(present, piece_of_a(job, a) * piece_of_b(job, b));
    return (struct term){
        .exponent = (vi)sel(present, (vu)exponent, splat(bias > 0 ? (uint32_t)bias : 0)),
        .value = (vi)negate_where(test(a ^ b, splat(SIGN)), magnitude),
    };
}

/* Exponent in the upper eight bits, then mantissa: as numbers, magnitudes are in order. Zero if the exponent is. */
INLINE vu magnitude_key(vu datum)
{
    return zero_unless(test(datum, splat(0xFF)), (datum << 24 | datum >> 8) & 0xFF0003FF);
}

/* With its leading one, unless it is zero. */
INLINE vu mantissa_of_key(vu key)
{
    return zero_unless(test(key, key), (key & 0x3FF) | 0x400);
}

/* Mantissas of 11 bits, aligned to the larger exponent with ties up, give a sum of 12 bits. */
INLINE struct term sum_of(const struct tf_fpu_job *job, enum tf_fpu_accumulator kind, vu a, vu b)
{
    vu key_a = magnitude_key(a), key_b = magnitude_key(b);
    vm swapped = ltu(key_a, key_b);
    vu large = sel(swapped, key_b, key_a), small = minu(key_a, key_b), exponent = large >> 24;
    vu addend = (shift_right(mantissa_of_key(small) << 1, exponent - (small >> 24)) + 1) >> 1;
    vu magnitude = subtract_or_add(test(a ^ b, splat(SIGN)), mantissa_of_key(large), addend);
    vm negative = test(sel(swapped, b, a), splat(SIGN));
    struct term sum = {(vi)exponent, (vi)negate_where(negative, magnitude)};
    if (kind == TF_ACC_FP32 && !job->exponent_8b)
        sum.exponent += (vi)sel(eq(exponent, splat(0)), splat(127 - 30), splat(127 - 15));
    /* ELWADD.md: a fidelity phase divides the sum. Underflow is flushed. */
    if (job->phase != 0) {
        sum.exponent -= (job->phase & 1 ? 5 : 0) + (job->phase & 2 ? 7 : 0);
        vm present = lt(all(0), sum.exponent);
        sum.exponent = (vi)zero_unless(present, (vu)sum.exponent);
        sum.value = (vi)zero_unless(present, (vu)sum.value);
    }
    return sum;
}

#include "tile/tensix/matrix/kept.h"
INLINE void elementwise(const struct tf_fpu_job *job, enum tf_fpu_accumulator kind, bool multiply, bool accumulate)
{
    for (unsigned row = 0; row < TF_FPU_ROWS; row++) {
        EACH_VECTOR(part)
        {
            vu a = load_src(job->a[row], part) & job->mask_a, b = load_b(job, row, part) & job->mask_b;
            struct term term = multiply ? product(job, a, b) : sum_of(job, kind, a, b);
            if (multiply || accumulate)
                add_terms(job, kind, row, part, &term, 1);
            else
                write_total(job, kind, row, part, term.value, term.exponent, false);
        }
    }
}

/* Copies of loop invariants, which cannot alias stores to Dst. */
#define ELEMENTWISE(name, multiply, accumulate)                                        \
    static void name(const struct tf_fpu_job *from)                                    \
    {                                                                                  \
        const struct tf_fpu_job job = *from;                                           \
        switch (job.accumulator) {                                                     \
        case TF_ACC_FP32: elementwise(&job, TF_ACC_FP32, multiply, accumulate); break; \
        case TF_ACC_BF16: elementwise(&job, TF_ACC_BF16, multiply, accumulate); break; \
        default: elementwise(&job, TF_ACC_FP16, multiply, accumulate); break;          \
        }                                                                              \
    }
ELEMENTWISE(multiply_onto, true, true)
ELEMENTWISE(add_onto, false, true)
ELEMENTWISE(add_over, false, false)
#undef ELEMENTWISE

static void elementwise_multiply(const struct tf_fpu_job *job)
{
    if (!elementwise_by_halves(job, true))
        multiply_onto(job);
}

static void elementwise_add(const struct tf_fpu_job *job)
{
    if (job->keep_b_denormals)
        add_kept(job);
    else if (elementwise_by_halves(job, false))
        return;
    else if (job->accumulate)
        add_onto(job);
    else
        add_over(job);
}

#include "tile/tensix/matrix/pool.h"
#include "tile/tensix/matrix/rows.h"

const struct tf_fpu_kernels TF_FPU_SET = {
    .name = TF_FPU_NAME,
    .multiply = multiply_float,
    .multiply_int = multiply_int,
    .elementwise_multiply = elementwise_multiply,
    .elementwise_add = elementwise_add,
    .elementwise_int = elementwise_int,
    .pool = pool,
    .to_dst = to_dst,
    .from_dst = from_dst,
};
