/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The multiply-add of Blackhole's baby RISC-V cores and of its Tensix vector unit: partly fused
 * (Miscellaneous/FMA/README.md, fma_model_bh). Operands and results are bit patterns. Integer arithmetic gives equal
 * results on every host. All functions are pure and may be called from any thread.
 */
#ifndef TILE_RISCV_FP_FMA_H
#define TILE_RISCV_FP_FMA_H

#include <stdint.h>

/* Exceptions, as in the low five bits of fcsr (RISC-V F extension). */
#define TF_FP_NX 0x01u /* inexact */
#define TF_FP_UF 0x02u /* underflow */
#define TF_FP_OF 0x04u /* overflow */
#define TF_FP_NV 0x10u /* invalid operation */

/* Formats of results. Operands are always FP32: FP16 and BF16 widen to it exactly. */
enum tf_fma_format {
    TF_FMA_FP32,      /* to nearest, ties to even */
    TF_FMA_FP16,      /* to nearest, ties to even */
    TF_FMA_BF16_RTZ,  /* towards zero */
    TF_FMA_BF16_RTNE, /* to nearest, ties to even */
};

/*
 * x * y + z. Denormal operands are zero, denormal results are flushed to zero with their sign, NaN results are the
 * canonical NaN of the format. The result is in the low 32 or 16 bits; raised exceptions are or-ed into *flags.
 */
uint32_t tf_fma(uint32_t x, uint32_t y, uint32_t z, enum tf_fma_format format, uint32_t *flags);

#endif
