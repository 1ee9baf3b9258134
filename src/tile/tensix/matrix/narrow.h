/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ELWADD, ELWSUB, ELWMUL and sums of products onto a Dst of 16 bits, in lanes of 16 bits. Results equal those of
 * sum_of(), product() and add_terms(). A term has at most 12 bits, so rounding it twice equals rounding it once. It is
 * part of kernels.h, if vectors are wide enough. Rows `unpack-add-pack` (5 %) and `mvmul-fp16-0` (5 %; 12 % with AVX2)
 * pay for it.
 */
#if TF_HOST_WIDTH == 16
#define NARROW_ROWS 2u

INLINE vh halves_of_words(vu first, vu second)
{
    return (vh)_mm512_packus_epi32((__m512i)first, (__m512i)second);
}

/* Words in an order that packing restores. */
INLINE vu words_of_half(vh halves, bool second)
{
    __m512i zero = _mm512_setzero_si512();
    return second ? (vu)_mm512_unpackhi_epi16((__m512i)halves, zero) : (vu)_mm512_unpacklo_epi16((__m512i)halves, zero);
}

INLINE vh smaller(vh a, vh b)
{
    return (vh)_mm512_min_epi16((__m512i)a, (__m512i)b);
}

/* Shifts values below 2^13 right, by distances below 2^15. */
INLINE vh shift_half(vh a, vh distance)
{
    return (vh)_mm512_srlv_epi16((__m512i)a, (__m512i)distance);
}

/* a / (4 * 2^distance), ties up. */
INLINE vh divide_rounded(vh a, vh distance)
{
    return (vh)_mm512_mulhrs_epi16((__m512i)a, _mm512_srlv_epi16(_mm512_set1_epi16(1 << 13), (__m512i)distance));
}

/* a / 2^distance, ties up; -a for a distance of 0. */
INLINE vh round_half(vh a, vh distance)
{
    return (vh)_mm512_mulhrs_epi16((__m512i)a,
                                   _mm512_srlv_epi16(_mm512_set1_epi16((int16_t)0x8000), (__m512i)distance));
}

/* max(a - b, 0) */
INLINE vh beyond(vh a, int16_t b)
{
    return (vh)_mm512_subs_epu16((__m512i)a, _mm512_set1_epi16(b));
}

INLINE vh add_saturated(vh a, vh b)
{
    return (vh)_mm512_adds_epi16((__m512i)a, (__m512i)b);
}

INLINE bool are_equal(vh a, vh b)
{
    return _mm512_cmpneq_epi16_mask((__m512i)a, (__m512i)b) == 0;
}

/* The sums, or exponents, of a group in two rows. */
#define OF_GROUP(sums, member, group)                                           \
    ((vh)_mm512_shuffle_i64x2(*(const __m512i *)(const void *)(sums)[0].member, \
                              *(const __m512i *)(const void *)(sums)[1].member, (group) == 0 ? 0x44 : 0xEE))

INLINE vh two_rows(const uint16_t *first, const uint16_t *second)
{
    __m256i low = _mm256_load_si256((const __m256i *)(const void *)first);
    return (vh)_mm512_inserti64x4(_mm512_castsi256_si512(low), _mm256_load_si256((const __m256i *)(const void *)second),
                                  1);
}

INLINE void put_rows(uint16_t *first, uint16_t *second, vh value)
{
    _mm256_store_si256((__m256i *)(void *)first, _mm512_castsi512_si256((__m512i)value));
    _mm256_store_si256((__m256i *)(void *)second, _mm512_extracti64x4_epi64((__m512i)value, 1));
}

INLINE vh shuffle_bytes(vu a, __m128i from)
{
    return (vh)_mm512_shuffle_epi8((__m512i)a, _mm512_broadcast_i32x4(from));
}

/* The lower or upper eight bytes of each 16. */
INLINE vh join_eights(vh first, vh second, bool upper)
{
    return upper ? (vh)_mm512_unpackhi_epi64((__m512i)first, (__m512i)second)
                 : (vh)_mm512_unpacklo_epi64((__m512i)first, (__m512i)second);
}

