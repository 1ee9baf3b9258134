/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a packer converts a datum between Dst and L1: Packers/FormatConversion.md, ReLU.md and ExponentThresholding.md of
 * WormholeB0. Where the pages leave bits open, and for Blackhole's additions, the source is ttsim v1.10.
 *
 * Between the conversions a datum is FP32, FP16, or an integer. FP32 has eight bits of exponent, and may have low
 * mantissa bits of zero. FP16 has five bits of exponent.
 */
#ifndef TILE_TENSIX_PACK_FORMAT_H
#define TILE_TENSIX_PACK_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/data/format.h"

/* The early conversion; the number is the width of the view of Dst. */
enum tf_pack_early {
    TF_EARLY_NONE, /* from L1 or from nowhere */
    TF_EARLY_32_AS_IS,
    TF_EARLY_32_TF32,
    TF_EARLY_32_BF16,
    TF_EARLY_32_BF16_CUT,
    TF_EARLY_32_E8M6,
    TF_EARLY_32_FP16, /* to TF32; it becomes FP16 after ReLU */
    TF_EARLY_32_INT16,
    TF_EARLY_32_INT8,
    TF_EARLY_32_INT8_CUT,
    TF_EARLY_32_UINT8,
    TF_EARLY_32_UINT8_CUT,
    TF_EARLY_16_BF16,
    TF_EARLY_16_BF16_AS_IS,
    TF_EARLY_16_E8M6,
    TF_EARLY_16_BF16_FP16, /* Dst has BF16 */
    TF_EARLY_16_FP16,
    TF_EARLY_16_FP16_AS_IS,
    TF_EARLY_16_E5M7_CUT,
    TF_EARLY_16_E5M6,
    TF_EARLY_16_FP8_CUT,
    TF_EARLY_16_INT16,
    TF_EARLY_16_INT8,
};

/* The late conversion, to the 32, 16 or 8 bits of L1, or to the input of shared exponents. */
enum tf_pack_late {
    TF_LATE_AS_IS,       /* the low bits */
    TF_LATE_E8_BF16,     /* data that lose no bits of mantissa */
    TF_LATE_E8_BF16_CUT, /* data that may lose some: denormals are flushed */
    TF_LATE_E8_FP16,
    TF_LATE_E8_E5M2,
    TF_LATE_E8_E4M3,
    TF_LATE_E8_E5M7,
    TF_LATE_E5_FP32,
    TF_LATE_E5_BF16_CUT,
    TF_LATE_E5_E5M2,
    TF_LATE_E5_E5M2_CUT,
    TF_LATE_E5_E4M3,
    TF_LATE_E5_E5M7,
    TF_LATE_E5_E5M7_CUT,
};

/* Kinds of numbers between the conversions. */
enum tf_pack_kind { TF_PACK_E8, TF_PACK_E5, TF_PACK_INT32, TF_PACK_INT16, TF_PACK_INT8 };

/* PCK_DEST_RD_CTRL, ALU_FORMAT_SPEC and the packer's own formats. */
struct tf_pack_modes {
    uint8_t intermediate, late_from, late_to;
    bool wide, raw, is_unsigned, round_10b, exponent_4b;
    uint8_t relu; /* STACC_RELU_ApplyRelu, two bits */
    uint16_t relu_threshold;
    uint8_t descale_shift;
    bool exponent_threshold_on;
    uint8_t exponent_threshold;
    bool from_l1; /* L1 or /dev/null: no early conversion, no ReLU */
};

/* A pair of conversions, with the steps between them. */
struct tf_pack_format {
    uint8_t early;     /* enum tf_pack_early */
    uint8_t late;      /* enum tf_pack_late */
    uint8_t kind;      /* enum tf_pack_kind after the early conversion, until ReLU */
    uint8_t late_kind; /* input of the late conversion */
    uint8_t relu;
    uint8_t descale_shift;
    uint8_t bits; /* of a datum in L1 */
    bool bfp;
    bool early_rounds; /* Gasket_srnd_en applies; of the late conversions, only those to BFP formats round */
    bool exponent_threshold_on;
    uint8_t exponent_threshold;
    uint32_t relu_threshold; /* as the datum is */
};

/* Finds the conversions for the modes. Returns NULL, or the reason why there are none. */
const char *tf_pack_format(const struct tf_pack_modes *modes, struct tf_pack_format *format);

/*
 * The early conversion of a datum as stored in Dst, 32 or 16 bits. `taken` is TF_ROUND_TO_NEAREST or a number of a
 * generator (rounding.h).
 */
uint32_t tf_pack_early(const struct tf_pack_format *format, uint32_t stored, uint32_t taken);

/* The minus infinity that edge masks put in the place of a datum. */
uint32_t tf_pack_minus_infinity(const struct tf_pack_format *format);

/* ReLU, and the rest of the early half; not for data from L1. */
uint32_t tf_pack_relu(const struct tf_pack_format *format, uint32_t datum);

/* d.Exponent of ExponentHistogram.md, for a result of tf_pack_relu(). */
uint32_t tf_pack_exponent(const struct tf_pack_format *format, uint32_t datum);

/* The exponent threshold and the late conversion. */
uint32_t tf_pack_late(const struct tf_pack_format *format, uint32_t datum);

/*
 * Gives sixteen data a shared exponent, and returns it. value[]: results of the late conversion. Each becomes `bits`
 * bits, from the low bits of out[] on: 16, 8 or 4 bytes. Rounds to nearest, or each by a generator.
 */
uint8_t tf_pack_shared(unsigned bits, const uint16_t value[TF_BFP_BLOCK], uint32_t *generators, uint8_t *out);

#endif
