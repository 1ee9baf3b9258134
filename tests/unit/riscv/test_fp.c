/* SPDX-License-Identifier: Apache-2.0 */
/*
 * F and Zfh against arithmetic of the host, in float and double, where the two must agree. Where the hardware differs,
 * values were computed by hand from Miscellaneous/FMA/README.md.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fma.h"
#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/ids.h"
#include "tile/riscv/fp/fp.h"
#include "random_group.h"

#define NX TF_FP_NX
#define UF TF_FP_UF
#define OF TF_FP_OF
#define NV TF_FP_NV

#define INF 0x7f800000u
#define QNAN 0x7fc00000u
#undef SNAN /* math.h has one of its own */
#define SNAN 0x7f800001u
#define MAX 0x7f7fffffu
#define MINUS 0x80000000u
#define ONE 0x3f800000u

static float as_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t as_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* An operand that is often special, near one, or a number with few bits. */
static uint32_t random_single(void)
{
    static const uint32_t corners[] = {0, INF, QNAN, SNAN, 1, 0x7fffff, 0x800000, MAX, ONE, 0x3f800001, 0x3f7fffff};
    uint32_t word = random_word();
    uint32_t kind = random_word();
    switch (kind & 3) {
    case 0: return corners[(kind >> 2) % 11] | (word & MINUS);
    case 1: return (word & 0x807fffff) | (100 + (kind >> 2) % 60) << 23;
    case 2: return (word & 0x80000000) | (120 + (kind >> 2) % 16) << 23 | (0x7fffff & ~0u << (kind >> 8) % 24);
    default: return word;
    }
}

static uint32_t flush(uint32_t a)
{
    return a & 0x7f800000 ? a : a & MINUS;
}

static bool nan_bits(uint32_t a)
{
    return (a & ~MINUS) > INF;
}

static void test_add_and_multiply_like_the_host(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 1000000; i++) {
        uint32_t a = random_single();
        uint32_t b = i % 8 ? random_single() : (a ^ (i & 8 ? MINUS : 0)) + i % 5;
        volatile float x = as_float(flush(a));
        volatile float y = as_float(flush(b));
        volatile float sum = x + y;
        volatile float difference = x - y;
        volatile float product = x * y;
        uint32_t flags = 0;
        assert_int_equal(tf_fadd_s(a, b, &flags), isnan(sum) ? QNAN : flush(as_bits(sum)));
        assert_int_equal(tf_fsub_s(a, b, &flags), isnan(difference) ? QNAN : flush(as_bits(difference)));
        /* A product that is under the normal range before rounding is zero. */
        bool under = (int)(a >> 23 & 255) + (int)(b >> 23 & 255) < 127 && !isnan(product);
        uint32_t want = isnan(product) ? QNAN : flush(as_bits(product));
        assert_int_equal(tf_fmul_s(a, b, &flags), under ? want & MINUS : want);
    }
}

struct fma_case {
    uint32_t x, y, z, result, flags;
};

