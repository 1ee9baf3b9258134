/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/pack/format.h"

#include <stddef.h>
#include <string.h>

#include "host/extremes.h"
#include "tile/float.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/rounding.h"

/* Does an intermediate or late format have five bits of exponent? */
static bool is_e5(unsigned format)
{
    return format == TF_FORMAT_FP16 || format == TF_FORMAT_BFP8A || format == TF_FORMAT_FP8;
}

static bool is_e8(unsigned format)
{
    return format == TF_FORMAT_FP32 || format == TF_FORMAT_TF32 || format == TF_FORMAT_BF16 || format == TF_FORMAT_BFP8;
}

/* Bits of mantissa that a late conversion reads; 0: any number. */
static unsigned mantissa_bits(unsigned format)
{
    static const uint8_t bits[TF_FORMATS] = {
        [TF_FORMAT_FP32] = 23, [TF_FORMAT_TF32] = 10, [TF_FORMAT_BF16] = 7, [TF_FORMAT_BFP8] = 7,
        [TF_FORMAT_FP16] = 10, [TF_FORMAT_BFP8A] = 7, [TF_FORMAT_FP8] = 2,
    };
    return bits[format];
}

/* The result of an early conversion: its kind, and its bits of mantissa. */
static const struct {
    uint8_t kind, mantissa_bits;
    bool rounds;
} early_info[] = {
    [TF_EARLY_NONE] = {TF_PACK_E8, 0, false},        [TF_EARLY_32_AS_IS] = {TF_PACK_E8, 23, false},
    [TF_EARLY_32_TF32] = {TF_PACK_E8, 10, true},     [TF_EARLY_32_BF16] = {TF_PACK_E8, 7, true},
    [TF_EARLY_32_BF16_CUT] = {TF_PACK_E8, 7, false}, [TF_EARLY_32_E8M6] = {TF_PACK_E8, 6, true},
    [TF_EARLY_32_FP16] = {TF_PACK_E8, 10, true},     [TF_EARLY_32_INT16] = {TF_PACK_INT16, 0, false},
    [TF_EARLY_32_INT8] = {TF_PACK_INT8, 0, true},    [TF_EARLY_32_INT8_CUT] = {TF_PACK_INT8, 0, false},
    [TF_EARLY_32_UINT8] = {TF_PACK_INT8, 0, true},   [TF_EARLY_32_UINT8_CUT] = {TF_PACK_INT8, 0, false},
    [TF_EARLY_16_BF16] = {TF_PACK_E8, 7, false},     [TF_EARLY_16_BF16_AS_IS] = {TF_PACK_E8, 7, false},
    [TF_EARLY_16_E8M6] = {TF_PACK_E8, 6, true},      [TF_EARLY_16_BF16_FP16] = {TF_PACK_E5, 10, false},
    [TF_EARLY_16_FP16] = {TF_PACK_E5, 10, false},    [TF_EARLY_16_FP16_AS_IS] = {TF_PACK_E5, 10, false},
    [TF_EARLY_16_E5M7_CUT] = {TF_PACK_E5, 7, false}, [TF_EARLY_16_E5M6] = {TF_PACK_E5, 6, true},
    [TF_EARLY_16_FP8_CUT] = {TF_PACK_E5, 2, false},  [TF_EARLY_16_INT16] = {TF_PACK_INT16, 0, false},
    [TF_EARLY_16_INT8] = {TF_PACK_INT8, 0, false},
};

/*
 * Blackhole's early conversion to FP16, with the name of what it comes from as intermediate format. tt-llk configures
 * FP8 so (cpack_common.h: "Gasket converts Float16_b -> Float16 before the packer").
 */
static bool is_fp16_by_late_from(const struct tf_pack_modes *modes)
{
    return modes->round_10b && !modes->raw && is_e8(modes->intermediate) && modes->intermediate != TF_FORMAT_BFP8 &&
           modes->late_from == TF_FORMAT_FP16 && modes->late_to == TF_FORMAT_FP8;
}

