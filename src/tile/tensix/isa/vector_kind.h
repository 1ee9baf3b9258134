/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds of vector instructions that pass in batches (vector/run.c). */
#ifndef TILE_TENSIX_ISA_VECTOR_KIND_H
#define TILE_TENSIX_ISA_VECTOR_KIND_H

#include "tile/tensix/isa/sfpu.h"

/* Computing kinds have no modifier, and a VD below 8. */
enum tf_vector_kind {
    TF_VECTOR_LOAD,
    TF_VECTOR_STORE,
    TF_VECTOR_ADD,      /* SFPADD, or SFPMAD with a factor of one */
    TF_VECTOR_MULTIPLY, /* SFPMUL, or SFPMAD with an addend of zero */
    TF_VECTOR_MULTIPLY_ADD,
    TF_VECTOR_NOTHING,   /* SFPNOP: on Wormhole one follows most instructions (row `vector`) */
    TF_VECTOR_REFUSABLE, /* tf_sfpu_objection() may refuse it */
    TF_VECTOR_ALL_LANES, /* any other that acts on all lanes, and that is never refused */
    TF_VECTOR_KINDS,     /* their number; for an instruction that does not pass in batches */
};

/* The kind of a multiply-add with these registers VA and VC. */
static inline enum tf_vector_kind tf_vector_kind_of_mad(unsigned va, unsigned vc)
{
    return va == TF_LREG_ONE ? TF_VECTOR_ADD : vc == TF_LREG_ZERO ? TF_VECTOR_MULTIPLY : TF_VECTOR_MULTIPLY_ADD;
}

#endif
