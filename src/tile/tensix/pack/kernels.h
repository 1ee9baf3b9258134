/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels of the packer for whole rows of Dst, with the results of format.c. Each of avx2.c, avx512.c and portable.c
 * includes this for one vector level and names the kernels TF_PACK_SET.
 */
#include <string.h>

#include "host/widen.h"
#include "tile/float.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/rounding.h"
#include "tile/tensix/pack/rows.h"

#define INLINE static inline __attribute__((always_inline))

typedef uint16_t v16 __attribute__((vector_size(32)));
typedef int16_t v16s __attribute__((vector_size(32)));
typedef uint8_t v8 __attribute__((vector_size(16)));

INLINE v16 splat(unsigned value)
{
    return (v16){0} + (uint16_t)value;
}

INLINE v16 row(const uint16_t *datum)
{
    v16 value;
    memcpy(&value, datum, sizeof value);
    return value;
}

INLINE v16 where(v16s mask, v16 if_set, v16 if_clear)
{
    return (if_set & (v16)mask) | (if_clear & ~(v16)mask);
}

#define CONVERT_HALVES
#define DATUM v16
#define ELEMENT uint16_t
#define SIGNED v16s
#define STEP(name) row_##name
#define CHOOSE(condition, a, b) where(condition, a, b)
#include "tile/tensix/data/convert.h"
#include "tile/tensix/data/convert_end.h"

/* The high halves of 32 bits, rounded by the low halves; infinity and NaN give infinity. For row pack-fp32-bf16. */
INLINE v16 early_32_bf16(v16 high, v16 low)
{
    v16 value = TF_DST_UNSHUFFLE(high, 0);
    v16 rounded = value + (low >> 15);
    rounded = where((rounded & 0x7F80) == 0, splat(0), rounded);
    return where((value & 0x7F80) == 0x7F80, value & 0xFF80, rounded);
}

