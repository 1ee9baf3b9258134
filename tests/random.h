/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The random numbers of all tests: splitmix64, seeded by TF_SEED where it is set. A test that uses it prints the seed
 * that repeats it. The inputs of recorded tables cannot change any more: conformance/tensix/recorded_inputs.h.
 */
#ifndef TESTS_RANDOM_H
#define TESTS_RANDOM_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static inline uint64_t test_environment(const char *name, uint64_t fallback)
{
    const char *text = getenv(name);
    return text != NULL ? strtoull(text, NULL, 0) : fallback;
}

/* How many random programs a test tries: TF_ROUNDS of the environment, or `otherwise`. */
static inline uint64_t test_rounds(uint64_t fallback)
{
    return test_environment("TF_ROUNDS", fallback);
}

/* The seed of this run: that of the environment, or `otherwise`. Prints it. */
static inline uint64_t test_seed(uint64_t fallback)
{
    uint64_t seed = test_environment("TF_SEED", fallback);
    printf("TF_SEED=%" PRIu64 "\n", seed);
    fflush(stdout);
    return seed;
}

/* The next number; any state will do. */
static inline uint64_t test_random64(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static inline uint32_t test_random(uint64_t *state)
{
    return (uint32_t)(test_random64(state) >> 32);
}

/* The hash of a sequence that goes on with `value`. */
static inline uint64_t test_mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * 0x9E3779B97F4A7C15u + (hash >> 29);
}

/* 0 .. below - 1 */
static inline uint32_t test_random_below(uint64_t *state, uint32_t below)
{
    return (uint32_t)((uint64_t)test_random(state) * below >> 32);
}

#endif
