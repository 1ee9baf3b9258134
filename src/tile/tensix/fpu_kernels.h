/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arithmetic of the matrix unit, to be included once for each kind of host. Bit for bit as the reference computes
 * it: WormholeB0's pages call their own floating-point models a rough guide. A datum of SrcA or SrcB is sign, ten
 * bits of mantissa, eight of exponent (SrcASrcB.md).
 */
#include "tile/tensix/fpu_isa.h"
#include "tile/tensix/fpu_products.h"
#include "tile/tensix/sfpu_lanes.h"

#define VECTORS (COLUMNS / TF_SFPU_WIDTH)
#define EACH_VECTOR(part) for (unsigned part = 0; part < VECTORS; part++)

typedef uint16_t vn __attribute__((vector_size(TF_SFPU_WIDTH * 2)));
typedef int16_t vns __attribute__((vector_size(TF_SFPU_WIDTH * 2)));

/* Data of SrcA and SrcB need not lie where a vector would. */
INLINE vu load_src(const uint32_t *row, unsigned part)
{
    vu value;
    memcpy(&value, row + part * TF_SFPU_WIDTH, sizeof value);
    return value;
}

INLINE vu load_narrow(const uint16_t *row, unsigned part)
{
    return __builtin_convertvector(*(const vn *)(const void *)(row + part * TF_SFPU_WIDTH), vu);
}

INLINE void store_narrow(uint16_t *row, unsigned part, vu value)
{
    *(vn *)(void *)(row + part * TF_SFPU_WIDTH) = __builtin_convertvector(value, vn);
}

INLINE vi load_signed(const int16_t *row, unsigned part)
{
    return __builtin_convertvector(*(const vns *)(const void *)(row + part * TF_SFPU_WIDTH), vi);
}

INLINE void store_signed(int16_t *row, unsigned part, vi value)
{
    *(vns *)(void *)(row + part * TF_SFPU_WIDTH) = __builtin_convertvector(value, vns);
}

INLINE vi all(int32_t value)
{
    return (vi)splat((uint32_t)value);
}

INLINE vu negate_if(vu sign, vu magnitude)
{
    return (magnitude ^ (0u - sign)) + sign;
}

/* A term of a sum: sign is 0 or 1, the leading one of a normalized mantissa is bit 23. */
struct term {
    vi exponent;
    vu mantissa, sign;
};

INLINE struct term read_dst(const struct tf_fpu_job *job, enum tf_fpu_accumulator kind, unsigned row, unsigned part)
{
    vu high = load_narrow(job->high[row], part);
    struct term dst = {.sign = high >> 15};
    if (kind == TF_ACC_FP16) {
        dst.exponent = (vi)(high & 0x1F);
        dst.mantissa = (high & 0x7FE0) << 8;
    } else {
        dst.exponent = (vi)(high & 0xFF);
        dst.mantissa = (high & 0x7F00) << 8;
        if (kind == TF_ACC_FP32)
            dst.mantissa |= load_narrow(job->low[row], part);
    }
    dst.mantissa = sel(eq((vu)dst.exponent, splat(0)), splat(0), dst.mantissa | 0x800000);
    return dst;
}

/* To a larger exponent: a tie goes up if the sign is 0, down if it is 1. */
INLINE vu align(struct term term, vi exponent)
{
    vu distance = minu((vu)(exponent - term.exponent), splat(31));
    return (term.mantissa + (((1u << distance) - term.sign) >> 1)) >> distance;
}

/* The low 13 bits go unless Dst is FP32. */
INLINE vu round_term(struct term term, enum tf_fpu_accumulator kind)
{
    return kind == TF_ACC_FP32 ? term.mantissa : (term.mantissa + 0x1000 - term.sign) & ~0x1FFFu;
}

INLINE vu align_signed(struct term term, vi exponent, enum tf_fpu_accumulator kind)
{
    term.mantissa = align(term, exponent);
    return negate_if(term.sign, round_term(term, kind));
}

INLINE void write_dst(const struct tf_fpu_job *job, enum tf_fpu_accumulator kind, unsigned row, unsigned part,
                      struct term value)
{
    if (kind == TF_ACC_FP16) {
        store_narrow(job->high[row], part, value.sign << 15 | value.mantissa >> 13 << 5 | (vu)value.exponent);
        return;
    }
    store_narrow(job->high[row], part, value.sign << 15 | value.mantissa >> 16 << 8 | (vu)value.exponent);
    if (kind == TF_ACC_FP32)
        store_narrow(job->low[row], part, value.mantissa & 0xFFFF);
}

