/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels of the unpackers, included once for each vector level. The includer defines TF_UNPACK_WIDTH (data of a
 * vector), TF_UNPACK_BYTES() (loads as many bytes), TF_UNPACK_SET and TF_UNPACK_NAME. Results have the bit layout of
 * SrcA and SrcB: sign 18, mantissa 17:8, exponent 7:0.
 */
#include <stddef.h>
#include <string.h>

#include "host/widen.h"
#include "tile/tensix/unpack/rows.h"

#define WIDTH TF_UNPACK_WIDTH
#define PARTS (TF_UNPACK_ROW / WIDTH)
#define INLINE static inline __attribute__((always_inline))

typedef uint32_t vu __attribute__((vector_size(4 * WIDTH)));
typedef int32_t vi __attribute__((vector_size(4 * WIDTH)));
typedef float vf __attribute__((vector_size(4 * WIDTH)));
typedef uint16_t vh __attribute__((vector_size(2 * WIDTH)));

INLINE vu choose(vi mask, vu yes, vu no)
{
    return ((vu)mask & yes) | (~(vu)mask & no);
}

/* Data of fewer than 8 bits, each from its word. */
INLINE vu load_narrow(const uint8_t *row, unsigned part, unsigned bits)
{
    uint32_t words[2] = {0};
    memcpy(words, row, TF_UNPACK_ROW * bits / 8);
    vu value;
    for (unsigned lane = 0; lane < WIDTH; lane++)
        value[lane] = words[(part * WIDTH + lane) * bits / 32] >> (part * WIDTH + lane) * bits % 32;
    return value & ((1u << bits) - 1);
}

INLINE vu load_raw(const uint8_t *row, unsigned part, unsigned bits)
{
    if (bits == 32) {
        vu words;
        memcpy(&words, row + part * sizeof words, sizeof words);
        return words;
    }
    if (bits == 16) {
        vh halves;
        memcpy(&halves, row + part * sizeof halves, sizeof halves);
        return TF_WIDEN_U16(TF_UNPACK_WIDTH, halves, vu);
    }
    if (bits == 8)
        return (vu)TF_UNPACK_BYTES(row + part * WIDTH);
    return load_narrow(row, part, bits);
}

/* From 16 bits. */
INLINE vu from_bf16(vu x)
{
    return (x & 0x8000) << 3 | (x & 0x7F) << 11 | (x >> 7 & 0xFF);
}

INLINE vu from_fp16(vu x)
{
    return (x & 0x8000) << 3 | (x & 0x3FF) << 8 | (x >> 10 & 0x1F);
}

INLINE vu fp32_to_fp16(vu x)
{
    vu exponent = x >> 23 & 0xFF, sign = x >> 31 << 18;
    vu value = (x >> 13 & 0x3FF) << 8 | (exponent - 112);
    value = choose(exponent > 143, (vu){0} + 0x3FF1F, value);
    return sign | choose(exponent < 112, (vu){0}, value);
}

