/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stochastic rounding of the matrix unit and of the packer (ALU_ROUNDING_MODE). The pages say only that the generators
 * exist, are seeded and are reset. They are modelled after the vector unit's: one for each datum that an instruction
 * rounds in parallel, advanced by the same rule (docs/tensix.md).
 *
 * To round a datum, a number of 23 bits is drawn. It is compared with the fraction that the datum loses, in 23 bits. If
 * the fraction is not smaller, one is added to the last place (SFPSTOCHRND_FloatFloat.md, SFPSTOCHRND_IntInt.md). A
 * drawn 2^22 rounds to nearest.
 */
#ifndef TILE_TENSIX_DATA_ROUNDING_H
#define TILE_TENSIX_DATA_ROUNDING_H

#include <stdint.h>

#include "tile/hash.h"
#include "tile/tensix/data/prng.h"

#define TF_ROUNDING_ROWS 8u       /* of Dst, by an instruction of the matrix unit */
#define TF_ROUNDING_INTERFACES 4u /* rows of Dst, by the packer */
#define TF_ROUNDING_COLUMNS 16u   /* and data that share an exponent */
#define TF_ROUNDING_BITS 0x7FFFFFu
#define TF_ROUND_TO_NEAREST 0x400000u

struct tf_rounding {
    uint32_t matrix[TF_ROUNDING_ROWS][TF_ROUNDING_COLUMNS];      /* Fpu_srnd_en */
    uint32_t early[TF_ROUNDING_INTERFACES][TF_ROUNDING_COLUMNS]; /* Gasket_srnd_en */
    uint32_t late[TF_ROUNDING_COLUMNS];                          /* Packer_srnd_en */
};

/* Draws 23 bits. */
static inline uint32_t tf_rounding_next(uint32_t *generator)
{
    return tf_prng_advance(generator) & TF_ROUNDING_BITS;
}

/* Advances the first `rows` rows of the matrix unit's generators, after an instruction has used them. */
void tf_rounding_advance(struct tf_rounding *rounding, unsigned rows);

/* Seeds the generators after a write of PRNG_SEED_Seed_Val; `seed` is what tf_sfpu_seed() returned. */
void tf_rounding_seed(struct tf_rounding *rounding, uint32_t seed);

/* Resets the generators as the bits of SOFT_RESET_0 that have become clear demand. */
void tf_rounding_reset(struct tf_rounding *rounding, uint32_t leaving);

/* Hashes nothing while all generators have their reset values. */
void tf_rounding_hash(const struct tf_rounding *rounding, struct tf_hash *hash);

#endif
