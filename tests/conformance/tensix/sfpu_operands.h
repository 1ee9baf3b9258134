/* SPDX-License-Identifier: Apache-2.0 */
/* Operands of the vector unit, made from a seed, and the state of a sample of sfpu_vectors.inc. */
#ifndef TESTS_CONFORMANCE_TENSIX_SFPU_OPERANDS_H
#define TESTS_CONFORMANCE_TENSIX_SFPU_OPERANDS_H

#include <stdint.h>

#include <xxhash.h>

static inline uint32_t operand_bits(uint32_t seed, uint32_t index)
{
    uint64_t x = ((uint64_t)seed << 32 | index) * 0x9E3779B97F4A7C15ull;
    x = (x ^ x >> 32) * 0xD6E8FEB86659FD93ull;
    return (uint32_t)(x >> 32);
}

/* LReg[0] to LReg[7]: special values, FP32 near one another, small integers, BF16, anything. */
static inline uint32_t operand_lreg(uint32_t seed, unsigned row, unsigned lane)
{
    static const uint32_t special[16] = {
        0x00000000, 0x80000000, 0x007FFFFF, 0x80800000, 0x3F800000, 0xBF800000, 0x7F7FFFFF, 0x7F800000,
        0xFF800000, 0x7FC00000, 0xFF800001, 0x7FFFFFFF, 0xFFFFFFFF, 0x40000000, 0x3F7FFFFF, 0x0000001F,
    };
    uint32_t bits = operand_bits(seed, row * 32 + lane), kind = operand_bits(seed, 0x10000 + row * 32 + lane) % 6;
    switch (kind) {
    case 0: return special[bits % 16];
    case 1: return (bits & 0x807FFFFF) | (119 + (bits >> 23) % 16) << 23;
    case 2: return (bits & 0x1FF) - 0x100;
    case 3: return bits & 0xFFFF0000;
    default: return bits;
    }
}

static inline uint32_t operand_prng(uint32_t seed, unsigned lane)
{
    return operand_bits(seed, 0x20000 + lane);
}

static inline uint32_t operand_flags(uint32_t seed)
{
    return seed % 4 == 0 ? operand_bits(seed, 0x30000) : 0xFFFFFFFF;
}

static inline uint16_t operand_dst(uint32_t seed, unsigned row, unsigned column)
{
    return (uint16_t)operand_bits(seed, 0x40000 + row * 16 + column);
}

struct sfpu_sample {
    uint32_t lreg[8][32], prng[32], flags;
    uint16_t dst[1024][16];
};

static inline void sfpu_sample_make(struct sfpu_sample *sample, uint32_t seed)
{
    for (unsigned lane = 0; lane < 32; lane++) {
        for (unsigned row = 0; row < 8; row++)
            sample->lreg[row][lane] = operand_lreg(seed, row, lane);
        sample->prng[lane] = operand_prng(seed, lane);
    }
    sample->flags = operand_flags(seed);
    for (unsigned row = 0; row < 1024; row++)
        for (unsigned column = 0; column < 16; column++)
            sample->dst[row][column] = operand_dst(seed, row, column);
}

static inline uint64_t sfpu_sample_hash(const struct sfpu_sample *sample)
{
    uint64_t hash = XXH3_64bits_withSeed(sample->lreg, sizeof sample->lreg, sample->flags);
    hash = XXH3_64bits_withSeed(sample->prng, sizeof sample->prng, hash);
    return XXH3_64bits_withSeed(sample->dst, sizeof sample->dst, hash);
}

#endif
