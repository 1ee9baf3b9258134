/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The matrix unit (WormholeB0 TensixCoprocessor/MatrixUnit.md, SrcASrcB.md and the page of each instruction). What is
 * computed goes through a set of kernels, of which there is one for each kind of host; sets give the same bits.
 */
#ifndef TILE_TENSIX_MATRIX_MATRIX_H
#define TILE_TENSIX_MATRIX_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

struct tf_tile;
struct tf_fpu_isa;

struct tf_fpu_kept;

struct tf_fpu {
    uint8_t srca_row;             /* row of SrcA that the last instruction computed: SHIFTXA.md, "hardware bug" */
    const struct tf_fpu_isa *isa; /* how the host computes; not part of the state. NULL: the best that the host has */
    struct tf_fpu_kept *kept;     /* what was made for the instruction before, or NULL; not part of the state */
    uint64_t src_writes[2][2];    /* how often a bank of SrcA or SrcB was written; not part of the state */
};

/* The sets of kernels. */
enum tf_fpu_choice { TF_FPU_PORTABLE, TF_FPU_AVX2, TF_FPU_AVX512, TF_FPU_CHOICES, TF_FPU_BEST };

/* NULL: this host cannot, or the build has no such set. TF_FPU_BEST is never NULL. */
const struct tf_fpu_isa *tf_fpu_isa(enum tf_fpu_choice choice);

/* From now on use this set of kernels. False: not on this host. */
bool tf_fpu_choose(struct tf_tile *tile, enum tf_fpu_choice choice);

/* Give back what was made on first use. */
void tf_fpu_destroy(struct tf_tile *tile);

/* Instructions that there are, and those that the hardware has dropped (MatrixUnit.md, "Legacy instructions"). */
#define TF_FPU_OPS(X)                                                                                          \
    X(MVMUL) X(DOTPV) X(GAPOOL) X(GMPOOL) X(ELWMUL) X(ELWADD) X(ELWSUB) X(MOVA2D) X(MOVDBGA2D) X(MOVB2D)       \
    X(MOVDBGB2D) X(MOVD2A) X(MOVD2B) X(MOVB2A) X(TRNSPSRCB) X(SHIFTXA) X(SHIFTXB) X(ZEROSRC)
#define TF_FPU_DROPPED(X)                                                                                      \
    X(CONV3S1) X(CONV3S2) X(MFCONV3S1) X(MPOOL3S1) X(MPOOL3S2) X(APOOL3S1) X(APOOL3S2)

#define X(name) void tf_exec_##name(struct tf_tile *tile, unsigned thread, uint32_t word);
TF_FPU_OPS(X)
TF_FPU_DROPPED(X)
#undef X

#endif