/* Halves of two rows, from the order that packing and joining give. */
INLINE vh in_order(vh joined)
{
    return (vh)_mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), (__m512i)joined);
}

typedef __mmask32 hm;

INLINE hm more(vh a, vh b)
{
    return _mm512_cmpgt_epi16_mask((__m512i)a, (__m512i)b);
}

INLINE hm any_bit(vh a, vh b)
{
    return _mm512_test_epi16_mask((__m512i)a, (__m512i)b);
}

INLINE hm has_bit(vh a, int bit)
{
    return any_bit(a, (vh){0} + (int16_t)(1 << bit));
}

INLINE vh choose(hm condition, vh yes, vh no)
{
    return (vh)_mm512_mask_blend_epi16(condition, (__m512i)no, (__m512i)yes);
}

INLINE vh only_if(hm condition, vh a)
{
    return (vh)_mm512_maskz_mov_epi16(condition, (__m512i)a);
}

INLINE vh subtract_if(hm condition, vh a, vh b)
{
    return (vh)_mm512_mask_sub_epi16((__m512i)(a + b), condition, (__m512i)a, (__m512i)b);
}
#else
#define NARROW_ROWS 1u

INLINE vh halves_of_words(vu first, vu second)
{
    return (vh)_mm256_packus_epi32((__m256i)first, (__m256i)second);
}

INLINE vu words_of_half(vh halves, bool second)
{
    __m256i zero = _mm256_setzero_si256();
    return second ? (vu)_mm256_unpackhi_epi16((__m256i)halves, zero) : (vu)_mm256_unpacklo_epi16((__m256i)halves, zero);
}

INLINE vh smaller(vh a, vh b)
{
    return (vh)_mm256_min_epi16((__m256i)a, (__m256i)b);
}

/* 2^(15 - distance) by bytes: entry i is that for i from 8 to 15; a high byte looks 8 entries further up. */
INLINE vh power_below(vh distance)
{
    const __m256i power = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, (char)128, 64, 32, 16, 8, 4, 2, 1));
    const __m256i low_bytes = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14));
    /* An index of 16 or more has its bit 7 set, and gives 0. */
    __m256i index = _mm256_min_epu16((__m256i)distance, _mm256_set1_epi16(16));
    index = _mm256_add_epi16(_mm256_shuffle_epi8(index, low_bytes), _mm256_set1_epi16(0x7870));
    return (vh)_mm256_shuffle_epi8(power, index);
}

INLINE vh shift_half(vh a, vh distance)
{
    return (vh)_mm256_mulhi_epu16((__m256i)(a << 1), (__m256i)power_below(distance));
}

/* a / (4 * 2^distance), ties up. */
INLINE vh divide_rounded(vh a, vh distance)
{
    return (vh)_mm256_mulhrs_epi16((__m256i)a, (__m256i)power_below(distance + 2));
}

/* a / 2^distance, ties up; -a for a distance of 0. */
INLINE vh round_half(vh a, vh distance)
{
    return (vh)_mm256_mulhrs_epi16((__m256i)a, (__m256i)power_below(distance));
}

/* max(a - b, 0) */
INLINE vh beyond(vh a, int16_t b)
{
    return (vh)_mm256_subs_epu16((__m256i)a, _mm256_set1_epi16(b));
}

INLINE vh add_saturated(vh a, vh b)
{
    return (vh)_mm256_adds_epi16((__m256i)a, (__m256i)b);
}

INLINE bool are_equal(vh a, vh b)
{
    __m256i differ = (__m256i)(a ^ b);
    return _mm256_testz_si256(differ, differ);
}

/* The sums, or exponents, of a group. */
#define OF_GROUP(sums, member, group) (*(const vh *)(const void *)(sums)[0].member[group])

INLINE vh two_rows(const uint16_t *first, const uint16_t *second)
{
    (void)second;
    return *(const vh *)(const void *)first;
}