/* Normalized and rounded to what Dst holds; what is too large becomes infinity, or the largest that FP16 has. */
INLINE struct term normalize(vu total, vi exponent, enum tf_fpu_accumulator kind)
{
    const int32_t dropped = kind == TF_ACC_FP32 ? 0 : kind == TF_ACC_BF16 ? 16 : 13;
    struct term value = {.sign = total >> 31, .mantissa = absolute(total)};
    vi left = (vi)leading_zeros(value.mantissa) - 8;
    vm zero = eq(value.mantissa, splat(0)) | lt(exponent, all(1));
    exponent -= left;
    left -= dropped;
    vu right = (vu)max(-left, all(0));
    if (kind == TF_ACC_FP32)
        value.mantissa <<= (vu)max(left, all(0)) & 31;
    value.mantissa = ((value.mantissa + ((1u << right) >> 1)) >> right) << dropped;
    exponent += (vi)(value.mantissa >> 24);
    value.mantissa &= 0x7FFFFF;
    const int32_t largest = kind == TF_ACC_FP16 ? 31 : 254;
    vm over = lt(all(largest), exponent);
    value.mantissa = sel(over, splat(kind == TF_ACC_FP16 ? 0x3FFu << 13 : 0), value.mantissa);
    exponent = (vi)sel(over, splat(kind == TF_ACC_FP16 ? 31 : 255), (vu)exponent);
    zero |= lt(exponent, all(1));
    value.sign = sel(zero, splat(0), value.sign);
    value.mantissa = sel(zero, splat(0), value.mantissa);
    value.exponent = (vi)sel(zero, splat(0), (vu)exponent);
    return value;
}

/* Terms onto Dst; a term that is not there is zero. No exponent is negative. */
INLINE struct term add_terms(const struct term *term, unsigned terms, struct term dst, enum tf_fpu_accumulator kind)
{
    vi exponent = dst.exponent;
    for (unsigned i = 0; i < terms; i++)
        exponent = max(exponent, term[i].exponent);
    /* Dst is rounded as a positive number whatever its sign. */
    struct term magnitude = dst;
    magnitude.sign = splat(0);
    magnitude.mantissa = align(magnitude, exponent);
    vu total = negate_if(dst.sign, round_term(magnitude, kind));
    for (unsigned i = 0; i < terms; i++)
        total += align_signed(term[i], exponent, kind);
    return normalize(total, exponent, kind);
}

/* Bias of the product's exponent, and what the pieces that a phase takes are worth. */
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

INLINE void take_apart(struct pieces *pieces, unsigned row, unsigned part, vu datum, vu piece, int32_t bias)
{
    vu exponent = datum & 0xFF;
    vm zero = eq(exponent, splat(0));
    store_signed(pieces->mantissa[row], part, (vi)sel(zero, splat(0), negate_if(datum >> 18, piece)));
    store_signed(pieces->exponent[row], part, (vi)sel(zero, (vu)all(NO_EXPONENT), exponent + (uint32_t)bias));
}

INLINE struct term term_of_sum(const struct sums *sums, unsigned group, unsigned part)
{
    vi exponent = load_signed(sums->exponent[group], part);
    vu sum = sel(lt(all(0), exponent), (vu)load_signed(sums->sum[group], part), splat(0));
    return (struct term){exponent, absolute(sum) << 13, sum >> 31};
}

INLINE void add_sums(const struct tf_fpu_job *job, enum tf_fpu_accumulator kind, unsigned row, const struct sums *sums)
{
    EACH_VECTOR(part)
    {
        const struct term term[2] = {term_of_sum(sums, 0, part), term_of_sum(sums, 1, part)};
        write_dst(job, kind, row, part, add_terms(term, 2, read_dst(job, kind, row, part), kind));
    }
}

INLINE void multiply_kind(const struct tf_fpu_job *job, const struct pieces *a, const struct pieces *b,
                          enum tf_fpu_accumulator kind)
{
    int32_t bias = product_bias(job);
    struct sums sums[PRODUCT_ROWS];
    for (unsigned row = 0; row < job->rows; row += PRODUCT_ROWS) {
        multiply_rows(a, b, row, (int16_t)(bias > 0 ? bias : 0), sums);
        for (unsigned i = 0; i < PRODUCT_ROWS; i++)
            add_sums(job, kind, row + i, &sums[i]);
    }
}

