/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conversions of one datum or of a vector of data. Each file that includes this defines these macros, and includes
 * convert_end.h at the last use:
 *     DATUM                    uint32_t, or a vector of 32 or 16 bits
 *     ELEMENT, SIGNED          an element of it; the type with a sign
 *     STEP(name)               the name of a conversion for this type
 *     CHOOSE(condition, a, b)  a where the condition holds, else b; conditions are results of comparisons
 * A vector of 16 bits holds FP16 and BF16, which lie in the low bits of wider types.
 */
#define BODY static inline __attribute__((always_inline))
#define EACH(value) ((DATUM){0} + (ELEMENT)(value))
#define BELOW(a, b) ((SIGNED)(a) < (SIGNED)(b)) /* both without the highest bit */

/* NaN becomes infinity, a denormal plus zero. */
BODY DATUM STEP(flush_bf16)(DATUM x)
{
    x = CHOOSE((x & 0x7F80) == 0, EACH(0), x);
    return CHOOSE((x & 0x7F80) == 0x7F80, x & 0xFF80, x);
}

BODY DATUM STEP(flush_fp16)(DATUM x)
{
    return CHOOSE((x & 0x7C00) == 0, EACH(0), x);
}

/* Exponents from 9 to 23 stay numbers; zero has none. */
BODY DATUM STEP(fp16_to_e4m3)(DATUM x)
{
    DATUM sign = x >> 8 & 0x80, exponent = x >> 10 & 0x1F;
    DATUM value = CHOOSE(BELOW(exponent, EACH(24)), (exponent - 8) << 3 | (x >> 7 & 7), EACH(0x7F));
    return sign | CHOOSE(BELOW(exponent, EACH(9)), EACH(0), value);
}

/* x where `signs` has the highest bit clear, else zero. */
BODY DATUM STEP(positive)(DATUM x, DATUM signs)
{
    return CHOOSE((SIGNED)signs < 0, EACH(0), x);
}

/* A datum with a shared exponent: the magnitude of a BF16, including the hidden bit. */
BODY DATUM STEP(block_magnitude)(DATUM value)
{
    return (value & 0x7F) | CHOOSE((value >> 7 & 0xFF) == 0, EACH(0), EACH(0x80));
}

/* The magnitude has been shifted and rounded, and is at most 0x80; `bits` bits remain. Minus zero would be
   -infinity. */
BODY DATUM STEP(block_datum)(unsigned bits, DATUM value, DATUM magnitude)
{
    magnitude = (magnitude - (magnitude >> 7)) >> (8 - bits);
    DATUM sign = value >> (16 - bits) & EACH(1u << (bits - 1));
    return magnitude | CHOOSE(magnitude == 0, EACH(0), sign);
}

#ifndef CONVERT_HALVES
/* FP32 cut to FP16, whose parts begin at these bits. Underflow gives zero; overflow sets all bits below the sign (ttsim
   v1.10). */
BODY DATUM STEP(fp32_to_fp16)(DATUM x, unsigned sign, unsigned exponent, unsigned mantissa)
{
    DATUM field = x >> 23 & 0xFF;
    DATUM value = (field - 112) << exponent | (x >> 13 & 0x3FF) << mantissa;
    value = CHOOSE(BELOW(EACH(143), field), EACH(0x1Fu << exponent | 0x3FFu << mantissa), value);
    return x >> 31 << sign | CHOOSE(BELOW(field, EACH(112)), EACH(0), value);
}
#endif
