/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/accumulate.h"
#include "host/extremes.h"
#include "tile/float.h"

#include <string.h>

enum lanes { NONE, FP32, FP16, PACKED_FP16, BF16, U32, PACKED_INT32, U8, U8_SATURATED };

/* Indexed by Fmt. */
static const uint8_t lanes_of[TF_ACCUMULATE_FORMATS] = {
    [0] = FP32,
    [1] = FP16,
    [2] = BF16,
    [4] = U32,
    [7] = U8_SATURATED,
    [8] = FP32,
    [9] = FP16,
    [10] = BF16,
    [12] = U32,
    [13] = U32,
    [15] = U8,
    [TF_ACCUMULATE_PACKED_FP16] = PACKED_FP16,
    [TF_ACCUMULATE_PACKED_INT32] = PACKED_INT32,
};

typedef uint32_t words __attribute__((vector_size(16)));
typedef int32_t signed_words __attribute__((vector_size(16)));
typedef float floats __attribute__((vector_size(16)));

static words flush_fp32(words bits)
{
    return bits & ((words)((bits & TF_FP32_INFINITY) != 0) | TF_FP32_SIGN);
}

static words add_fp32(words l1, words data)
{
    words sum = flush_fp32((words)((floats)flush_fp32(l1) + (floats)flush_fp32(data)));
    words nan = (words)((signed_words)(sum & ~TF_FP32_SIGN) > (int32_t)TF_FP32_INFINITY);
    return (sum & ~nan) | (nan & TF_FP32_NAN);
}

static uint32_t sum_of_fp16(uint32_t l1, uint32_t data)
{
    return tf_float_bits(tf_float_of(tf_fp16_to_fp32(l1)) + tf_float_of(tf_fp16_to_fp32(data)));
}

/*
 * A normal number as fp16; overflow gives the largest magnitude. An fp32 sum may be inexact, but only where a second
 * rounding changes nothing: it has 24 bits, and its summands 11.
 */
static uint32_t fp16_of_sum(uint32_t sum)
{
    uint32_t magnitude = (sum & ~TF_FP32_SIGN) - (112u << 23);
    magnitude = (magnitude + 0xFFFu + (magnitude >> 13 & 1u)) >> 13;
    return (sum >> 16 & 0x8000u) | tf_min(magnitude, 0x7FFFu);
}

static uint32_t add_fp16(uint32_t l1, uint32_t data)
{
    uint32_t sum = sum_of_fp16(l1, data);
    return (sum & ~TF_FP32_SIGN) < 113u << 23 ? sum >> 16 & 0x8000u : fp16_of_sum(sum);
}

/* ttsim's rule for packers: an underflow gives the largest magnitude. The difference of two equal large numbers does
   so, too. */
static uint32_t add_packed_fp16(uint32_t l1, uint32_t data)
{
    uint32_t sum = sum_of_fp16(l1, data), sign = sum >> 16 & 0x8000u, magnitude = sum & ~TF_FP32_SIGN;
    if (magnitude == 0)
        return sign | ((l1 >> 10 & 31) >= 30 ? 0x7FFFu : 0);
    if (magnitude < 113u << 23)
        return sign | (magnitude < 112u << 23 ? 0x7FFFu : 0);
    return fp16_of_sum(sum);
}

static double double_of_bf16(uint32_t bits, bool in_l1)
{
    uint32_t magnitude = bits & 0x7FFFu;
    uint64_t sign = (uint64_t)(bits & 0x8000u) << 48;
    if (magnitude < 0x80u)
        return tf_double_of(sign);
    if (magnitude <= 0x7F80u)
        return tf_float_of(bits << 16);
    if (in_l1)
        return tf_double_of(sign | 0x7FEFFFFFFFFFFFFFull);
    return tf_double_of(sign | (uint64_t)(255 - 127 + 1023) << 52 | (uint64_t)(bits & 0x7Fu) << 45);
}

static uint32_t add_bf16(uint32_t l1, uint32_t data)
{
    if ((l1 & 0x7FFFu) == 0x7F80u && data == (l1 ^ 0x8000u))
        return 0x7FC0u;
    uint64_t sum = tf_double_bits(double_of_bf16(l1, true) + double_of_bf16(data, false));
    uint32_t sign = (uint32_t)(sum >> 48) & 0x8000u;
    int32_t exponent = (int32_t)(sum >> 52 & 0x7FFu) - 1023 + 127;
    if (exponent <= 0)
        return sign;
    if (exponent >= 255)
        return sign | 0x7F80u;
    uint64_t mantissa = sum & 0xFFFFFFFFFFFFFull;
    uint32_t rounded = (uint32_t)((mantissa + (1ull << 44) - 1 + (mantissa >> 45 & 1u)) >> 45);
    return sign | (((uint32_t)exponent << 7) + rounded);
}

static uint32_t add_halves(uint32_t l1, uint32_t data, uint32_t (*add)(uint32_t l1, uint32_t data))
{
    return add(l1 & 0xFFFFu, data & 0xFFFFu) | add(l1 >> 16, data >> 16) << 16;
}

static uint32_t add_bytes(uint32_t l1, uint32_t data, bool saturate)
{
    uint32_t sums = 0;
    for (unsigned shift = 0; shift < 32; shift += 8) {
        uint32_t sum = (l1 >> shift & 0xFFu) + (data >> shift & 0xFFu);
        if (saturate && sum > 0xFFu)
            sum = 0xFFu;
        sums |= (sum & 0xFFu) << shift;
    }
    return sums;
}

/* Sign and magnitude. */
static int64_t number_of(uint32_t bits)
{
    int64_t magnitude = bits & 0x7FFFFFFFu;
    return bits >> 31 != 0 ? -magnitude : magnitude;
}

static uint32_t add_int32(uint32_t l1, uint32_t data)
{
    int64_t sum = number_of(l1) + number_of(data);
    uint32_t sign = sum < 0 ? 0x80000000u : 0;
    return sign | (uint32_t)tf_min(sum < 0 ? -sum : sum, 0x7FFFFFFF);
}

static uint32_t add_word(enum lanes lanes, uint32_t l1, uint32_t data)
{
    switch (lanes) {
    case FP16: return add_halves(l1, data, add_fp16);
    case PACKED_FP16: return add_halves(l1, data, add_packed_fp16);
    case BF16: return add_halves(l1, data, add_bf16);
    case PACKED_INT32: return add_int32(l1, data);
    case U8: return add_bytes(l1, data, false);
    case U8_SATURATED: return add_bytes(l1, data, true);
    default: return l1;
    }
}

static words add_words(enum lanes lanes, words l1, words data)
{
    if (lanes == U32)
        return l1 + data;
    if (lanes == FP32)
        return add_fp32(l1, data);
    for (unsigned i = 0; i < 4; i++)
        l1[i] = add_word(lanes, l1[i], data[i]);
    return l1;
}

void tf_accumulate(unsigned format, uint32_t line[4], const uint32_t data[4])
{
    words l1, more;
    memcpy(&l1, line, sizeof l1);
    memcpy(&more, data, sizeof more);
    l1 = add_words((enum lanes)lanes_of[format], l1, more);
    memcpy(line, &l1, sizeof l1);
}