INLINE void put_rows(uint16_t *first, uint16_t *second, vh value)
{
    (void)second;
    *(vh *)(void *)first = value;
}

INLINE vh shuffle_bytes(vu a, __m128i from)
{
    return (vh)_mm256_shuffle_epi8((__m256i)a, _mm256_broadcastsi128_si256(from));
}

/* The lower or upper eight bytes of each 16. */
INLINE vh join_eights(vh first, vh second, bool upper)
{
    return upper ? (vh)_mm256_unpackhi_epi64((__m256i)first, (__m256i)second)
                 : (vh)_mm256_unpacklo_epi64((__m256i)first, (__m256i)second);
}

/* Halves of a row, from the order that packing and joining give. */
INLINE vh in_order(vh joined)
{
    return (vh)_mm256_permute4x64_epi64((__m256i)joined, 0xD8);
}

typedef vh hm;

INLINE hm more(vh a, vh b)
{
    return (vh)(a > b);
}

INLINE hm any_bit(vh a, vh b)
{
    return (vh)((a & b) != 0);
}

INLINE hm has_bit(vh a, int bit)
{
    return a << (15 - bit) >> 15;
}

INLINE vh choose(hm condition, vh yes, vh no)
{
    return (vh)_mm256_blendv_epi8((__m256i)no, (__m256i)yes, (__m256i)condition);
}

INLINE vh only_if(hm condition, vh a)
{
    return condition & a;
}

INLINE vh subtract_if(hm condition, vh a, vh b)
{
    return a + ((b ^ condition) - condition);
}
#endif

#define REST_SIGN 10 /* a bit */

/* Data as sign, in a bit, and magnitude: exponent and `fraction` bits of mantissa. in_order() gives their order. */
struct narrow {
    vh sign, magnitude;
};

INLINE struct narrow narrow_rows(const uint32_t *first, const uint32_t *second, int fraction)
{
    /* The exponents of four data; their signs and mantissas. */
    const __m128i from = _mm_setr_epi8(0, -1, 4, -1, 8, -1, 12, -1, 1, 2, 5, 6, 9, 10, 13, 14);
    vh left = shuffle_bytes(load_src(first, 0), from), right = shuffle_bytes(load_src(second, 0), from);
    vh exponent = join_eights(left, right, false), rest = join_eights(left, right, true);
    if (fraction == 10)
        exponent &= 0x1F;
    vh magnitude = exponent << fraction | (rest >> (10 - fraction) & (int16_t)((1 << fraction) - 1));
    return (struct narrow){rest, only_if(more(magnitude, (vh){0} + (int16_t)((1 << fraction) - 1)), magnitude)};
}

/* 11 bits, unless it is zero. */
INLINE vh narrow_mantissa(vh magnitude, int fraction)
{
    const int16_t one = (int16_t)(1 << fraction), rest = (int16_t)(one - 1);
    return only_if(more(magnitude, (vh){0}), ((magnitude & rest) | one) << (10 - fraction));
}

/* A signed datum and its exponent. */
struct narrow_term {
    vh value, exponent;
};

INLINE vh negate_narrow(hm condition, vh a)
{
    return subtract_if(condition, (vh){0}, a);
}

INLINE struct narrow_term narrow_sum(struct narrow a, struct narrow b, int fraction)
{
    vh large = larger(a.magnitude, b.magnitude), small = smaller(a.magnitude, b.magnitude);
    vh addend = shift_half(narrow_mantissa(small, fraction) << 1, (large >> fraction) - (small >> fraction));
    vh sum = subtract_if(has_bit(a.sign ^ b.sign, REST_SIGN), narrow_mantissa(large, fraction), (addend + 1) >> 1);
    vh sign = choose(more(b.magnitude, a.magnitude), b.sign, a.sign);
    return (struct narrow_term){negate_narrow(has_bit(sign, REST_SIGN), sum), large >> fraction};
}

