/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tensors of the tensor workloads, for both sides: tiles of 32 by 32 numbers, of which each is four faces of 16 by 16
 * (left and right of the upper half, then of the lower one), row by row. Tile i of a tensor lies in DRAM channel i % 8.
 */
#ifndef TILEFARM_TENSOR_H
#define TILEFARM_TENSOR_H

#include "tilefarm_layout.h"

/*
 * As configuration fields number them (WormholeB0/TensixTile/TensixCoprocessor/FloatBitPatterns.md); the fp8 with four
 * bits of exponent is a mode of the same number. Integers are a sign and a magnitude.
 */
enum tf_tensor_format {
    TF_FP32 = 0, TF_FP16 = 1, TF_TF32 = 4, TF_BF16 = 5, TF_BFP8 = 6, TF_BFP4 = 7, TF_INT32 = 8, TF_UINT16 = 9,
    TF_FP8 = 10, TF_INT8 = 14, TF_BFP2 = 15, TF_FP8_E4M3 = 16 + TF_FP8,
};
#define TF_FORMAT_FIELD(format) ((format) & 15u)
#define TF_FORMAT_IS_BFP(format) ((format) == TF_BFP8 || (format) == TF_BFP4 || (format) == TF_BFP2)
#define TF_FORMAT_IS_INTEGER(format) ((format) == TF_INT32 || (format) == TF_UINT16 || (format) == TF_INT8)
#define TF_FORMAT_BITS(format)                                                                          \
    ((format) == TF_FP32 || (format) == TF_INT32 ? 32u                                                  \
     : (format) == TF_BFP8 || TF_FORMAT_FIELD(format) == TF_FP8 || (format) == TF_INT8 ? 8u             \
     : (format) == TF_BFP4 ? 4u : (format) == TF_BFP2 ? 2u : 16u)

#define TF_TILE_SIDE 32u
#define TF_FACE_SIDE 16u
#define TF_TILE_NUMBERS 1024u
#define TF_TILE_EXPONENTS 64u /* of a bfp tile, one for 16 numbers; they come first */
#define TF_TILE_BYTES(format)                                                                           \
    ((TF_FORMAT_IS_BFP(format) ? TF_TILE_EXPONENTS : 0u) + TF_FORMAT_BITS(format) * TF_TILE_NUMBERS / 8u)
#define TF_TILE_BYTES_MAX 4096u

enum tf_tensor { TF_TENSOR_A, TF_TENSOR_B, TF_TENSOR_OUT };
#define TF_TENSOR_BASE(tensor) ((tensor) * 0x20000000u)
#define TF_TENSOR_CHANNELS 8u
#define TF_TENSOR_CHANNEL(index) ((index) % TF_TENSOR_CHANNELS)
#define TF_TENSOR_ADDRESS(tensor, index, bytes) (TF_TENSOR_BASE(tensor) + (index) / TF_TENSOR_CHANNELS * (bytes))
#define TF_TENSOR_UNTOUCHED 0xA5u /* bytes of an output before the run */

/* Circular buffers, counted by the streams of the same number. */
enum tf_tensor_cb { TF_PAGES_A, TF_PAGES_B, TF_PAGES_OUT, TF_PAGES_COUNT };
#define TF_TENSOR_PAGES 2u
#define TF_TENSOR_CB(cb) (TF_K_BUFFER + (cb) * 0x20000u)
#define TF_TENSOR_READY (TF_K_SHARED + 0x00u) /* 1: B has configured the coprocessor */

/* What a variant computes with. */
struct tf_tensor_kind {
    uint8_t in, out;  /* formats in DRAM */
    uint8_t wide;     /* 32-bit Dst */
    uint8_t phases;   /* fidelity phases, 1..4 */
    uint8_t op;       /* the workload's own */
    uint8_t src;      /* format in SrcA and SrcB, or in Dst if the unpacker writes there; 0: as in DRAM */
    uint8_t how;      /* enum tf_tensor_how */
    uint8_t relu;     /* STACC_RELU_ApplyRelu; the threshold is TF_TENSOR_THRESHOLD */
};

