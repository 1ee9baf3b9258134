/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels without arithmetic on lanes, one for all hosts: lane flags and the flag stack, configuration. */
#ifndef TILE_TENSIX_VECTOR_FLAGS_H
#define TILE_TENSIX_VECTOR_FLAGS_H

#include "tile/tensix/vector/set.h"

tf_sfpu_kernel tf_kernel_SFPENCC, tf_kernel_SFPPUSHC, tf_kernel_SFPPOPC, tf_kernel_SFPPOPC_wormhole, tf_kernel_SFPCOMPC,
    tf_kernel_SFPCONFIG, tf_kernel_SFPNOP;

/* Ors (with_or) or ands a condition into LaneFlags on top of the acting lanes' stacks. Empty stacks stay empty. */
void tf_flags_mutate_top(struct tf_vector *vector, uint32_t condition, bool with_or);

/* Returns true if an acting lane's stack is full (or empty). */
bool tf_flags_any_full(const struct tf_vector *vector);
bool tf_flags_any_empty(const struct tf_vector *vector);

/* Stores an instruction word as template `index` of SFPLOADMACRO. An instruction with VD >= 12 does that in lanes
   without DISABLE_BACKDOOR_LOAD. */
void tf_sfpu_backdoor(struct tf_vector *vector, unsigned index, uint32_t word);

/* SFPSWAP: lanes in which VD gets the smaller value, by Mod1. */
extern const uint32_t tf_swap_vd_gets_min[16];

/* Values after reset. */
void tf_vector_reset(struct tf_vector *vector);

#endif
