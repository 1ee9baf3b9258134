/* SPDX-License-Identifier: Apache-2.0 */
/* Between what an instruction of the matrix unit is about and the kernels that compute it. */
#ifndef TILE_TENSIX_FPU_ISA_H
#define TILE_TENSIX_FPU_ISA_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/fpu.h"
#include "tile/tensix/src.h"

#define TF_FPU_ROWS 8u

/* How SrcA, and mostly SrcB, are read (SrcAStyle of the pages). */
enum tf_fpu_style { TF_STYLE_BF16, TF_STYLE_FP16, TF_STYLE_TF32, TF_STYLE_INT8 };

/* What is accumulated onto. */
enum tf_fpu_accumulator { TF_ACC_FP32, TF_ACC_BF16, TF_ACC_FP16 };

/* Operands: rows of SrcA and SrcB, and rows of Dst, all of whose data are written. */
struct tf_fpu_job {
    const uint32_t (*a)[TF_SRC_COLUMNS];
    const uint32_t *b[TF_FPU_ROWS];
    uint16_t *high[TF_FPU_ROWS], *low[TF_FPU_ROWS]; /* of Dst; low is used if Dst is 32 bits wide */
    unsigned rows;
    enum tf_fpu_accumulator accumulator;
    bool exponent_8b;
    bool keep_b_denormals;
    bool broadcast_column; /* column 0 of SrcB for all columns */
    bool subtract;
    bool accumulate;
    unsigned phase;
    uint32_t mask_a, mask_b; /* bits of a datum that count */
};

/* GMPOOL.md: what it reads and writes beside tf_fpu_job's a, b[0], high[0] and low[0]. */
struct tf_fpu_pool {
    enum tf_fpu_style source, dst; /* TF_STYLE_INT8 for dst: INT32 */
    bool wide, arg_max;
};

struct tf_fpu_isa {
    const char *name;
    void (*multiply)(const struct tf_fpu_job *job);         /* Dst += SrcB @ SrcA; rows is 4 or 8 */
    void (*multiply_int)(const struct tf_fpu_job *job);
    void (*elementwise_multiply)(const struct tf_fpu_job *job);
    void (*elementwise_add)(const struct tf_fpu_job *job);
    void (*elementwise_int)(const struct tf_fpu_job *job, bool multiply);
    void (*pool)(const struct tf_fpu_job *job, const struct tf_fpu_pool *pool);
};

extern const struct tf_fpu_isa tf_fpu_portable;
#if defined(__x86_64__)
extern const struct tf_fpu_isa tf_fpu_avx2, tf_fpu_avx512;
#endif

#endif
