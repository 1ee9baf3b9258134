/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Integers: sign and magnitude in the fields of sign and mantissa, and saturating sums onto a Dst of 32 bits. A phase
 * takes five bits of SrcA at most and six of SrcB, so that a sum of 16 products fits 16 bits. Part of kernels.h.
 */
static const struct cut int_cuts_a[2] = {{5, 0, 7}, {0, 0, 31}}, int_cuts_b[2] = {{4, 0, 63}, {0, 0, 15}};
static const struct cut int_whole = {0, 0, 0x3FF};

INLINE struct cut int_cut_a(const struct tf_fpu_job *job)
{
    return int_cuts_a[job->phase & 1];
}

INLINE struct cut int_cut_b(const struct tf_fpu_job *job)
{
    return int_cuts_b[job->phase >> 1];
}

/* The weight of a product of the phase's pieces, as a shift. */
INLINE int int_scale(const struct tf_fpu_job *job)
{
    return int_cut_a(job).right + int_cut_b(job).right;
}

/* A datum counts if any of these bits is set: those of the exponent, or all. */
INLINE uint32_t int_present(bool keep_denormals)
{
    return keep_denormals ? 0xFFFFFFFF : 0xFF;
}

INLINE vu load_b(const struct tf_fpu_job *job, unsigned row, unsigned part)
{
    vu datum = job->broadcast_column ? splat(b_row(job, row)[0]) : load_src(b_row(job, row), part);
    return job->subtract ? datum ^ SIGN : datum;
}

/* SaturateAddInt32 onto Dst, where integers are sign, bits 22:16, bits 30:23, bits 15:0. */
INLINE void add_int(const struct tf_fpu_job *job, unsigned row, unsigned part, vi value, bool accumulate)
{
    if (accumulate) {
        vu high = load_narrow(high_row(job, row), part);
        vu magnitude = (high & 0xFF) << 23 | (high & 0x7F00) << 8 | load_narrow(low_row(job, row), part);
        vi dst = (vi)negate_if(high >> 15, magnitude);
        vi sum = (vi)((vu)dst + (vu)value);
        vm over = lt((dst ^ sum) & (value ^ sum), all(0));
        vi limit = (vi)(0x7FFFFFFFu + ((vu)dst >> 31));
        value = max((vi)sel(over, (vu)limit, (vu)sum), all(-0x7FFFFFFF));
    }
    vu magnitude = absolute((vu)value);
    store_narrow(high_row(job, row), part,
                 (vu)value >> 31 << 15 | (magnitude >> 16 & 0x7F) << 8 | (magnitude >> 23 & 0xFF));
    store_narrow(low_row(job, row), part, magnitude & 0xFFFF);
}

#if TF_HOST_WIDTH > 4
/* Row and part of the i-th vector of words: consecutive rows, or parts of one. */
#define ROW_OF(row, i) ((row) + (i) * (NARROW_ROWS - 1))
#define PART_OF(i) ((i) * (2 - NARROW_ROWS))

#if TF_HOST_WIDTH == 16
INLINE vu load_columns(const uint32_t *row, unsigned part)
{
    return load_src(row, part);
}

/* Packed halves, in the order of words_of_dst() when they become words. */
INLINE vh for_words(vh packed)
{
    return packed;
}

/* Low and high halves of words, of one row or of the other. */
INLINE vu words_of_rows(vh low, vh high, unsigned second)
{
    const vhu from = {0, 32, 1, 33, 2,  34, 3,  35, 4,  36, 5,  37, 6,  38, 7,  39,
                      8, 40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47};
    return (vu)_mm512_permutex2var_epi16((__m512i)low, (__m512i)(from + (uint16_t)(16 * second)), (__m512i)high);
}

/* Numbers of Dst below 2^30, which leave bit 7 of the exponent's field empty. */
INLINE void words_of_dst(vhu high, vh low, vi word[2])
{
    CONSTANT(magnitude, 0x7FFFFFFF);
    CONSTANT(sign_of_half, 0x80008000);
    CONSTANT(upper_exponent, 0x7F807F80);
    vu upper = choose_bits(upper_exponent, (vu)(high << 7), (vu)(high >> 8));
    upper = choose_bits(sign_of_half, (vu)high, upper);
    for (unsigned i = 0; i < 2; i++) {
        vu dst = words_of_rows(low, (vh)upper, i);
        word[i] = (vi)negate_where(lt((vi)dst, all(0)), dst & magnitude);
    }
}

