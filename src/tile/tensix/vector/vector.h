/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vector unit (BlackholeA0 TensixCoprocessor/VectorUnit.md and the page of each instruction). An instruction's
 * tf_exec_ function calls a kernel. There is a set of kernels for each vector level; all sets give the same bits.
 */
#ifndef TILE_TENSIX_VECTOR_VECTOR_H
#define TILE_TENSIX_VECTOR_VECTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "host/vectors.h"
#include "tile/hash.h"
#include "tile/tensix/data/lreg.h"
#include "tile/tensix/vector/set.h"

struct tf_vector;
struct tf_tile;

/* The kernels of a vector level, of a family's edition (enum tf_edition). Returns NULL if the host lacks the level. */
const struct tf_sfpu_kernels *tf_sfpu_kernels_of(unsigned edition, enum tf_vectors level);

/* The tile's vector unit, made on first use. */
struct tf_vector *tf_sfpu_get(struct tf_tile *tile);

/* From now on the tile's vector unit uses the kernels of the level. Returns false if the host lacks the level. */
bool tf_sfpu_choose(struct tf_tile *tile, enum tf_vectors level);

void tf_sfpu_destroy(struct tf_tile *tile);
void tf_sfpu_hash(const struct tf_tile *tile, struct tf_hash *hash);

struct tf_saved;

/* The saved state (host/saved.h). */
void tf_sfpu_state(struct tf_saved *saved, struct tf_tile *tile);

/* Resets the vector unit as the bits of SOFT_RESET_0 that have become set, or clear, demand (SoftReset.md). */
void tf_sfpu_reset(struct tf_tile *tile, uint32_t entering, uint32_t leaving);

/* Seeds the lanes' generators after a write of Config.PRNG_SEED_Seed_Val. Returns the seed for other units. */
uint32_t tf_sfpu_seed(struct tf_tile *tile, uint32_t seed);

#endif
