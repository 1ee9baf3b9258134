/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ELWADD and ELWSUB of BF16 or FP16 over a Dst of 16 bits, in lanes of 16 bits: what sum_of() and write_total() come
 * to if there is no phase and nothing to accumulate onto. Part of fpu_kernels.h, if vectors are wide enough.
 */
#if TF_SFPU_WIDTH == 16
#define NARROW_ROWS 2u

INLINE vh halves_of_words(vu first, vu second)
{
    return (vh)_mm512_packus_epi32((__m512i)first, (__m512i)second);
}

/* Words whose packing restores the order. */
INLINE vu words_of_half(vh halves, bool second)
{
    __m512i zero = _mm512_setzero_si512();
    return second ? (vu)_mm512_unpackhi_epi16((__m512i)halves, zero) : (vu)_mm512_unpacklo_epi16((__m512i)halves, zero);
}

INLINE vh smaller(vh a, vh b)
{
    return (vh)_mm512_min_epi16((__m512i)a, (__m512i)b);
}

/* Below 2^13, by less than 2^15 bits. */
INLINE vh shift_half(vh a, vh distance)
{
    return (vh)_mm512_srlv_epi16((__m512i)a, (__m512i)distance);
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

/* 2^(15 - distance) by bytes, as in shift_rounded(); half the product's high half. */
INLINE vh shift_half(vh a, vh distance)
{
    const __m256i power = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, (char)128, 64, 32, 16, 8, 4, 2, 1));
    __m256i index = _mm256_min_epu16((__m256i)distance, _mm256_set1_epi16(15));
    index = _mm256_add_epi16(_mm256_mullo_epi16(index, _mm256_set1_epi16(0x0101)), _mm256_set1_epi16(0x7870));
    return (vh)_mm256_mulhi_epu16((__m256i)(a << 1), _mm256_shuffle_epi8(power, index));
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

/* Data as sign, in bit 2, and magnitude: exponent and `fraction` bits of mantissa. */
struct narrow {
    vh sign, magnitude;
};

INLINE struct narrow narrow_rows(const uint32_t *first, const uint32_t *second, int fraction)
{
    vhu low = low_halves(first, second), high = high_halves(first, second);
    vhu exponent = low & (uint16_t)(fraction == 7 ? 0xFF : 0x1F);
    vhu magnitude = exponent << fraction | (high & 3) << (fraction - 2) | low >> (18 - fraction);
    return (struct narrow){(vh)high, only_if(more((vh)magnitude, (vh){0} + (int16_t)((1 << fraction) - 1)),
                                             (vh)magnitude)};
}

/* 11 bits, unless it is zero. */
INLINE vh narrow_mantissa(vh magnitude, int fraction)
{
    const int16_t one = (int16_t)(1 << fraction), rest = (int16_t)(one - 1);
    return only_if(more(magnitude, (vh){0}), ((magnitude & rest) | one) << (10 - fraction));
}

INLINE vh add_narrow(struct narrow a, struct narrow b, int fraction)
{
    vh large = larger(a.magnitude, b.magnitude), small = smaller(a.magnitude, b.magnitude);
    vh addend = shift_half(narrow_mantissa(small, fraction) << 1, (large >> fraction) - (small >> fraction));
    vh sum = subtract_if(any_bit(a.sign ^ b.sign, (vh){0} + 4), narrow_mantissa(large, fraction), (addend + 1) >> 1);
    vh sign = choose(more(b.magnitude, a.magnitude), b.sign, a.sign) << 13 & (int16_t)0x8000;
    /* The number of its leading bit, and the bits that follow it, rounded with ties away from zero. */
    const uint32_t add = (1u << (23 - fraction) >> 1) - (127u << 23);
    vu first = (to_float(words_of_half(sum, false)) + add) >> (23 - fraction);
    vu second = (to_float(words_of_half(sum, true)) + add) >> (23 - fraction);
    vh rounded = halves_of_words(first, second);
    vh exponent = (large >> fraction) + (rounded >> fraction) - 10, mantissa = rounded & (int16_t)((1 << fraction) - 1);
    hm there = more(sum, (vh){0}) & more(exponent, (vh){0});
    if (fraction == 7) {
        hm over = more(exponent, (vh){0} + 254);
        mantissa = choose(over, (vh){0}, mantissa);
        exponent = choose(over, (vh){0} + 255, exponent);
        return only_if(there, sign | mantissa << 8 | exponent);
    }
    hm over = more(exponent, (vh){0} + 31);
    mantissa = choose(over, (vh){0} + 0x3FF, mantissa);
    exponent = choose(over, (vh){0} + 31, exponent);
    return only_if(there, sign | mantissa << 5 | exponent);
}

INLINE void add_narrow_rows(const struct tf_fpu_job *job, int fraction)
{
    const vh flip = (vh){0} + (int16_t)(job->subtract ? 4 : 0);
    const unsigned half = COLUMNS / 2;
    for (unsigned row = 0; row < TF_FPU_ROWS; row += NARROW_ROWS) {
        const uint32_t *a = job->a[row], *b = b_row(job, row), *b_next = b_row(job, row + NARROW_ROWS - 1);
        uint32_t column[2][COLUMNS];
        if (job->broadcast_column) {
            for (unsigned i = 0; i < COLUMNS; i++) {
                column[0][i] = b[0];
                column[1][i] = b_next[0];
            }
            b = column[0];
            b_next = column[1];
        }
        struct narrow left = narrow_rows(a, NARROW_ROWS == 2 ? a + COLUMNS : a + half, fraction);
        struct narrow right = narrow_rows(b, NARROW_ROWS == 2 ? b_next : b + half, fraction);
        right.sign ^= flip;
        vh sum = add_narrow(left, right, fraction);
        memcpy(high_row(job, row), &sum, COLUMNS * 2);
        memcpy(high_row(job, row + NARROW_ROWS - 1), (const int16_t *)&sum + (NARROW_ROWS - 1) * COLUMNS, COLUMNS * 2);
    }
}

/* False: not for this. */
static bool add_narrowly(const struct tf_fpu_job *from)
{
    const struct tf_fpu_job job = *from;
    if (job.accumulate || job.phase != 0 || job.mask_a != job.mask_b || job.accumulator == TF_ACC_FP32)
        return false;
    if (job.accumulator == TF_ACC_BF16 && job.mask_a == 0x7F8FF)
        add_narrow_rows(&job, 7);
    else if (job.accumulator == TF_ACC_FP16)
        add_narrow_rows(&job, 10);
    else
        return false;
    return true;
}
