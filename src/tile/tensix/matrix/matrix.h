/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The matrix unit (WormholeB0 TensixCoprocessor/MatrixUnit.md, SrcASrcB.md and the page of each instruction). Kernels
 * compute the results; there is a set of them for each vector level, and all sets give the same bits.
 */
#ifndef TILE_TENSIX_MATRIX_MATRIX_H
#define TILE_TENSIX_MATRIX_MATRIX_H

#include <stdint.h>

struct tf_fpu_kernels;
struct tf_fpu_kept;

struct tf_fpu {
    uint8_t srca_row; /* row of SrcA that the last instruction computed: SHIFTXA.md, "hardware bug" */
    const struct tf_fpu_kernels *kernels; /* chosen when the coprocessor is created; not part of the state */
    struct tf_fpu_kept *kept;             /* cache of the previous instruction, or NULL; not part of the state */
};

#endif
