/* SPDX-License-Identifier: Apache-2.0 */
#include "tilefarm/tilefarm_numbers.h"

#include <math.h>
#include <string.h>

#include "tile/float.h"
#include "tile/tensix/data/format.h"

#define FP8_E4M3 (16 + TF_FORMAT_FP8)
#define TILE_NUMBERS 1024u

/* A format with a sign, an exponent and a mantissa, at the top of `bits`. */
struct layout {
    int exponent_bits, mantissa_bits;
    bool infinities; /* infinities and NaNs */
};

static const struct {
    const char *name;
    int number;
    struct layout layout; /* only for formats that are neither integers nor bfp */
} formats[] = {
    {"fp32", TF_FORMAT_FP32, {8, 23, true}}, {"tf32", TF_FORMAT_TF32, {8, 10, true}},
    {"bf16", TF_FORMAT_BF16, {8, 7, true}},  {"fp16", TF_FORMAT_FP16, {5, 10, false}},
    {"fp8", TF_FORMAT_FP8, {5, 2, false}},   {"fp8_e4m3", FP8_E4M3, {4, 3, false}},
    {"bfp8", TF_FORMAT_BFP8, {0}},           {"bfp4", TF_FORMAT_BFP4, {0}},
    {"bfp2", TF_FORMAT_BFP2, {0}},           {"int32", TF_FORMAT_INT32, {0}},
    {"uint16", TF_FORMAT_INT16, {0}},        {"int8", TF_FORMAT_INT8, {0}},
};

#define COUNT (sizeof formats / sizeof formats[0])

const char *tf_format_name(unsigned index)
{
    return index < COUNT ? formats[index].name : NULL;
}

int tf_format_find(const char *name)
{
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(formats[i].name, name) == 0)
            return formats[i].number;
    return TF_EINVAL;
}

/* Returns false if there is no such format. */
static bool find_layout(int format, struct layout *layout)
{
    for (size_t i = 0; i < COUNT; i++)
        if (formats[i].number == format) {
            *layout = formats[i].layout;
            return true;
        }
    return false;
}

static const struct tf_format_info *info_of(int format)
{
    return &tf_format_info[format & (TF_FORMATS - 1)];
}

size_t tf_format_bytes(int format, size_t count)
{
    struct layout layout;
    if (!find_layout(format, &layout))
        return 0;
    const struct tf_format_info *info = info_of(format);
    if (info->bfp && count % TILE_NUMBERS != 0)
        return 0;
    return count / 8 * info->bits + count % 8 * info->bits / 8 + (info->bfp ? count / TF_BFP_BLOCK : 0);
}

/* These functions work on the bits of doubles: frexp(), nearbyint() and ldexp() take several times as long. */
#define FRACTION_BITS 52
#define BIAS 1023
#define SIGN (1ull << 63)
#define INFINITE ((uint64_t)(2 * BIAS + 1) << FRACTION_BITS) /* as a magnitude; NaNs are above it */

/* 2^exponent, from -1022 to 1023. */
static double power_of_two(int exponent)
{
    return tf_double_of((uint64_t)(exponent + BIAS) << FRACTION_BITS);
}

/* The nearest integer, ties to even, of a number that is not negative. A number above 2^52 gives a result above
   2^51. */
static double nearest(double x)
{
    return x + 0x1p52 - 0x1p52;
}

static int bias_of(const struct layout *layout)
{
    return (1 << (layout->exponent_bits - 1)) - 1;
}

