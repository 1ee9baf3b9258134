/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data of 32 bits in vectors of TF_VECTOR_LANES lanes, which the includer defines. One body of a conversion serves
 * every width: single data are vectors of one lane. It is part of files that convert data.
 */
#define INLINE static inline __attribute__((always_inline))

typedef uint32_t vu __attribute__((vector_size(4 * TF_VECTOR_LANES)));
typedef int32_t vi __attribute__((vector_size(4 * TF_VECTOR_LANES)));
typedef float vf __attribute__((vector_size(4 * TF_VECTOR_LANES)));
typedef uint16_t vh __attribute__((vector_size(2 * TF_VECTOR_LANES)));

INLINE vu choose(vi mask, vu yes, vu no)
{
    return ((vu)mask & yes) | (~(vu)mask & no);
}

/* FP32 cut to FP16, whose parts begin at these bits. Underflow gives zero; overflow sets all bits below the sign (ttsim
   v1.10). */
INLINE vu fp32_to_fp16(vu x, unsigned sign, unsigned exponent, unsigned mantissa)
{
    const uint32_t largest = 0x1Fu << exponent | 0x3FFu << mantissa;
    vu field = x >> 23 & 0xFF;
    vu value = (field - 112) << exponent | (x >> 13 & 0x3FF) << mantissa;
    value = choose((vi)field > 143, (vu){0} + largest, value);
    return x >> 31 << sign | choose((vi)field < 112, (vu){0}, value);
}
