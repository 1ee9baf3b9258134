/* SPDX-License-Identifier: Apache-2.0 */
/* The state that a recorded sample starts from, as a function of the sample's seed: nothing of it needs recording. */
#ifndef TESTS_CONFORMANCE_TENSIX_SFPU_OPERANDS_H
#define TESTS_CONFORMANCE_TENSIX_SFPU_OPERANDS_H

#include <stdint.h>

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

#endif