/* A kind without anything special. */
#define TF_KIND(in, out, wide, phases, op) {in, out, wide, phases, op, 0, TF_HOW_PLAIN, 0}

enum tf_tensor_how {
    TF_HOW_PLAIN,
    TF_HOW_TO_DST,     /* the unpacker writes Dst itself */
    TF_HOW_TILIZE,     /* A is strips of two tiles side by side, row by row */
    TF_HOW_UNTILIZE,   /* OUT's tiles are row by row */
    TF_HOW_ACCUMULATE, /* the packer adds to L1 what it packs, TF_TENSOR_ROUNDS times */
};
#define TF_STRIP_ROW_BYTES (2u * TF_TILE_SIDE * 2u) /* of 16-bit numbers */
#define TF_TENSOR_ROUNDS 3u
#define TF_TENSOR_THRESHOLD 0.5
#define TF_TENSOR_SRC(kind) ((kind)->src != 0 ? (kind)->src : (kind)->in)

/* ---- eltwise: tile i of OUT from tiles i of A and B; core i % 140 computes it ---- */

enum tf_eltwise_op {
    TF_ELTWISE_ADD, TF_ELTWISE_SUB, TF_ELTWISE_MUL, TF_ELTWISE_MUL_STOCHASTIC /* sums in Dst are rounded so */
};
#define TF_ELTWISE_KINDS {                                                             \
    TF_KIND(TF_BF16, TF_BF16, 0, 1, TF_ELTWISE_ADD),                                   \
    TF_KIND(TF_BF16, TF_BF16, 0, 1, TF_ELTWISE_SUB),                                   \
    TF_KIND(TF_BF16, TF_BF16, 0, 4, TF_ELTWISE_MUL),                                   \
    TF_KIND(TF_BF16, TF_BF16, 0, 1, TF_ELTWISE_MUL),                                   \
    TF_KIND(TF_FP16, TF_FP16, 0, 1, TF_ELTWISE_ADD),                                   \
    TF_KIND(TF_FP16, TF_FP16, 0, 4, TF_ELTWISE_MUL),                                   \
    TF_KIND(TF_BFP8, TF_BFP8, 0, 1, TF_ELTWISE_ADD),                                   \
    TF_KIND(TF_BF16, TF_FP32, 1, 4, TF_ELTWISE_MUL),                                   \
    {TF_FP32, TF_FP32, 1, 1, TF_ELTWISE_ADD, TF_TF32, TF_HOW_PLAIN, 0},                \
    {TF_FP32, TF_FP32, 1, 4, TF_ELTWISE_MUL, TF_TF32, TF_HOW_PLAIN, 0},                \
    TF_KIND(TF_FP8, TF_FP16, 0, 1, TF_ELTWISE_MUL),                                    \
    TF_KIND(TF_BFP4, TF_BF16, 0, 1, TF_ELTWISE_ADD),                                   \
    TF_KIND(TF_INT8, TF_INT32, 1, 1, TF_ELTWISE_ADD),                                  \
    TF_KIND(TF_INT8, TF_INT32, 1, 4, TF_ELTWISE_MUL),                                  \
    TF_KIND(TF_INT8, TF_INT8, 1, 1, TF_ELTWISE_SUB),                                   \
    TF_KIND(TF_BF16, TF_BF16, 0, 4, TF_ELTWISE_MUL_STOCHASTIC),                        \
}
#define TF_ELTWISE_NAMES "add", "sub", "mul", "mul-lofi", "add-fp16", "mul-fp16", "add-bfp8", "mul-fp32", "add-tf32", \
    "mul-tf32", "mul-fp8", "add-bfp4", "add-int8", "mul-int8", "sub-int8", "mul-stochastic"