/* Sign and magnitude; a conversion to float finds the leading one. */
INLINE vu from_bfp(vu datum, uint32_t exponent, bool fp16, vu *bad)
{
    vu magnitude = datum & 0x7F, sign = (datum & 0x80) << 11;
    vf number = __builtin_convertvector((vi)magnitude, vf);
    vu bits;
    memcpy(&bits, &number, sizeof bits);
    vu field = ((bits >> 23) + (exponent - 133)) & 0xFF;
    vi none = magnitude == 0;
    if (fp16)
        *bad |= ~(vu)none & field & 0xE0;
    vu infinity = choose(sign != 0, (vu){0} + (fp16 ? 0x1F : 0xFF), (vu){0});
    return sign | choose(none, infinity, (bits >> 16 & 0x7F) << 11 | (fp16 ? field & 0x1F : field));
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

INLINE unsigned bits_of(enum tf_unpack_kind kind)
{
    switch (kind) {
    case TF_UNPACK_FP32_TO_TF32:
    case TF_UNPACK_FP32_TO_BF16:
    case TF_UNPACK_FP32_TO_FP16:
    case TF_UNPACK_WIDE: return 32;
    case TF_UNPACK_BF16:
    case TF_UNPACK_FP16:
    case TF_UNPACK_INT16: return 16;
    case TF_UNPACK_BFP4:
    case TF_UNPACK_BFP4A: return 4;
    case TF_UNPACK_BFP2:
    case TF_UNPACK_BFP2A: return 2;
    default: return 8;
    }
}

INLINE vu convert(enum tf_unpack_kind kind, vu raw, uint32_t exponent, vu *bad)
{
    switch (kind) {
    case TF_UNPACK_FP32_TO_TF32: return raw >> 31 << 18 | (raw >> 13 & 0x3FF) << 8 | (raw >> 23 & 0xFF);
    case TF_UNPACK_FP32_TO_BF16: return from_bf16(choose((raw & 0x7F800000) == 0, raw & 0x80000000u, raw) >> 16);
    case TF_UNPACK_FP32_TO_FP16: return fp32_to_fp16(raw);
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
    default: return (raw & 0x8000FFFFu) | (raw & 0x7F800000) >> 7 | (raw & 0x007F0000) << 8;
    }
}

INLINE bool convert_rows(enum tf_unpack_kind kind, const struct tf_unpack_rows *from, uint32_t (*to)[TF_UNPACK_ROW])
{
    vu bad = {0};
    const uint8_t *group = from->data;
    for (unsigned row = 0, in_group = 0; row < from->rows; row++) {
        const uint8_t *data = group + in_group * from->row_bytes;
        uint32_t exponent = from->exponent != NULL ? from->exponent[row] : from->fixed;
        for (unsigned part = 0; part < PARTS; part++) {
            vu value = convert(kind, load_raw(data, part, bits_of(kind)), exponent, &bad);
            memcpy(to[row] + part * WIDTH, &value, sizeof value);
        }
        if (++in_group == from->together) {
            in_group = 0;
            group += from->stride_bytes;
        }
    }
    uint32_t any = 0;
    for (unsigned lane = 0; lane < WIDTH; lane++)
        any |= bad[lane];
    return any == 0;
}

#define X(name)                                                                                 \
    static bool convert_##name(const struct tf_unpack_rows *from, uint32_t(*to)[TF_UNPACK_ROW]) \
    {                                                                                           \
        return convert_rows(TF_UNPACK_##name, from, to);                                        \
    }
TF_UNPACK_KINDS_X(X)
#undef X

static void narrow(const uint32_t *from, uint16_t *to, bool fp16)
{
    vu high = {0}, low = {0};
    high += fp16 ? 0xFFE0 : 0xFF00;
    low += fp16 ? 0x1F : 0xFF;
    for (unsigned part = 0; part < PARTS; part++) {
        vu value;
        memcpy(&value, from + part * WIDTH, sizeof value);
        vh result = __builtin_convertvector((value >> 3 & high) | (value & low), vh);
        memcpy(to + part * WIDTH, &result, sizeof result);
    }
}

static void split(const uint32_t *from, uint16_t *high, uint16_t *low)
{
    for (unsigned part = 0; part < PARTS; part++) {
        vu value;
        memcpy(&value, from + part * WIDTH, sizeof value);
        vh upper = __builtin_convertvector(value >> 16, vh), lower = __builtin_convertvector(value & 0xFFFF, vh);
        memcpy(high + part * WIDTH, &upper, sizeof upper);
        memcpy(low + part * WIDTH, &lower, sizeof lower);
    }
}

/* clang-format off */
const struct tf_unpack_kernels TF_UNPACK_SET = {
    .name = TF_UNPACK_NAME,
    .convert = {
#define X(name) [TF_UNPACK_##name] = convert_##name,
        TF_UNPACK_KINDS_X(X)
#undef X
    },
    .narrow = narrow,
    .split = split,
};
/* clang-format on */
