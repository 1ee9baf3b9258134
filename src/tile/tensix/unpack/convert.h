/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conversions of the unpackers for vectors of TF_VECTOR_LANES data, which the includer defines: rows of the kernels,
 * and single data as one lane. Results have the bit layout of SrcA and SrcB: sign 18, mantissa 17:8, exponent 7:0. It
 * is part of kernels.h and datum.c.
 */
#include <stdint.h>
#include <string.h>

#include "tile/tensix/data/dst.h"
#include "tile/tensix/unpack/rows.h"

#define INLINE static inline __attribute__((always_inline))

typedef uint32_t vu __attribute__((vector_size(4 * TF_VECTOR_LANES)));
typedef int32_t vi __attribute__((vector_size(4 * TF_VECTOR_LANES)));
typedef float vf __attribute__((vector_size(4 * TF_VECTOR_LANES)));
typedef uint16_t vh __attribute__((vector_size(2 * TF_VECTOR_LANES)));

INLINE vu choose(vi mask, vu yes, vu no)
{
    return ((vu)mask & yes) | (~(vu)mask & no);
}

#define DATUM vu
#define ELEMENT uint32_t
#define SIGNED vi
#define STEP(name) datum_##name
#define CHOOSE(condition, a, b) choose(condition, a, b)
#include "tile/tensix/data/convert.h"
#include "tile/tensix/data/convert_end.h"

/* From 16 bits. */
INLINE vu from_bf16(vu x)
{
    return (x & 0x8000) << 3 | (x & 0x7F) << 11 | (x >> 7 & 0xFF);
}

INLINE vu from_fp16(vu x)
{
    return (x & 0x8000) << 3 | (x & 0x3FF) << 8 | (x >> 10 & 0x1F);
}

/*
 * Sign and magnitude, in 8 bits; a conversion to float finds the leading one. A magnitude of 0 is a zero, or an
 * infinity if its sign is set. Row `matmul-bfp8-hifi2` counts these operations.
 */
INLINE vu from_bfp(vu datum, uint32_t exponent, bool fp16, vu *bad)
{
    const uint32_t fields = fp16 ? 0x1F : 0xFF;
    const vi magnitude = (vi)(datum & 0x7F);
    vf number = __builtin_convertvector(magnitude, vf);
    vu bits;
    memcpy(&bits, &number, sizeof bits);
    /* With one lane, clang 14 gets a comparison of these bits with 0 wrong. */
    vu none = (vu)(magnitude == 0), negative = (vu)((vi)datum > 0x7F);
    vu field = (bits >> 23) + (exponent - 133);
    if (fp16)
        *bad |= ~none & field & 0xE0;
    vu finite = (bits >> 5 & 0x7F << 11) | (field & fields);
    return (negative & (0x40000 | (none & fields))) | (~none & finite);
}

INLINE vu from_e5m2(vu x)
{
    vu value = from_fp16(x << 8);
    return value | choose((x & 0x7F) == 0x7F, (vu){0} + 0x3FF00, (vu){0});
}

INLINE vu from_e4m3(vu x)
{
    vu field = x >> 3 & 15;
    vu value = (x & 0x80) << 11 | (x & 7) << 15 | choose(field != 0, field + 8, (vu){0});
    return value | choose((x & 0x7F) == 0x7F, (vu){0} + 0x3FF00, (vu){0});
}

/* Integer "8" in the place of FP16: exponent 16, or 0 for zero. */
INLINE vu from_int8(vu x, uint32_t sign_bit)
{
    vu sign = x & sign_bit, magnitude = x - sign;
    return sign << 11 | magnitude << 8 | choose(magnitude != 0, (vu){0} + 16, (vu){0});
}

/* `bad` gets a bit other than 0 in each lane whose exponent does not fit FP16. */
INLINE vu convert(enum tf_unpack_kind kind, vu raw, uint32_t exponent, vu *bad)
{
    switch (kind) {
    case TF_UNPACK_FP32_TO_TF32: return raw >> 31 << 18 | (raw >> 13 & 0x3FF) << 8 | (raw >> 23 & 0xFF);
    case TF_UNPACK_FP32_TO_BF16: return from_bf16(choose((raw & 0x7F800000) == 0, raw & 0x80000000u, raw) >> 16);
    case TF_UNPACK_FP32_TO_FP16: return datum_fp32_to_fp16(raw, 18, 0, 8);
    case TF_UNPACK_BF16: return from_bf16(raw);
    case TF_UNPACK_FP16: return from_fp16(raw);
    case TF_UNPACK_INT16: return (raw & 0xFF00) << 3 | (raw & 0xFF);
    case TF_UNPACK_BFP8: return from_bfp(raw, exponent, false, bad);
    case TF_UNPACK_BFP4: return from_bfp(raw << 4, exponent, false, bad);
    case TF_UNPACK_BFP2: return from_bfp(raw << 6, exponent, false, bad);
    case TF_UNPACK_BFP8A: return from_bfp(raw, exponent, true, bad);
    case TF_UNPACK_BFP4A: return from_bfp(raw << 4, exponent, true, bad);
    case TF_UNPACK_BFP2A: return from_bfp(raw << 6, exponent, true, bad);
    case TF_UNPACK_FP8_E5M2: return from_e5m2(raw);
    case TF_UNPACK_FP8_E4M3: return from_e4m3(raw);
    case TF_UNPACK_FP8_HALF: return from_fp16(raw << 8);
    case TF_UNPACK_INT8: return from_int8(raw, 0x80);
    case TF_UNPACK_UINT8: return from_int8(raw, 0);
    default: return TF_DST_SHUFFLE32(raw);
    }
}

/* Data of SrcA or SrcB as Dst keeps 16 bits: with five bits of exponent (`fp16`), else with eight. */
INLINE vu narrowed(vu value, bool fp16)
{
    const uint32_t exponent = fp16 ? 0x1F : 0xFF;
    return (value >> 3 & (0xFFFF - exponent)) | (value & exponent);
}