static void test_fma_by_hand(void **state)
{
    (void)state;
    static const struct fma_case cases[] = {
        {0x40000000, 0x40400000, 0x40800000, 0x41200000, 0},  /* 2 * 3 + 4 */
        {0x3f800001, 0x3f800001, 0xbf800002, 0x32800000, NX}, /* 2^-46 if fused; the sticky bit is 2^-26 */
        {0x7f000000, 0x40000000, MAX | MINUS, INF, OF | NX},  /* the product alone overflows */
        {0x7f000000, 0x40000000, INF | MINUS, INF | MINUS, 0},
        {0x7f400000, 0x3fc00000, 0xff000000, 0x7f200000, 0}, /* it does not overflow: 2.25 - 1, times 2^127 */
        {0x7f000000, 0x3fffffff, 0x7f000000, INF, OF | NX},
        {0x0d800000, 0x0d800000, ONE, ONE, NX}, /* the product alone underflows */
        {0x0d800000, 0x8d800000, 0, 0, NX | UF},
        {0x0d800000, 0x8d800000, MINUS, MINUS, NX | UF},
        {ONE, ONE, 0x2b800000, ONE, NX},         /* 2^-40 is lost */
        {ONE, ONE, 0xa7800000, ONE, NX},         /* and so is -2^-48, wholly shifted out */
        {0x00800000, 0x3f000000, 0, 0, NX | UF}, /* denormal result */
        {0x80800000, 0x3f000000, 0, MINUS, NX | UF},
        {0x00800000, 0x3f7fffff, 0, 0x00800000, NX}, /* rounds up to the normal range */
        /* This is just over half of the least normal number, but the hardware shifts a denormal only once. */
        {0x20000800, 0x1f800800, 0x80800800, 0x80800000, NX},
        {0x00000001, 0x7f000000, 0, 0, 0}, /* denormal operands are zeros */
        {ONE, 0x007fffff, 0x80000001, 0, 0},
        {ONE, 0x807fffff, 0x80000001, MINUS, 0},
        {ONE, 0x007fffff, 0x40000000, 0x40000000, 0},
        {ONE, ONE, 0xbf800000, 0, 0},
        {INF, 0, ONE, QNAN, NV},
        {0x00000001, INF, ONE, QNAN, NV},
        {INF, ONE, INF | MINUS, QNAN, NV},
        {INF, ONE, INF, INF, 0},
        {INF, 0xbf800000, MAX, INF | MINUS, 0},
        {MAX, ONE, INF | MINUS, INF | MINUS, 0},
        {QNAN | MINUS, ONE, ONE, QNAN, 0},
        {ONE, ONE, 0x7fffffff, QNAN, 0},
        {SNAN, ONE, ONE, QNAN, NV},
        {ONE, SNAN, ONE, QNAN, NV},
        {ONE, ONE, SNAN, QNAN, NV},
        {INF, 0, QNAN, QNAN, NV},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct fma_case *c = &cases[i];
        uint32_t flags = 0;
        uint32_t result = tf_fma(c->x, c->y, c->z, TF_FMA_FP32, &flags);
        if (result != c->result || flags != c->flags) {
            fail_msg("%08x * %08x + %08x: %08x flags %02x, not %08x %02x", c->x, c->y, c->z, result, flags, c->result,
                     c->flags);
        }
        assert_int_equal(test_fma_fp32(c->x, c->y, c->z), c->result);
    }
}

static void test_signs_of_the_fma_family(void **state)
{
    (void)state;
    static const struct {
        unsigned s, h;
        float result;
    } list[] = {
        {TF_RV_FMADD_S, TF_RV_FMADD_H, 10},    {TF_RV_FMSUB_S, TF_RV_FMSUB_H, 2}, {TF_RV_FNMSUB_S, TF_RV_FNMSUB_H, -2},
        {TF_RV_FNMADD_S, TF_RV_FNMADD_H, -10}, {TF_RV_FADD_S, TF_RV_FADD_H, 5},   {TF_RV_FSUB_S, TF_RV_FSUB_H, -1},
        {TF_RV_FMUL_S, TF_RV_FMUL_H, 6},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        uint32_t flags = 0;
        uint32_t s = tf_fp_execute(list[i].s, as_bits(2), as_bits(3), as_bits(4), TF_FP_HALF_FP16, &flags);
        assert_int_equal(s, as_bits(list[i].result));
        uint32_t b = tf_fp_execute(list[i].h, 0xffff4000, 0xffff4040, 0xffff4080, TF_FP_HALF_BF16_RTZ, &flags);
        assert_int_equal(b, 0xffff0000 | as_bits(list[i].result) >> 16);
        uint32_t h = tf_fp_execute(list[i].h, 0xffff4000, 0xffff4200, 0xffff4400, TF_FP_HALF_FP16, &flags);
        uint32_t single = tf_fp_execute(TF_RV_FCVT_S_H, h, 0, 0, TF_FP_HALF_FP16, &flags);
        assert_int_equal(single, as_bits(list[i].result));
        assert_int_equal(flags, 0);
    }
}

