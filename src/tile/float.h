/* SPDX-License-Identifier: Apache-2.0 */
/* Bits of numbers, for every unit that takes them apart. */
#ifndef TILE_FLOAT_H
#define TILE_FLOAT_H

#include <stdint.h>
#include <string.h>

#define TF_FP32_SIGN 0x80000000u
#define TF_FP32_HIDDEN 0x00800000u   /* the leading one of a significand; the least normal number */
#define TF_FP32_INFINITY 0x7F800000u /* all bits of the exponent */
#define TF_FP32_NAN 0x7FC00000u      /* canonical */

static inline uint32_t tf_float_bits(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static inline float tf_float_of(uint32_t bits)
{
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static inline uint64_t tf_double_bits(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static inline double tf_double_of(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* FP16 has neither NaN nor infinity; denormals are read as zero. */
static inline uint32_t tf_fp16_to_fp32(uint32_t bits)
{
    uint32_t sign = (bits & 0x8000u) << 16, magnitude = bits & 0x7FFFu;
    return magnitude < 0x400u ? sign : sign | ((magnitude << 13) + (112u << 23));
}

#endif