/* The other way round, for numbers above -2^31. */
INLINE void dst_of_words(const vi word[2], vh *high, vh *low)
{
    CONSTANT(sign, 0x80000000);
    CONSTANT(sign_of_half, 0x80008000);
    CONSTANT(upper_mantissa, 0x7F007F00);
    vu first = choose_bits(sign, (vu)word[0], absolute((vu)word[0]));
    vu second = choose_bits(sign, (vu)word[1], absolute((vu)word[1]));
    vhu halves = high_halves(first, second);
    vu upper = choose_bits(upper_mantissa, (vu)(halves << 8), (vu)(halves >> 7));
    *high = (vh)choose_bits(sign_of_half, (vu)halves, upper);
    *low = (vh)low_halves(first, second);
}

INLINE vh bytes_of_halves(vh first, vh second)
{
    return (vh)_mm512_packs_epi16((__m512i)first, (__m512i)second);
}

/* Transposes a matrix of four by four bytes in each 16 bytes. */
INLINE vh transpose_bytes(vh rows)
{
    const __m128i from = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    return (vh)_mm512_shuffle_epi8((__m512i)rows, _mm512_broadcast_i32x4(from));
}

/* Two products of bytes in each lane, added: unsigned bytes times signed bytes. */
INLINE vh multiply_bytes(vu without, vh with)
{
    return (vh)_mm512_maddubs_epi16((__m512i)without, (__m512i)with);
}

/* Two products of halves in each lane, added. */
INLINE vi multiply_pairs(vh a, vh b)
{
    return (vi)_mm512_madd_epi16((__m512i)a, (__m512i)b);
}
#else
/* Columns in the order that unpacking gives: 0 to 3 and 8 to 11, or 4 to 7 and 12 to 15. */
INLINE vu load_columns(const uint32_t *row, unsigned part)
{
    const __m128i *first = (const __m128i *)(const void *)(row + 4 * part);
    return (vu)_mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(first)), _mm_loadu_si128(first + 2), 1);
}

/* Packed halves, in the order of words_of_dst() when they become words. */
INLINE vh for_words(vh packed)
{
    return in_order(packed);
}

/* Numbers of Dst below 2^30, which leave bit 7 of the exponent's field empty. */
INLINE void words_of_dst(vhu high, vh low, vi word[2])
{
    CONSTANT(one, 0x00010001);
    CONSTANT(magnitude, 0x7FFF7FFF);
    CONSTANT(weights, 0x01800180); /* of the exponent's byte: 128 */
    const __m256i sign = (__m256i)high, lower = (__m256i)low;
    const __m256i upper = _mm256_maddubs_epi16((__m256i)weights, (__m256i)((vu)high & magnitude));
    word[0] = (vi)_mm256_sign_epi32(_mm256_unpacklo_epi16(lower, upper), _mm256_unpacklo_epi16((__m256i)one, sign));
    word[1] = (vi)_mm256_sign_epi32(_mm256_unpackhi_epi16(lower, upper), _mm256_unpackhi_epi16((__m256i)one, sign));
}

/* The other way round, for numbers above -2^31. */
INLINE void dst_of_words(const vi word[2], vh *high, vh *low)
{
    CONSTANT(sign_of_half, 0x80008000);
    CONSTANT(upper_mantissa, 0x7F007F00);
    CONSTANT(low_half, 0xFFFF);
    vu first = absolute((vu)word[0]), second = absolute((vu)word[1]);
    vhu upper = (vhu)_mm256_packus_epi32((__m256i)(first >> 16), (__m256i)(second >> 16));
    vu sign = (vu)_mm256_packs_epi32((__m256i)word[0], (__m256i)word[1]) & sign_of_half;
    *high = (vh)(sign | ((vu)(upper << 8) & upper_mantissa) | (vu)(upper >> 7));
    *low = (vh)_mm256_packus_epi32((__m256i)(first & low_half), (__m256i)(second & low_half));
}

INLINE vh bytes_of_halves(vh first, vh second)
{
    return (vh)_mm256_packs_epi16((__m256i)first, (__m256i)second);
}

INLINE vh transpose_bytes(vh rows)
{
    const __m128i from = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    return (vh)_mm256_shuffle_epi8((__m256i)rows, _mm256_broadcastsi128_si256(from));
}

INLINE vh multiply_bytes(vu without, vh with)
{
    return (vh)_mm256_maddubs_epi16((__m256i)without, (__m256i)with);
}

/* Two products of halves in each lane, added. */
INLINE vi multiply_pairs(vh a, vh b)
{
    return (vi)_mm256_madd_epi16((__m256i)a, (__m256i)b);
}
#endif

