/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The general kernel of the packer: the steps of format.c for TF_PACK_LANES data at a time, 32 bits to a datum; and
 * sums of bf16. Included by kernels.h.
 */
#define LANES TF_PACK_LANES
#define PARTS (16 / LANES)

typedef uint32_t vu __attribute__((vector_size(4 * LANES)));
typedef int32_t vi __attribute__((vector_size(4 * LANES)));
typedef float vf __attribute__((vector_size(4 * LANES)));
typedef uint16_t vh __attribute__((vector_size(2 * LANES)));
typedef uint8_t vb __attribute__((vector_size(LANES)));

INLINE vu all(uint32_t value)
{
    return (vu){0} + value;
}

INLINE vu choose(vi mask, vu then, vu otherwise)
{
    return ((vu)mask & then) | (~(vu)mask & otherwise);
}

/* Both below 2^31. */
INLINE vi below(vu a, vu b)
{
    return (vi)a < (vi)b;
}

INLINE vu lane_shuffle32(vu x)
{
    return (x & 0x8000FFFFu) | (x & 0x7F000000u) >> 8 | (x & 0x00FF0000u) << 7;
}

INLINE vu lane_fp32_to_fp16(vu x)
{
    vu sign = x >> 16 & 0x8000, exponent = x >> 23 & 0xFF;
    vu value = (exponent - 112) << 10 | (x >> 13 & 0x3FF);
    value = choose(below(all(143), exponent), all(0x7FFF), value);
    return sign | choose(below(exponent, all(112)), all(0), value);
}

INLINE vu lane_flush(vu x, uint32_t least, uint32_t magnitude)
{
    return choose(below(x & magnitude, all(least)), all(0), x);
}

INLINE vu lane_round(vu x, unsigned shift)
{
    x = choose(below(all(0x7F800000), x & ~TF_FP32_SIGN), (x & TF_FP32_SIGN) | 0x7F800000, x);
    return lane_flush(((x >> (shift - 1)) + 1) >> 1 << shift, 0x00800000, ~TF_FP32_SIGN);
}

INLINE vu lane_descale(vu magnitude, unsigned shift, uint32_t most)
{
    if (shift != 0)
        magnitude = (magnitude + (1u << (shift - 1))) >> shift;
    return choose(below(all(most), magnitude & ~TF_FP32_SIGN) | ((vi)magnitude < 0), all(most), magnitude);
}

INLINE vu lane_early_32(const struct tf_pack_format *format, vu stored)
{
    vu x = lane_shuffle32(stored);
    switch (format->early) {
    case TF_EARLY_32_TF32:
    case TF_EARLY_32_FP16: return lane_round(x, 13);
    case TF_EARLY_32_BF16: return lane_round(x, 16);
    case TF_EARLY_32_BF16_CUT: return x & 0xFFFF0000u;
    case TF_EARLY_32_E8M6: return lane_round(x, 17);
    case TF_EARLY_32_INT16: return stored >> 16;
    case TF_EARLY_32_INT8: return x >> 31 << 7 | lane_descale(x & ~TF_FP32_SIGN, format->descale_shift, 127);
    case TF_EARLY_32_INT8_CUT: return x >> 31 << 7 | (x & 0x7F);
    case TF_EARLY_32_UINT8: return lane_descale(choose((vi)x < 0, all(0), x), format->descale_shift, 255);
    case TF_EARLY_32_UINT8_CUT: return x & 0xFF;
    default: return x;
    }
}

INLINE vu lane_early_bf16(unsigned early, vu stored)
{
    vu x = (stored & 0x8000) | (stored & 0xFF) << 7 | (stored >> 8 & 0x7F);
    if (early == TF_EARLY_16_BF16_AS_IS)
        return x << 16;
    if (early == TF_EARLY_16_BF16_FP16)
        return lane_fp32_to_fp16(x << 16);
    x = choose(below(all(0x7F80), x & 0x7FFF), (x & 0x8000) | 0x7F80, x);
    x = lane_flush(x, 0x80, 0x7FFF);
    return (early == TF_EARLY_16_E8M6 ? (x + 1) & 0xFFFE : x) << 16;
}