static void test_compare_like_the_host(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 300000; i++) {
        uint32_t a = random_single();
        uint32_t b = i % 4 ? random_single() : a ^ (i & 4 ? MINUS : 0);
        volatile float x = as_float(a);
        volatile float y = as_float(b);
        uint32_t flags = 0;
        bool unordered = nan_bits(a) || nan_bits(b);
        bool signalling = (nan_bits(a) && !(a & 0x400000)) || (nan_bits(b) && !(b & 0x400000));
        assert_int_equal(tf_feq_s(a, b, &flags), x == y);
        assert_int_equal(flags, signalling ? NV : 0);
        flags = 0;
        assert_int_equal(tf_flt_s(a, b, &flags), x < y);
        assert_int_equal(flags, unordered ? NV : 0);
        flags = 0;
        assert_int_equal(tf_fle_s(a, b, &flags), x <= y);
        assert_int_equal(flags, unordered ? NV : 0);
        flags = 0;
        uint32_t least = tf_fmin_s(a, b, &flags);
        uint32_t most = tf_fmax_s(a, b, &flags);
        assert_int_equal(flags, signalling ? NV : 0);
        if (nan_bits(a) || nan_bits(b)) {
            uint32_t other = nan_bits(a) ? b : a;
            assert_int_equal(least, nan_bits(other) ? QNAN : other);
            assert_int_equal(most, least);
        } else if (x == y) {
            assert_int_equal(least, a | b);
            assert_int_equal(most, a & b);
        } else {
            assert_int_equal(least, x < y ? a : b);
            assert_int_equal(most, x < y ? b : a);
        }
    }
}

static void test_sign_injection_and_moves(void **state)
{
    (void)state;
    uint32_t flags = 0;
    for (unsigned i = 0; i < 1000; i++) {
        uint32_t a = random_word();
        uint32_t b = random_word();
        assert_int_equal(tf_fp_execute(TF_RV_FSGNJ_S, a, b, 0, TF_FP_HALF_FP16, &flags), (a & ~MINUS) | (b & MINUS));
        assert_int_equal(tf_fp_execute(TF_RV_FSGNJN_S, a, b, 0, TF_FP_HALF_FP16, &flags), (a & ~MINUS) | (~b & MINUS));
        assert_int_equal(tf_fp_execute(TF_RV_FSGNJX_S, a, b, 0, TF_FP_HALF_FP16, &flags), a ^ (b & MINUS));
        assert_int_equal(tf_fp_execute(TF_RV_FMV_X_W, a, b, 0, TF_FP_HALF_FP16, &flags), a);
        assert_int_equal(tf_fp_execute(TF_RV_FMV_W_X, a, b, 0, TF_FP_HALF_FP16, &flags), a);
        assert_int_equal(tf_fp_execute(TF_RV_FMV_X_H, a, b, 0, TF_FP_HALF_FP16, &flags), (uint32_t)(int16_t)a);
        assert_int_equal(tf_fp_execute(TF_RV_FMV_H_X, a, b, 0, TF_FP_HALF_FP16, &flags), 0xffff0000 | a);
        uint32_t ha = a | 0xffff0000;
        uint32_t hb = b | 0xffff0000;
        assert_int_equal(tf_fp_execute(TF_RV_FSGNJ_H, ha, hb, 0, TF_FP_HALF_FP16, &flags),
                         (ha & ~0x8000u) | (hb & 0x8000));
        assert_int_equal(tf_fp_execute(TF_RV_FSGNJN_H, ha, hb, 0, TF_FP_HALF_FP16, &flags),
                         (ha & ~0x8000u) | (~hb & 0x8000));
        assert_int_equal(tf_fp_execute(TF_RV_FSGNJX_H, ha, hb, 0, TF_FP_HALF_FP16, &flags), ha ^ (hb & 0x8000));
    }
    assert_int_equal(flags, 0);
}

static void test_classify(void **state)
{
    (void)state;
    static const uint32_t single[10] = {INF | MINUS, MAX | MINUS, 0x807fffff, MINUS, 0, 1, 0x800000, INF, SNAN, QNAN};
    static const uint32_t fp16[10] = {0xfc00, 0xfbff, 0x83ff, 0x8000, 0, 1, 0x400, 0x7c00, 0x7c01, 0x7e00};
    static const uint32_t bf16[10] = {0xff80, 0xff7f, 0x807f, 0x8000, 0, 1, 0x80, 0x7f80, 0x7f81, 0x7fc0};
    uint32_t flags = 0;
    for (unsigned i = 0; i < 10; i++) {
        assert_int_equal(tf_fclass_s(single[i]), 1u << i);
        assert_int_equal(tf_fp_execute(TF_RV_FCLASS_H, tf_fp_box(fp16[i]), 0, 0, TF_FP_HALF_FP16, &flags), 1u << i);
        assert_int_equal(tf_fp_execute(TF_RV_FCLASS_H, tf_fp_box(bf16[i]), 0, 0, TF_FP_HALF_BF16_RTZ, &flags), 1u << i);
    }
    assert_int_equal(tf_fclass_s(0xffffffff), 1u << 9);
    assert_int_equal(flags, 0);
}