/* "Configuring the conversions", from FP32 or INT32. TF_EARLY_NONE: not possible. */
static enum tf_pack_early early_of_wide(const struct tf_pack_modes *modes)
{
    if (is_fp16_by_late_from(modes))
        return TF_EARLY_32_FP16;
    switch (modes->intermediate) {
    case TF_FORMAT_INT32: return TF_EARLY_32_AS_IS;
    case TF_FORMAT_FP32: return modes->round_10b && !modes->raw ? TF_EARLY_32_TF32 : TF_EARLY_32_AS_IS;
    case TF_FORMAT_TF32: return modes->raw ? TF_EARLY_32_AS_IS : TF_EARLY_32_TF32;
    case TF_FORMAT_BF16:
        if (modes->round_10b && modes->late_to == TF_FORMAT_FP16)
            return modes->raw ? TF_EARLY_NONE : TF_EARLY_32_TF32;
        return modes->raw ? TF_EARLY_32_BF16_CUT : TF_EARLY_32_BF16;
    case TF_FORMAT_BFP8: return modes->raw ? TF_EARLY_32_BF16_CUT : TF_EARLY_32_E8M6;
    case TF_FORMAT_FP16: /* Blackhole has it */ return modes->round_10b ? TF_EARLY_32_FP16 : TF_EARLY_NONE;
    case TF_FORMAT_INT16: /* not on the page; in ttsim */ return TF_EARLY_32_INT16;
    case TF_FORMAT_INT8:
        if (modes->is_unsigned)
            return modes->raw ? TF_EARLY_32_UINT8_CUT : TF_EARLY_32_UINT8;
        return modes->raw ? TF_EARLY_32_INT8_CUT : TF_EARLY_32_INT8;
    default: return TF_EARLY_NONE;
    }
}

/* From BF16, FP16 or INT16. */
static enum tf_pack_early early_of_narrow(const struct tf_pack_modes *modes)
{
    bool rounded_tf32 = modes->round_10b && !modes->raw;
    if (is_fp16_by_late_from(modes))
        return TF_EARLY_16_BF16_FP16;
    switch (modes->intermediate) {
    case TF_FORMAT_TF32: return modes->raw ? TF_EARLY_NONE : TF_EARLY_16_BF16;
    case TF_FORMAT_FP32: return rounded_tf32 ? TF_EARLY_16_BF16 : TF_EARLY_NONE;
    case TF_FORMAT_BF16: return modes->raw ? TF_EARLY_16_BF16_AS_IS : TF_EARLY_16_BF16;
    case TF_FORMAT_BFP8: return modes->raw ? TF_EARLY_16_BF16_AS_IS : TF_EARLY_16_E8M6;
    case TF_FORMAT_FP16:
        if (modes->round_10b)
            return modes->late_to == TF_FORMAT_FP8 ? TF_EARLY_16_BF16_FP16 : TF_EARLY_NONE;
        return modes->raw ? TF_EARLY_16_FP16_AS_IS : TF_EARLY_16_FP16;
    case TF_FORMAT_BFP8A: return modes->raw ? TF_EARLY_16_E5M7_CUT : TF_EARLY_16_E5M6;
    case TF_FORMAT_FP8: return modes->raw ? TF_EARLY_16_FP8_CUT : TF_EARLY_NONE;
    case TF_FORMAT_INT16: return TF_EARLY_16_INT16;
    case TF_FORMAT_INT8: return modes->raw && !modes->is_unsigned ? TF_EARLY_16_INT8 : TF_EARLY_NONE;
    default: return TF_EARLY_NONE;
    }
}

static uint8_t kind_of(unsigned format)
{
    if (is_e8(format))
        return TF_PACK_E8;
    if (is_e5(format))
        return TF_PACK_E5;
    return format == TF_FORMAT_INT32 ? TF_PACK_INT32 : format == TF_FORMAT_INT16 ? TF_PACK_INT16 : TF_PACK_INT8;
}

/* Can the late conversion read the result of the early one? 32 bits may be a float or an integer. */
static bool follows(const struct tf_pack_modes *modes, const struct tf_pack_format *format)
{
    if (!is_e8(modes->late_from) && !is_e5(modes->late_from) && modes->late_from != TF_FORMAT_INT32 &&
        modes->late_from != TF_FORMAT_INT16 && modes->late_from != TF_FORMAT_INT8)
        return false;
    if (format->early == TF_EARLY_NONE || modes->intermediate == modes->late_from)
        return true;
    unsigned kind = format->kind;
    if (format->early == TF_EARLY_32_AS_IS && modes->late_from == TF_FORMAT_INT32)
        return true;
    if (kind != kind_of(modes->late_from))
        return false;
    return early_info[format->early].mantissa_bits <= mantissa_bits(modes->late_from);
}

