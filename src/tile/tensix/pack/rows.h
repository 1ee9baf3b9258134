/* SPDX-License-Identifier: Apache-2.0 */
/* Between the packer and the kernels that convert whole rows of Dst. */
#ifndef TILE_TENSIX_PACK_ROWS_H
#define TILE_TENSIX_PACK_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "host/vectors.h"
#include "tile/tensix/pack/state.h"

/* Kernels by source and result, each with the row of `tilefarm bench` that pays for it. */
#define TF_PACK_KERNELS(X)                                                 \
    X(TF_PACK_BF16_TO_BF16)  /* pack-bf16, -relu, -acc, unpack-add-pack */ \
    X(TF_PACK_BF16_TO_BFP8)  /* pack-bfp8, matmul-bfp8-hifi2 */            \
    X(TF_PACK_BF16_TO_BFP4)  /* pack-bfp4 */                               \
    X(TF_PACK_BF16_TO_BFP2)  /* pack-bfp2 */                               \
    X(TF_PACK_FP16_TO_FP16)  /* pack-fp16 */                               \
    X(TF_PACK_FP16_TO_E4M3)  /* pack-fp8 */                                \
    X(TF_PACK_FP32_TO_FP32)  /* pack-fp32, pack-int32 */                   \
    X(TF_PACK_FP32_TO_BF16)  /* pack-fp32-bf16 */                          \
    X(TF_PACK_INT32_TO_INT8) /* pack-int8 */                               \
    X(TF_PACK_BY_LANES)      /* any tf_pack_format, with thresholds, edge masks */

enum tf_pack_kernel {
    TF_PACK_GENERIC,
#define X(kernel) kernel,
    TF_PACK_KERNELS(X)
#undef X
        TF_PACK_KERNEL_COUNT,
};

struct tf_tile;

struct tf_pack_dst_row {
    const uint16_t *high, *low; /* low: of Dst32b */
};

struct tf_pack_row_input {
    struct tf_pack_dst_row row[TF_PACK_INTERFACES];
    unsigned count; /* of rows */
    const struct tf_pack_format *format;
    /* The members below are for TF_PACK_BY_LANES. */
    bool wide;                         /* Read_32b_data */
    uint16_t edge[TF_PACK_INTERFACES]; /* columns that are packed */
    uint32_t edge_datum;               /* replaces the data of other columns */
};

struct tf_pack_row_output {
    uint8_t *bytes;                       /* room for TF_PACK_ROW_BYTES of each row */
    unsigned count;                       /* of rows */
    uint8_t exponent[TF_PACK_INTERFACES]; /* the largest of each row, by ExponentHistogram.md */
    uint8_t shared[TF_PACK_INTERFACES];   /* of a format with shared exponents */
};

#define TF_PACK_ROW_BYTES (16u * 4)

struct tf_pack_kernels {
    const char *name;
    void (*run[TF_PACK_KERNEL_COUNT])(const struct tf_pack_row_input *in, struct tf_pack_row_output *out);
    bool (*add_bf16)(uint8_t *l1, const uint8_t *data, unsigned count); /* false: call tf_accumulate() */
};

extern const struct tf_pack_kernels tf_pack_portable;
#if defined(__x86_64__)
extern const struct tf_pack_kernels tf_pack_avx2, tf_pack_avx512;
#endif

#endif
