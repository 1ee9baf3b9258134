/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps of a conversion between Dst and L1 (format.h), for one datum or a vector of data. Included by format.c and
 * lanes.h, each with the macros of data/convert.h. `taken` is TF_ROUND_TO_NEAREST or a number of a generator.
 */
#include "tile/tensix/data/convert.h"

/* FP16 in the low bits. */
BODY DATUM STEP(as_fp16)(DATUM x)
{
    return STEP(fp32_to_fp16)(x, 15, 10, 0);
}

/* Rounding turns NaN into infinity (FormatConversion.md, "Rounding"). */
BODY DATUM STEP(without_nan)(DATUM x)
{
    DATUM infinity = (x & TF_FP32_SIGN) | TF_FP32_INFINITY;
    return CHOOSE(BELOW(EACH(TF_FP32_INFINITY), x & ~TF_FP32_SIGN), infinity, x);
}

BODY DATUM STEP(flush_fp32)(DATUM x)
{
    return CHOOSE((x & TF_FP32_INFINITY) == 0, EACH(0), x);
}

/* Rounds a mantissa of 23 bits to the bits from `shift` on. Zero and infinity stay. */
BODY DATUM STEP(round_mantissa)(DATUM x, unsigned shift, DATUM taken)
{
    DATUM magnitude = x & ~TF_FP32_SIGN, lost = x & ((1u << shift) - 1);
    DATUM rounded = x - lost + CHOOSE(BELOW(lost, taken >> (23 - shift)), EACH(0), EACH(1u << shift));
    return CHOOSE((magnitude == 0) | BELOW(EACH(TF_FP32_INFINITY - 1), magnitude), x, rounded);
}

/* A result that is a denormal becomes plus zero. */
BODY DATUM STEP(round_at)(DATUM x, unsigned shift, DATUM taken)
{
    return STEP(flush_fp32)(STEP(round_mantissa)(STEP(without_nan)(x), shift, taken));
}

/* Shifts right by 1 to 31, and rounds. Zero stays. */
BODY DATUM STEP(move_right)(DATUM magnitude, DATUM shift, DATUM taken)
{
    DATUM fraction = magnitude << (32 - shift) >> 9;
    return (magnitude >> shift) + CHOOSE(BELOW(fraction, taken) | (magnitude == 0), EACH(0), EACH(1));
}

/* INT_DESCALE of INT32's magnitude, saturated. */
BODY DATUM STEP(descale)(const struct tf_pack_format *format, DATUM magnitude, uint32_t most, DATUM taken)
{
    if (format->descale_shift != 0)
        magnitude = STEP(move_right)(magnitude, EACH(format->descale_shift), taken);
    return CHOOSE(BELOW(EACH(most), magnitude), EACH(most), magnitude);
}

BODY DATUM STEP(early_wide)(const struct tf_pack_format *format, DATUM stored, DATUM taken)
{
    DATUM x = TF_DST_UNSHUFFLE(stored, 16);
    switch (format->early) {
    case TF_EARLY_32_TF32:
    case TF_EARLY_32_FP16: return STEP(round_at)(x, 13, taken);
    case TF_EARLY_32_BF16: return STEP(round_at)(x, 16, taken);
    case TF_EARLY_32_BF16_CUT: return x & 0xFFFF0000u;
    case TF_EARLY_32_E8M6: return STEP(round_at)(x, 17, taken);
    case TF_EARLY_32_INT16: return stored >> 16;
    case TF_EARLY_32_INT8: return x >> 31 << 7 | STEP(descale)(format, x & ~TF_FP32_SIGN, 127, taken);
    case TF_EARLY_32_INT8_CUT: return x >> 31 << 7 | (x & 0x7F);
    case TF_EARLY_32_UINT8: return STEP(descale)(format, STEP(positive)(x, x), 255, taken);
    case TF_EARLY_32_UINT8_CUT: return x & 0xFF;
    default: return x;
    }
}

/* A denormal is flushed before BFP8's rounding of BF16, and after it elsewhere. */
BODY DATUM STEP(early_bf16)(unsigned early, DATUM stored, DATUM taken)
{
    DATUM x = TF_DST_UNSHUFFLE(stored, 0);
    switch (early) {
    case TF_EARLY_16_BF16_AS_IS: return x << 16;
    case TF_EARLY_16_E8M6: return STEP(round_mantissa)(STEP(flush_bf16)(x) << 16, 17, taken);
    case TF_EARLY_16_BF16_FP16: return STEP(as_fp16)(x << 16);
    default: return STEP(flush_bf16)(x) << 16;
    }
}

/* The largest number does not round up. A mantissa of 10 bits is the upper part of 23 bits. */
BODY DATUM STEP(round_fp16)(DATUM x, DATUM taken)
{
    DATUM magnitude = x & 0x7FFF;
    DATUM rounded = (x & 0x8000) | STEP(round_mantissa)(magnitude << 13, 17, taken) >> 13;
    return CHOOSE(BELOW(magnitude, EACH(0x7FF0)), rounded, x & 0xFFF0);
}

BODY DATUM STEP(early_fp16)(unsigned early, DATUM stored, DATUM taken)
{
    DATUM x = TF_DST_UNSHUFFLE_FP16(stored);
    switch (early) {
    case TF_EARLY_16_FP16_AS_IS: return x;
    case TF_EARLY_16_E5M7_CUT: return x & ~7u;
    case TF_EARLY_16_FP8_CUT: return x & ~0xFFu;
    case TF_EARLY_16_E5M6: return STEP(flush_fp16)(STEP(round_fp16)(x, taken));
    default: return STEP(flush_fp16)(x);
    }
}