static int late_of_e8(const struct tf_pack_modes *modes)
{
    bool narrow = modes->late_from == TF_FORMAT_BF16 || modes->late_from == TF_FORMAT_BFP8;
    switch (modes->late_to) {
    case TF_FORMAT_FP32: return TF_LATE_AS_IS;
    case TF_FORMAT_TF32: return modes->late_from == TF_FORMAT_FP32 ? -1 : TF_LATE_AS_IS;
    case TF_FORMAT_FP16: return TF_LATE_E8_FP16;
    case TF_FORMAT_FP8: return modes->exponent_4b ? TF_LATE_E8_E4M3 : TF_LATE_E8_E5M2;
    case TF_FORMAT_BF16:
    case TF_FORMAT_BFP8:
    case TF_FORMAT_BFP4:
    case TF_FORMAT_BFP2: return narrow ? TF_LATE_E8_BF16 : TF_LATE_E8_BF16_CUT;
    case TF_FORMAT_BFP8A:
    case TF_FORMAT_BFP4A:
    case TF_FORMAT_BFP2A: return TF_LATE_E8_E5M7;
    default: return -1;
    }
}

static int late_of_e5(const struct tf_pack_modes *modes)
{
    bool narrow = modes->late_from != TF_FORMAT_FP16;
    switch (modes->late_to) {
    case TF_FORMAT_FP32:
    case TF_FORMAT_TF32: return TF_LATE_E5_FP32;
    case TF_FORMAT_FP16: return TF_LATE_AS_IS;
    case TF_FORMAT_FP8:
        if (modes->exponent_4b)
            return TF_LATE_E5_E4M3;
        return modes->late_from == TF_FORMAT_FP8 ? TF_LATE_E5_E5M2 : TF_LATE_E5_E5M2_CUT;
    case TF_FORMAT_BF16:
    case TF_FORMAT_BFP8:
    case TF_FORMAT_BFP4:
    case TF_FORMAT_BFP2:
        return TF_LATE_E5_BF16_CUT; /* ttsim flushes also from BFP8a to BFP8, which the page calls mishandled */
    case TF_FORMAT_BFP8A:
    case TF_FORMAT_BFP4A:
    case TF_FORMAT_BFP2A: return narrow ? TF_LATE_E5_E5M7 : TF_LATE_E5_E5M7_CUT;
    default: return -1;
    }
}

/* -1: there is none. */
static int late_of(const struct tf_pack_modes *modes)
{
    if (is_e8(modes->late_from))
        return late_of_e8(modes);
    if (is_e5(modes->late_from))
        return late_of_e5(modes);
    return modes->late_from == modes->late_to ? TF_LATE_AS_IS : -1;
}

static const char *prepare_relu(const struct tf_pack_modes *modes, struct tf_pack_format *format)
{
    format->relu = modes->relu;
    if (modes->relu == 0)
        return NULL;
    bool is_integer = !is_e8(modes->intermediate) && !is_e5(modes->intermediate);
    if (is_integer && modes->relu != 1)
        return "STACC_RELU_ApplyRelu has a threshold for integers";
    if (modes->relu != 1 && modes->relu_threshold >> 15)
        return "STACC_RELU_ReluThreshold is negative";
    if (is_integer && modes->intermediate == TF_FORMAT_INT8 && modes->is_unsigned)
        format->relu = 0;
    format->relu_threshold = format->kind == TF_PACK_E5 ? modes->relu_threshold : (uint32_t)modes->relu_threshold << 16;
    return NULL;
}

