/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The multiply-add of the vector unit, lane by lane: Miscellaneous/FMA/README.md of the ISA documentation,
 * fma_model_bh and fma_model_wh; tile/riscv/fp/fma.h does it for one lane.
 */
#ifndef TILE_TENSIX_VECTOR_FMA_H
#define TILE_TENSIX_VECTOR_FMA_H

#include "host/fused.h"
#include "host/lanes.h"
#include "tile/float.h"
#include "tile/tensix/data/lreg.h"

_Static_assert(TF_HOST_LANES == TF_LANES, "PARTS of a register");

/* Wormhole's results have no negative zero. */
INLINE vu positive_zero(vu result)
{
#ifdef TF_SFPU_WORMHOLE
    return (vu)((vf)result + 0.0f); /* -0 + 0 is 0 */
#else
    return result;
#endif
}

struct significand {
    vu exponent, bits; /* bits are 0 for zeros and denormals */
};

INLINE struct significand unpack(vu value)
{
    vu exponent = value >> 23 & 0xFF;
    vm normal = test(value, splat(TF_FP32_INFINITY));
    return (struct significand){exponent, zero_unless(normal, (value & 0x7FFFFF) | TF_FP32_HIDDEN)};
}

#ifndef TF_SFPU_WORMHOLE
/* Results where an operand is infinite or NaN, or the product overflows by itself. */
INLINE vu fma_special(struct significand x, struct significand y, vu z, vu product_sign)
{
    vu full = splat(255), hidden = splat(TF_FP32_HIDDEN), zero = splat(0);
    vm x_full = eq(x.exponent, full), y_full = eq(y.exponent, full);
    vm z_full = eq(z & TF_FP32_INFINITY, splat(TF_FP32_INFINITY));
    vm nan = (x_full & (ne(x.bits, hidden) | eq(y.bits, zero))) | (y_full & (ne(y.bits, hidden) | eq(x.bits, zero))) |
             (z_full & test(z, splat(0x7FFFFF))) | (z_full & (x_full | y_full) & ne(z & TF_FP32_SIGN, product_sign));
    return sel(nan, splat(TF_FP32_NAN), sel(z_full, z, product_sign | TF_FP32_INFINITY));
}
#endif

#ifdef TF_SFPU_WORMHOLE
struct wide {
    uint32_t bits; /* a significand with three bits below FP32's */
    int32_t exponent;
    uint32_t sign;
};

static struct wide shift_wide(struct wide x, int32_t by)
{
    uint32_t kept = by >= 32 ? 0 : x.bits >> by;
    if (kept != 0 && by < 32 && kept << by != x.bits)
        kept |= 1;
    x.bits = kept;
    x.exponent += by;
    return x;
}

/* The magnitude of the sum as FP32, or 0 where it is too small or too large. */
static uint32_t add_wide(struct wide p, struct wide z)
{
    p = shift_wide(p, p.exponent < z.exponent ? z.exponent - p.exponent : 0);
    z = shift_wide(z, z.exponent < p.exponent ? p.exponent - z.exponent : 0);
    uint32_t sum = p.sign == z.sign ? p.bits + z.bits : p.bits >= z.bits ? p.bits - z.bits : z.bits - p.bits;
    if (sum == 0)
        return 0;
    int32_t right = 5 - __builtin_clz(sum), exponent = p.exponent + right;
    if (exponent >= 255 || exponent < 0)
        return 0;
    sum = right <= 0 ? sum << -right : sum >> right | (sum & 1);
    uint32_t result = ((uint32_t)exponent << 23) + (sum >> 3 & 0x7FFFFF);
    result += (sum & 7) + (result & 1) > 4;
    return result >> 23 == 0 ? 0 : result;
}

/* One lane with an operand that is infinite or NaN, or whose product overflows by itself: fma_model_wh. Bits of the sum
   leak into a NaN. */