/* Pieces with their sign, in the order that packing gives. */
INLINE vh take_ints(vu first, vu second, uint32_t present, struct cut cut)
{
    vh datum = halves_of_words(zero_unless(test(first, splat(present)), first >> 8),
                               zero_unless(test(second, splat(present)), second >> 8));
    return negate_narrow(any_bit(datum, (vh){0} + 0x400), datum >> cut.right & cut.mask);
}

/* NARROW_ROWS rows, low or high halves. */
INLINE vh load_rows(const struct tf_fpu_job *job, unsigned at, bool pairs)
{
    return pairs ? *(const vh *)(const void *)job->dst[at] : two_rows(job->dst[at], job->dst[at + 2]);
}

INLINE void store_rows(const struct tf_fpu_job *job, unsigned at, bool pairs, vh value)
{
    if (pairs)
        *(vh *)(void *)job->dst[at] = value;
    else
        put_rows(job->dst[at], job->dst[at + 2], value);
}

/* Sums rarely saturate. */
static __attribute__((noinline, cold)) void add_large_ints(const struct tf_fpu_job *job, unsigned row, vi first,
                                                           vi second)
{
#if TF_HOST_WIDTH == 8
    vi halves = first;
    first = (vi)_mm256_permute2x128_si256((__m256i)halves, (__m256i)second, 0x20);
    second = (vi)_mm256_permute2x128_si256((__m256i)halves, (__m256i)second, 0x31);
#endif
    add_int(job, row, 0, first, true);
    add_int(job, ROW_OF(row, 1), PART_OF(1), second, true);
}

/* Onto NARROW_ROWS rows of Dst. No value has more than 22 bits: only a number with its bit 30 set can saturate. */
INLINE void add_ints(const struct tf_fpu_job *job, unsigned row, unsigned at, bool pairs, vhu high, const vi value[2])
{
    CONSTANT(last_exponent, 0x00800080);
    vh low = load_rows(job, at + TF_DST_LOW_ROWS, pairs), upper;
    if (any_common((vu)high, last_exponent)) {
        add_large_ints(job, row, value[0], value[1]);
        return;
    }
    vi word[2];
    words_of_dst(high, low, word);
    word[0] += value[0];
    word[1] += value[1];
    dst_of_words(word, &upper, &low);
    store_rows(job, at, pairs, upper);
    store_rows(job, at + TF_DST_LOW_ROWS, pairs, low);
}

/*
 * Four pieces of SrcA from consecutive rows share the word of their column, four pieces of SrcB the word of their row.
 * Pieces of SrcB are unsigned, 64 above their value; SrcA's offset corrects that.
 */
#define A_FACTORS(ints) ((vh *)(void *)(ints)->factor) /* [part][row / 4] */
#define A_OFFSETS(ints) ((vh *)(void *)(ints)->offset) /* [part] */

INLINE void take_ints_a(const struct tf_fpu_job *job, struct tf_fpu_ints_a *ints)
{
    const struct cut cut = int_cut_a(job);
    EACH_VECTOR(part)
    {
        vh offset = {0};
        for (unsigned k = 0; k < 4; k++) {
            const uint32_t(*row)[COLUMNS] = job->a + 4 * k;
            vh first = take_ints(load_columns(row[0], part), load_columns(row[1], part), 0xFF, cut);
            vh second = take_ints(load_columns(row[2], part), load_columns(row[3], part), 0xFF, cut);
            vh factor = transpose_bytes(bytes_of_halves(first, second));
            A_FACTORS(ints)[4 * part + k] = factor;
            offset -= multiply_bytes(splat(0x40404040), factor);
        }
        A_OFFSETS(ints)[part] = offset;
    }
}

INLINE void take_ints_b(const struct tf_fpu_job *job, struct tf_fpu_ints_b *ints)
{
    const uint32_t present = int_present(job->keep_b_denormals);
    const struct cut cut = int_cut_b(job);
    for (unsigned row = 0; row < TF_FPU_ROWS; row += 4) {
        EACH_VECTOR(part)
        {
            vh first = take_ints(load_src(b_row(job, row), part), load_src(b_row(job, row + 1), part), present, cut);
            vh second = take_ints(load_src(b_row(job, row + 2), part), load_src(b_row(job, row + 3), part), present,
                                  cut);
            store(ints->factor[row / 4][0], part, (vu)bytes_of_halves(first + 64, second + 64));
        }
    }
}