const char *tf_pack_format(const struct tf_pack_modes *modes, struct tf_pack_format *format)
{
    memset(format, 0, sizeof *format);
    if (!modes->from_l1) {
        format->early = modes->wide ? early_of_wide(modes) : early_of_narrow(modes);
        if (format->early == TF_EARLY_NONE)
            return "PCK_DEST_RD_CTRL and the intermediate format select no early format conversion";
        format->kind = early_info[format->early].kind;
    }
    format->late_kind = kind_of(modes->late_from);
    /* A conversion to FP16 after ReLU needs FP16 before it. */
    if (format->early == TF_EARLY_32_FP16 ? modes->late_from != TF_FORMAT_FP16 : !follows(modes, format))
        return "In_data_format does not go with the intermediate format";
    int late = late_of(modes);
    if (late < 0)
        return "there is no late format conversion between In_data_format and Out_data_format";
    const struct tf_format_info *out = &tf_format_info[modes->late_to];
    format->late = (uint8_t)late;
    format->bits = out->bits;
    format->bfp = out->bfp;
    format->descale_shift = modes->descale_shift;
    format->early_rounds = early_info[format->early].rounds;
    format->exponent_threshold = modes->exponent_threshold;
    format->exponent_threshold_on = modes->exponent_threshold_on &&
                                    (format->late_kind == TF_PACK_E8 || format->late_kind == TF_PACK_E5);
    return modes->from_l1 ? NULL : prepare_relu(modes, format);
}

/* Rounding turns NaN into infinity (FormatConversion.md, "Rounding"). */
static uint32_t without_nan(uint32_t value)
{
    return (value & ~TF_FP32_SIGN) > TF_FP32_INFINITY ? (value & TF_FP32_SIGN) | TF_FP32_INFINITY : value;
}

/* Rounds a mantissa of 23 bits to the bits from `shift` on. Zero and infinity stay. */
static uint32_t round_mantissa(uint32_t value, unsigned shift, uint32_t taken)
{
    uint32_t magnitude = value & ~TF_FP32_SIGN, lost = value & ((1u << shift) - 1);
    if (magnitude == 0 || magnitude >= TF_FP32_INFINITY)
        return value;
    return value - lost + (lost >= taken >> (23 - shift) ? 1u << shift : 0);
}

/* A result that is a denormal becomes plus zero. */
static uint32_t round_at(uint32_t value, unsigned shift, uint32_t taken)
{
    value = round_mantissa(without_nan(value), shift, taken);
    return (value & ~TF_FP32_SIGN) < 0x00800000u ? 0 : value;
}

static uint32_t flush_bf16(uint32_t value)
{
    if ((value & 0x7FFF) > 0x7F80)
        return (value & 0x8000) | 0x7F80;
    return (value & 0x7FFF) < 0x80 ? 0 : value;
}

/* Shifts a magnitude of up to 32 bits right, and rounds. Zero stays. */
static uint32_t move_right(uint32_t magnitude, unsigned shift, uint32_t taken)
{
    uint64_t moved = shift < 64 ? (uint64_t)magnitude << 23 >> shift : 0;
    return (uint32_t)(moved >> 23) + (magnitude != 0 && (moved & TF_ROUNDING_BITS) >= taken);
}

/* INT_DESCALE of INT32's magnitude. */
static uint32_t descale(uint32_t magnitude, unsigned shift, uint32_t taken)
{
    return shift == 0 ? magnitude : move_right(magnitude, shift, taken);
}

static uint32_t early_wide(const struct tf_pack_format *format, uint32_t stored, uint32_t taken)
{
    uint32_t value = tf_dst_unshuffle32(stored);
    uint32_t magnitude;
    switch (format->early) {
    case TF_EARLY_32_TF32:
    case TF_EARLY_32_FP16: return round_at(value, 13, taken);
    case TF_EARLY_32_BF16: return round_at(value, 16, taken);
    case TF_EARLY_32_BF16_CUT: return value & 0xFFFF0000u;
    case TF_EARLY_32_E8M6: return round_at(value, 17, taken);
    case TF_EARLY_32_INT16: return stored >> 16;
    case TF_EARLY_32_INT8:
        magnitude = descale(value & ~TF_FP32_SIGN, format->descale_shift, taken);
        return value >> 31 << 7 | tf_min(magnitude, 127);
    case TF_EARLY_32_INT8_CUT: return value >> 31 << 7 | (value & 0x7F);
    case TF_EARLY_32_UINT8:
        magnitude = value & TF_FP32_SIGN ? 0 : descale(value, format->descale_shift, taken);
        return tf_min(magnitude, 255);
    case TF_EARLY_32_UINT8_CUT: return value & 0xFF;
    default: return value;
    }
}

