/* SPDX-License-Identifier: Apache-2.0 */
/* The interface between the matrix unit's instructions and its kernels. */
#ifndef TILE_TENSIX_MATRIX_KERNEL_SET_H
#define TILE_TENSIX_MATRIX_KERNEL_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/data/src.h"
#include "tile/tensix/matrix/matrix.h"

#define TF_FPU_ROWS 8u

/* Styles in which SrcA, and usually SrcB, are read (SrcAStyle of the pages). */
enum tf_fpu_style { TF_STYLE_BF16, TF_STYLE_FP16, TF_STYLE_TF32, TF_STYLE_INT8 };

#define TF_FPU_DATUM 0x7FFFFu /* all bits of SrcA's or SrcB's */

/* Bits of a datum in each style; BF16 has three bits of mantissa fewer, FP16 three bits of exponent fewer. */
static inline uint32_t tf_fpu_mask(enum tf_fpu_style style)
{
    return style == TF_STYLE_BF16 ? 0x7F8FFu : style == TF_STYLE_FP16 ? 0x7FF1Fu : TF_FPU_DATUM;
}

/* Formats of Dst for accumulation. */
enum tf_fpu_accumulator { TF_ACC_FP32, TF_ACC_BF16, TF_ACC_FP16 };

/* Operands: rows of SrcA and SrcB, and rows of Dst, which are written completely. */
struct tf_fpu_memory;

struct tf_fpu_job {
    const uint32_t (*a)[TF_SRC_COLUMNS], (*b)[TF_SRC_COLUMNS];
    uint16_t (*dst)[TF_SRC_COLUMNS];
    uint16_t at[TF_FPU_ROWS]; /* of Dst: rows of data or high halves; low ones are TF_DST_LOW_ROWS further */
    unsigned rows;
    unsigned b_step; /* rows of SrcB: as many as of Dst, or 0, one row for all */
    enum tf_fpu_accumulator accumulator;
    bool exponent_8b;
    bool keep_b_denormals;
    bool broadcast_column; /* column 0 of SrcB for all columns */
    bool subtract;
    bool accumulate;
    unsigned phase;
    uint32_t mask_a, mask_b;                      /* bits of a datum that have an effect */
    bool pairs;                                   /* an even row of Dst and the next one are adjacent */
    struct tf_fpu_memory *memory;                 /* NULL: nothing is kept */
    uint64_t key_a, key_b;                        /* of the operands (pieces.h), without the width; 0: not cached */
    const uint32_t (*generators)[TF_SRC_COLUMNS]; /* one for each datum of Dst: of tf_fpu_stochastic alone */
};

/* Operands of GMPOOL (GMPOOL.md), besides tf_fpu_job's a, the first row of b, and four rows of Dst. */
struct tf_fpu_pool {
    enum tf_fpu_style source, dst; /* TF_STYLE_INT8 for dst: INT32 */
    bool wide, arg_max;
};

/* MOVA2D, MOVB2D: conversion of data of SrcA or SrcB for Dst. */
struct tf_fpu_to_dst {
    enum tf_fpu_style style; /* SrcAFmt of the pages */
    uint32_t mask;           /* bits of a datum that have an effect */
    bool keep_denormals, low, broadcast_column;
};

struct tf_fpu_kernels {
    const char *name;
    void (*multiply)(const struct tf_fpu_job *job); /* Dst += SrcB @ SrcA; rows is 4 or 8 */
    void (*multiply_int)(const struct tf_fpu_job *job);
    void (*elementwise_multiply)(const struct tf_fpu_job *job);
    void (*elementwise_add)(const struct tf_fpu_job *job);
    void (*elementwise_int)(const struct tf_fpu_job *job, bool multiply);
    void (*pool)(const struct tf_fpu_job *job, const struct tf_fpu_pool *pool);
    /* One row, 32-byte aligned in Dst; `rest` gets TF32's low bits, for the other half. */
    void (*to_dst)(const struct tf_fpu_to_dst *how, const uint32_t *from, uint16_t *values, uint16_t *rest);
    void (*from_dst)(enum tf_fpu_style style, bool from_low, const uint16_t *high, const uint16_t *low, uint32_t *to);
};

/* For sums that Fpu_srnd_en rounds to a Dst of 16 bits: one set serves all hosts. */
extern const struct tf_fpu_kernels tf_fpu_stochastic;

extern const struct tf_fpu_kernels tf_fpu_portable, tf_fpu_wormhole_portable;
#if defined(__x86_64__)
extern const struct tf_fpu_kernels tf_fpu_avx2, tf_fpu_avx512, tf_fpu_wormhole_avx2, tf_fpu_wormhole_avx512;
#endif

#endif