/*
 * ---- matmul: OUT = A * B, tile (m, n) of OUT at index m * N + n; core (row, column) computes a block of 2 by 2. A's
 * tiles travel along rows of cores from the first one, B's along columns, two with each step of K ----
 */

#define TF_MATMUL_BLOCK 2u /* tiles, high and wide */
#define TF_MATMUL_M (TF_K_ROWS * TF_MATMUL_BLOCK)
#define TF_MATMUL_N (TF_K_ROW * TF_MATMUL_BLOCK)
#define TF_MATMUL_K 4u     /* times the scale */
#define TF_MATMUL_TAKEN(operand) (TF_K_SHARED + 0x10u + (operand) * 0x20u) /* at the sender: pages with room */
#define TF_MATMUL_SENT(operand) (TF_K_SHARED + 0x20u + (operand) * 0x20u)  /* at the receivers: pages that have come */
#define TF_MATMUL_KINDS {                                                              \
    TF_KIND(TF_BF16, TF_BF16, 0, 4, 0),                                                \
    TF_KIND(TF_BF16, TF_BF16, 0, 1, 0),                                                \
    TF_KIND(TF_BF16, TF_BF16, 0, 2, 0),                                                \
    TF_KIND(TF_BF16, TF_BF16, 0, 3, 0),                                                \
    TF_KIND(TF_BF16, TF_FP32, 1, 4, 0),                                                \
    TF_KIND(TF_BF16, TF_FP32, 1, 1, 0),                                                \
    TF_KIND(TF_FP16, TF_FP16, 0, 4, 0),                                                \
    TF_KIND(TF_FP16, TF_FP32, 1, 4, 0),                                                \
    TF_KIND(TF_BFP8, TF_BFP8, 0, 2, 0),                                                \
    TF_KIND(TF_BFP8, TF_FP32, 1, 2, 0),                                                \
    {TF_FP32, TF_FP32, 1, 4, 0, TF_TF32, TF_HOW_PLAIN, 0},                             \
    TF_KIND(TF_FP8, TF_FP16, 0, 1, 0),                                                 \
    TF_KIND(TF_BFP4, TF_BF16, 0, 1, 0),                                                \
    TF_KIND(TF_INT8, TF_INT32, 1, 4, 0),                                               \
}
#define TF_MATMUL_NAMES "bf16-hifi4", "bf16-lofi", "bf16-hifi2", "bf16-hifi3", "bf16-hifi4-fp32", "bf16-lofi-fp32", \
    "fp16-hifi4", "fp16-hifi4-fp32", "bfp8-hifi2", "bfp8-hifi2-fp32", "tf32-hifi4", "fp8-lofi", "bfp4-lofi", "int8"

/* ---- activation: tile i of OUT from tile i of A ---- */

enum tf_activation_op {
    TF_ACTIVATION_EXP, TF_ACTIVATION_GELU, TF_ACTIVATION_SIGMOID, TF_ACTIVATION_RECIPROCAL, TF_ACTIVATION_SQRT
};
#define TF_ACTIVATION_KINDS {                                                          \
    TF_KIND(TF_BF16, TF_BF16, 0, 1, TF_ACTIVATION_EXP),                                \
    TF_KIND(TF_BF16, TF_BF16, 0, 1, TF_ACTIVATION_GELU),                               \
    TF_KIND(TF_BF16, TF_BF16, 0, 1, TF_ACTIVATION_SIGMOID),                            \
    TF_KIND(TF_BF16, TF_BF16, 0, 1, TF_ACTIVATION_RECIPROCAL),                         \
    TF_KIND(TF_BF16, TF_BF16, 0, 1, TF_ACTIVATION_SQRT),                               \
    TF_KIND(TF_BFP8, TF_BF16, 0, 1, TF_ACTIVATION_EXP),                                \
}
#define TF_ACTIVATION_NAMES "exp", "gelu", "sigmoid", "reciprocal", "sqrt", "exp-bfp8"

