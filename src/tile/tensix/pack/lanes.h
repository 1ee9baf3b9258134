/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The general kernel of the packer: the steps of a conversion for TF_PACK_LANES data at a time, 32 bits to a datum; and
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

INLINE vu choose(vi mask, vu if_set, vu if_clear)
{
    return ((vu)mask & if_set) | (~(vu)mask & if_clear);
}

/* Both below 2^31. */
INLINE vi below(vu a, vu b)
{
    return (vi)a < (vi)b;
}

#define DATUM vu
#define ELEMENT uint32_t
#define SIGNED vi
#define STEP(name) lane_##name
#define CHOOSE(condition, a, b) choose(condition, a, b)
#include "tile/tensix/pack/steps.h"
#include "tile/tensix/data/convert_end.h"

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

INLINE void lane_store_shared(unsigned bits, const vu *value, unsigned shared, uint8_t *to)
{
    uint8_t bytes[16];
    v8 all_bytes;
    for (unsigned i = 0; i < PARTS; i++)
        lane_store_bytes(lane_share(bits, value[i], shared, all(TF_ROUND_TO_NEAREST)), bytes + i * LANES);
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
            x = lane_early(format, x, all(TF_ROUND_TO_NEAREST));
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

/* Returns false if nothing was done, since not all data are finite numbers. */
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