/* An integer of a range from a rounded value, with the exceptions of RISC-V's fcvt. */
static uint32_t to_integer(double value, double low, double high, bool truncate, uint32_t *flags)
{
    double rounded = truncate ? trunc(value) : rint(value);
    if (isnan(value) || rounded < low || rounded > high) {
        *flags = NV;
        rounded = isnan(value) || value > 0 ? high : low;
    } else {
        *flags = rounded != value ? NX : 0;
    }
    return (uint32_t)(int64_t)rounded;
}

static void test_conversions_of_singles(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 500000; i++) {
        uint32_t a = random_single();
        if (i % 2) {
            a = (a & 0x807fffff) | (124 + random_word() % 38) << 23;
        }
        uint32_t want_flags;
        uint32_t flags = 0;
        uint32_t want = to_integer(as_float(a), -2147483648.0, 2147483647.0, false, &want_flags);
        assert_int_equal(tf_fp_execute(TF_RV_FCVT_W_S, a, 0, 0, TF_FP_HALF_FP16, &flags), want);
        assert_int_equal(flags, want_flags);
        flags = 0;
        want = to_integer(as_float(a), 0, 4294967295.0, false, &want_flags);
        assert_int_equal(tf_fp_execute(TF_RV_FCVT_WU_S, a, 0, 0, TF_FP_HALF_FP16, &flags), want);
        assert_int_equal(flags, want_flags);

        uint32_t n = random_word() >> random_word() % 32;
        volatile float from_signed = (float)(int32_t)n;
        volatile float from_unsigned = (float)n;
        flags = 0;
        assert_int_equal(tf_fcvt_s_w(n, &flags), as_bits(from_signed));
        assert_int_equal(flags, (double)from_signed != (double)(int32_t)n ? NX : 0);
        flags = 0;
        assert_int_equal(tf_fcvt_s_wu(n, &flags), as_bits(from_unsigned));
        assert_int_equal(flags, (double)from_unsigned != (double)n ? NX : 0);
    }
}

struct half {
    enum tf_fp_half mode;
    int mantissa_bits, bias, infinite_exponent;
    uint32_t nan;
    bool truncate;
};

static const struct half halves[] = {
    {TF_FP_HALF_FP16, 10, 15, 31, 0x7e00, false},
    {TF_FP_HALF_BF16_RTZ, 7, 127, 255, 0x7fc0, true},
    {TF_FP_HALF_BF16_RTNE, 7, 127, 255, 0x7fc0, false},
};

static double half_value(const struct half *h, uint32_t bits)
{
    int exponent = (int)(bits & 0x7fff) >> h->mantissa_bits;
    int mantissa = (int)(bits & ((1u << h->mantissa_bits) - 1));
    double sign = bits & 0x8000 ? -1 : 1;
    if (exponent == h->infinite_exponent) {
        return mantissa ? NAN : sign * INFINITY;
    }
    if (exponent == 0) {
        return sign * ldexp(mantissa, 1 - h->bias - h->mantissa_bits);
    }
    return sign * ldexp(mantissa + (1 << h->mantissa_bits), exponent - h->bias - h->mantissa_bits);
}

/* Round a double, NaN excluded, to a half; denormals stay. The sign of a zero is that of the double. */
static uint32_t half_bits(const struct half *h, double value)
{
    uint32_t sign = signbit(value) ? 0x8000 : 0;
    uint32_t infinity = (uint32_t)h->infinite_exponent << h->mantissa_bits;
    double magnitude = fabs(value);
    if (magnitude == 0 || isinf(magnitude)) {
        return sign | (magnitude == 0 ? 0 : infinity);
    }
    int exponent;
    frexp(magnitude, &exponent);
    if (exponent < 2 - h->bias) {
        exponent = 2 - h->bias;
    }
    double units = ldexp(magnitude, h->mantissa_bits + 1 - exponent);
    units = h->truncate ? trunc(units) : rint(units);
    /* Units count from 2^(exponent - 1) in steps of the last mantissa bit; carries and denormals fall into place. */
    double bits = units + ldexp(exponent - 2 + h->bias, h->mantissa_bits);
    return sign | (bits >= infinity ? infinity : (uint32_t)bits);
}

static uint32_t half_flush(const struct half *h, uint32_t bits)
{
    return (bits & 0x7fff) >> h->mantissa_bits ? bits : bits & 0x8000;
}