INLINE vu lane_early_fp16(unsigned early, vu stored)
{
    vu x = (stored & 0x8000) | (stored >> 5 & 0x3FF) | (stored & 0x1F) << 10;
    switch (early) {
    case TF_EARLY_16_FP16_AS_IS: return x;
    case TF_EARLY_16_E5M7_CUT: return x & ~7u;
    case TF_EARLY_16_FP8_CUT: return x & ~0xFFu;
    case TF_EARLY_16_E5M6:
        x = choose(below(all(0x7FF7), x & 0x7FFF), (x & 0x8000) | 0x7FF0, x);
        return lane_flush((x + 8) & ~15u, 0x400, 0x7FFF);
    default: return lane_flush(x, 0x400, 0x7FFF);
    }
}

INLINE vu lane_early(const struct tf_pack_format *format, vu stored)
{
    switch (format->early) {
    case TF_EARLY_16_BF16:
    case TF_EARLY_16_BF16_AS_IS:
    case TF_EARLY_16_E8M6:
    case TF_EARLY_16_BF16_FP16: return lane_early_bf16(format->early, stored);
    case TF_EARLY_16_FP16:
    case TF_EARLY_16_FP16_AS_IS:
    case TF_EARLY_16_E5M7_CUT:
    case TF_EARLY_16_E5M6:
    case TF_EARLY_16_FP8_CUT: return lane_early_fp16(format->early, stored);
    case TF_EARLY_16_INT16: return stored;
    case TF_EARLY_16_INT8: return stored >> 8 & 0x80;
    default: return lane_early_32(format, stored);
    }
}

INLINE vu lane_relu(const struct tf_pack_format *format, vu x)
{
    static const uint8_t sign_bit[] = {
        [TF_PACK_E8] = 31, [TF_PACK_E5] = 15, [TF_PACK_INT32] = 31, [TF_PACK_INT16] = 15, [TF_PACK_INT8] = 7,
    };
    if (format->relu != 0) {
        uint32_t threshold = format->relu_threshold;
        unsigned ignored = format->kind == TF_PACK_E8 ? 13 : 0;
        x = choose((vi)(x << (31 - sign_bit[format->kind])) < 0, all(0), x);
        if (format->relu == 2)
            x = choose(below(all(threshold), x), x, all(0));
        if (format->relu == 3)
            x = choose(below(all(threshold >> ignored), x >> ignored), all(threshold), x);
    }
    return format->early == TF_EARLY_32_FP16 ? lane_fp32_to_fp16(x) : x;
}

INLINE vu lane_exponent(unsigned kind, vu x)
{
    switch (kind) {
    case TF_PACK_E8:
    case TF_PACK_INT32: return x >> 23 & 0xFF;
    case TF_PACK_E5: return x >> 10 & 0x1F;
    case TF_PACK_INT16: return x & 0xFF;
    default: return all(0);
    }
}

INLINE vu lane_e4m3(vu x)
{
    vu sign = x >> 8 & 0x80, exponent = x >> 10 & 0x1F;
    vu value = choose(below(exponent, all(24)), (exponent - 8) << 3 | (x >> 7 & 7), all(0x7F));
    return sign | choose(below(exponent, all(9)), all(0), value);
}

/* TF_LATE_E5_*: zero exponents are kept or flushed. */
INLINE vu lane_late_e5(unsigned late, vu x)
{
    vu sign = x & 0x8000;
    vi zero = (x & 0x7C00) == 0;
    switch (late) {
    case TF_LATE_E5_FP32: return sign << 16 | ((x & 0x7FFF) + choose(zero, all(0), all(112u << 10))) << 13;
    case TF_LATE_E5_BF16_CUT: return choose(zero, all(0), sign | ((x & 0x7FFF) + (112u << 10)) >> 3);
    case TF_LATE_E5_E5M2: return x >> 8;
    case TF_LATE_E5_E5M2_CUT: return choose(zero, sign >> 8, x >> 8);
    case TF_LATE_E5_E4M3: return lane_e4m3(x);
    case TF_LATE_E5_E5M7: return sign | (x & 0x7FFF) >> 3;
    default: return choose(zero, all(0), sign | (x & 0x7FFF) >> 3);
    }
}

