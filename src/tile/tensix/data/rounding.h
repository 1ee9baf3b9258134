/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stochastic rounding of the matrix unit and of the packer (ALU_ROUNDING_MODE). No page says more of its generators
 * than that they exist, are seeded and are reset: they are taken to be like the vector unit's, one for each datum of
 * what an instruction rounds at once, and to be used as the vector unit uses its own. docs/tensix.md has all of it.
 *
 * A datum that is rounded takes 23 bits and adds one to its last place if what it loses, as a fraction of 23 bits, is
 * not below them (SFPSTOCHRND_FloatFloat.md, SFPSTOCHRND_IntInt.md). Half of all is rounding to nearest.
 */
#ifndef TILE_TENSIX_DATA_ROUNDING_H
#define TILE_TENSIX_DATA_ROUNDING_H

#include <stdint.h>

#include "tile/hash.h"
#include "tile/tensix/data/prng.h"

#define TF_ROUNDING_ROWS 8u        /* of Dst, by an instruction of the matrix unit */
#define TF_ROUNDING_INTERFACES 4u  /* rows of Dst, by the packer */
#define TF_ROUNDING_COLUMNS 16u    /* and data that share an exponent */
#define TF_ROUNDING_BITS 0x7FFFFFu
#define TF_ROUND_TO_NEAREST 0x400000u

struct tf_rounding {
    uint32_t matrix[TF_ROUNDING_ROWS][TF_ROUNDING_COLUMNS];      /* Fpu_srnd_en */
    uint32_t early[TF_ROUNDING_INTERFACES][TF_ROUNDING_COLUMNS]; /* Gasket_srnd_en */
    uint32_t late[TF_ROUNDING_COLUMNS];                          /* Packer_srnd_en */
};

/* The next 23 bits. */
static inline uint32_t tf_rounding_next(uint32_t *generator)
{
    return tf_prng_advance(generator) & TF_ROUNDING_BITS;
}

/* The first `rows` rows of the matrix unit's generators have been used. */
void tf_rounding_advance(struct tf_rounding *rounding, unsigned rows);

/* PRNG_SEED_Seed_Val was written, which has left the vector unit's generators with this seed. */
void tf_rounding_seed(struct tf_rounding *rounding, uint32_t seed);

/* Bits of SOFT_RESET_0 have become clear. */
void tf_rounding_reset(struct tf_rounding *rounding, uint32_t leaving);

/* Nothing as long as all of them are as after reset. */
void tf_rounding_hash(const struct tf_rounding *rounding, struct tf_hash *hash);

#endif