static void test_every_half_converts(void **state)
{
    (void)state;
    for (unsigned m = 0; m < 3; m++) {
        const struct half *h = &halves[m];
        for (uint32_t bits = 0; bits < 0x10000; bits++) {
            double value = half_value(h, bits);
            uint32_t flags = 0;
            uint32_t want_flags;
            uint32_t single = tf_fp_execute(TF_RV_FCVT_S_H, tf_fp_box(bits), 0, 0, h->mode, &flags);
            bool signalling = isnan(value) && !(bits >> (h->mantissa_bits - 1) & 1);
            assert_int_equal(single, isnan(value) ? QNAN : as_bits((float)value));
            assert_int_equal(flags, signalling ? NV : 0);
            flags = 0;
            uint32_t half = tf_fp_execute(TF_RV_FCVT_H_S, single, 0, 0, h->mode, &flags);
            assert_int_equal(half, tf_fp_box(isnan(value) ? h->nan : bits));
            assert_int_equal(flags, 0);
            uint32_t want = to_integer(value, -2147483648.0, 2147483647.0, h->truncate, &want_flags);
            assert_int_equal(tf_fp_execute(TF_RV_FCVT_W_H, tf_fp_box(bits), 0, 0, h->mode, &flags), want);
            assert_int_equal(flags, want_flags);
            flags = 0;
            want = to_integer(value, 0, 4294967295.0, h->truncate, &want_flags);
            assert_int_equal(tf_fp_execute(TF_RV_FCVT_WU_H, tf_fp_box(bits), 0, 0, h->mode, &flags), want);
            assert_int_equal(flags, want_flags);
        }
    }
}

/* Exceptions of rounding `value` to a half with denormals, tininess being seen after rounding. */
static uint32_t narrowing_flags(const struct half *h, double value, uint32_t result)
{
    if (isinf(value)) {
        return 0;
    }
    if ((result & 0x7fff) >> h->mantissa_bits == (uint32_t)h->infinite_exponent) {
        return OF | NX;
    }
    if (half_value(h, result) == value) {
        return 0;
    }
    int exponent;
    double fraction = fabs(frexp(value, &exponent));
    double units = ldexp(fraction, h->mantissa_bits + 1);
    double unbounded = ldexp(h->truncate ? trunc(units) : rint(units), exponent - h->mantissa_bits - 1);
    return NX | (unbounded < ldexp(1, 1 - h->bias) ? UF : 0);
}

static void test_narrowing(void **state)
{
    (void)state;
    for (unsigned m = 0; m < 3; m++) {
        const struct half *h = &halves[m];
        for (unsigned i = 0; i < 400000; i++) {
            uint32_t a = random_single();
            if (i % 4 == 0) { /* near the ends of the range */
                uint32_t low = (uint32_t)(128 - h->bias);
                a = (a & 0x807fffff) |
                    (i % 8 ? low + random_word() % 4 - 2 + (low < 2 ? 2 : 0) : low + 29 + random_word() % 3) << 23;
            }
            if (i % 16 == 1) { /* just below a power of two, and ties */
                a |= 0x7fe000 | (i & 16 ? 0x1000 : 0);
            }
            uint32_t flags = 0;
            uint32_t result = tf_fp_execute(TF_RV_FCVT_H_S, a, 0, 0, h->mode, &flags);
            if (nan_bits(a)) {
                assert_int_equal(result, tf_fp_box(h->nan));
                assert_int_equal(flags, a & 0x400000 ? 0 : NV);
                continue;
            }
            uint32_t want = half_bits(h, as_float(a));
            if (result != tf_fp_box(want) || flags != narrowing_flags(h, as_float(a), want)) {
                fail_msg("mode %u: %08x to %08x flags %02x, not %04x flags %02x", m, a, result, flags, want,
                         narrowing_flags(h, as_float(a), want));
            }
            uint32_t n = random_word() >> random_word() % 32;
            flags = 0;
            want = half_bits(h, (int32_t)n);
            assert_int_equal(tf_fp_execute(TF_RV_FCVT_H_W, n, 0, 0, h->mode, &flags), tf_fp_box(want));
            assert_int_equal(flags, narrowing_flags(h, (int32_t)n, want));
            flags = 0;
            want = half_bits(h, n);
            assert_int_equal(tf_fp_execute(TF_RV_FCVT_H_WU, n, 0, 0, h->mode, &flags), tf_fp_box(want));
            assert_int_equal(flags, narrowing_flags(h, n, want));
        }
    }
}

