/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes the kind of an instruction (enum tf_kind). Cores keep it with a .ttinsn, the replay buffer with an entry. A
 * kind says which unit executes the instruction in batches, and has that unit's own number for it.
 */
#ifndef TILE_TENSIX_FRONTEND_KIND_H
#define TILE_TENSIX_FRONTEND_KIND_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/isa/isa.h"
#include "tile/tensix/isa/scalar_kind.h"
#include "tile/tensix/isa/vector_kind.h"

_Static_assert((int)TF_VECTOR_KINDS <= TF_KIND_MATRIX - TF_KIND_VECTOR && TF_KIND_SCALAR + (int)TF_THCON_KINDS <= 256,
               "each unit has its range of an 8-bit kind");

/* The kind of an instruction outside the scalar unit's batches. */
uint8_t tf_kind_of_other(uint32_t word);

/* Never TF_KIND_UNKNOWN. */
static inline uint8_t tf_kind_of(uint32_t word)
{
    enum tf_thcon_kind kind = tf_thcon_kind_of(word);
    return kind != TF_THCON_KINDS ? (uint8_t)(TF_KIND_SCALAR + kind) : tf_kind_of_other(word);
}

/* Decodes the kind of a stored word, in place. */
static inline uint8_t tf_kind_at(uint8_t *kind, uint32_t word)
{
    if (*kind == TF_KIND_UNKNOWN)
        *kind = tf_kind_of(word);
    return *kind;
}

/* The enum tf_vector_kind of an instruction; TF_VECTOR_KINDS or more: it is not one of the vector unit's batches. */
static inline uint32_t tf_kind_in_vector(uint32_t kind)
{
    return kind - TF_KIND_VECTOR;
}

/* The enum tf_thcon_kind of an instruction; TF_THCON_KINDS or more: it is not one of the scalar unit's batches. */
static inline uint32_t tf_kind_in_scalar(uint32_t kind)
{
    return kind - TF_KIND_SCALAR;
}

/* Does the scalar unit execute the instruction in batches? */
static inline bool tf_kind_is_scalar(uint8_t kind)
{
    return kind >= TF_KIND_SCALAR;
}

#endif