INLINE vu lane_late(const struct tf_pack_format *format, vu x)
{
    vu fp16;
    if (format->exponent_threshold_on)
        x = choose(below(lane_exponent(format->late_kind, x), all(format->exponent_threshold)), all(0), x);
    switch (format->late) {
    case TF_LATE_AS_IS: return x;
    case TF_LATE_E8_BF16: return x >> 16;
    case TF_LATE_E8_BF16_CUT: return lane_flush(x, 0x00800000, ~TF_FP32_SIGN) >> 16;
    case TF_LATE_E8_FP16: return lane_fp32_to_fp16(x);
    case TF_LATE_E8_E5M2: return lane_fp32_to_fp16(x) >> 8;
    case TF_LATE_E8_E4M3: return lane_e4m3(lane_fp32_to_fp16(x));
    case TF_LATE_E8_E5M7: fp16 = lane_fp32_to_fp16(x); return (fp16 & 0x8000) | (fp16 & 0x7FFF) >> 3;
    default: return lane_late_e5(format->late, x);
    }
}

INLINE vu lane_load(const uint16_t *from)
{
    vh half;
    memcpy(&half, from, sizeof half);
    return TF_WIDEN_U16(TF_PACK_LANES, half, vu);
}

INLINE vu lane_larger(vu a, vu b)
{
    return choose(below(a, b), b, a);
}

/* For data below 2^31. */
INLINE unsigned lane_largest(const vu *part)
{
    vu most = part[0];
    for (unsigned i = 1; i < PARTS; i++)
        most = lane_larger(most, part[i]);
    return TF_PACK_LARGEST(most);
}

INLINE void lane_store_bytes(vu x, uint8_t *to)
{
    vb bytes = __builtin_convertvector(x, vb);
    memcpy(to, &bytes, sizeof bytes);
}

INLINE unsigned lane_shared(const vu *value)
{
    vu exponent[PARTS];
    for (unsigned i = 0; i < PARTS; i++)
        exponent[i] = value[i] >> 7 & 0xFF;
    return lane_largest(exponent);
}

/* tf_pack_shared() */
INLINE void lane_store_shared(unsigned bits, const vu *value, unsigned shared, uint8_t *to)
{
    uint8_t bytes[16];
    v8 all_bytes;
    for (unsigned i = 0; i < PARTS; i++) {
        vu exponent = value[i] >> 7 & 0xFF, shift = shared - exponent;
        vi fits = below(shift, all(8));
        shift &= 7;
        vu datum = (value[i] & 0x7F) | choose(exponent != 0, all(0x80), all(0));
        datum = (datum + (all(1) << shift)) >> (shift + 1);
        datum = choose(fits, datum - (datum >> 7), all(0)) >> (8 - bits);
        datum |= choose(datum != 0, (value[i] >> 15 & 1) << (bits - 1), all(0));
        lane_store_bytes(datum, bytes + i * LANES);
    }
    memcpy(&all_bytes, bytes, sizeof all_bytes);
    store_data(all_bytes, bits, to);
}

INLINE void lane_store(unsigned bits, const vu *value, uint8_t *to)
{
    for (unsigned i = 0; i < PARTS; i++) {
        if (bits == 32) {
            memcpy(to + i * sizeof value[i], &value[i], sizeof value[i]);
        } else if (bits == 16) {
            vh half = __builtin_convertvector(value[i], vh);
            memcpy(to + i * sizeof half, &half, sizeof half);
        } else {
            lane_store_bytes(value[i], to + i * LANES);
        }
    }
}

/* Lanes of a mask's bits. */
INLINE vi lane_taken(uint32_t mask)
{
    vu bit;
    for (unsigned lane = 0; lane < LANES; lane++)
        bit[lane] = 1u << lane;
    return (mask & bit) != 0;
}