static uint32_t random_half(const struct half *h)
{
    uint32_t word = random_word();
    if (word >> 28 == 0) {
        return (uint32_t)(word & 0x8000) | (word & 2) |
               (word & 1 ? (uint32_t)h->infinite_exponent << h->mantissa_bits : 0);
    }
    if (h->bias == 127) { /* exponents are so close that no addend is shifted out, which rounding to zero would hide */
        return (word & 0x807f) | (112 + (word >> 16) % 26) << 7;
    }
    return word & 0xffff;
}

/* One rounding of the exact result: sums and products of halves are exact in a double. */
static void test_half_arithmetic(void **state)
{
    (void)state;
    for (unsigned m = 0; m < 3; m++) {
        const struct half *h = &halves[m];
        for (unsigned i = 0; i < 400000; i++) {
            uint32_t a = random_half(h);
            uint32_t b = i % 8 ? random_half(h) : a ^ (i & 8 ? 0x8000 : 0) ^ i % 3;
            double x = half_value(h, half_flush(h, a));
            double y = half_value(h, half_flush(h, b));
            const struct {
                unsigned id;
                double exact;
            } list[] = {{TF_RV_FADD_H, x + y}, {TF_RV_FSUB_H, x - y}, {TF_RV_FMUL_H, x * y}};
            for (unsigned k = 0; k < 3; k++) {
                uint32_t flags = 0;
                uint32_t result = tf_fp_execute(list[k].id, tf_fp_box(a), tf_fp_box(b), 0, h->mode, &flags);
                uint32_t want = isnan(list[k].exact) ? h->nan : half_flush(h, half_bits(h, list[k].exact));
                if (result != tf_fp_box(want)) {
                    fail_msg("mode %u %s %04x %04x: %08x, not %04x", m, tf_rv_info(list[k].id)->mnemonic, a, b, result,
                             want);
                }
                if (!isnan(list[k].exact)) {
                    bool inexact = half_value(h, want) != list[k].exact;
                    assert_int_equal(flags & NX, inexact ? NX : 0);
                    assert_int_equal(flags & OF, inexact && isinf(half_value(h, want)) ? OF : 0);
                    assert_int_equal(flags & UF, inexact && (want & 0x7fff) == 0 ? UF : 0);
                }
            }
        }
    }
}

static void test_half_fma(void **state)
{
    (void)state;
    for (unsigned m = 0; m < 3; m++) {
        const struct half *h = &halves[m];
        for (unsigned i = 0; i < 400000; i++) {
            /* Exponents within 10 of that of one: nothing is shifted out, the result is the exact one rounded once. */
            uint32_t v[3];
            for (unsigned k = 0; k < 3; k++) {
                uint32_t word = random_word();
                uint32_t exponent = (uint32_t)h->bias - 5 + (word >> 16) % 10;
                v[k] = (word & 0x8000) | exponent << h->mantissa_bits | (word & ((1u << h->mantissa_bits) - 1));
            }
            uint32_t flags = 0;
            uint32_t result = tf_fp_execute(TF_RV_FMADD_H, tf_fp_box(v[0]), tf_fp_box(v[1]), tf_fp_box(v[2]), h->mode,
                                            &flags);
            double exact = half_value(h, v[0]) * half_value(h, v[1]) + half_value(h, v[2]);
            assert_int_equal(result, tf_fp_box(half_flush(h, half_bits(h, exact))));
        }
    }
}

