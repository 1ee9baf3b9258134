/* SPDX-License-Identifier: Apache-2.0 */
/* Source: Miscellaneous/FMA/README.md of the ISA documentation. Comments below name the differences from IEEE 754. */
#include "tile/riscv/fp/fma.h"

#include <stdbool.h>

#include "tile/float.h"

#define GUARD_BITS 3u /* bits below an FP32 significand: guard, round, sticky */
#define LEADING 26u   /* the leading bit of a significand with the bits below it */
#define INFINITE_EXPONENT 255

/* A finite value is significand * 2^(exponent - 150). The significand of zeros and denormals is 0. */
struct number {
    uint32_t sign; /* TF_FP32_SIGN or 0 */
    int32_t exponent;
    uint32_t significand;
};

static const struct layout {
    uint8_t mantissa_bits;
    int16_t infinite_exponent;
    int16_t rebias;     /* FP32's exponent bias minus the format's */
    uint8_t sign_shift; /* from bit 31 to the format's sign */
    bool truncate;
} layouts[] = {
    [TF_FMA_FP32] = {23, 255, 0, 0, false},
    [TF_FMA_FP16] = {10, 31, 112, 16, false},
    [TF_FMA_BF16_RTZ] = {7, 255, 0, 16, true},
    [TF_FMA_BF16_RTNE] = {7, 255, 0, 16, false},
};

static inline struct number unpack(uint32_t bits)
{
    int32_t exponent = (int32_t)(bits >> 23 & 255);
    return (struct number){bits & TF_FP32_SIGN, exponent, exponent ? (bits & 0x7fffff) | TF_FP32_HIDDEN : 0};
}

static inline bool is_special(struct number v)
{
    return v.exponent == INFINITE_EXPONENT;
}

static inline bool is_infinite(struct number v)
{
    return is_special(v) && v.significand == TF_FP32_HIDDEN;
}

static inline bool is_nan(struct number v)
{
    return is_special(v) && v.significand != TF_FP32_HIDDEN;
}

static inline bool is_signalling(struct number v)
{
    return is_nan(v) && !(v.significand & 0x400000);
}

/* Convert an infinity, a NaN or a zero from FP32 to a format. */
static inline uint32_t narrow_special(uint32_t bits, const struct layout *layout)
{
    return layout->mantissa_bits == 23  ? bits
           : layout->mantissa_bits == 7 ? bits >> 16
                                        : (bits & TF_FP32_SIGN) >> 16 | (bits >> 13 & 0x7e00);
}

/* Results in FP32 for infinite or NaN operands, and for products that overflow. */
static inline uint32_t special(struct number x, struct number y, struct number z, uint32_t product_sign,
                               uint32_t *flags)
{
    bool product_infinite = is_special(x) || is_special(y);
    bool invalid = (is_infinite(x) && y.significand == 0) || (is_infinite(y) && x.significand == 0) ||
                   is_signalling(x) || is_signalling(y) || is_signalling(z);
    if (invalid || is_nan(x) || is_nan(y) || is_nan(z)) {
        *flags |= invalid ? TF_FP_NV : 0;
        return TF_FP32_NAN;
    }
    if (is_special(z)) {
        if (product_infinite && z.sign != product_sign) {
            *flags |= TF_FP_NV;
            return TF_FP32_NAN;
        }
        return z.sign | TF_FP32_INFINITY;
    }
    if (!product_infinite) {
        *flags |= TF_FP_OF | TF_FP_NX;
    }
    return product_sign | TF_FP32_INFINITY;
}

/*
 * Shift right; bits shifted out make the lowest bit sticky. If all bits are shifted out, no sticky bit remains: in this
 * case the hardware is not fused.
 */
static inline uint32_t align(uint32_t significand, uint32_t amount, bool *lost)
{
    uint32_t kept = amount < 32 ? significand >> amount : 0;
    bool left = amount < 32 ? kept << amount != significand : significand != 0;
    *lost |= left;
    return kept | (left && kept);
}

static inline uint32_t shift_sticky(uint32_t significand, uint32_t amount)
{
    if (amount >= 32) {
        return significand != 0;
    }
    uint32_t kept = significand >> amount;
    return kept | (kept << amount != significand);
}