static uint32_t fma_special_lane(uint32_t x, uint32_t y, uint32_t z)
{
    struct wide p = {.exponent = (int32_t)(x >> 23 & 0xFF) + (int32_t)(y >> 23 & 0xFF) - 127,
                     .sign = (x ^ y) & TF_FP32_SIGN};
    struct wide a = {.exponent = (int32_t)(z >> 23 & 0xFF), .sign = z & TF_FP32_SIGN};
    uint64_t x_bits = x & TF_FP32_INFINITY ? (x & 0x7FFFFF) | TF_FP32_HIDDEN : 0;
    uint64_t y_bits = y & TF_FP32_INFINITY ? (y & 0x7FFFFF) | TF_FP32_HIDDEN : 0, product = x_bits * y_bits;
    bool x_full = (x >> 23 & 0xFF) == 255, y_full = (y >> 23 & 0xFF) == 255, z_full = a.exponent == 255;
    bool z_nan = z_full && (z & 0x7FFFFF) != 0, p_full = x_full || y_full || p.exponent >= 255;
    bool p_nan = (x_full && (x_bits != TF_FP32_HIDDEN || y_bits == 0)) ||
                 (y_full && (y_bits != TF_FP32_HIDDEN || x_bits == 0));
    p.bits = (uint32_t)(product >> 20) | ((product & 0xFFFFF) != 0);
    a.bits = z & TF_FP32_INFINITY ? ((z & 0x7FFFFF) | TF_FP32_HIDDEN) << 3 : 0;
    if (!p_nan && !z_nan && !(z_full && p_full && p.sign != a.sign))
        return z_full ? z : p.sign | TF_FP32_INFINITY;
    if (p.exponent > 255)
        p.exponent = 255;
    if (p.bits == 0 || p.exponent < 0)
        p.bits = 0, p.exponent = 0;
    uint32_t sign = z_nan && !p_nan ? a.sign : p.sign;
    return sign | TF_FP32_INFINITY | 1 | add_wide(p, a);
}

INLINE vu fma_special(vu x, vu y, vu z)
{
    vu result;
    for (unsigned lane = 0; lane < TF_HOST_WIDTH; lane++)
        result[lane] = fma_special_lane(x[lane], y[lane], z[lane]);
    return result;
}
#endif

/*
 * Significands are added with three bits below FP32's. The lowest of the three is sticky, but a significand that is
 * shifted out altogether does not set it. The sum is then shifted up, by at least two places, until its leading one is
 * bit 30. That bit is added to the exponent.
 */
static __attribute__((noinline)) vu fma_by_integers(vu x_bits, vu y_bits, vu z_bits)
{
    struct significand x = unpack(x_bits), y = unpack(y_bits), z = unpack(z_bits);
    vu zero = splat(0), one = splat(1), product_sign = x_bits ^ y_bits;
    vm sticky;
    vu product = multiply(x.bits, y.bits, 20, &sticky);
    product = or_if(sticky, product, one);
    vi exponent = (vi)(x.exponent + y.exponent) - 127;
    vi largest = max(max((vi)x.exponent, (vi)y.exponent), max((vi)z.exponent, exponent));
    vm special = lt((vi)splat(254), largest);
    vu addend = z.bits << 3;

    /* A product that is zero, or underflows by itself, gives the addend. */
    vm some = test(product, product) & m_not(lt(exponent, (vi)zero));
    product = zero_unless(some, product);
    exponent = (vi)zero_unless(some, (vu)exponent);

    vi distance = exponent - (vi)z.exponent;
    vm z_larger = lt(distance, (vi)zero);
    vu large = sel(z_larger, addend, product), small = sel(z_larger, product, addend);
    vu sign = sel(z_larger, z_bits, product_sign);
    vu shift = minu(absolute((vu)distance), splat(31));
    vu kept = small >> shift;
    kept = or_if(ne(kept << shift, small) & test(kept, kept), kept, one);

    vu sum = subtract_or_add(test(product_sign ^ z_bits, splat(TF_FP32_SIGN)), large, kept);
    sign ^= sum;
    sum = absolute(sum);
    vm nothing = eq(sum, zero);
#ifdef TF_SFPU_WORMHOLE
    sum = sel(ltu(splat((4u << 26) - 1), sum), sum & ~2u, sum); /* a sum that is four or more loses a sticky bit */
#endif

    vu zeros = leading_zeros(sum);
    sum <<= zeros - 1;
    exponent = max(exponent, (vi)z.exponent) + 4 - (vi)zeros;
#ifdef TF_SFPU_WORMHOLE
    /* One place below the least exponent, only rounding up to it gives a number. */
    vm below = lt(exponent, (vi)splat(0xFFFFFFFFu));
    exponent = max(exponent, (vi)splat(0xFFFFFFFFu));
    vu result = ((vu)exponent << 23) + ((sum + 0x3F + (sum >> 7 & 1)) >> 7);
    result = minu(result, splat(TF_FP32_INFINITY));
    result = zero_unless(m_not(ltu(result, splat(TF_FP32_HIDDEN)) | nothing | below), result | (sign & TF_FP32_SIGN));
    result = zero_unless(test(result, splat(TF_FP32_INFINITY)), result);
    if (__builtin_expect(m_any(special), 0))
        result = sel(special, fma_special(x_bits, y_bits, z_bits), result);
    return result;
#else
    sum = halve_if(lt(exponent, (vi)zero), sum);
    vu result = ((vu)max(exponent, (vi)zero) << 23) + ((sum + 0x3F + (sum >> 7 & 1)) >> 7);
    result = minu(result, splat(TF_FP32_INFINITY));
    result = zero_unless(m_not(ltu(result, splat(TF_FP32_HIDDEN)) | nothing), result);
    result |= sel(nothing, z_bits & product_sign, sign) & TF_FP32_SIGN;
    if (__builtin_expect(m_any(special), 0))
        result = sel(special, fma_special(x, y, z_bits, product_sign & TF_FP32_SIGN), result);
    return result;
#endif
}

