/* SPDX-License-Identifier: Apache-2.0 */
/* From an UNPACR, the configuration and the address counters to the work that the instruction asks for. */
#ifndef TILE_TENSIX_UNPACK_PLAN_H
#define TILE_TENSIX_UNPACK_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/unpack_job.h"

struct tf_tile;

/* Reads configuration and counters into *job. Returns false after recording a fault, if the instruction is
   undefined. */
bool tf_unpack_plan(struct tf_tile *tile, unsigned thread, uint32_t word, struct tf_unpack_job *job);

/* A field of section `side` of THCON, named by THCON_SEC0's: both sections have one layout. */
uint32_t tf_unpack_field(const struct tf_tile *tile, unsigned thread, unsigned side, uint32_t field);

#define TF_UNPACK_CFG(tile, thread, side, name) tf_unpack_field(tile, thread, side, TF_CFG_THCON_SEC0_##name)

/* The value at which context counters wrap (Context_count). */
static inline unsigned tf_unpack_contexts(uint32_t context_count)
{
    return 1u << context_count;
}

#endif
