/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums of products for vectors of 256 bits; part of products.h. These hosts shift lanes of 16 bits by one distance
 * only, but look up bytes in a table of 16. So exponents are bytes, in both bytes of a lane of 16 bits.
 *
 * A byte of an operand says how far its exponent is below the operand's largest one; 255: the datum is zero. The bytes
 * of SrcA and SrcB, and NEAREST, add up to the byte of a product, at most 255. The difference of two such sums is the
 * distance by which a product is shifted. It is at most 135, so that an index below remains a signed byte.
 *
 * A product is 4p - (p < 0), as products.h rounds it. SrcB gives its magnitude and a one, SrcA the two bytes of its
 * signed mantissa: four times its value, and -1 below zero. SrcA has them for both signs of SrcB. Rows `mvmul-*` and
 * `matmul-*` of tilefarm bench pay for it: 11 operations a product, where halves and their exponents took 14.
 */
#define NEAREST 120
#define FARTHEST (255 - NEAREST)

typedef struct tf_fpu_bytes_a operand_a;
typedef struct tf_fpu_bytes_b operand_b;

struct range {
    int32_t largest, least;
};

/* Of bytes 0 of data: the largest, and the least that is not 0, or 256. */
INLINE struct range range_of(const uint32_t (*row)[COLUMNS], unsigned rows, unsigned step, uint32_t mask)
{
    __m256i largest = _mm256_setzero_si256(), least = _mm256_set1_epi8(-1);
    const __m256i bits = _mm256_set1_epi32((int32_t)mask), one = _mm256_set1_epi32(1);
    for (unsigned i = 0; i < rows; i++, row += step) {
        UNROLL
        for (unsigned part = 0; part < COLUMNS / TF_HOST_WIDTH; part++) {
            __m256i datum = _mm256_and_si256((__m256i)load_src(*row, part), bits);
            largest = _mm256_max_epu8(largest, datum);
            least = _mm256_min_epu8(least, _mm256_sub_epi8(datum, one));
        }
    }
    /* Byte 0: the largest; byte 1: 255 minus the least, so that a maximum serves both. */
    __m256i both = (__m256i)(((vu)largest & 0xFF) | ((~(vu)least & 0xFF) << 8));
    __m128i half = _mm_max_epu8(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
    half = _mm_max_epu8(half, _mm_srli_si128(half, 8));
    half = _mm_max_epu8(half, _mm_srli_si128(half, 4));
    const int32_t result = _mm_cvtsi128_si32(half);
    return (struct range){result & 0xFF, 256 - (result >> 8 & 0xFF)};
}

INLINE void take_a(const struct tf_fpu_job *job, operand_a *a)
{
    const struct range range = range_of(job->a, COLUMNS, 1, job->mask_a & 0xFF);
    const struct cut cut = cut_of_a(job);
    a->largest = range.largest;
    a->least = range.least;
    for (unsigned row = 0; row < COLUMNS; row++) {
        const vhu mask = (vhu){0} + (uint16_t)job->mask_a;
        vu left = load_src(job->a[row], 0), right = load_src(job->a[row], 1);
        vhu low = low_halves(left, right) & mask, high = high_halves(left, right);
        vh place = (vh)(low & 0xFF), zero = (vh)(place == 0), sign = (vh)(high << 13) >> 15;
        vh whole = (vh)(low >> 8 | (high & 3) << 8 | 0x400);
        vh factor = ((((whole >> cut.right & cut.mask) << (cut.left + 2)) ^ sign) - sign) & ~zero;
        *(vh *)(void *)a->factor[row][0] = factor;
        *(vh *)(void *)a->factor[row][1] = -factor;
        *(vh *)(void *)a->away[row] = (vh)((vhu)((vh){0} + (int16_t)range.largest - place) * 0x0101) | zero;
    }
}

INLINE void take_b(const struct tf_fpu_job *job, operand_b *b)
{
    const struct range range = range_of(job->b, TF_FPU_ROWS, job->b_step, job->mask_b & 0xFF);
    const struct cut cut = cut_of_b(job);
    const __m256i low_bytes = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12));
    b->largest = range.largest;
    b->least = range.least;
    for (unsigned row = 0; row < TF_FPU_ROWS; row++) {
        UNROLL
        for (unsigned part = 0; part < COLUMNS / TF_HOST_WIDTH; part++) {
            vu datum = load_src(job->b[row * job->b_step], part) & job->mask_b, place = datum & 0xFF;
            vu zero = (vu)eq(place, splat(0)), whole = (datum >> 8 & 0x3FF) | 0x400;
            vu magnitude = ((whole >> cut.right & (uint32_t)cut.mask) << cut.left) & ~zero;
            vu away = ((uint32_t)range.largest - place) | zero;
            away = (vu)_mm256_adds_epu8((__m256i)away, _mm256_set1_epi32(NEAREST));
            store(b->factor[row], part, magnitude << 16 | magnitude | 0x01000100);
            store(b->away[row], part, (vu)_mm256_shuffle_epi8((__m256i)away, low_bytes));
            store(b->side[row], part, datum >> 18 << 5);
        }
    }
}