/* A denormal is flushed before BFP8's rounding of BF16, and after it elsewhere. */
static uint32_t early_bf16(unsigned early, uint32_t stored, uint32_t taken)
{
    uint32_t value = tf_dst_unshuffle_bf16((uint16_t)stored);
    switch (early) {
    case TF_EARLY_16_BF16_AS_IS: return value << 16;
    case TF_EARLY_16_E8M6: return round_mantissa(flush_bf16(value) << 16, 17, taken);
    case TF_EARLY_16_BF16_FP16: return tf_format_fp32_to_fp16(value << 16);
    default: return flush_bf16(value) << 16;
    }
}

static uint32_t early_fp16(unsigned early, uint32_t stored, uint32_t taken)
{
    uint32_t value = tf_dst_unshuffle_fp16((uint16_t)stored);
    switch (early) {
    case TF_EARLY_16_FP16_AS_IS: return value;
    case TF_EARLY_16_E5M7_CUT: return value & ~7u;
    case TF_EARLY_16_FP8_CUT: return value & ~0xFFu;
    case TF_EARLY_16_E5M6:
        /* The largest number does not round up. A mantissa of 10 bits is the upper part of 23 bits. */
        value = (value & 0x7FFF) >= 0x7FF0 ? value & 0xFFF0
                                           : (value & 0x8000) | round_mantissa((value & 0x7FFF) << 13, 17, taken) >> 13;
        break;
    default: break;
    }
    return (value & 0x7FFF) < 0x400 ? 0 : value;
}

uint32_t tf_pack_early(const struct tf_pack_format *format, uint32_t stored, uint32_t taken)
{
    switch (format->early) {
    case TF_EARLY_NONE: return stored;
    case TF_EARLY_16_BF16:
    case TF_EARLY_16_BF16_AS_IS:
    case TF_EARLY_16_E8M6:
    case TF_EARLY_16_BF16_FP16: return early_bf16(format->early, stored, taken);
    case TF_EARLY_16_FP16:
    case TF_EARLY_16_FP16_AS_IS:
    case TF_EARLY_16_E5M7_CUT:
    case TF_EARLY_16_E5M6:
    case TF_EARLY_16_FP8_CUT: return early_fp16(format->early, stored, taken);
    case TF_EARLY_16_INT16: return stored & 0xFFFF;
    case TF_EARLY_16_INT8: return stored >> 8 & 0x80;
    default: return early_wide(format, stored, taken);
    }
}

uint32_t tf_pack_minus_infinity(const struct tf_pack_format *format)
{
    return format->kind == TF_PACK_E5 ? 0xFFFFu : TF_FP32_SIGN | TF_FP32_INFINITY;
}

static bool is_negative(unsigned kind, uint32_t datum)
{
    static const uint8_t sign_bit[] = {
        [TF_PACK_E8] = 31, [TF_PACK_E5] = 15, [TF_PACK_INT32] = 31, [TF_PACK_INT16] = 15, [TF_PACK_INT8] = 7,
    };
    return datum >> sign_bit[kind] & 1;
}

uint32_t tf_pack_relu(const struct tf_pack_format *format, uint32_t datum)
{
    if (format->relu != 0 && is_negative(format->kind, datum))
        datum = 0;
    if (format->relu == 2 && datum <= format->relu_threshold)
        datum = 0;
    /* FP32 is compared in TF32's bits. */
    unsigned ignored = format->kind == TF_PACK_E8 ? 13 : 0;
    if (format->relu == 3 && datum >> ignored > format->relu_threshold >> ignored)
        datum = format->relu_threshold;
    return format->early == TF_EARLY_32_FP16 ? tf_format_fp32_to_fp16(datum) : datum;
}

static uint32_t exponent_of(unsigned kind, uint32_t datum)
{
    switch (kind) {
    case TF_PACK_E8:
    case TF_PACK_INT32: return datum >> 23 & 0xFF;
    case TF_PACK_E5: return datum >> 10 & 0x1F;
    case TF_PACK_INT16: return datum & 0xFF;
    default: return 0; /* unspecified for INT8 */
    }
}

