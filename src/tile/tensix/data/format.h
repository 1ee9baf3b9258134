/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data formats by the numbers that configuration gives them, and how data lie in L1 (WormholeB0
 * TensixCoprocessor/Unpackers/FormatConversion.md, FloatBitPatterns.md). SrcA's and SrcB's own bit layout is in src.h,
 * that of Dst in dst.h.
 */
#ifndef TILE_TENSIX_DATA_FORMAT_H
#define TILE_TENSIX_DATA_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

/* InDataFormat, OutDataFormat. BFP formats with an `a` have FP16's five bits of exponent, the others BF16's eight. */
enum tf_format {
    TF_FORMAT_FP32 = 0,
    TF_FORMAT_FP16 = 1,
    TF_FORMAT_BFP8A = 2,
    TF_FORMAT_BFP4A = 3,
    TF_FORMAT_TF32 = 4,
    TF_FORMAT_BF16 = 5,
    TF_FORMAT_BFP8 = 6,
    TF_FORMAT_BFP4 = 7,
    TF_FORMAT_INT32 = 8,
    TF_FORMAT_INT16 = 9,
    TF_FORMAT_FP8 = 10, /* e5m2, or e4m3 where LF8_4b_exp is set */
    TF_FORMAT_BFP2A = 11,
    TF_FORMAT_INT8 = 14, /* sign and magnitude, or unsigned */
    TF_FORMAT_BFP2 = 15,
    TF_FORMATS = 16, /* 12 and 13 are not formats */
};

#define TF_BFP_BLOCK 16u /* data that share an exponent */

struct tf_format_info {
    uint8_t bits;       /* of a datum in L1, without a shared exponent; 0: there is no such format */
    uint8_t shift_left; /* BFP: shift from the datum to sign and seven bits of magnitude */
    bool bfp;
    bool fp16_family; /* five bits of exponent */
};

extern const struct tf_format_info tf_format_info[TF_FORMATS];

/* Bytes of the exponent section before `count` data of a BFP format: one for 16 data, padded to 16 bytes. */
static inline uint32_t tf_format_exponent_bytes(uint64_t count)
{
    return (uint32_t)(((count + TF_BFP_BLOCK - 1) / TF_BFP_BLOCK + 15) & ~15ull);
}

/*
 * A BFP datum, shifted left to sign and magnitude, with its shared exponent, as BF16. A magnitude of zero gives zero or
 * minus infinity; the exponent may wrap (UNPACR_Regular.md, BFP8ToBF16).
 */
static inline uint16_t tf_format_bfp_to_bf16(uint8_t datum, uint8_t exponent)
{
    uint32_t magnitude = datum & 0x7Fu;
    if (magnitude == 0)
        return datum != 0 ? 0xFF80 : 0;
    unsigned zeroes = (unsigned)__builtin_clz(magnitude) - 25;
    return (uint16_t)((datum & 0x80u) << 8 | ((exponent - zeroes) & 0xFF) << 7 | (magnitude << (zeroes + 1) & 0x7E));
}

/* A datum of a BFP format with an `a`, as FP16. False: the exponent does not fit, which is undefined (BFP8aToFP16). */
static inline bool tf_format_bfp_to_fp16(uint8_t datum, uint8_t exponent, uint16_t *value)
{
    uint32_t magnitude = datum & 0x7Fu;
    *value = datum != 0 ? 0xFC00 : 0;
    if (magnitude == 0)
        return true;
    unsigned zeroes = (unsigned)__builtin_clz(magnitude) - 25;
    uint32_t field = (exponent - zeroes) & 0xFF;
    *value = (uint16_t)((datum & 0x80u) << 8 | (field & 0x1F) << 10 | (magnitude << (zeroes + 1) & 0x7E) << 3);
    return field < 32;
}

/* FP8 to FP16: e5m2, or e4m3 with four bits of exponent. All bits set stay all set (ttsim v1.10). */
static inline uint16_t tf_format_fp8_to_fp16(uint8_t datum, bool four_bits)
{
    uint32_t sign = (datum & 0x80u) << 8;
    if ((datum & 0x7F) == 0x7F)
        return (uint16_t)(sign | (four_bits ? 0x5FFF : 0x7FFF));
    if (!four_bits)
        return (uint16_t)(datum << 8);
    uint32_t exponent = datum >> 3 & 15;
    return (uint16_t)(sign | (exponent != 0 ? exponent + 8 : 0) << 10 | (datum & 7u) << 7);
}

/* FP32 to FP16 by truncation. Underflow gives zero; overflow sets all bits below the sign (ttsim v1.10). */
static inline uint16_t tf_format_fp32_to_fp16(uint32_t value)
{
    uint32_t sign = value >> 16 & 0x8000;
    int32_t exponent = (int32_t)(value >> 23 & 0xFF) - 112;
    if (exponent < 0)
        return (uint16_t)sign;
    return (uint16_t)(sign | (exponent > 31 ? 0x7FFF : (uint32_t)exponent << 10 | (value >> 13 & 0x3FF)));
}

#endif