/* A number that is too small becomes 0. */
static bool pack_float(double x, const struct layout *layout, uint32_t *bits)
{
    const int dropped = FRACTION_BITS - layout->mantissa_bits;
    const uint32_t all = (1u << (layout->exponent_bits + layout->mantissa_bits)) - 1,
                   leading = 1u << layout->mantissa_bits;
    const uint32_t largest = layout->infinities ? all + 1 - leading : all; /* the infinity, or the largest number */
    const uint64_t magnitude = tf_double_bits(x) & ~SIGN;
    uint32_t sign = (uint32_t)(tf_double_bits(x) >> 63) * (all + 1);
    if (magnitude > INFINITE) {
        *bits = sign | largest | leading >> 1;
        return layout->infinities;
    }
    /* Exponent and mantissa, rounded to even. A carry goes to the exponent. */
    int64_t rounded = (int64_t)((magnitude + (1ull << (dropped - 1)) - 1 + (magnitude >> dropped & 1)) >> dropped);
    rounded -= (int64_t)(BIAS - bias_of(layout)) << layout->mantissa_bits;
    *bits = sign | (rounded < (int64_t)leading ? 0 : rounded > (int64_t)largest ? largest : (uint32_t)rounded);
    return true;
}

static double unpack_float(uint32_t bits, const struct layout *layout)
{
    const uint32_t sign = bits >> (layout->exponent_bits + layout->mantissa_bits) & 1,
                   leading = 1u << layout->mantissa_bits;
    const uint32_t magnitude = bits & ((leading << layout->exponent_bits) - 1);
    const uint32_t infinity = (leading << layout->exponent_bits) - leading;
    uint64_t x = ((uint64_t)magnitude << (FRACTION_BITS - layout->mantissa_bits)) +
                 ((uint64_t)(BIAS - bias_of(layout)) << FRACTION_BITS);
    if (magnitude < leading)
        x = tf_double_bits(magnitude * power_of_two(1 - bias_of(layout) - layout->mantissa_bits));
    else if (layout->infinities && magnitude >= infinity)
        x = tf_double_bits(magnitude > infinity ? (double)NAN : (double)INFINITY);
    return tf_double_of(x | (uint64_t)sign << 63);
}

static bool pack_integer(int format, double x, uint32_t *bits)
{
    uint32_t sign = format == TF_FORMAT_INT16 ? 0 : 1u << (info_of(format)->bits - 1);
    double magnitude = nearest(fabs(x)), most = sign != 0 ? sign - 1 : UINT16_MAX;
    if (!(magnitude <= most) || (x < 0 && magnitude != 0 && sign == 0))
        return false;
    *bits = (uint32_t)magnitude | (x < 0 && magnitude != 0 ? sign : 0);
    return true;
}

static double unpack_integer(int format, uint32_t bits)
{
    uint32_t sign = format == TF_FORMAT_INT16 ? 0 : 1u << (info_of(format)->bits - 1);
    return bits & sign ? -(double)(bits & ~sign) : (double)bits;
}

/*
 * Sixteen numbers with one exponent. Each has a sign and a magnitude of 7, 3 or 1 bits; the first bit of the magnitude
 * is worth 2^(exponent - 127). The first number has the lowest bits. A magnitude of 0 with a sign is minus infinity.
 */
static bool put_block(unsigned bits, const double *number, uint8_t *exponent, uint8_t *bytes)
{
    unsigned largest = (1u << (bits - 1)) - 1;
    int most = -126;
    for (unsigned i = 0; i < TF_BFP_BLOCK; i++) {
        uint64_t magnitude = tf_double_bits(number[i]) & ~SIGN;
        if (magnitude > INFINITE)
            return false;
        int power = (int)(magnitude >> FRACTION_BITS) - BIAS;
        most = power > most ? power : most;
    }
    most = most > 128 ? 128 : most;
    *exponent = (uint8_t)(most + 127);
    memset(bytes, 0, (size_t)bits * 2);
    const double scale = power_of_two((int)bits - 2 - most);
    for (unsigned i = 0; i < TF_BFP_BLOCK; i++) {
        double magnitude = nearest(fabs(number[i]) * scale);
        unsigned whole = magnitude > largest ? largest : (unsigned)magnitude;
        whole |= whole != 0 && number[i] < 0 ? largest + 1 : 0;
        bytes[i * bits / 8] |= (uint8_t)(whole << i * bits % 8);
    }
    return true;
}