uint32_t tf_pack_exponent(const struct tf_pack_format *format, uint32_t datum)
{
    return exponent_of(format->early == TF_EARLY_32_FP16 ? TF_PACK_E5 : format->kind, datum);
}

static uint32_t fp16_to_e4m3(uint32_t value)
{
    uint32_t sign = value >> 8 & 0x80, exponent = value >> 10 & 0x1F;
    if (exponent <= 8)
        return sign;
    return sign | (exponent >= 24 ? 0x7F : (exponent - 8) << 3 | (value >> 7 & 7));
}

static uint32_t late_from_e5(unsigned late, uint32_t value)
{
    uint32_t sign = value & 0x8000, exponent = value >> 10 & 0x1F;
    switch (late) {
    case TF_LATE_E5_FP32: /* zero exponents stay */
        return sign << 16 | ((value & 0x7FFF) + (exponent != 0 ? 112u << 10 : 0)) << 13;
    case TF_LATE_E5_BF16_CUT: return exponent == 0 ? 0 : sign | ((value & 0x7FFF) + (112u << 10)) >> 3;
    case TF_LATE_E5_E5M2: return value >> 8;
    case TF_LATE_E5_E5M2_CUT: return exponent == 0 ? sign >> 8 : value >> 8;
    case TF_LATE_E5_E4M3: return fp16_to_e4m3(value);
    case TF_LATE_E5_E5M7: return sign | (value & 0x7FFF) >> 3;
    default: /* TF_LATE_E5_E5M7_CUT */ return exponent == 0 ? 0 : sign | (value & 0x7FFF) >> 3;
    }
}

static uint32_t late_convert(unsigned late, uint32_t value)
{
    uint32_t fp16;
    switch (late) {
    case TF_LATE_AS_IS: return value;
    case TF_LATE_E8_BF16: return value >> 16;
    case TF_LATE_E8_BF16_CUT: return (value & ~TF_FP32_SIGN) < 0x00800000u ? 0 : value >> 16;
    case TF_LATE_E8_FP16: return tf_format_fp32_to_fp16(value);
    case TF_LATE_E8_E5M2: return tf_format_fp32_to_fp16(value) >> 8;
    case TF_LATE_E8_E4M3: return fp16_to_e4m3(tf_format_fp32_to_fp16(value));
    case TF_LATE_E8_E5M7: fp16 = tf_format_fp32_to_fp16(value); return (fp16 & 0x8000) | (fp16 & 0x7FFF) >> 3;
    default: return late_from_e5(late, value);
    }
}

uint32_t tf_pack_late(const struct tf_pack_format *format, uint32_t datum)
{
    if (format->exponent_threshold_on && exponent_of(format->late_kind, datum) < format->exponent_threshold)
        datum = 0;
    return late_convert(format->late, datum);
}

/* Eight bits: sign and a magnitude relative to the shared exponent, rounded; exponent 255 is not special. */
static uint32_t align(uint32_t value, uint32_t shared, uint32_t taken)
{
    uint32_t exponent = value >> 7 & 0xFF;
    uint32_t magnitude = (value & 0x7F) | (exponent != 0 ? 0x80 : 0);
    magnitude = move_right(magnitude, shared - exponent + 1, taken);
    return magnitude == 0x80 ? 0x7F : magnitude;
}

uint8_t tf_pack_shared(unsigned bits, const uint16_t value[TF_BFP_BLOCK], uint32_t *generators, uint8_t *out)
{
    uint32_t shared = 0;
    for (unsigned i = 0; i < TF_BFP_BLOCK; i++) {
        uint32_t exponent = value[i] >> 7 & 0xFF;
        shared = exponent > shared ? exponent : shared;
    }
    memset(out, 0, TF_BFP_BLOCK * bits / 8);
    for (unsigned i = 0; i < TF_BFP_BLOCK; i++) {
        uint32_t taken = generators != NULL ? tf_rounding_next(&generators[i]) : TF_ROUND_TO_NEAREST;
        uint32_t datum = align(value[i], shared, taken) >> (8 - bits);
        if (datum != 0) /* minus zero is read as minus infinity */
            datum |= (uint32_t)(value[i] >> 15) << (bits - 1);
        out[i * bits / 8] |= (uint8_t)(datum << (i * bits & 7));
    }
    return (uint8_t)shared;
}