static void multiply_float(const struct tf_fpu_job *job)
{
    struct pieces a, b;
    int32_t bias = product_bias(job);
    for (unsigned k = 0; k < COLUMNS; k++) {
        EACH_VECTOR(part)
        {
            vu datum = load_src(job->a[k], part) & job->mask_a;
            take_apart(&a, k, part, datum, piece_of_a(job, datum), 0);
        }
    }
    for (unsigned row = 0; row < job->rows; row++) {
        EACH_VECTOR(part)
        {
            vu datum = load_src(job->b[row], part) & job->mask_b;
            take_apart(&b, row, part, datum, piece_of_b(job, datum) * PRODUCT_SCALE, bias);
        }
    }
    switch (job->accumulator) {
    case TF_ACC_FP32:
        multiply_kind(job, &a, &b, TF_ACC_FP32);
        break;
    case TF_ACC_BF16:
        multiply_kind(job, &a, &b, TF_ACC_BF16);
        break;
    default:
        multiply_kind(job, &a, &b, TF_ACC_FP16);
        break;
    }
}

/* Integers: sign and magnitude in the place of sign and mantissa. */
INLINE vi int_of_datum(vu datum, uint32_t bits, bool keep_denormals)
{
    vu magnitude = datum >> 8 & bits;
    if (!keep_denormals)
        magnitude = sel(eq(datum & 0xFF, splat(0)), splat(0), magnitude);
    return (vi)negate_if(datum >> 18, magnitude);
}

INLINE uint32_t int_bits_of_a(const struct tf_fpu_job *job)
{
    return job->phase & 1 ? 0x01F : 0x0E0;
}

INLINE uint32_t int_bits_of_b(const struct tf_fpu_job *job)
{
    return job->phase & 2 ? 0x00F : 0x3F0;
}

/* SaturateAddInt32 onto Dst, where integers are sign, bits 22:16, bits 30:23, bits 15:0. */
INLINE void add_int(const struct tf_fpu_job *job, unsigned row, unsigned part, vi value, bool accumulate)
{
    if (accumulate) {
        vu high = load_narrow(job->high[row], part);
        vu magnitude = (high & 0xFF) << 23 | (high & 0x7F00) << 8 | load_narrow(job->low[row], part);
        vi dst = (vi)negate_if(high >> 15, magnitude);
        vi sum = (vi)((vu)dst + (vu)value);
        vm over = lt((dst ^ sum) & (value ^ sum), all(0));
        vi limit = (vi)(0x7FFFFFFFu + ((vu)dst >> 31));
        value = max((vi)sel(over, (vu)limit, (vu)sum), all(-0x7FFFFFFF));
    }
    vu magnitude = absolute((vu)value);
    store_narrow(job->high[row], part,
                 (vu)value >> 31 << 15 | (magnitude >> 16 & 0x7F) << 8 | (magnitude >> 23 & 0xFF));
    store_narrow(job->low[row], part, magnitude & 0xFFFF);
}

static void multiply_int(const struct tf_fpu_job *job)
{
    _Alignas(64) uint32_t a[COLUMNS][COLUMNS], b[COLUMNS];
    for (unsigned k = 0; k < COLUMNS; k++)
        EACH_VECTOR(part)
            store(a[k], part, (vu)int_of_datum(load_src(job->a[k], part), int_bits_of_a(job), false));
    for (unsigned row = 0; row < job->rows; row++) {
        EACH_VECTOR(part)
            store(b, part, (vu)int_of_datum(load_src(job->b[row], part), int_bits_of_b(job), job->keep_b_denormals));
        EACH_VECTOR(part)
        {
            vu sum = splat(0);
            for (unsigned k = 0; k < COLUMNS; k++)
                sum += load(a[k], part) * b[k];
            add_int(job, row, part, (vi)sum, true);
        }
    }
}

INLINE vu load_b(const struct tf_fpu_job *job, unsigned row, unsigned part)
{
    vu datum = job->broadcast_column ? splat(job->b[row][0]) : load_src(job->b[row], part);
    return job->subtract ? datum ^ 0x40000 : datum;
}

static void elementwise_int(const struct tf_fpu_job *job, bool multiply)
{
    uint32_t bits_a = multiply ? int_bits_of_a(job) : 0x3FF, bits_b = multiply ? int_bits_of_b(job) : 0x3FF;
    for (unsigned row = 0; row < TF_FPU_ROWS; row++) {
        EACH_VECTOR(part)
        {
            vi a = int_of_datum(load_src(job->a[row], part), bits_a, false);
            vi b = int_of_datum(load_b(job, row, part), bits_b, job->keep_b_denormals);
            add_int(job, row, part, multiply ? a * b : a + b, multiply || job->accumulate);
        }
    }
}

