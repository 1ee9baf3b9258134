/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in the chip's formats: every bit pattern of the narrow ones, against the units' own conversions. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "random_group.h"
#include "tile/tensix/data/format.h"
#include "tile/tensix/unpack/rows.h"
#include "tile/tensix/unpack/datum.h"
#include "tilefarm/tilefarm_numbers.h"

#define TILE 1024u

static int format(const char *name)
{
    int number = tf_format_find(name);
    assert_true(number >= 0);
    return number;
}

static float as_float(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static double decode(const char *name, uint32_t bits)
{
    double x;
    assert_int_equal(tf_numbers_decode(format(name), &bits, 1, &x), TF_OK);
    return x;
}

static uint32_t encode(const char *name, double x)
{
    uint32_t bits = 0;
    assert_int_equal(tf_numbers_encode(format(name), &x, 1, &bits), TF_OK);
    return bits;
}

/* The BF16 or FP16 number that an unpacker makes of a datum, from SrcA's layout. */
static uint32_t unpacked(enum tf_unpack_kind kind, uint32_t datum, uint8_t exponent)
{
    uint32_t value;
    bool fp16 = kind == TF_UNPACK_FP8_E5M2 || kind == TF_UNPACK_FP8_E4M3;
    assert_true(tf_unpack_datum(kind, datum, exponent, &value));
    return (value >> 3 & 0x8000) |
           (fp16 ? (value & 0x1F) << 10 | (value >> 8 & 0x3FF) : (value & 0xFF) << 7 | (value >> 11 & 0x7F));
}

static void test_names(void **state)
{
    (void)state;
    assert_int_equal(format("bf16"), TF_FORMAT_BF16);
    assert_int_equal(format("fp8_e4m3"), 16 + TF_FORMAT_FP8);
    assert_int_equal(tf_format_find("bf17"), TF_EINVAL);
    unsigned count = 0;
    while (tf_format_name(count) != NULL)
        count++;
    assert_int_equal(count, 12);
    assert_int_equal(tf_format_bytes(format("tf32"), 3), 12);
    assert_int_equal(tf_format_bytes(format("bfp4"), 2 * TILE), 2 * 576);
    assert_int_equal(tf_format_bytes(format("bfp4"), TILE + 16), 0);
    assert_int_equal(tf_format_bytes(12, 16), 0);
    double x[16] = {0};
    uint8_t bytes[64];
    assert_int_equal(tf_numbers_encode(format("bfp2"), x, 16, bytes), TF_EINVAL);
    assert_int_equal(tf_numbers_decode(99, bytes, 1, x), TF_EINVAL);
}

/* Each pattern that is no denormal and no NaN comes back, and those of 8 exponent bits have IEEE's meaning. */
static void test_patterns(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned bits, mantissa;
    } narrow[] = {{"bf16", 16, 7}, {"fp16", 16, 10}, {"fp8", 8, 2}, {"fp8_e4m3", 8, 3}};
    for (size_t k = 0; k < sizeof narrow / sizeof narrow[0]; k++)
        for (uint32_t bits = 0; bits < 1u << narrow[k].bits; bits++) {
            double x = decode(narrow[k].name, bits);
            bool denormal = (bits << 1 & ((1u << narrow[k].bits) - 1)) >> (narrow[k].mantissa + 1) == 0 &&
                            (bits & ((1u << narrow[k].mantissa) - 1)) != 0;
            if (k == 0 && !isnan(x))
                assert_true(x == (double)as_float(bits << 16));
            if (k == 0 && isnan(x))
                assert_true(isnan(as_float(bits << 16)));
            if (isnan(x))
                assert_true(isnan(decode(narrow[k].name, encode(narrow[k].name, x))));
            else if (!denormal)
                assert_int_equal(encode(narrow[k].name, x), bits);
            else
                assert_true(decode(narrow[k].name, encode(narrow[k].name, x)) == 0);
        }
    /* The unpackers' conversion of fp8 to fp16; all bits set is a case of its own there. */
    for (uint32_t bits = 0; bits < 256; bits++)
        if ((bits & 0x7F) != 0x7F && (bits >> 3 & 15) != 0 && (bits >> 2 & 31) != 0) {
            assert_true(decode("fp8", bits) == decode("fp16", unpacked(TF_UNPACK_FP8_E5M2, bits, 0)));
            assert_true(decode("fp8_e4m3", bits) == decode("fp16", unpacked(TF_UNPACK_FP8_E4M3, bits, 0)));
        }
}

static void test_limits(void **state)
{
    (void)state;
    assert_int_equal(encode("fp32", 1.0), 0x3F800000);
    assert_int_equal(encode("tf32", 1 + 0x1p-10), 0x3F802000);
    assert_int_equal(encode("tf32", 1 + 0x1p-11), 0x3F800000); /* a tie, to even */
    assert_int_equal(encode("bf16", 1.9999), 0x4000);          /* rounded up to the next power of two */
    assert_int_equal(encode("fp8", -0.9999), 0xBC);
    assert_int_equal(encode("bf16", 1e39), 0x7F80);
    assert_int_equal(encode("fp32", -INFINITY), 0xFF800000);
    assert_int_equal(encode("fp16", 1e9), 0x7FFF);
    assert_true(decode("fp16", 0x7FFF) == 131008);
    assert_int_equal(encode("fp8", -INFINITY), 0xFF);
    assert_int_equal(encode("int8", -127), 0xFF);
    assert_int_equal(encode("int32", -1), 0x80000001);
    assert_int_equal(encode("uint16", 65535), 0xFFFF);
    static const struct {
        const char *name;
        double x;
    } refused[] = {{"fp16", NAN}, {"int8", 128}, {"int8", NAN}, {"uint16", -1}, {"int32", 2147483648.0}};
    for (size_t k = 0; k < sizeof refused / sizeof refused[0]; k++) {
        uint32_t bits;
        assert_int_equal(tf_numbers_encode(format(refused[k].name), &refused[k].x, 1, &bits), TF_ERANGE);
    }
}