/*
 * Round and assemble. The leading one of significand is bit LEADING, and exponent that of an FP32. A result below the
 * normal range is rounded as a denormal, and flushed if it still is one. For FP32's exponent range hardware always
 * shifts by one.
 */
static inline uint32_t assemble(uint32_t sign, int32_t exponent, uint32_t significand, bool lost,
                                const struct layout *layout, uint32_t *flags)
{
    unsigned bits = layout->mantissa_bits;
    uint32_t infinity = (uint32_t)layout->infinite_exponent << bits;
    exponent -= layout->rebias;
    sign >>= layout->sign_shift;
    if (exponent >= layout->infinite_exponent) {
        *flags |= TF_FP_OF | TF_FP_NX;
        return sign | infinity;
    }
    if (exponent <= 0) {
        significand = shift_sticky(significand, layout->rebias ? (uint32_t)(1 - exponent) : 1);
        exponent = 0;
    }
    unsigned drop = LEADING - bits;
    uint32_t rest = significand & ((1u << drop) - 1);
    uint32_t half = 1u << (drop - 1);
    uint32_t result = ((uint32_t)exponent << bits) + (significand >> drop & ((1u << bits) - 1));
    if (!layout->truncate) {
        result += rest > half || (rest == half && (result & 1));
    }
    if (result >> bits == 0) {
        *flags |= TF_FP_UF | TF_FP_NX;
        return sign;
    }
    if (result >= infinity) {
        *flags |= TF_FP_OF;
    }
    if (rest || lost) {
        *flags |= TF_FP_NX;
    }
    return sign | result;
}

static inline __attribute__((always_inline)) uint32_t fma_as(uint32_t x_bits, uint32_t y_bits, uint32_t z_bits,
                                                             const struct layout *layout, uint32_t *flags)
{
    struct number x = unpack(x_bits);
    struct number y = unpack(y_bits);
    struct number z = unpack(z_bits);

    /* The product loses 23 bits here, so that one or two integer bits and GUARD_BITS remain, the lowest sticky. */
    uint64_t exact = (uint64_t)x.significand * y.significand << GUARD_BITS;
    bool lost = (exact & 0x7fffff) != 0;
    struct number p = {x.sign ^ y.sign, x.exponent + y.exponent - 127, (uint32_t)(exact >> 23) | lost};
    z.significand <<= GUARD_BITS;

    if (is_special(x) || is_special(y) || z.exponent == INFINITE_EXPONENT || p.exponent >= INFINITE_EXPONENT) {
        return narrow_special(special(x, y, unpack(z_bits), p.sign, flags), layout);
    }
    /* A product that underflows by itself is zero. */
    if (p.significand == 0 || p.exponent < 0) {
        *flags |= p.significand ? TF_FP_NX | (z.significand ? 0 : TF_FP_UF) : 0;
        return z.significand ? assemble(z.sign, z.exponent, z.significand, false, layout, flags)
                             : (z.sign & p.sign) >> layout->sign_shift;
    }

    int32_t exponent = p.exponent > z.exponent ? p.exponent : z.exponent;
    p.significand = align(p.significand, (uint32_t)(exponent - p.exponent), &lost);
    z.significand = align(z.significand, (uint32_t)(exponent - z.exponent), &lost);
    uint32_t sign = p.significand >= z.significand ? p.sign : z.sign;
    uint32_t sum = p.sign == z.sign ? p.significand + z.significand
                   : sign == p.sign ? p.significand - z.significand
                                    : z.significand - p.significand;
    if (sum == 0) {
        *flags |= lost ? TF_FP_NX : 0;
        return (z.sign & p.sign) >> layout->sign_shift;
    }
    int top = 31 - __builtin_clz(sum) - (int)LEADING;
    sum = top > 0 ? shift_sticky(sum, (uint32_t)top) : sum << -top;
    return assemble(sign, exponent + top, sum, lost, layout, flags);
}

uint32_t tf_fma(uint32_t x, uint32_t y, uint32_t z, enum tf_fma_format format, uint32_t *flags)
{
    return fma_as(x, y, z, &layouts[format], flags);
}