INLINE struct term product(const struct tf_fpu_job *job, vu a, vu b)
{
    int32_t bias = product_bias(job);
    vi exponent = (vi)((a & 0xFF) + (b & 0xFF)) + bias;
    vm zero = eq(a & 0xFF, splat(0)) | lt(exponent, all(1));
    if (!job->keep_b_denormals)
        zero |= eq(b & 0xFF, splat(0));
    return (struct term){
        .exponent = (vi)sel(zero, splat(bias > 0 ? (uint32_t)bias : 0), (vu)exponent),
        .mantissa = sel(zero, splat(0), piece_of_a(job, a) * piece_of_b(job, b) << 13),
        .sign = sel(zero, splat(0), (a ^ b) >> 18),
    };
}

/* Exponent, then mantissa: as numbers, magnitudes are in order. */
INLINE vu magnitude_key(vu datum)
{
    return (datum & 0xFF) << 10 | (datum >> 8 & 0x3FF);
}

INLINE vu add_mantissa(vu datum)
{
    return sel(eq(datum, splat(0)), splat(0), (datum >> 8 & 0x3FF) | 0x400);
}

/*
 * 11 bits of mantissa each, aligned to the larger one: a sum of 12 bits. A negative zero of SrcB that is kept has a
 * leading one all the same, which beside a zero of SrcA makes a mantissa below zero.
 */
INLINE struct term sum_of(const struct tf_fpu_job *job, enum tf_fpu_accumulator kind, vu a, vu b)
{
    a = sel(eq(a & 0xFF, splat(0)), splat(0), a);
    if (!job->keep_b_denormals)
        b = sel(eq(b & 0xFF, splat(0)), splat(0), b);
    vm swapped = ltu(magnitude_key(a), magnitude_key(b));
    vu large = sel(swapped, b, a), small = sel(swapped, a, b);
    vu distance = minu((large & 0xFF) - (small & 0xFF), splat(12));
    vu addend = (add_mantissa(small) + ((1u << distance) >> 1)) >> distance;
    vu mantissa = add_mantissa(large) + negate_if((large ^ small) >> 18, addend);
    struct term sum = {(vi)(large & 0xFF), mantissa << 13, large >> 18};
    if (kind == TF_ACC_FP32 && !job->exponent_8b)
        sum.exponent += (vi)sel(eq((vu)sum.exponent, splat(0)), splat(127 - 30), splat(127 - 15));
    /* ELWADD.md: a phase divides, which nobody wants; what becomes too small for it is flushed. */
    if (job->phase != 0) {
        sum.exponent -= (job->phase & 1 ? 5 : 0) + (job->phase & 2 ? 7 : 0);
        vm zero = lt(sum.exponent, all(1));
        sum.exponent = (vi)sel(zero, splat(0), (vu)sum.exponent);
        sum.mantissa = sel(zero, splat(0), sum.mantissa);
    }
    return sum;
}

INLINE void elementwise(const struct tf_fpu_job *job, enum tf_fpu_accumulator kind, bool multiply)
{
    for (unsigned row = 0; row < TF_FPU_ROWS; row++) {
        EACH_VECTOR(part)
        {
            vu a = load_src(job->a[row], part) & job->mask_a, b = load_b(job, row, part) & job->mask_b;
            struct term dst = {all(0), splat(0), splat(0)};
            if (multiply || job->accumulate)
                dst = read_dst(job, kind, row, part);
            struct term term = multiply ? product(job, a, b) : sum_of(job, kind, a, b);
            write_dst(job, kind, row, part, add_terms(&term, 1, dst, kind));
        }
    }
}

#define ELEMENTWISE(name, multiply)                            \
    static void name(const struct tf_fpu_job *job)             \
    {                                                          \
        switch (job->accumulator) {                            \
        case TF_ACC_FP32:                                      \
            elementwise(job, TF_ACC_FP32, multiply);           \
            break;                                             \
        case TF_ACC_BF16:                                      \
            elementwise(job, TF_ACC_BF16, multiply);           \
            break;                                             \
        default:                                               \
            elementwise(job, TF_ACC_FP16, multiply);           \
            break;                                             \
        }                                                      \
    }
ELEMENTWISE(elementwise_multiply, true)
ELEMENTWISE(elementwise_add, false)
#undef ELEMENTWISE

#include "tile/tensix/fpu_pool.h"

const struct tf_fpu_isa TF_FPU_SET = {
    .name = TF_FPU_NAME,
    .multiply = multiply_float,
    .multiply_int = multiply_int,
    .elementwise_multiply = elementwise_multiply,
    .elementwise_add = elementwise_add,
    .elementwise_int = elementwise_int,
    .pool = pool,
};