static void get_block(unsigned bits, uint8_t exponent, const uint8_t *bytes, double *number)
{
    unsigned largest = (1u << (bits - 1)) - 1;
    const double unit = power_of_two(exponent - 127 - ((int)bits - 2));
    for (unsigned i = 0; i < TF_BFP_BLOCK; i++) {
        unsigned element = (unsigned)bytes[i * bits / 8] >> i * bits % 8;
        double x = (element & largest) * unit;
        if ((element & largest) == 0 && (element & (largest + 1)) != 0)
            x = INFINITY;
        number[i] = element & (largest + 1) ? -x : x;
    }
}

/* Read a number of so many bits. The three sizes are constants here, so that each is a single load. */
static uint32_t load_number(const uint8_t *at, unsigned bits)
{
    uint32_t word;
    uint16_t half;
    if (bits == 32) {
        memcpy(&word, at, sizeof word);
        return word;
    }
    if (bits != 16)
        return *at;
    memcpy(&half, at, sizeof half);
    return half;
}

static void store_number(uint8_t *at, unsigned bits, uint32_t word)
{
    uint16_t half = (uint16_t)word;
    if (bits == 32)
        memcpy(at, &word, sizeof word);
    else if (bits == 16)
        memcpy(at, &half, sizeof half);
    else
        *at = (uint8_t)word;
}

/* The number of unused bits below a number. tf32 uses the high bits of its word. */
static unsigned low_bits(int format)
{
    return format == TF_FORMAT_TF32 ? 13 : 0;
}

static int encode_tile(unsigned bits, const double *numbers, uint8_t *bytes)
{
    uint8_t *data = bytes + TILE_NUMBERS / TF_BFP_BLOCK;
    for (size_t i = 0; i < TILE_NUMBERS / TF_BFP_BLOCK; i++)
        if (!put_block(bits, numbers + i * TF_BFP_BLOCK, bytes + i, data + i * bits * 2))
            return TF_ERANGE;
    return TF_OK;
}

int tf_numbers_encode(int format, const double *numbers, size_t count, void *bytes)
{
    struct layout layout;
    if (count != 0 && tf_format_bytes(format, count) == 0)
        return TF_EINVAL;
    if (!find_layout(format, &layout))
        return TF_EINVAL;
    const struct tf_format_info *info = info_of(format);
    uint8_t *to = bytes;
    int error = TF_OK;
    for (size_t i = 0; info->bfp && i < count && error == TF_OK; i += TILE_NUMBERS)
        error = encode_tile(info->bits, numbers + i, to + tf_format_bytes(format, i));
    for (size_t i = 0; !info->bfp && i < count; i++) {
        uint32_t number;
        bool has = layout.exponent_bits != 0 ? pack_float(numbers[i], &layout, &number)
                                             : pack_integer(format, numbers[i], &number);
        if (!has)
            return TF_ERANGE;
        store_number(to + i * info->bits / 8, info->bits, number << low_bits(format));
    }
    return error;
}

int tf_numbers_decode(int format, const void *bytes, size_t count, double *numbers)
{
    struct layout layout;
    if (count != 0 && tf_format_bytes(format, count) == 0)
        return TF_EINVAL;
    if (!find_layout(format, &layout))
        return TF_EINVAL;
    const struct tf_format_info *info = info_of(format);
    const uint8_t *from = bytes;
    for (size_t i = 0; info->bfp && i < count; i += TF_BFP_BLOCK) {
        const uint8_t *tile = from + tf_format_bytes(format, i / TILE_NUMBERS * TILE_NUMBERS);
        size_t block = i % TILE_NUMBERS / TF_BFP_BLOCK;
        get_block(info->bits, tile[block], tile + TILE_NUMBERS / TF_BFP_BLOCK + block * info->bits * 2, numbers + i);
    }
    for (size_t i = 0; !info->bfp && i < count; i++) {
        uint32_t number = load_number(from + i * info->bits / 8, info->bits) >> low_bits(format);
        numbers[i] = layout.exponent_bits != 0 ? unpack_float(number, &layout) : unpack_integer(format, number);
    }
    return TF_OK;
}