#ifdef TF_PACK_HAS_AVX2
INLINE unsigned largest(v16 value)
{
    __m256i all;
    memcpy(&all, &value, sizeof all);
    __m128i eight = _mm_max_epu16(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
    return 0xFFFF - (_mm_cvtsi128_si32(_mm_minpos_epu16(_mm_xor_si128(eight, _mm_set1_epi8(-1)))) & 0xFFFF);
}
#else
INLINE v16 larger(v16 a, v16 b)
{
    return where((v16s)a > (v16s)b, a, b);
}

/* For data below 32768. */
INLINE unsigned largest(v16 value)
{
    value = larger(value, __builtin_shufflevector(value, value, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
    value = larger(value, __builtin_shufflevector(value, value, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11));
    value = larger(value, __builtin_shufflevector(value, value, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13));
    return value[0] > value[1] ? value[0] : value[1];
}
#endif

/* Magnitudes below 256, times 128 >> shift, or zero; shifts are below 256. */
#if defined(TF_PACK_HAS_AVX512)
INLINE v16 align(v16 magnitude, v16 shift)
{
    return (v16)_mm256_srlv_epi16((__m256i)(magnitude << 7), (__m256i)shift);
}
#elif defined(TF_PACK_HAS_AVX2)
/* The high bytes of shifts are zero, and become indices of zero. */
INLINE v16 align(v16 magnitude, v16 shift)
{
    const __m256i powers = _mm256_setr_epi8(-128, 64, 32, 16, 8, 4, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, -128, 64, 32, 16, 8,
                                            4, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0);
    __m256i index = _mm256_min_epu8((__m256i)shift, _mm256_set1_epi16(8));
    index = _mm256_or_si256(index, _mm256_set1_epi16((short)0xFF00));
    return magnitude * (v16)_mm256_shuffle_epi8(powers, index);
}
#else
INLINE v16 align(v16 magnitude, v16 shift)
{
    v16 value = splat(128);
    value = where((shift & 1) != 0, value >> 1, value);
    value = where((shift & 2) != 0, value >> 2, value);
    value = where((shift & 4) != 0, value >> 4, value);
    return magnitude * where(shift > 7, splat(0), value);
}
#endif

/* The low bits of each byte, packed. */
#ifdef TF_PACK_HAS_AVX2
INLINE void store_fours(v8 bytes, uint8_t *out)
{
    __m128i pairs = _mm_maddubs_epi16((__m128i)bytes, _mm_set1_epi16(0x1001));
    pairs = _mm_packus_epi16(pairs, pairs);
    memcpy(out, &pairs, 8);
}

INLINE void store_twos(v8 bytes, uint8_t *out)
{
    __m128i pairs = _mm_maddubs_epi16((__m128i)bytes, _mm_set1_epi16(0x0401));
    __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(0x00100001));
    fours = _mm_packs_epi32(fours, fours);
    fours = _mm_packus_epi16(fours, fours);
    memcpy(out, &fours, 4);
}
#else
INLINE uint32_t gather_fours(uint64_t x)
{
    x = (x | x >> 4) & 0x00FF00FF00FF00FF;
    x = (x | x >> 8) & 0x0000FFFF0000FFFF;
    return (uint32_t)(x | x >> 16);
}

INLINE uint32_t gather_twos(uint64_t x)
{
    x = (x | x >> 6) & 0x000F000F000F000F;
    x = (x | x >> 12) & 0x000000FF000000FF;
    return (uint32_t)(x | x >> 24) & 0xFFFF;
}

INLINE void store_fours(v8 bytes, uint8_t *out)
{
    uint64_t half[2];
    memcpy(half, &bytes, sizeof half);
    const uint32_t fours[2] = {gather_fours(half[0]), gather_fours(half[1])};
    memcpy(out, fours, sizeof fours);
}

INLINE void store_twos(v8 bytes, uint8_t *out)
{
    uint64_t half[2];
    memcpy(half, &bytes, sizeof half);
    const uint32_t twos = gather_twos(half[0]) | gather_twos(half[1]) << 16;
    memcpy(out, &twos, sizeof twos);
}
#endif

/* Sixteen bytes with data in their low bits. */
INLINE void store_data(v8 bytes, unsigned bits, uint8_t *out)
{
    if (bits == 8)
        memcpy(out, &bytes, sizeof bytes);
    else if (bits == 4)
        store_fours(bytes, out);
    else
        store_twos(bytes, out);
}

/* To eight bits, (m + 2^s) >> (s + 1) is (m * 2^(7-s) + 128) >> 8. For rows pack-bfp8, pack-bfp4 and pack-bfp2. */
INLINE void store_bfp(v16 value, unsigned shared, unsigned bits, uint8_t *out)
{
    v16 aligned = align(row_block_magnitude(value), splat(shared) - (value >> 7 & 0xFF));
    v16 datum = row_block_datum(bits, value, (aligned + 128) >> 8);
    store_data(__builtin_convertvector(datum, v8), bits, out);
}

INLINE void store_pairs(v16 high, v16 low, uint8_t *out)
{
    v16 first = __builtin_shufflevector(low, high, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    v16 second = __builtin_shufflevector(low, high, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    memcpy(out, &first, sizeof first);
    memcpy(out + sizeof first, &second, sizeof second);
}

#include "tile/tensix/pack/lanes.h"

/* The low halves are magnitudes; a set bit in the high half means overflow. For row pack-int8. */
INLINE v16 int32_to_int8(v16 high, v16 low)
{
    v16 magnitude = where((high & 0x7FFF) != 0, splat(0x7F), where(low > 0x7F, splat(0x7F), low));
    return (high >> 8 & 0x80) | magnitude;
}

INLINE v16 early(unsigned kernel, const struct tf_pack_dst_row *from)
{
    v16 high = row(from->high);
    switch (kernel) {
    case TF_PACK_FP32_TO_FP32: return TF_DST_UNSHUFFLE(high, 0);
    case TF_PACK_FP32_TO_BF16: return early_32_bf16(high, row(from->low));
    case TF_PACK_INT32_TO_INT8: return int32_to_int8(high, row(from->low));
    case TF_PACK_FP16_TO_FP16:
    case TF_PACK_FP16_TO_E4M3: return row_flush_fp16(TF_DST_UNSHUFFLE_FP16(high));
    default: return row_flush_bf16(TF_DST_UNSHUFFLE(high, 0));
    }
}

/* The largest exponent of early()'s results. */
INLINE unsigned exponent_of(unsigned kernel, v16 value)
{
    switch (kernel) {
    case TF_PACK_INT32_TO_INT8: return 0;
    case TF_PACK_FP16_TO_FP16:
    case TF_PACK_FP16_TO_E4M3: return largest(value >> 10 & 0x1F);
    default: return largest(value >> 7 & 0xFF);
    }
}

INLINE unsigned bits_of(unsigned kernel)
{
    switch (kernel) {
    case TF_PACK_FP32_TO_FP32: return 32;
    case TF_PACK_BF16_TO_BF16:
    case TF_PACK_FP32_TO_BF16:
    case TF_PACK_FP16_TO_FP16: return 16;
    case TF_PACK_BF16_TO_BFP4: return 4;
    case TF_PACK_BF16_TO_BFP2: return 2;
    default: return 8;
    }
}

INLINE void convert_row(unsigned kernel, bool relu, const struct tf_pack_dst_row *from, v16 value, unsigned shared,
                        uint8_t *to)
{
    v16 low;
    switch (kernel) {
    case TF_PACK_BF16_TO_BF16:
    case TF_PACK_FP32_TO_BF16:
    case TF_PACK_FP16_TO_FP16: memcpy(to, &value, sizeof value); break;
    case TF_PACK_FP32_TO_FP32:
        low = row(from->low);
        store_pairs(value, relu ? row_positive(low, row(from->high)) : low, to);
        break;
    case TF_PACK_FP16_TO_E4M3: store_data(__builtin_convertvector(row_fp16_to_e4m3(value), v8), 8, to); break;
    case TF_PACK_INT32_TO_INT8: store_data(__builtin_convertvector(value, v8), 8, to); break;
    default: store_bfp(value, shared, bits_of(kernel), to);
    }
}

INLINE void convert(unsigned kernel, bool relu, const struct tf_pack_row_input *in, struct tf_pack_row_output *out)
{
    uint8_t *to = out->bytes;
    for (unsigned i = 0; i < in->count; i++) {
        v16 value = early(kernel, &in->row[i]);
        if (relu)
            value = row_positive(value, value);
        unsigned shared = exponent_of(kernel, value);
        out->exponent[i] = out->shared[i] = (uint8_t)shared;
        convert_row(kernel, relu, &in->row[i], value, shared, to);
        to += 2 * bits_of(kernel);
    }
    out->count = (unsigned)(to - out->bytes);
}

#define X(kernel)                                                                                \
    static void run_##kernel(const struct tf_pack_row_input *in, struct tf_pack_row_output *out) \
    {                                                                                            \
        if (kernel == TF_PACK_BY_LANES)                                                          \
            run_lanes(in, out);                                                                  \
        else if (in->format->relu != 0)                                                          \
            convert(kernel, true, in, out);                                                      \
        else                                                                                     \
            convert(kernel, false, in, out);                                                     \
    }
TF_PACK_KERNELS(X)
#undef X

/* clang-format off */
const struct tf_pack_kernels TF_PACK_SET = {
    .name = TF_PACK_NAME,
    .run = {
#define X(kernel) [kernel] = run_##kernel,
        TF_PACK_KERNELS(X)
#undef X
    },
    .add_bf16 = add_bf16,
};
/* clang-format on */
