/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The multiply-add of Wormhole's vector unit for one lane: Miscellaneous/FMA/README.md of the ISA documentation,
 * fma_model_wh. It differs from Blackhole's: it flushes to positive zero, and lets bits of the sum leak into a NaN. It
 * drops a sticky bit of sums of four or more.
 */
#ifndef TESTS_UNIT_TENSIX_FMA_WORMHOLE_H
#define TESTS_UNIT_TENSIX_FMA_WORMHOLE_H

#include <stdbool.h>
#include <stdint.h>

struct fma_term {
    uint64_t bits; /* three of them below FP32's */
    int exponent;
    uint32_t sign;
};

static inline uint64_t fma_significand(uint32_t x)
{
    return (x >> 23 & 255) == 0 ? 0 : (x & 0x7FFFFF) | 0x800000;
}

/* Bits that leave set the lowest one, if others stay. */
static inline void fma_align(struct fma_term *term, int exponent)
{
    int by = exponent - term->exponent;
    uint64_t kept = by >= 32 ? 0 : term->bits >> by;
    term->bits = kept | (kept != 0 && kept << by != term->bits);
}

/* Rounds a sum that is not zero. Too small: nothing, or the NaN. */
static inline uint32_t fma_round(uint64_t sum, int exponent, uint32_t sign, uint32_t nan)
{
    while (sum < 1u << 26) {
        sum <<= 1;
        exponent--;
    }
    unsigned right = sum >= 1u << 28 ? 2 : sum >= 1u << 27;
    exponent += (int)right;
    sum = sum >> right | (right != 0 && (sum & 1));
    if (exponent >= 255)
        return nan != 0 ? nan : sign | 0x7F800000;
    if (exponent < 0)
        return nan;
    uint32_t result = ((uint32_t)exponent << 23) + ((uint32_t)sum >> 3 & 0x7FFFFF);
    result += (sum & 7) + (result & 1) > 4;
    return result < 0x800000 ? nan : (nan != 0 ? nan : sign) | result;
}

static inline uint32_t fma_wormhole(uint32_t x, uint32_t y, uint32_t z)
{
    int ex = x >> 23 & 255, ey = y >> 23 & 255, ez = z >> 23 & 255;
    uint64_t product = fma_significand(x) * fma_significand(y);
    struct fma_term p = {product >> 20 | ((product & 0xFFFFF) != 0), ex + ey - 127, (x ^ y) & 0x80000000};
    struct fma_term a = {fma_significand(z) << 3, ez, z & 0x80000000};
    bool p_nan = (ex == 255 && ((x & 0x7FFFFF) != 0 || ey == 0)) || (ey == 255 && ((y & 0x7FFFFF) != 0 || ex == 0));
    bool p_infinite = ex == 255 || ey == 255 || p.exponent >= 255, z_nan = ez == 255 && (z & 0x7FFFFF) != 0;
    uint32_t nan = 0;
    if (p_nan || (ez == 255 && !z_nan && p_infinite && a.sign != p.sign))
        nan = p.sign | 0x7F800001;
    else if (z_nan)
        nan = a.sign | 0x7F800001;
    else if (ez == 255)
        return z;
    else if (p_infinite)
        return p.sign | 0x7F800000;
    if (nan == 0 && (p.bits == 0 || p.exponent < 0))
        return a.bits != 0 ? z : 0;
    if (p.bits == 0 || p.exponent < 0)
        p.bits = 0, p.exponent = 0;
    p.exponent = p.exponent > 255 ? 255 : p.exponent;
    int exponent = p.exponent > a.exponent ? p.exponent : a.exponent;
    fma_align(&p, exponent);
    fma_align(&a, exponent);
    bool product_larger = p.bits >= a.bits;
    uint64_t sum = p.sign == a.sign ? p.bits + a.bits : product_larger ? p.bits - a.bits : a.bits - p.bits;
    return sum == 0 ? nan : fma_round(sum, exponent, product_larger ? p.sign : a.sign, nan);
}

#endif
