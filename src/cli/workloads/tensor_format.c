/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in the chip's formats (WormholeB0/TensixTile/TensixCoprocessor/FloatBitPatterns.md). */
#include "cli/workloads/tensor.h"

#include <math.h>

/* Of a format with a sign, an exponent and a mantissa. */
struct layout {
    int exponent_bits, mantissa_bits;
};

static struct layout layout_of(unsigned format)
{
    switch (format) {
    case TF_FP32: return (struct layout){8, 23};
    case TF_FP16: return (struct layout){5, 10};
    case TF_FP8: return (struct layout){5, 2};
    case TF_FP8_E4M3: return (struct layout){4, 3};
    default: return (struct layout){8, 7};
    }
}

/* What is too small becomes 0. */
static uint32_t pack_float(double x, struct layout layout)
{
    int bias = (1 << (layout.exponent_bits - 1)) - 1, exponent;
    uint32_t sign = (uint32_t)(signbit(x) != 0) << (layout.exponent_bits + layout.mantissa_bits);
    double fraction = frexp(fabs(x), &exponent); /* 0.5 .. 1 */
    uint64_t mantissa = (uint64_t)nearbyint(ldexp(fraction, layout.mantissa_bits + 1));
    if (mantissa >> (layout.mantissa_bits + 1) != 0) {
        mantissa >>= 1;
        exponent++;
    }
    if (x == 0 || exponent - 1 + bias <= 0)
        return sign;
    return sign | (uint32_t)(exponent - 1 + bias) << layout.mantissa_bits |
           (uint32_t)(mantissa & ((1u << layout.mantissa_bits) - 1));
}

static double unpack_float(uint32_t bits, struct layout layout)
{
    int bias = (1 << (layout.exponent_bits - 1)) - 1;
    int exponent = (int)(bits >> layout.mantissa_bits & ((1u << layout.exponent_bits) - 1));
    uint32_t leading = exponent != 0 ? 1u << layout.mantissa_bits : 0;
    double mantissa = (double)((bits & ((1u << layout.mantissa_bits) - 1)) | leading);
    double x = ldexp(mantissa, (exponent != 0 ? exponent : 1) - bias - layout.mantissa_bits);
    return bits >> (layout.exponent_bits + layout.mantissa_bits) & 1 ? -x : x;
}

static uint32_t pack_integer(unsigned format, double x)
{
    uint32_t magnitude = (uint32_t)nearbyint(fabs(x));
    return x < 0 && magnitude != 0 ? magnitude | 1u << (TF_FORMAT_BITS(format) - 1) : magnitude;
}

static double unpack_integer(unsigned format, uint32_t bits)
{
    uint32_t sign = format == TF_UINT16 ? 0 : 1u << (TF_FORMAT_BITS(format) - 1);
    return bits & sign ? -(double)(bits & ~sign) : (double)bits;
}

static void put_number(unsigned format, double x, uint8_t *bytes)
{
    uint32_t bits = TF_FORMAT_IS_INTEGER(format) ? pack_integer(format, x) : pack_float(x, layout_of(format));
    memcpy(bytes, &bits, TF_FORMAT_BITS(format) / 8);
}

static double get_number(unsigned format, const uint8_t *bytes)
{
    uint32_t bits = 0;
    memcpy(&bits, bytes, TF_FORMAT_BITS(format) / 8);
    return TF_FORMAT_IS_INTEGER(format) ? unpack_integer(format, bits) : unpack_float(bits, layout_of(format));
}

/*
 * Sixteen numbers with one exponent. Each has a sign and a magnitude of 7, 3 or 1 bits; the first bit of the magnitude
 * is worth 2^(exponent - 127). The first number has the lowest bits.
 */
static void put_block(unsigned bits, const double *number, uint8_t *exponent, uint8_t *bytes)
{
    unsigned largest = (1u << (bits - 1)) - 1;
    int most = -126;
    for (unsigned i = 0; i < 16; i++) {
        int power;
        if (number[i] != 0) {
            frexp(number[i], &power);
            most = power - 1 > most ? power - 1 : most;
        }
    }
    *exponent = (uint8_t)(most + 127);
    memset(bytes, 0, bits * 2);
    for (unsigned i = 0; i < 16; i++) {
        unsigned whole = (unsigned)nearbyint(ldexp(fabs(number[i]), (int)bits - 2 - most));
        whole = whole > largest ? largest : whole;
        whole |= whole != 0 && number[i] < 0 ? largest + 1 : 0;
        bytes[i * bits / 8] |= (uint8_t)(whole << i * bits % 8);
    }
}

static void get_block(unsigned bits, uint8_t exponent, const uint8_t *bytes, double *number)
{
    unsigned largest = (1u << (bits - 1)) - 1;
    for (unsigned i = 0; i < 16; i++) {
        unsigned element = (unsigned)bytes[i * bits / 8] >> i * bits % 8;
        double x = ldexp(element & largest, exponent - 127 - ((int)bits - 2));
        number[i] = element & (largest + 1) ? -x : x;
    }
}

void tf_tile_encode(unsigned format, const struct tf_tile_numbers *tile, uint8_t *bytes)
{
    unsigned bits = TF_FORMAT_BITS(format);
    if (!TF_FORMAT_IS_BFP(format))
        for (unsigned i = 0; i < TF_TILE_NUMBERS; i++)
            put_number(format, tile->number[i], bytes + i * bits / 8);
    for (unsigned i = 0; TF_FORMAT_IS_BFP(format) && i < TF_TILE_EXPONENTS; i++)
        put_block(bits, tile->number + i * 16, bytes + i, bytes + TF_TILE_EXPONENTS + i * bits * 2);
}

void tf_tile_decode(unsigned format, const uint8_t *bytes, struct tf_tile_numbers *tile)
{
    unsigned bits = TF_FORMAT_BITS(format);
    if (!TF_FORMAT_IS_BFP(format))
        for (unsigned i = 0; i < TF_TILE_NUMBERS; i++)
            tile->number[i] = get_number(format, bytes + i * bits / 8);
    for (unsigned i = 0; TF_FORMAT_IS_BFP(format) && i < TF_TILE_EXPONENTS; i++)
        get_block(bits, bytes[i], bytes + TF_TILE_EXPONENTS + i * bits * 2, tile->number + i * 16);
}
