/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The F and Zfh instructions of the baby RISC-V cores, on bit patterns. Source: InstructionSet.md and CSRs.md under
 * BlackholeA0/TensixTile/BabyRISCV. Rounding is always to nearest even (BF16: as cfg0 says). fadd, fsub, fmul and the
 * fmadd family treat denormal operands as zero and flush denormal results. The other instructions are standard. .h
 * values live in the low 16 bits of an f register, NaN-boxed. If the high bits are not all ones, the operand is the
 * canonical NaN. All functions are pure; *fflags collects exceptions (TF_FP_* of fma.h).
 */
#ifndef TILE_RISCV_FP_FP_H
#define TILE_RISCV_FP_FP_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/riscv/fp/fma.h"

/* The format of .h instructions: cfg0's EnBFloat and EnBFloatRTNE. */
enum tf_fp_half {
    TF_FP_HALF_FP16 = TF_FMA_FP16,
    TF_FP_HALF_BF16_RTZ = TF_FMA_BF16_RTZ,
    TF_FP_HALF_BF16_RTNE = TF_FMA_BF16_RTNE,
};

static inline enum tf_fp_half tf_fp_half_of_cfg0(uint32_t cfg0)
{
    if (!(cfg0 >> 30 & 1)) {
        return TF_FP_HALF_FP16;
    }
    return cfg0 >> 31 ? TF_FP_HALF_BF16_RTNE : TF_FP_HALF_BF16_RTZ;
}

/*
 * Execute the instruction `id` (enum tf_rv_id) of format R4, FR, FFF, FCMP, FXF or FFX. a, b, c are rs1, rs2, rs3, of
 * the register files that the format names; unused ones are ignored. The result belongs to rd in its file. Any other id
 * gives 0.
 */
uint32_t tf_fp_execute(unsigned id, uint32_t a, uint32_t b, uint32_t c, enum tf_fp_half half, uint32_t *fflags);

/* Single precision. */
static inline uint32_t tf_fadd_s(uint32_t a, uint32_t b, uint32_t *fflags)
{
    return tf_fma(a, 0x3f800000, b, TF_FMA_FP32, fflags);
}

static inline uint32_t tf_fsub_s(uint32_t a, uint32_t b, uint32_t *fflags)
{
    return tf_fma(a, 0x3f800000, b ^ 0x80000000, TF_FMA_FP32, fflags);
}

static inline uint32_t tf_fmul_s(uint32_t a, uint32_t b, uint32_t *fflags)
{
    return tf_fma(a, b, (a ^ b) & 0x80000000, TF_FMA_FP32, fflags);
}

uint32_t tf_fmin_s(uint32_t a, uint32_t b, uint32_t *fflags);
uint32_t tf_fmax_s(uint32_t a, uint32_t b, uint32_t *fflags);
uint32_t tf_feq_s(uint32_t a, uint32_t b, uint32_t *fflags);
uint32_t tf_flt_s(uint32_t a, uint32_t b, uint32_t *fflags);
uint32_t tf_fle_s(uint32_t a, uint32_t b, uint32_t *fflags);
uint32_t tf_fclass_s(uint32_t a);
/* fcvt.w.s or fcvt.wu.s; towards_zero: their variants that round towards zero. */
uint32_t tf_fcvt_int(uint32_t a, bool is_signed, bool truncate, uint32_t *fflags);
uint32_t tf_fcvt_s_w(uint32_t a, uint32_t *fflags);
uint32_t tf_fcvt_s_wu(uint32_t a, uint32_t *fflags);

/* The f register after flh or fmv.h.x. */
static inline uint32_t tf_fp_box(uint32_t half)
{
    return half | 0xffff0000;
}

#endif