/* SrcA's pieces are cached because instructions reuse rows, with the next rows of SrcB or another row of Dst. */
INLINE const operand_a *pieces_of_a(const struct tf_fpu_job *job, operand_a *own)
{
    struct tf_fpu_memory *memory = job->memory;
    if (memory == NULL) {
        take_a(job, own);
        return own;
    }
    const uint64_t key = job->key_a | TF_HOST_WIDTH;
    const unsigned place = tf_fpu_key_row(key) / 16;
    if (memory->key.bytes_a[place] != key) {
        memory->key.bytes_a[place] = key;
        take_a(job, &memory->bytes_a[place]);
    }
    return &memory->bytes_a[place];
}

/* Instructions use rows of SrcB with several rows of SrcA. */
INLINE const operand_b *pieces_of_b(const struct tf_fpu_job *job, operand_b *own, int32_t bias)
{
    (void)bias;
    struct tf_fpu_memory *memory = job->memory;
    if (memory == NULL || job->key_b == 0) {
        take_b(job, own);
        return own;
    }
    const uint64_t key = job->key_b | TF_HOST_WIDTH;
    const unsigned place = tf_fpu_key_row(key) / 8;
    if (memory->key.bytes_b[place] != key) {
        memory->key.bytes_b[place] = key;
        take_b(job, &memory->bytes_b[place]);
    }
    return &memory->bytes_b[place];
}

/* The base of the exponents of an instruction's products. */
struct scale {
    vh upper; /* exponent of a byte of 0 */
    vh first; /* byte of the least exponent, twice */
    bool fits;
};

/*
 * Bytes of products that are too far below the largest one become 255. That has no effect if these products are 15
 * places below the least exponent.
 */
INLINE struct scale scale_of(const operand_a *a, const operand_b *b, int32_t bias, int32_t least)
{
    const int32_t product = a->largest + b->largest + bias, largest = product < least ? least : product;
    const int32_t spread = a->largest - a->least + b->largest - b->least, below = largest - least;
    return (struct scale){
        .upper = (vh){0} + (int16_t)(largest + NEAREST),
        .first = (vh){0} + (int16_t)((below < FARTHEST ? below + NEAREST : 255) * 0x0101),
        .fits = below <= FARTHEST - 15 || spread < FARTHEST,
    };
}

/* The rounded quotient of a product and a power of two. `index`: 15 minus the power in the low byte, 7 in the high. */
INLINE vh divide_product(vh product, vh index)
{
    const __m256i power = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 0, 1, 2, 4, 8, 16, 32, 64, (char)128, 0, 0, 0, 0, 0, 0));
    return (vh)_mm256_mulhrs_epi16((__m256i)product, _mm256_shuffle_epi8(power, (__m256i)index));
}

INLINE void multiply_row(const operand_a *a, const operand_b *b, unsigned row, const struct scale *scale,
                         struct sums *out)
{
    UNROLL
    for (unsigned group = 0; group < 2; group++) {
        const char *factor = (const char *)a->factor[8 * group];
        const __m256i *a_away = (const __m256i *)(const void *)a->away[8 * group];
        const uint32_t *b_factor = &b->factor[row][8 * group], *b_away = &b->away[row][8 * group];
        const uint32_t *side = &b->side[row][8 * group];
        __m256i away[8], nearest = (__m256i)scale->first;
        UNROLL
        for (unsigned k = 0; k < 8; k++) {
            away[k] = _mm256_adds_epu8((__m256i)splat(b_away[k]), a_away[k]);
            nearest = _mm256_min_epu8(nearest, away[k]);
        }
        const __m256i base = _mm256_add_epi8(nearest, _mm256_set1_epi16(0x070F));
        vh sum = (vh){0};
        UNROLL
        for (unsigned k = 0; k < 8; k++) {
            const __m256i *a_factor = (const __m256i *)(const void *)(factor + k * sizeof a->factor[0] + side[k]);
            vh product = (vh)_mm256_maddubs_epi16((__m256i)splat(b_factor[k]), *a_factor);
            sum += divide_product(product, (vh)_mm256_sub_epi8(base, away[k]));
        }
        vh exponent = (scale->upper - ((vh)nearest & 0xFF)) & ~(vh)((vh)nearest == -1);
        *(vh *)(void *)out->sum[group] = sum & (vh)(exponent > 0);
        *(vh *)(void *)out->exponent[group] = exponent;
    }
}