KEPT_OPERAND(ints_of_a, ints_a, a, COLUMNS, take_ints_a)
KEPT_OPERAND(ints_of_b, ints_b, b, TF_FPU_ROWS, take_ints_b)

/* SrcA's factors, in registers if there are enough. */
struct int_factors {
#if TF_HOST_WIDTH == 16
    vh a[4 * VECTORS], offset[VECTORS];
#else
    const vh *a, *offset;
#endif
    vh scale;
};

INLINE struct int_factors load_factors(const struct tf_fpu_ints_a *a, int scale)
{
    struct int_factors factors;
#if TF_HOST_WIDTH == 16
    memcpy(factors.a, A_FACTORS(a), sizeof factors.a);
    memcpy(factors.offset, A_OFFSETS(a), sizeof factors.offset);
#else
    factors.a = A_FACTORS(a);
    factors.offset = A_OFFSETS(a);
#endif
    factors.scale = (vh)splat(0x10001u << scale);
    return factors;
}

/* factor: of SrcB, four words apart. */
INLINE vi int_sum(const struct int_factors *factors, const uint32_t *factor, unsigned part)
{
    vh sum = factors->offset[part];
    UNROLL
    for (unsigned k = 0; k < 4; k++)
        sum += multiply_bytes(splat(factor[4 * k]), factors->a[4 * part + k]);
    return multiply_pairs(sum, factors->scale);
}

#if TF_HOST_WIDTH == 16
/*
 * Adds values to numbers of at most 22 bits. The exponent's field is then empty, which leaves words of 24 bits with the
 * sign on top.
 */
INLINE void add_small_ints(const struct tf_fpu_job *job, unsigned at, bool pairs, vhu high, const vi value[2])
{
    CONSTANT(magnitude, 0x007FFFFF);
    CONSTANT(sign, 0x00800000);
    vh low = load_rows(job, at + TF_DST_LOW_ROWS, pairs);
    vu word[2];
    UNROLL
    for (unsigned i = 0; i < 2; i++) {
        vi dst = (vi)words_of_rows(low, (vh)(high >> 8), i);
        vi sum = value[i] + min(dst, (vi)sign - dst);
        word[i] = choose_bits(magnitude, absolute((vu)sum), (vu)sum);
    }
    store_rows(job, at, pairs, (vh)(high_halves(word[0], word[1]) << 8));
    store_rows(job, at + TF_DST_LOW_ROWS, pairs, (vh)low_halves(word[0], word[1]));
}

/* Were all numbers small? The words of Dst that say so for rows taken together. */
#define IS_SMALL(any) (!any_common((vu)(any), splat(0x40FF40FF)))
#else
#define IS_SMALL(any) ((void)(any), false) /* where it saves too little */

INLINE void add_small_ints(const struct tf_fpu_job *job, unsigned at, bool pairs, vhu high, const vi value[2])
{
    (void)job, (void)at, (void)pairs, (void)high, (void)value;
}
#endif

/* Four rows; `pairs` is job->pairs: they are adjacent. */
INLINE void multiply_four_ints(const struct tf_fpu_job *job, unsigned row, const struct int_factors *factors,
                               const struct tf_fpu_ints_b *b, bool pairs)
{
    enum { STEPS = 4 / NARROW_ROWS };
    const uint32_t *factor = b->factor[row / 4][0];
    unsigned at[STEPS];
    vh high[STEPS], any = {0};
    UNROLL
    for (unsigned i = 0; i < STEPS; i++) {
        at[i] = pairs ? job->at[row] + i * NARROW_ROWS : job->at[row + i * NARROW_ROWS];
        high[i] = load_rows(job, at[i], pairs);
        any |= high[i];
    }
    const bool small = IS_SMALL(any);
    UNROLL
    for (unsigned i = 0; i < STEPS; i++) {
        const unsigned first = i * NARROW_ROWS;
        const vi value[2] = {int_sum(factors, factor + first, 0),
                             int_sum(factors, factor + ROW_OF(first, 1), PART_OF(1))};
        if (small)
            add_small_ints(job, at[i], pairs, (vhu)high[i], value);
        else
            add_ints(job, row + first, at[i], pairs, (vhu)high[i], value);
    }
}

/* restrict: stores to Dst do not change the job. */
static void multiply_int(const struct tf_fpu_job *restrict job)
{
    const unsigned rows = job->rows;
    struct tf_fpu_ints_a own_a;
    struct tf_fpu_ints_b own_b;
    const struct int_factors factors = load_factors(ints_of_a(job, &own_a), int_scale(job));
    const struct tf_fpu_ints_b *b = ints_of_b(job, &own_b);
    for (unsigned row = 0; row < rows; row += 4) {
        if (job->pairs)
            multiply_four_ints(job, row, &factors, b, true);
        else
            multiply_four_ints(job, row, &factors, b, false);
    }
}

