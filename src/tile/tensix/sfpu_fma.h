/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The multiply-add of the vector unit, lane by lane: Miscellaneous/FMA/README.md of the ISA documentation,
 * fma_model_bh; tile/riscv/fma.h is the same for one lane.
 */
#ifndef TILE_TENSIX_SFPU_FMA_H
#define TILE_TENSIX_SFPU_FMA_H

#include "tile/tensix/sfpu_lanes.h"

#define SIGN 0x80000000u
#define HIDDEN 0x00800000u
#define FP32_INFINITY 0x7F800000u
#define FP32_NAN 0x7FC00000u

struct significand {
    vu exponent, bits; /* bits are 0 for zeros and denormals */
};

INLINE struct significand unpack(vu value)
{
    vu exponent = value >> 23 & 0xFF;
    vm normal = test(value, splat(FP32_INFINITY));
    return (struct significand){exponent, zero_unless(normal, (value & 0x7FFFFF) | HIDDEN)};
}

/* Results where an operand is infinite or NaN, or the product overflows by itself. */
INLINE vu fma_special(struct significand x, struct significand y, vu z, vu product_sign)
{
    vu full = splat(255), hidden = splat(HIDDEN), zero = splat(0);
    vm x_full = eq(x.exponent, full), y_full = eq(y.exponent, full);
    vm z_full = eq(z & FP32_INFINITY, splat(FP32_INFINITY));
    vm nan = (x_full & (ne(x.bits, hidden) | eq(y.bits, zero))) | (y_full & (ne(y.bits, hidden) | eq(x.bits, zero))) |
             (z_full & test(z, splat(0x7FFFFF))) |
             (z_full & (x_full | y_full) & ne(z & SIGN, product_sign));
    return sel(nan, splat(FP32_NAN), sel(z_full, z, product_sign | FP32_INFINITY));
}

/*
 * Significands are added with three bits below FP32's, of which the lowest is sticky; one that is shifted out
 * altogether makes nothing sticky. The sum is then normalized with its leading one in bit 30, which is at least two
 * places up, and becomes part of the exponent.
 */
INLINE vu fma_lanes(vu x_bits, vu y_bits, vu z_bits)
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

    /* A product that is zero, or underflows by itself, leaves the addend alone. */
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

    vu sum = subtract_or_add(test(product_sign ^ z_bits, splat(SIGN)), large, kept);
    sign ^= sum;
    sum = absolute(sum);
    vm nothing = eq(sum, zero);

    vu zeros = leading_zeros(sum);
    sum <<= zeros - 1;
    exponent = max(exponent, (vi)z.exponent) + 4 - (vi)zeros;
    sum = halve_if(lt(exponent, (vi)zero), sum);
    vu result = ((vu)max(exponent, (vi)zero) << 23) + ((sum + 0x3F + (sum >> 7 & 1)) >> 7);
    result = minu(result, splat(FP32_INFINITY));
    result = zero_unless(m_not(ltu(result, splat(HIDDEN)) | nothing), result);
    result |= sel(nothing, z_bits & product_sign, sign) & SIGN;
    if (__builtin_expect(m_any(special), 0))
        result = sel(special, fma_special(x, y, z_bits, product_sign & SIGN), result);
    return result;
}

#endif
