/* SPDX-License-Identifier: Apache-2.0 */
/* Operands of the matrix unit taken apart, and those of SrcA kept for the next instruction that has the same ones. */
#ifndef TILE_TENSIX_FPU_PIECES_H
#define TILE_TENSIX_FPU_PIECES_H

#include <stdint.h>

/*
 * Signed mantissa and exponent of each datum. SrcB's mantissas are times 4 (times 1 if lanes are wider than 16 bits),
 * its exponents include the bias. For the widest vectors, rows k and k + 8 of SrcA are neighbours.
 */
struct tf_fpu_pieces {
    _Alignas(64) int16_t mantissa[16][16], exponent[16][16];
};

/* Not part of the state: what comes of it is what would come of taking the rows apart again. */
struct tf_fpu_memory {
    _Alignas(64) uint32_t from[16][16]; /* rows of SrcA */
    struct tf_fpu_pieces pieces;
    uint32_t mask;
    uint8_t phase, width;               /* width: of the kernels' vectors; 0: nothing is kept */
};

#endif