/* The number of a format that is nearest to x: by its exponent range and the bits of its mantissa. */
static double nearest(double x, int exponent_bits, int mantissa_bits, bool infinities)
{
    int bias = (1 << (exponent_bits - 1)) - 1, power;
    frexp(x, &power);
    double unit = ldexp(1, power - 1 - mantissa_bits), rounded = nearbyint(x / unit) * unit;
    double most = ldexp(2 - ldexp(1, -mantissa_bits), bias + (infinities ? 0 : 1));
    if (fabs(rounded) < ldexp(1, 1 - bias))
        return copysign(0, x);
    return fabs(rounded) <= most ? rounded : copysign(infinities ? (double)INFINITY : most, x);
}

/* Random doubles of all magnitudes that matter, many of them ties or next to one. */
static void test_rounding(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int exponent_bits, mantissa_bits;
        bool infinities;
    } formats[] = {{"fp32", 8, 23, true},  {"tf32", 8, 10, true}, {"bf16", 8, 7, true},
                   {"fp16", 5, 10, false}, {"fp8", 5, 2, false},  {"fp8_e4m3", 4, 3, false}};
    for (unsigned i = 0; i < 60000; i++) {
        unsigned k = i % 6, range = 2u << formats[k].exponent_bits;
        uint64_t mantissa = (uint64_t)random_word() << 32 | random_word();
        if (i % 4 != 0) /* a tie in half of the cases, and its neighbours */
            mantissa = (mantissa << (63 - formats[k].mantissa_bits)) + (random_word() % 3 - 1ull) * 0x1000;
        double x = ldexp((double)(mantissa >> 12 | 1ull << 52), (int)(random_word() % range) - (int)range / 2 - 52);
        x = random_word() & 1 ? -x : x;
        double got = decode(formats[k].name, encode(formats[k].name, x));
        double expected = nearest(x, formats[k].exponent_bits, formats[k].mantissa_bits, formats[k].infinities);
        assert_true(got == expected && signbit(got) == signbit(expected));
    }
}

/* A block's exponent at both ends of its range: what is too large becomes the largest number. */
static void test_ends_of_blocks(void **state)
{
    (void)state;
    static double x[TILE], decoded[TILE];
    static uint8_t bytes[1088];
    int number = format("bfp8");
    x[0] = 1e300;
    x[16] = -INFINITY;
    x[17] = 1;
    x[32] = 0x1p-126;
    assert_int_equal(tf_numbers_encode(number, x, TILE, bytes), TF_OK);
    assert_int_equal(tf_numbers_decode(number, bytes, TILE, decoded), TF_OK);
    assert_int_equal(bytes[0], 255);
    assert_true(decoded[0] == ldexp(127, 128 - 6) && decoded[16] == -ldexp(127, 128 - 6) && decoded[17] == 0);
    assert_int_equal(bytes[2], 1);
    assert_true(decoded[32] == 0x1p-126);
}

/* Blocks of random data against what the unpackers make of them. */
static void test_blocks(void **state)
{
    static const char *const names[] = {"bfp8", "bfp4", "bfp2"};
    static const enum tf_unpack_kind kinds[] = {TF_UNPACK_BFP8, TF_UNPACK_BFP4, TF_UNPACK_BFP2};
    (void)state;
    for (unsigned k = 0; k < 3; k++) {
        static uint8_t bytes[2 * 1088], encoded[2 * 1088];
        static double x[2 * TILE];
        int number = format(names[k]);
        unsigned bits = tf_format_info[number].bits, tile = (unsigned)tf_format_bytes(number, TILE);
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)random_word();
        for (size_t i = 0; i < sizeof bytes; i++) /* exponents that do not leave bf16's range */
            bytes[i] = i % tile < 64 ? (uint8_t)(64 + bytes[i] % 128) : bytes[i];
        assert_int_equal(tf_numbers_decode(number, bytes, 2 * TILE, x), TF_OK);
        for (unsigned i = 0; i < 2 * TILE; i++) {
            const uint8_t *at = bytes + i / TILE * tile;
            unsigned in = i % TILE, datum = at[64 + in * bits / 8] >> in * bits % 8 & ((1u << bits) - 1);
            assert_true(x[i] == (double)as_float(unpacked(kinds[k], datum, at[in / 16]) << 16));
        }
        for (unsigned i = 0; i < 2 * TILE; i++)
            x[i] = isinf(x[i]) ? 1.5 : x[i];
        assert_int_equal(tf_numbers_encode(number, x, 2 * TILE, encoded), TF_OK);
        static double decoded[2 * TILE];
        assert_int_equal(tf_numbers_decode(number, encoded, 2 * TILE, decoded), TF_OK);
        for (unsigned block = 0; block < 2 * TILE; block += 16) {
            double most = 0;
            for (unsigned i = block; i < block + 16; i++)
                most = fabs(x[i]) > most ? fabs(x[i]) : most;
            for (unsigned i = block; i < block + 16; i++)
                assert_true(fabs(decoded[i] - x[i]) <= most * ldexp(1, 1 - (int)bits));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),    cmocka_unit_test(test_patterns),       cmocka_unit_test(test_limits),
        cmocka_unit_test(test_rounding), cmocka_unit_test(test_ends_of_blocks), cmocka_unit_test(test_blocks),
    };
    return cmocka_run_group_tests(tests, random_group, NULL);
}