#if TF_HOST_WIDTH == 16
/*
 * The sum of a and b, both rounded to odd at the last place of `unit`: bits below that place set it to one. `unit` is
 * positive and much larger than a and b.
 */
INLINE vf add_odd(vf unit, vf a, vf b)
{
    enum { DOWN = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC, UP = _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC };
    enum { FIRST_OR_BOTH_OTHERS = 0xF8 };
    CONSTANT(one_bits, 1);
    const __m512i one = (__m512i)one_bits;
    __m512i low = (__m512i)_mm512_add_round_ps((__m512)unit, (__m512)a, DOWN);
    __m512i high = (__m512i)_mm512_add_round_ps((__m512)unit, (__m512)a, UP);
    __m512i odd_a = _mm512_ternarylogic_epi32(low, high, one, FIRST_OR_BOTH_OTHERS);
    low = (__m512i)_mm512_sub_round_ps((__m512)b, (__m512)unit, DOWN);
    high = (__m512i)_mm512_sub_round_ps((__m512)b, (__m512)unit, UP);
    __m512i odd_b = _mm512_ternarylogic_epi32(high, low, one, FIRST_OR_BOTH_OTHERS);
    return (vf)odd_a + (vf)odd_b;
}
#elif TF_HOST_WIDTH == 8
/*
 * A sum rounded to odd, from the sum rounded to nearest and the rest that is left of it, which is exact. If the rest is
 * negative, the result lies one place below; if it is not 0, the result is odd.
 */
INLINE vf round_to_odd(vf sum, vf left)
{
    CONSTANT(one, 1);
    return (vf)(((vu)sum + (vu)((vi)left >> 31)) | minu((vu)left, one));
}

INLINE vf add_odd(vf unit, vf a, vf b)
{
    vf with = unit + a, without = unit - b;
    return round_to_odd(with, a - (with - unit)) - round_to_odd(without, (unit - without) - b);
}
#endif

#if TF_HOST_WIDTH > 4
/*
 * Signs, in any lane of some vectors, that results by floating-point numbers may be wrong. They are a number that is
 * not finite, and a possible overflow or underflow. For Wormhole there is one more: a sum whose lowest bits are not all
 * sticky. Denormals matter only beside a factor with an exponent of 0: they are far below all other products.
 */
struct doubt {
    vu least; /* the least exponent of a factor, in place */
    vu most;  /* the largest distance of an exponent from that of 2^-76 */
    vm other;
};

INLINE struct doubt no_doubt(void)
{
    return (struct doubt){.least = splat(0xFFFFFFFF)};
}

INLINE bool is_denormal(vu a)
{
    return m_any(ltu((a << 1) - 1, splat(0x00FFFFFF)));
}