INLINE struct narrow_term narrow_product(const struct tf_fpu_job *job, struct narrow a, struct narrow b, int fraction)
{
    vh left = narrow_mantissa(a.magnitude, fraction), right = narrow_mantissa(b.magnitude, fraction);
    left = job->phase & 1 ? left >> 1 & 31 : left >> 6;
    right = job->phase & 2 ? (right & 15) << 3 : right >> 4;
    vh exponent = (a.magnitude >> fraction) + (b.magnitude >> fraction) + (int16_t)product_bias(job);
    hm present = more(a.magnitude, (vh){0}) & more(b.magnitude, (vh){0}) & more(exponent, (vh){0});
    vh value = negate_narrow(has_bit(a.sign ^ b.sign, REST_SIGN), left * right);
    return (struct narrow_term){only_if(present, value), only_if(present, exponent)};
}

/* Ties of Dst go away from zero, ties of the term up. */
INLINE struct narrow_term narrow_onto(vh dst, struct narrow_term term, int fraction)
{
    const int16_t rest = (int16_t)((1 << fraction) - 1);
    vh exponent = dst & (int16_t)(fraction == 7 ? 0xFF : 0x1F), zero = (vh){0};
    vh mantissa = ((dst >> (15 - fraction) & rest) | (int16_t)(1 << fraction)) << (10 - fraction);
    mantissa = only_if(more(exponent, zero), mantissa);
    vh common = larger(exponent, term.exponent);
    vh aligned = divide_rounded(mantissa << 2, common - exponent);
    return (struct narrow_term){negate_narrow(more(zero, dst), aligned) +
                                    divide_rounded(term.value << 2, common - term.exponent),
                                common};
}

/* Writes a row of Dst like write_total(). The magnitude of -2^15 is 2^15, read as unsigned. */
INLINE vh narrow_result(struct narrow_term total, int fraction)
{
    vh sign = total.value & (int16_t)0x8000, magnitude = larger(total.value, (vh) - (vhu)total.value);
    /* The number of the leading bit, and the bits after it, rounded with ties away from zero. */
    const uint32_t add = (1u << (23 - fraction) >> 1) - (127u << 23);
    vu first = (to_float(words_of_half(magnitude, false)) + add) >> (23 - fraction);
    vu second = (to_float(words_of_half(magnitude, true)) + add) >> (23 - fraction);
    vh rounded = halves_of_words(first, second);
    vh exponent = total.exponent + (rounded >> fraction) - 10, mantissa = rounded & (int16_t)((1 << fraction) - 1);
    const int16_t largest = fraction == 7 ? 254 : 31;
    hm present = any_bit(magnitude, magnitude) & more(exponent, (vh){0}), over = more(exponent, (vh){0} + largest);
    mantissa = choose(over, (vh){0} + (int16_t)(fraction == 7 ? 0 : 0x3FF), mantissa);
    exponent = smaller(exponent, (vh){0} + (int16_t)(fraction == 7 ? 255 : 31));
    return only_if(present, sign | mantissa << (15 - fraction) | exponent);
}

/*
 * value / 2^distance of a sum of products below 2^15, rounded first to 2^-13 and then to 1, both with ties up. The
 * first rounding has an effect from a distance of 14 on.
 */
INLINE vh align_sum(vh value, vh distance)
{
    vh far = beyond(distance, 13);
    return choose(more(distance, (vh){0}), round_half(value + far, distance), value);
}

