/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels of the unpackers, included once for each vector level. The includer defines TF_UNPACK_WIDTH (data of a
 * vector), TF_UNPACK_BYTES() (loads as many bytes), TF_UNPACK_SET and TF_UNPACK_NAME. Rows `unpack-*` pay for
 * conversion by rows: see tf_unpack_move().
 */
#include <stddef.h>
#include <string.h>

#include "host/widen.h"

#define TF_VECTOR_LANES TF_UNPACK_WIDTH
#include "tile/tensix/unpack/convert.h"

#define WIDTH TF_UNPACK_WIDTH
#define PARTS (TF_UNPACK_ROW / WIDTH)

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

/* The copy of the rows' description is in registers: stores to `to` cannot change it (rows `matmul-*`). */
INLINE bool convert_rows(enum tf_unpack_kind kind, const struct tf_unpack_rows *rows, uint32_t (*to)[TF_UNPACK_ROW])
{
    const struct tf_unpack_rows from = *rows;
    vu bad = {0};
    const uint8_t *group = from.data, *data = group;
    for (unsigned row = 0, in_group = 0; row < from.rows; row++) {
        uint32_t exponent = from.exponent != NULL ? from.exponent[row] : from.fixed;
#pragma GCC unroll 4
        for (unsigned part = 0; part < PARTS; part++) {
            vu value = convert(kind, load_raw(data, part, bits_of(kind)), exponent, &bad);
            memcpy(to[row] + part * WIDTH, &value, sizeof value);
        }
        data += from.row_bytes;
        if (++in_group == from.group_rows) {
            in_group = 0;
            data = group += from.stride_bytes;
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
    for (unsigned part = 0; part < PARTS; part++) {
        vu value;
        memcpy(&value, from + part * WIDTH, sizeof value);
        vh result = __builtin_convertvector(narrowed(value, fp16), vh);
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