/* Call this with all operands if any_zero_factor() is true. */
INLINE bool are_denormal(vu x, vu y, vu z)
{
    return is_denormal(x) || is_denormal(y) || is_denormal(z);
}

INLINE bool any_zero_factor(const struct doubt *doubt)
{
    return m_any(eq(doubt->least, splat(0)));
}

INLINE bool is_doubtful(const struct doubt *doubt)
{
    CONSTANT(span, 199u << 23); /* up to 2^123 */
    return !m_all(geu(span, doubt->most)) || m_any(doubt->other);
}

/*
 * fma() by the host's floating-point numbers. The unit is the place of the significands' lowest bit, 26 places below
 * the larger exponent. The product equals its nearest number plus a rest. The sum of that number and the addend equals
 * its nearest number plus a rest. Both splits are exact (Dekker, Knuth). The nearest numbers are even multiples of the
 * unit, so sticky bits of product and addend are in the rests. That fails if the addend's exponent is larger by three
 * or more. Then only the product has bits below the unit, and nothing can cancel. So the host's own operation gives the
 * result. An addend below the unit is the whole rest, and sets no sticky bit.
 */
INLINE vu fma_by_floats(vu x, vu y, vu z, struct doubt *doubt)
{
    CONSTANT(exponents, TF_FP32_INFINITY);
    CONSTANT(least, 51u << 23);  /* 2^-76 */
    CONSTANT(third, 0x01400000); /* from a power to 2^-3 * 1.5 of it */
    CONSTANT(below, 27u << 23);  /* to 2^-27 of it */
    vu x_power = x & exponents, y_power = y & exponents, z_power = z & exponents;
    vf product_power = (vf)x_power * (vf)y_power;
    vu power = maxu((vu)product_power, z_power);
    vu factor = minu(x_power, y_power), some = factor | power; /* 0: the product and the addend are zero */
    doubt->least = minu(doubt->least, factor);
    doubt->most = maxu(doubt->most, only_where(power - least, some, some));
    /* Its last place is the unit, and it is above powers that are smaller by three; if both powers are 0, it is above
       0. */
    vf rounder = (vf)(power - third);
    vm has_addend = lt((vi)(power - below), (vi)z_power);

    vf product = (vf)x * (vf)y;
    __asm__("" : "+v"(product)); /* keeps compilers from fusing it with a sum */
    vf product_rest = fused_subtract((vf)x, (vf)y, product);
    vf sum = product + (vf)z;
    vf z_part = sum - product;
    vf sum_rest = (product - (sum - z_part)) + ((vf)z - z_part);
    sum_rest = (vf)zero_unless(has_addend, (vu)sum_rest);
    vf result = sum + add_odd(rounder, product_rest, sum_rest);
    vu sure = sel(geu((vu)product_power, (vu)rounder), (vu)result, (vu)fused_add((vf)x, (vf)y, (vf)z));
#ifdef TF_SFPU_WORMHOLE
    /* Four or more. Where the left side exceeds a signed number, doubt->most is too large already. */
    doubt->other = m_or(doubt->other, lt((vi)(power + ((2u << 23) - 1)), (vi)(sure & ~TF_FP32_SIGN)));
#endif
    return positive_zero(sure);
}

INLINE vu fma_lanes(vu x, vu y, vu z)
{
    struct doubt doubt = no_doubt();
    vu result = fma_by_floats(x, y, z, &doubt);
    if (__builtin_expect(is_doubtful(&doubt) || (any_zero_factor(&doubt) && are_denormal(x, y, z)), 0))
        return fma_by_integers(x, y, z);
    return result;
}
#else
#define fma_lanes fma_by_integers

/* Nothing is in doubt. */
struct doubt {
    bool any;
};

INLINE struct doubt no_doubt(void)
{
    return (struct doubt){false};
}

INLINE bool are_denormal(vu x, vu y, vu z)
{
    (void)x, (void)y, (void)z;
    return false;
}

INLINE bool any_zero_factor(const struct doubt *doubt)
{
    return doubt->any;
}

INLINE bool is_doubtful(const struct doubt *doubt)
{
    return doubt->any;
}

INLINE vu fma_by_floats(vu x, vu y, vu z, struct doubt *doubt)
{
    (void)doubt;
    return fma_by_integers(x, y, z);
}
#endif

#endif
