/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/pack/format.h"

#include <stddef.h>
#include <string.h>

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

/* The number of mantissa bits that a late conversion reads; 0 if it reads all of them. */
static unsigned mantissa_bits(unsigned format)
{
    static const uint8_t bits[TF_FORMATS] = {
        [TF_FORMAT_FP32] = 23, [TF_FORMAT_TF32] = 10, [TF_FORMAT_BF16] = 7, [TF_FORMAT_BFP8] = 7,
        [TF_FORMAT_FP16] = 10, [TF_FORMAT_BFP8A] = 7, [TF_FORMAT_FP8] = 2,
    };
    return bits[format];
}

/* The result of an early conversion: its kind, and its number of mantissa bits. */
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
 * Does Blackhole convert early to FP16, although the intermediate format names the source's format? tt-llk configures
 * FP8 this way (cpack_common.h: "Gasket converts Float16_b -> Float16 before the packer").
 */
static bool is_fp16_by_late_from(const struct tf_pack_modes *modes)
{
    return modes->round_10b && !modes->raw && is_e8(modes->intermediate) && modes->intermediate != TF_FORMAT_BFP8 &&
           modes->late_from == TF_FORMAT_FP16 && modes->late_to == TF_FORMAT_FP8;
}

/* "Configuring the conversions", from FP32 or INT32. Returns TF_EARLY_NONE if there is no such conversion. */
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
    case TF_FORMAT_FP16: /* Blackhole has this conversion */ return modes->round_10b ? TF_EARLY_32_FP16 : TF_EARLY_NONE;
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
    case TF_FORMAT_FP32:
        if (rounded_tf32)
            return TF_EARLY_16_BF16;
        /* Not on the page. tt-llk's _llk_pack_fast_tilize_init_() packs BF16 of Dst as FP32 in this way. */
        return modes->raw ? TF_EARLY_NONE : TF_EARLY_16_BF16_AS_IS;
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
        return TF_LATE_E5_BF16_CUT; /* ttsim also flushes from BFP8a to BFP8; the page calls that mishandled */
    case TF_FORMAT_BFP8A:
    case TF_FORMAT_BFP4A:
    case TF_FORMAT_BFP2A: return narrow ? TF_LATE_E5_E5M7 : TF_LATE_E5_E5M7_CUT;
    default: return -1;
    }
}

/* Returns -1 if there is none. */
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
    /* A conversion to FP16 after ReLU needs FP16 before ReLU. */
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

#define DATUM uint32_t
#define ELEMENT uint32_t
#define SIGNED int32_t
#define STEP(name) one_##name
#define CHOOSE(condition, a, b) ((condition) ? (a) : (b))
#include "tile/tensix/pack/steps.h"
#include "tile/tensix/data/convert_end.h"

uint32_t tf_pack_early(const struct tf_pack_format *format, uint32_t stored, uint32_t taken)
{
    return one_early(format, stored, taken);
}

uint32_t tf_pack_minus_infinity(const struct tf_pack_format *format)
{
    return format->kind == TF_PACK_E5 ? 0xFFFFu : TF_FP32_SIGN | TF_FP32_INFINITY;
}

uint32_t tf_pack_relu(const struct tf_pack_format *format, uint32_t datum)
{
    return one_relu(format, datum);
}

uint32_t tf_pack_exponent(const struct tf_pack_format *format, uint32_t datum)
{
    return one_exponent(format->early == TF_EARLY_32_FP16 ? TF_PACK_E5 : format->kind, datum);
}

uint32_t tf_pack_late(const struct tf_pack_format *format, uint32_t datum)
{
    return one_late(format, datum);
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
        out[i * bits / 8] |= (uint8_t)(one_share(bits, value[i], shared, taken) << (i * bits & 7));
    }
    return (uint8_t)shared;
}
