/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tensors of the tensor workloads, for device and host: tiles of 32 by 32 numbers. A tile is four faces of 16 by 16
 * numbers, each row by row, in the order upper left, upper right, lower left, lower right. Tile i of a tensor lies in
 * DRAM channel i modulo the number of channels.
 */
#ifndef TILEFARM_TENSOR_H
#define TILEFARM_TENSOR_H

#include <stdint.h>

/*
 * Formats, by the numbers that fields of configuration take
 * (WormholeB0/TensixTile/TensixCoprocessor/FloatBitPatterns.md). A mode bit tells the fp8 with four bits of exponent
 * from the other one. Integers are a sign and a magnitude.
 */
enum tf_tensor_format {
    TF_FP32 = 0,
    TF_FP16 = 1,
    TF_TF32 = 4,
    TF_BF16 = 5,
    TF_BFP8 = 6,
    TF_BFP4 = 7,
    TF_INT32 = 8,
    TF_UINT16 = 9,
    TF_FP8 = 10,
    TF_INT8 = 14,
    TF_BFP2 = 15,
    TF_FP8_E4M3 = 16 + TF_FP8,
};
#define TF_FORMAT_FIELD(format) ((format)&15u)
#define TF_FORMAT_IS_BFP(format) ((format) == TF_BFP8 || (format) == TF_BFP4 || (format) == TF_BFP2)
#define TF_FORMAT_IS_INTEGER(format) ((format) == TF_INT32 || (format) == TF_UINT16 || (format) == TF_INT8)
/* clang-format off */
#define TF_FORMAT_BITS(format)                                                                          \
    ((format) == TF_FP32 || (format) == TF_INT32 ? 32u                                                  \
     : (format) == TF_BFP8 || TF_FORMAT_FIELD(format) == TF_FP8 || (format) == TF_INT8 ? 8u             \
     : (format) == TF_BFP4 ? 4u : (format) == TF_BFP2 ? 2u : 16u)
/* clang-format on */

#define TF_TILE_SIDE 32u
#define TF_FACE_SIDE 16u
#define TF_TILE_NUMBERS 1024u
#define TF_TILE_EXPONENTS 64u /* at the start of a bfp tile, one for 16 numbers */
#define TF_TILE_BYTES(format) \
    ((TF_FORMAT_IS_BFP(format) ? TF_TILE_EXPONENTS : 0u) + TF_FORMAT_BITS(format) * TF_TILE_NUMBERS / 8u)
#define TF_TILE_BYTES_MAX 4096u

enum tf_tensor { TF_TENSOR_A, TF_TENSOR_B, TF_TENSOR_OUT };
#define TF_TENSOR_BASE(tensor) ((tensor)*0x20000000u)
#define TF_TENSOR_ADDRESS(tensor, index, channels, bytes) (TF_TENSOR_BASE(tensor) + (index) / (channels) * (bytes))
#define TF_TENSOR_UNTOUCHED 0xA5u /* bytes of an output before the run */

/* Circular buffers. The stream of that number counts the pages of each. */
enum tf_tensor_cb { TF_PAGES_A, TF_PAGES_B, TF_PAGES_OUT, TF_PAGES_COUNT };
#define TF_TENSOR_PAGES 2u
/* Addresses in L1: the buffers, 128 KiB each, and a word that becomes 1 when B has configured the coprocessor. Define
   both for programs with another layout. */
#ifndef TF_TENSOR_BUFFERS
#define TF_TENSOR_BUFFERS 0x20000u
#define TF_TENSOR_READY 0x18000u
#endif
#define TF_TENSOR_CB(cb) (TF_TENSOR_BUFFERS + (cb)*0x20000u)

/* The formats and options of a variant. */
struct tf_tensor_kind {
    uint8_t in, out; /* formats in DRAM */
    uint8_t wide;    /* 32-bit Dst */
    uint8_t phases;  /* fidelity phases, 1..4 */
    uint8_t op;      /* the workload's own */
    uint8_t src;     /* format in SrcA and SrcB, or in Dst if the unpacker writes there; 0: `in` */
    uint8_t how;     /* enum tf_tensor_how */
    uint8_t relu;    /* STACC_RELU_ApplyRelu; the threshold is TF_TENSOR_THRESHOLD */
};

/* A kind without options. */
/* clang-format off */
#define TF_KIND(in, out, wide, phases, op) {in, out, wide, phases, op, 0, TF_HOW_DEFAULT, 0}
/* clang-format on */

enum tf_tensor_how {
    TF_HOW_DEFAULT,
    TF_HOW_TO_DST,     /* the unpacker writes to Dst */
    TF_HOW_TILIZE,     /* A is strips of two tiles side by side, row by row */
    TF_HOW_UNTILIZE,   /* the tiles of OUT are row by row, without faces */
    TF_HOW_ACCUMULATE, /* the packer packs each tile TF_TENSOR_ROUNDS times, and adds up in L1 */
};
#define TF_STRIP_ROW_BYTES (2u * TF_TILE_SIDE * 2u) /* of 16-bit numbers */
#define TF_TENSOR_ROUNDS 3u
#define TF_TENSOR_THRESHOLD 0.5
#define TF_TENSOR_SRC(kind) ((kind)->src != 0 ? (kind)->src : (kind)->in)

#endif
