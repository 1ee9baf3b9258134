/* SPDX-License-Identifier: Apache-2.0 */
/* The generator of VectorUnit.md, "PRNG": an LFSR of 32 bits. Each lane has one. */
#ifndef TILE_TENSIX_DATA_PRNG_H
#define TILE_TENSIX_DATA_PRNG_H

#include <stdint.h>

static inline uint32_t tf_prng_step(uint32_t state)
{
    uint32_t taps = (uint32_t)__builtin_popcount(state & 0x80200003u);
    return ~taps << 31 | state >> 1;
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