/* Adds the sums of NARROW_ROWS adjacent rows to Dst. Returns false if nothing was done, since a total does not fit. */
INLINE bool add_narrow_sums(const struct tf_fpu_job *job, int fraction, unsigned row, const struct sums *sums)
{
    const unsigned next = row + NARROW_ROWS - 1;
    const int16_t rest = (int16_t)((1 << fraction) - 1);
    const vh zero = {0};
    vh first = OF_GROUP(sums, sum, 0), second = OF_GROUP(sums, sum, 1);
    vh first_exponent = OF_GROUP(sums, exponent, 0), second_exponent = OF_GROUP(sums, exponent, 1);
    vh dst = two_rows(high_row(job, row), high_row(job, next));
    vh dst_exponent = dst & (int16_t)(fraction == 7 ? 0xFF : 0x1F);
    vh mantissa = ((dst >> (15 - fraction) & rest) | (int16_t)(1 << fraction)) << (10 - fraction);
    mantissa = only_if(more(dst_exponent, zero), mantissa);
    vh common = larger(dst_exponent, larger(first_exponent, second_exponent));
    vh aligned = negate_narrow(more(zero, dst), divide_rounded(mantissa << 2, common - dst_exponent));
    first = align_sum(first, common - first_exponent);
    second = align_sum(second, common - second_exponent);
    vh total = (vh)((vhu)first + (vhu)second + (vhu)aligned);
    if (!are_equal(add_saturated(add_saturated(first, second), aligned), total))
        return false;
    put_rows(high_row(job, row), high_row(job, next), narrow_result((struct narrow_term){total, common}, fraction));
    return true;
}

INLINE void elementwise_narrow(const struct tf_fpu_job *job, int fraction, bool multiply, bool accumulate)
{
    const vh flip = (vh){0} + (int16_t)(job->subtract ? 1 << REST_SIGN : 0);
    const unsigned half = COLUMNS / 2, last = NARROW_ROWS - 1;
    for (unsigned row = 0; row < TF_FPU_ROWS; row += NARROW_ROWS) {
        const uint32_t *a = job->a[row], *b = b_row(job, row), *b_next = b_row(job, row + last);
        uint32_t column[2][COLUMNS];
        if (job->broadcast_column) {
            for (unsigned i = 0; i < COLUMNS; i++) {
                column[0][i] = b[0];
                column[1][i] = b_next[0];
            }
            b = column[0];
            b_next = column[1];
        }
        struct narrow left = narrow_rows(a, last != 0 ? a + COLUMNS : a + half, fraction);
        struct narrow right = narrow_rows(b, last != 0 ? b_next : b + half, fraction);
        right.sign ^= flip;
        struct narrow_term term = multiply ? narrow_product(job, left, right, fraction)
                                           : narrow_sum(left, right, fraction);
        if (accumulate) {
            term = (struct narrow_term){in_order(term.value), in_order(term.exponent)};
            term = narrow_onto(two_rows(high_row(job, row), high_row(job, row + last)), term, fraction);
        }
        vh result = narrow_result(term, fraction);
        put_rows(high_row(job, row), high_row(job, row + last), accumulate ? result : in_order(result));
    }
}

#define NARROW(name, fraction, multiply, accumulate)              \
    static void name(const struct tf_fpu_job *from)               \
    {                                                             \
        const struct tf_fpu_job job = *from;                      \
        elementwise_narrow(&job, fraction, multiply, accumulate); \
    }
NARROW(add_over_bf16, 7, false, false)
NARROW(add_over_fp16, 10, false, false)
NARROW(add_onto_bf16, 7, false, true)
NARROW(add_onto_fp16, 10, false, true)
NARROW(multiply_onto_bf16, 7, true, true)
NARROW(multiply_onto_fp16, 10, true, true)
#undef NARROW

/* Returns false if the operation is not for these kernels. Fidelity phases of sums, and kept denormals, are rare. */
static bool elementwise_by_halves(const struct tf_fpu_job *job, bool multiply)
{
    static void (*const all_of[2][3])(const struct tf_fpu_job *) = {
        {add_over_bf16, add_onto_bf16, multiply_onto_bf16},
        {add_over_fp16, add_onto_fp16, multiply_onto_fp16},
    };
    bool fp16 = job->accumulator == TF_ACC_FP16;
    if (job->keep_b_denormals || (job->phase != 0 && !multiply) || job->accumulator == TF_ACC_FP32 ||
        job->mask_a != job->mask_b || (!fp16 && job->mask_a != 0x7F8FF))
        return false;
    all_of[fp16][multiply ? 2 : job->accumulate](job);
    return true;
}