/*
 * ---- reduce: tile i of OUT from tile i of A; B is a tile of ones. Sums and maxima of columns stand in rows 0 (sums: 0
 * to 3) of OUT's tile, sums of rows in columns 0 to 15; the rest is 0.
 * chip-sum: A has as many columns of tiles as the chip, and OUT is one row of tiles, with sums of all of A's columns in
 * rows 0; of B's tile only the first row is ones. Each core sums up its tiles, the first one of a column of cores what
 * the others of the column send it ----
 */

enum tf_reduce_op { TF_REDUCE_COLUMN_SUM, TF_REDUCE_COLUMN_MAX, TF_REDUCE_ROW_SUM, TF_REDUCE_CHIP_SUM };
#define TF_REDUCE_ARRIVED (TF_K_SHARED + 0x10u) /* at the column's first core: sums that have come */
#define TF_REDUCE_INBOX(row) (TF_TENSOR_CB(TF_PAGES_COUNT) + (row) * TF_TILE_BYTES(TF_FP32))
#define TF_REDUCE_KINDS {                                                              \
    TF_KIND(TF_BF16, TF_BF16, 0, 4, TF_REDUCE_COLUMN_SUM),                             \
    TF_KIND(TF_BF16, TF_BF16, 0, 1, TF_REDUCE_COLUMN_MAX),                             \
    TF_KIND(TF_BF16, TF_BF16, 0, 4, TF_REDUCE_ROW_SUM),                                \
    TF_KIND(TF_BF16, TF_FP32, 1, 4, TF_REDUCE_COLUMN_SUM),                             \
    TF_KIND(TF_BF16, TF_FP32, 1, 4, TF_REDUCE_ROW_SUM),                                \
    {TF_FP32, TF_FP32, 1, 4, TF_REDUCE_CHIP_SUM, TF_TF32, TF_HOW_PLAIN, 0},            \
}
#define TF_REDUCE_NAMES "column-sum", "column-max", "row-sum", "column-sum-fp32", "row-sum-fp32", "chip-sum"

/* ---- transpose: A has 14 columns of tiles, OUT 14 rows ---- */

#define TF_TRANSPOSE_KINDS {                                                           \
    TF_KIND(TF_BF16, TF_BF16, 0, 1, 0),                                                \
    TF_KIND(TF_FP16, TF_FP16, 0, 1, 0),                                                \
    TF_KIND(TF_BFP8, TF_BF16, 0, 1, 0),                                                \
}
#define TF_TRANSPOSE_NAMES "bf16", "fp16", "bfp8"

/*
 * ---- softmax: exp(x - maximum) / sum, over the 32 numbers of each column of a tile, or over the 320 of the tiles that
 * a column of cores has; B is a tile of ones. Each of those cores gathers all their maxima, and then their sums, in
 * the upper faces of a tile, one row for each core ----
 */

enum tf_softmax_op { TF_SOFTMAX_TILE, TF_SOFTMAX_CHIP };
enum tf_softmax_gathered { TF_SOFTMAX_MAXIMA, TF_SOFTMAX_SUMS };
#define TF_SOFTMAX_INBOX(what, count) /* the next one is filled while the last one is still read */ \
    (TF_TENSOR_CB(TF_PAGES_COUNT) + ((what) * 2u + (count) % 2u) * TF_TILE_BYTES(TF_BF16))
#define TF_SOFTMAX_CAME(what, row) /* how often a core of the column has sent them */ \
    (TF_K_SHARED + 0x100u + ((what) * TF_K_ROWS + (row)) * 16u)
#define TF_SOFTMAX_KINDS {                                                             \
    TF_KIND(TF_BF16, TF_BF16, 0, 4, TF_SOFTMAX_TILE),                                  \
    TF_KIND(TF_BFP8, TF_BF16, 0, 4, TF_SOFTMAX_TILE),                                  \
    TF_KIND(TF_BF16, TF_BF16, 0, 4, TF_SOFTMAX_CHIP),                                  \
}
#define TF_SOFTMAX_NAMES "bf16", "bfp8", "chip"