INLINE void run_lanes(const struct tf_pack_row_input *in, struct tf_pack_row_output *out)
{
    const struct tf_pack_format *format = in->format;
    unsigned kind = format->early == TF_EARLY_32_FP16 ? (unsigned)TF_PACK_E5 : format->kind;
    bool same_exponent = kind == TF_PACK_E8 && !format->exponent_threshold_on &&
                         (format->late == TF_LATE_E8_BF16 || format->late == TF_LATE_E8_BF16_CUT);
    uint8_t *to = out->bytes;
    for (unsigned i = 0; i < in->count; i++) {
        vu value[PARTS], exponent[PARTS];
        for (unsigned part = 0; part < PARTS; part++) {
            vu x = lane_load(in->row[i].high + part * LANES);
            if (in->wide)
                x = x << 16 | lane_load(in->row[i].low + part * LANES);
            x = lane_early(format, x);
            if (in->edge[i] != 0xFFFF)
                x = choose(lane_taken((uint32_t)in->edge[i] >> part * LANES), x, all(in->edge_datum));
            x = lane_relu(format, x);
            exponent[part] = lane_exponent(kind, x);
            value[part] = lane_late(format, x);
        }
        out->exponent[i] = (uint8_t)lane_largest(exponent);
        if (format->bfp) {
            out->shared[i] = same_exponent ? out->exponent[i] : (uint8_t)lane_shared(value);
            lane_store_shared(format->bits, value, out->shared[i], to);
        } else {
            lane_store(format->bits, value, to);
        }
        to += 2 * format->bits;
    }
    out->count = (unsigned)(to - out->bytes);
}

/* --- Sums of bf16, for row pack-bf16-acc; tile/accumulate.c adds all numbers, those that are not finite too --- */

INLINE vu lane_is_largest(vu x)
{
    return (vu)((x & TF_FP32_INFINITY) == TF_FP32_INFINITY);
}

INLINE vu lane_special(vu a, vu b)
{
    return lane_is_largest(a) | lane_is_largest(b) | lane_is_largest(a << 16) | lane_is_largest(b << 16);
}

INLINE vu lane_flushed(vu x)
{
    return x & ((vu)((x & TF_FP32_INFINITY) != 0) | TF_FP32_SIGN);
}

/* Of numbers in high halves. A sum is rounded to 24 bits and then to 8: the result is that of one rounding. */
INLINE vu lane_sum_high(vu a, vu b)
{
    vu sum = lane_flushed((vu)((vf)lane_flushed(a) + (vf)lane_flushed(b)));
    return (sum + 0x7FFF + (sum >> 16 & 1)) & 0xFFFF0000u;
}

INLINE vu lane_sum(vu a, vu b)
{
    return lane_sum_high(a & 0xFFFF0000u, b & 0xFFFF0000u) | lane_sum_high(a << 16, b << 16) >> 16;
}

/* A vector, or its first bytes and then zeros. */
INLINE vu lane_words(const uint8_t *from, size_t bytes)
{
    vu words = all(0);
    memcpy(&words, from, bytes);
    return words;
}

/* False: nothing was done, since not all data are finite numbers. */
static bool add_bf16(uint8_t *l1, const uint8_t *data, unsigned count)
{
    const unsigned bytes = sizeof(vu), rest = count % bytes, whole = count - rest;
    vu special = all(0);
    if (rest != 0)
        special = lane_special(lane_words(l1 + whole, rest), lane_words(data + whole, rest));
    for (unsigned at = 0; at < whole; at += bytes)
        special |= lane_special(lane_words(l1 + at, bytes), lane_words(data + at, bytes));
    if (TF_PACK_LARGEST(special) != 0)
        return false;
    for (unsigned at = 0; at < whole; at += bytes) {
        vu sum = lane_sum(lane_words(l1 + at, bytes), lane_words(data + at, bytes));
        memcpy(l1 + at, &sum, bytes);
    }
    if (rest != 0) {
        vu sum = lane_sum(lane_words(l1 + whole, rest), lane_words(data + whole, rest));
        memcpy(l1 + whole, &sum, rest);
    }
    return true;
}

#undef LANES
#undef PARTS
