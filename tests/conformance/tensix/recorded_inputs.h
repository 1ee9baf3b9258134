/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the seed of a recorded case names its inputs. A peer left equal states for these inputs, so that they stay as
 * they are. Tests that draw inputs anew use random.h.
 */
#ifndef TESTS_CONFORMANCE_TENSIX_RECORDED_INPUTS_H
#define TESTS_CONFORMANCE_TENSIX_RECORDED_INPUTS_H

#include <stdint.h>

#include "random.h"

/* Inputs of the matrix unit, unpackers and packer: numbers of random.h, but for bit 0. */
static inline uint32_t recorded_number(uint64_t *state)
{
    uint32_t number = test_random(state);
    return number ^ number >> 31;
}

/* Inputs of counters and ZEROACC: a congruence modulo 2^64 from the case's seed on, 31 bits of each number. */
static inline uint64_t recorded_first(uint32_t opcode, uint32_t seed)
{
    return ((uint64_t)opcode << 32 | seed) * 0x9E3779B97F4A7C15u + 1;
}

static inline uint32_t recorded_next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

#endif