/* ---- convert: tile i of OUT from tile i of A, in another format, another order, or changed on its way ---- */

enum tf_convert_op { TF_CONVERT_NEAREST, TF_CONVERT_STOCHASTIC }; /* how the packer rounds, to tf32 and to bfp8 */
#define TF_CONVERT_KINDS {                                                             \
    {TF_FP32, TF_BF16, 0, 1, 0, TF_BF16, TF_HOW_PLAIN, 0},                             \
    {TF_FP32, TF_FP32, 1, 1, 0, TF_TF32, TF_HOW_PLAIN, 0},                             \
    {TF_FP32, TF_FP32, 1, 1, 0, 0, TF_HOW_TO_DST, 0},                                  \
    {TF_FP32, TF_FP16, 0, 1, 0, TF_FP16, TF_HOW_PLAIN, 0},                             \
    {TF_FP32, TF_BFP8, 1, 1, 0, TF_TF32, TF_HOW_PLAIN, 0},                             \
    {TF_INT32, TF_INT32, 1, 1, 0, 0, TF_HOW_TO_DST, 0},                                \
    TF_KIND(TF_UINT16, TF_UINT16, 0, 1, 0),                                            \
    TF_KIND(TF_FP8, TF_FP16, 0, 1, 0),                                                 \
    TF_KIND(TF_FP8_E4M3, TF_FP16, 0, 1, 0),                                            \
    TF_KIND(TF_FP16, TF_FP8_E4M3, 0, 1, 0),                                            \
    TF_KIND(TF_BFP4, TF_BF16, 0, 1, 0),                                                \
    TF_KIND(TF_BFP2, TF_BF16, 0, 1, 0),                                                \
    TF_KIND(TF_BF16, TF_BFP4, 0, 1, 0),                                                \
    TF_KIND(TF_BF16, TF_BFP2, 0, 1, 0),                                                \
    {TF_BF16, TF_BF16, 0, 1, 0, 0, TF_HOW_PLAIN, 1},                                   \
    {TF_FP16, TF_FP16, 0, 1, 0, 0, TF_HOW_PLAIN, 2},                                   \
    {TF_FP32, TF_FP32, 1, 1, 0, TF_TF32, TF_HOW_PLAIN, 3},                             \
    {TF_BF16, TF_BF16, 0, 1, 0, 0, TF_HOW_ACCUMULATE, 0},                              \
    {TF_FP16, TF_FP16, 0, 1, 0, 0, TF_HOW_ACCUMULATE, 0},                              \
    {TF_FP32, TF_FP32, 1, 1, 0, TF_TF32, TF_HOW_ACCUMULATE, 0},                        \
    {TF_BF16, TF_BF16, 0, 1, 0, 0, TF_HOW_TILIZE, 0},                                  \
    {TF_BF16, TF_BF16, 0, 1, 0, 0, TF_HOW_UNTILIZE, 0},                                \
    {TF_FP32, TF_FP32, 1, 1, TF_CONVERT_STOCHASTIC, 0, TF_HOW_TO_DST, 0},              \
    TF_KIND(TF_BF16, TF_BFP8, 0, 1, TF_CONVERT_STOCHASTIC),                            \
}
#define TF_CONVERT_NAMES "fp32-bf16", "fp32-tf32", "fp32-dst", "fp32-fp16", "fp32-bfp8", "int32-dst", "uint16", \
    "fp8-fp16", "fp8e4m3-fp16", "fp16-fp8e4m3", "bfp4-bf16", "bfp2-bf16", "bf16-bfp4", "bf16-bfp2", "relu",       \
    "relu-above", "relu-below", "accumulate", "accumulate-fp16", "accumulate-fp32", "tilize", "untilize",  \
    "tf32-stochastic", "bfp8-stochastic"

#endif
