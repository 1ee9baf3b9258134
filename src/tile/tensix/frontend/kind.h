/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes the kind of an instruction (enum tf_kind). Cores keep it with a .ttinsn, the replay buffer with an entry. */
#ifndef TILE_TENSIX_FRONTEND_KIND_H
#define TILE_TENSIX_FRONTEND_KIND_H

#include <stdint.h>

#include "tile/tensix/frontend/isa.h"
#include "tile/tensix/scalar/alu.h"

/* The kind of an instruction outside the scalar unit's batches. */
uint8_t tf_kind_of_other(uint32_t word);

/* Never TF_KIND_UNKNOWN. */
static inline uint8_t tf_kind_of(uint32_t word)
{
    uint8_t kind = tf_thcon_gpr_only_kind(word);
    return kind != TF_KIND_OTHER ? kind : tf_kind_of_other(word);
}

/* Decodes the kind of a stored word, in place. */
static inline uint8_t tf_kind_at(uint8_t *kind, uint32_t word)
{
    if (*kind == TF_KIND_UNKNOWN)
        *kind = tf_kind_of(word);
    return *kind;
}

#endif