BODY DATUM STEP(early)(const struct tf_pack_format *format, DATUM stored, DATUM taken)
{
    switch (format->early) {
    case TF_EARLY_NONE: return stored;
    case TF_EARLY_16_BF16:
    case TF_EARLY_16_BF16_AS_IS:
    case TF_EARLY_16_E8M6:
    case TF_EARLY_16_BF16_FP16: return STEP(early_bf16)(format->early, stored, taken);
    case TF_EARLY_16_FP16:
    case TF_EARLY_16_FP16_AS_IS:
    case TF_EARLY_16_E5M7_CUT:
    case TF_EARLY_16_E5M6:
    case TF_EARLY_16_FP8_CUT: return STEP(early_fp16)(format->early, stored, taken);
    case TF_EARLY_16_INT16: return stored & 0xFFFF;
    case TF_EARLY_16_INT8: return stored >> 8 & 0x80;
    default: return STEP(early_wide)(format, stored, taken);
    }
}

/* FP32 is compared in TF32's bits. */
BODY DATUM STEP(relu)(const struct tf_pack_format *format, DATUM x)
{
    static const uint8_t sign_bit[] = {
        [TF_PACK_E8] = 31, [TF_PACK_E5] = 15, [TF_PACK_INT32] = 31, [TF_PACK_INT16] = 15, [TF_PACK_INT8] = 7,
    };
    if (format->relu != 0) {
        uint32_t threshold = format->relu_threshold;
        unsigned ignored = format->kind == TF_PACK_E8 ? 13 : 0;
        x = STEP(positive)(x, x << (31 - sign_bit[format->kind]));
        if (format->relu == 2)
            x = CHOOSE(BELOW(EACH(threshold), x), x, EACH(0));
        if (format->relu == 3)
            x = CHOOSE(BELOW(EACH(threshold >> ignored), x >> ignored), EACH(threshold), x);
    }
    return format->early == TF_EARLY_32_FP16 ? STEP(as_fp16)(x) : x;
}

BODY DATUM STEP(exponent)(unsigned kind, DATUM x)
{
    switch (kind) {
    case TF_PACK_E8:
    case TF_PACK_INT32: return x >> 23 & 0xFF;
    case TF_PACK_E5: return x >> 10 & 0x1F;
    case TF_PACK_INT16: return x & 0xFF;
    default: return EACH(0); /* unspecified for INT8 */
    }
}

/* Zero exponents are kept or flushed. */
BODY DATUM STEP(late_e5)(unsigned late, DATUM x)
{
    DATUM sign = x & 0x8000, magnitude = x & 0x7FFF;
    switch (late) {
    case TF_LATE_E5_FP32: return sign << 16 | (magnitude + CHOOSE((x & 0x7C00) == 0, EACH(0), EACH(112u << 10))) << 13;
    case TF_LATE_E5_BF16_CUT: return CHOOSE((x & 0x7C00) == 0, EACH(0), sign | (magnitude + (112u << 10)) >> 3);
    case TF_LATE_E5_E5M2: return x >> 8;
    case TF_LATE_E5_E5M2_CUT: return CHOOSE((x & 0x7C00) == 0, sign >> 8, x >> 8);
    case TF_LATE_E5_E4M3: return STEP(fp16_to_e4m3)(x);
    case TF_LATE_E5_E5M7: return sign | magnitude >> 3;
    default: /* TF_LATE_E5_E5M7_CUT */ return CHOOSE((x & 0x7C00) == 0, EACH(0), sign | magnitude >> 3);
    }
}

BODY DATUM STEP(late)(const struct tf_pack_format *format, DATUM x)
{
    if (format->exponent_threshold_on)
        x = CHOOSE(BELOW(STEP(exponent)(format->late_kind, x), EACH(format->exponent_threshold)), EACH(0), x);
    switch (format->late) {
    case TF_LATE_AS_IS: return x;
    case TF_LATE_E8_BF16: return x >> 16;
    case TF_LATE_E8_BF16_CUT: return STEP(flush_fp32)(x) >> 16;
    case TF_LATE_E8_FP16: return STEP(as_fp16)(x);
    case TF_LATE_E8_E5M2: return STEP(as_fp16)(x) >> 8;
    case TF_LATE_E8_E4M3: return STEP(fp16_to_e4m3)(STEP(as_fp16)(x));
    case TF_LATE_E8_E5M7: return STEP(late_e5)(TF_LATE_E5_E5M7, STEP(as_fp16)(x));
    default: return STEP(late_e5)(format->late, x);
    }
}

/* Sign and magnitude relative to the shared exponent, in `bits` bits; exponent 255 is not special. */
BODY DATUM STEP(share)(unsigned bits, DATUM value, uint32_t shared, DATUM taken)
{
    DATUM shift = EACH(shared + 1)
    -(value >> 7 & 0xFF);
    shift = CHOOSE(BELOW(shift, EACH(31)), shift, EACH(31)); /* eight bits: nothing is left */
    return STEP(block_datum)(bits, value, STEP(move_right)(STEP(block_magnitude)(value), shift, taken));
}
