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

/* The name of a format in texts, as in docs/formats.md; those with five bits of exponent end with an `a`. */
const char *tf_format_text(unsigned format);

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

#endif
