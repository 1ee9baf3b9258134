/* SPDX-License-Identifier: Apache-2.0 */
/* The generator of VectorUnit.md, "PRNG": an LFSR of 32 bits. Each lane has one. */
#ifndef TILE_TENSIX_DATA_PRNG_H
#define TILE_TENSIX_DATA_PRNG_H

#include <stdint.h>

/* The next state: of a number, or of each lane of a vector of the host. */
#define TF_PRNG_STEP(state) ((~((state) ^ (state) >> 1 ^ (state) >> 21 ^ (state) >> 31) & 1) << 31 | (state) >> 1)

static inline uint32_t tf_prng_step(uint32_t state)
{
    return TF_PRNG_STEP(state);
}

/* AdvancePRNG() */
static inline uint32_t tf_prng_advance(uint32_t *state)
{
    uint32_t result = *state;
    *state = tf_prng_step(result);
    return result;
}

/*
 * Seeds generators from the last to the first, as ttsim seeds the lanes of the vector unit. Returns the seed for the
 * generators that follow.
 */
static inline uint32_t tf_prng_seed(uint32_t *state, unsigned count, uint32_t seed)
{
    for (unsigned i = count; i-- > 0;) {
        seed = tf_prng_step(tf_prng_step(seed));
        state[i] = seed;
    }
    return seed;
}

#endif
