/* SPDX-License-Identifier: Apache-2.0 */
/* Batches of instructions that touch nothing but the vector unit and Dst. */
#ifndef TILE_TENSIX_VECTOR_RUN_H
#define TILE_TENSIX_VECTOR_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/data/lreg.h"
#include "tile/tensix/isa/vector_kind.h"

struct tf_tile;

/* The kind of a multiply-add with these registers VA and VC. */
static inline enum tf_vector_kind tf_vector_kind_of_mad(unsigned va, unsigned vc)
{
    return va == TF_LREG_ONE ? TF_VECTOR_ADD : vc == TF_LREG_ZERO ? TF_VECTOR_MULTIPLY : TF_VECTOR_MULTIPLY_ADD;
}

/*
 * Passes the instruction at the gate and those after it that the vector unit executes in batches, before cycle `limit`;
 * tf_batch_pass() has the conditions. Returns false, with nothing done, if the instruction at the gate is of another
 * kind. No observer may need each instruction.
 */
bool tf_sfpu_run(struct tf_tile *tile, unsigned thread, uint64_t limit);

#endif
