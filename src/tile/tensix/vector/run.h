/* SPDX-License-Identifier: Apache-2.0 */
/* Batches of instructions that touch nothing but the vector unit and Dst. */
#ifndef TILE_TENSIX_VECTOR_RUN_H
#define TILE_TENSIX_VECTOR_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/isa/vector_kind.h"

struct tf_sfpu_batch;
struct tf_tile;

/*
 * Passes the instruction at the gate and those after it that the vector unit executes in batches, before cycle `limit`;
 * tf_batch_pass() has the conditions. Returns false, with nothing done, if the instruction at the gate is of another
 * kind. No observer may need each instruction.
 */
bool tf_sfpu_run(struct tf_tile *tile, unsigned thread, uint64_t limit);

/* Looks up Dst for the batch's first SFPLOAD or SFPSTORE. Returns false if Dst does not exist yet. */
bool tf_sfpu_look_up(struct tf_sfpu_batch *s);

/* MOD0_FMT_SRCB resolved, once in a batch. */
unsigned tf_sfpu_as_srcb(struct tf_sfpu_batch *s);

#endif