/* Writes values of at most 11 bits and a sign over Dst. */
INLINE void put_ints(const struct tf_fpu_job *job, unsigned row, vh value)
{
    const unsigned next = ROW_OF(row, 1);
    value = (vh)low_halves(words_of_half(value, false), words_of_half(value, true));
    put_rows(high_row(job, row), high_row(job, next), value & (int16_t)0x8000);
    put_rows(low_row(job, row), low_row(job, next), larger(value, -value));
}

INLINE void elementwise_ints(const struct tf_fpu_job *job, bool multiply)
{
    const struct cut cut_a = multiply ? int_cut_a(job) : int_whole, cut_b = multiply ? int_cut_b(job) : int_whole;
    const uint32_t present_b = int_present(job->keep_b_denormals);
    const vh scale = (vh)splat(1u << (multiply ? int_scale(job) : 0));
    for (unsigned row = 0; row < TF_FPU_ROWS; row += NARROW_ROWS) {
        vh a = take_ints(load_src(job->a[row], 0), load_src(job->a[ROW_OF(row, 1)], PART_OF(1)), 0xFF, cut_a);
        vh b = take_ints(load_b(job, row, 0), load_b(job, ROW_OF(row, 1), PART_OF(1)), present_b, cut_b);
        vh value = multiply ? a * b : a + b, order = for_words(value);
        if (multiply || job->accumulate)
            add_ints(job, row, job->at[row], true, (vhu)load_rows(job, job->at[row], true),
                     (const vi[2]){multiply_pairs((vh)words_of_half(order, false), scale),
                                   multiply_pairs((vh)words_of_half(order, true), scale)});
        else
            put_ints(job, row, value);
    }
}

#else
INLINE vi take_int(vu datum, uint32_t present, struct cut cut)
{
    vu magnitude = datum >> (8 + cut.right) & (uint32_t)cut.mask;
    return (vi)negate_if(datum >> 18, zero_unless(m_not(eq(datum & present, splat(0))), magnitude));
}

static void multiply_int(const struct tf_fpu_job *job)
{
    typedef int16_t eight __attribute__((vector_size(16)));
    enum { EIGHTS = COLUMNS / 8 };
    const uint32_t present_b = int_present(job->keep_b_denormals);
    const int scale = int_scale(job);
    _Alignas(16) int16_t a[COLUMNS][COLUMNS], b[COLUMNS];
    for (unsigned k = 0; k < COLUMNS; k++)
        EACH_VECTOR(part)
    store_signed(a[k], part, take_int(load_src(job->a[k], part), 0xFF, int_cut_a(job)));
    for (unsigned row = 0; row < job->rows; row++) {
        EACH_VECTOR(part)
        store_signed(b, part, take_int(load_src(b_row(job, row), part), present_b, int_cut_b(job)));
        _Alignas(16) int16_t sums[COLUMNS];
        for (unsigned i = 0; i < EIGHTS; i++) {
            eight sum = {0};
            for (unsigned k = 0; k < COLUMNS; k++)
                sum += *(const eight *)(const void *)&a[k][8 * i] * b[k];
            *(eight *)(void *)&sums[8 * i] = sum;
        }
        EACH_VECTOR(part)
        add_int(job, row, part, (vi)((vu)load_signed(sums, part) << scale), true);
    }
}

INLINE void elementwise_ints(const struct tf_fpu_job *job, bool multiply)
{
    const struct cut cut_a = multiply ? int_cut_a(job) : int_whole, cut_b = multiply ? int_cut_b(job) : int_whole;
    const uint32_t present_b = int_present(job->keep_b_denormals);
    const int scale = int_scale(job);
    for (unsigned row = 0; row < TF_FPU_ROWS; row++) {
        EACH_VECTOR(part)
        {
            vi a = take_int(load_src(job->a[row], part), 0xFF, cut_a);
            vi b = take_int(load_b(job, row, part), present_b, cut_b);
            add_int(job, row, part, multiply ? (vi)((vu)(a * b) << scale) : a + b, multiply || job->accumulate);
        }
    }
}
#endif

static void elementwise_int(const struct tf_fpu_job *job, bool multiply)
{
    if (multiply)
        elementwise_ints(job, true);
    else
        elementwise_ints(job, false);
}
