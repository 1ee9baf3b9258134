/* SPDX-License-Identifier: Apache-2.0 */
/* Conversion of single data, and the choice of kernels for whole rows. */
#include <stddef.h>

#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/format.h"
#include "tile/tensix/unpack/rows.h"
#include "tile/tensix/unpack/unpack.h"

static uint32_t from_tf32(uint32_t x)
{
    return (x & 0x40000) | (x & 0x3FF) << 8 | (x >> 10 & 0xFF);
}

static uint32_t from_bf16(uint32_t x)
{
    return from_tf32(x << 3);
}

static uint32_t from_fp16(uint32_t x)
{
    return from_tf32((x & 0x8000) << 3 | (x & 0x7FFF));
}

static uint32_t fp32_to_bf16(uint32_t x)
{
    return from_bf16((x & 0x7F800000) == 0 ? x >> 31 << 15 : x >> 16);
}

/* Integer "8" lies over FP16 with an exponent of 16, or of 0 for zero. */
static uint32_t from_int8(uint32_t x, uint32_t sign_bit)
{
    uint32_t sign = x & sign_bit, magnitude = x - sign;
    return from_fp16(sign << 8 | (magnitude != 0 ? magnitude | 16u << 10 : 0));
}

static bool from_bfp_fp16(uint32_t x, uint8_t exponent, uint32_t *value)
{
    uint16_t fp16;
    bool fits = tf_format_bfp_to_fp16((uint8_t)x, exponent, &fp16);
    *value = from_fp16(fp16);
    return fits;
}

bool tf_unpack_datum(enum tf_unpack_kind kind, uint32_t raw, uint8_t exponent, uint32_t *value)
{
    switch (kind) {
    case TF_UNPACK_FP32_TO_TF32: *value = from_tf32(raw >> 13); break;
    case TF_UNPACK_FP32_TO_BF16: *value = fp32_to_bf16(raw); break;
    case TF_UNPACK_FP32_TO_FP16: *value = from_fp16(tf_format_fp32_to_fp16(raw)); break;
    case TF_UNPACK_BF16: *value = from_bf16(raw); break;
    case TF_UNPACK_FP16: *value = from_fp16(raw); break;
    case TF_UNPACK_INT16: *value = (raw & 0xFF00) << 3 | (raw & 0xFF); break;
    case TF_UNPACK_BFP8: *value = from_bf16(tf_format_bfp_to_bf16((uint8_t)raw, exponent)); break;
    case TF_UNPACK_BFP4: *value = from_bf16(tf_format_bfp_to_bf16((uint8_t)(raw << 4), exponent)); break;
    case TF_UNPACK_BFP2: *value = from_bf16(tf_format_bfp_to_bf16((uint8_t)(raw << 6), exponent)); break;
    case TF_UNPACK_BFP8A: return from_bfp_fp16(raw, exponent, value);
    case TF_UNPACK_BFP4A: return from_bfp_fp16(raw << 4, exponent, value);
    case TF_UNPACK_BFP2A: return from_bfp_fp16(raw << 6, exponent, value);
    case TF_UNPACK_FP8_E5M2: *value = from_fp16(tf_format_fp8_to_fp16((uint8_t)raw, false)); break;
    case TF_UNPACK_FP8_E4M3: *value = from_fp16(tf_format_fp8_to_fp16((uint8_t)raw, true)); break;
    case TF_UNPACK_FP8_HALF: *value = from_fp16(raw << 8); break;
    case TF_UNPACK_INT8: *value = from_int8(raw, 0x80); break;
    case TF_UNPACK_UINT8: *value = from_int8(raw, 0); break;
    default: *value = tf_dst_shuffle32(raw); break;
    }
    return true;
}

const struct tf_unpack_kernels *tf_unpack_kernels(enum tf_vectors level)
{
    static const struct tf_unpack_kernels *const kernels[] = TF_VECTORS_TABLE(tf_unpack);
    return kernels[tf_vectors_resolve(level)];
}