static void test_half_comparisons(void **state)
{
    (void)state;
    for (unsigned m = 0; m < 2; m++) {
        const struct half *h = &halves[m];
        for (unsigned i = 0; i < 300000; i++) {
            uint32_t a = random_word() & 0xffff;
            uint32_t b = i % 4 ? random_word() & 0xffff : a ^ (i & 4 ? 0x8000 : 0);
            double x = half_value(h, a);
            double y = half_value(h, b);
            uint32_t flags = 0;
            uint32_t A = tf_fp_box(a);
            uint32_t B = tf_fp_box(b);
            assert_int_equal(tf_fp_execute(TF_RV_FEQ_H, A, B, 0, h->mode, &flags), x == y);
            assert_int_equal(tf_fp_execute(TF_RV_FLT_H, A, B, 0, h->mode, &flags), x < y);
            assert_int_equal(tf_fp_execute(TF_RV_FLE_H, A, B, 0, h->mode, &flags), x <= y);
            assert_int_equal(flags, isnan(x) || isnan(y) ? NV : 0);
            uint32_t least = tf_fp_execute(TF_RV_FMIN_H, A, B, 0, h->mode, &flags);
            uint32_t most = tf_fp_execute(TF_RV_FMAX_H, A, B, 0, h->mode, &flags);
            if (isnan(x) || isnan(y)) {
                uint32_t number = isnan(x) ? B : A;
                assert_int_equal(least, isnan(x) && isnan(y) ? tf_fp_box(h->nan) : number);
                assert_int_equal(most, least);
            } else {
                assert_int_equal(least, x == y ? (A | B) : x < y ? A : B);
                assert_int_equal(most, x == y ? (A & B) : x < y ? B : A);
            }
        }
    }
}

static void test_operands_that_are_not_boxed(void **state)
{
    (void)state;
    uint32_t flags = 0;
    for (unsigned m = 0; m < 3; m++) {
        const struct half *h = &halves[m];
        uint32_t one = tf_fp_box(half_bits(h, 1));
        uint32_t unboxed = half_bits(h, 1);
        assert_int_equal(tf_fp_execute(TF_RV_FADD_H, one, unboxed, 0, h->mode, &flags), tf_fp_box(h->nan));
        assert_int_equal(tf_fp_execute(TF_RV_FMADD_H, one, one, unboxed, h->mode, &flags), tf_fp_box(h->nan));
        assert_int_equal(tf_fp_execute(TF_RV_FSGNJN_H, unboxed, one, 0, h->mode, &flags), tf_fp_box(h->nan | 0x8000));
        assert_int_equal(tf_fp_execute(TF_RV_FMIN_H, unboxed, one, 0, h->mode, &flags), one);
        assert_int_equal(tf_fp_execute(TF_RV_FEQ_H, unboxed, unboxed, 0, h->mode, &flags), 0);
        assert_int_equal(tf_fp_execute(TF_RV_FCLASS_H, unboxed, 0, 0, h->mode, &flags), 1u << 9);
        assert_int_equal(tf_fp_execute(TF_RV_FCVT_S_H, unboxed, 0, 0, h->mode, &flags), QNAN);
        assert_int_equal(flags, 0);
        assert_int_equal(tf_fp_execute(TF_RV_FCVT_W_H, unboxed, 0, 0, h->mode, &flags), 0x7fffffff);
        assert_int_equal(flags, NV);
        flags = 0;
        assert_int_equal(tf_fp_execute(TF_RV_FMV_X_H, unboxed, 0, 0, h->mode, &flags), unboxed);
    }
}

static void test_modes(void **state)
{
    (void)state;
    assert_int_equal(tf_fp_half_of_cfg0(0), TF_FP_HALF_FP16);
    assert_int_equal(tf_fp_half_of_cfg0(0xbfffffff), TF_FP_HALF_FP16);
    assert_int_equal(tf_fp_half_of_cfg0(0x40000000), TF_FP_HALF_BF16_RTZ);
    assert_int_equal(tf_fp_half_of_cfg0(0xc0000000), TF_FP_HALF_BF16_RTNE);
    uint32_t flags = 0;
    assert_int_equal(tf_fp_execute(TF_RV_ADDI, ONE, ONE, ONE, TF_FP_HALF_FP16, &flags), 0);
    assert_int_equal(flags, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_add_and_multiply_like_the_host, random_group),
        cmocka_unit_test(test_fma_by_hand),
        cmocka_unit_test(test_signs_of_the_fma_family),
        cmocka_unit_test_setup(test_compare_like_the_host, random_group),
        cmocka_unit_test_setup(test_sign_injection_and_moves, random_group),
        cmocka_unit_test(test_classify),
        cmocka_unit_test_setup(test_conversions_of_singles, random_group),
        cmocka_unit_test(test_every_half_converts),
        cmocka_unit_test_setup(test_narrowing, random_group),
        cmocka_unit_test_setup(test_half_arithmetic, random_group),
        cmocka_unit_test_setup(test_half_fma, random_group),
        cmocka_unit_test_setup(test_half_comparisons, random_group),
        cmocka_unit_test(test_operands_that_are_not_boxed),
        cmocka_unit_test(test_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
