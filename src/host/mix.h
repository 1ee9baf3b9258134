/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers whose bits all depend on all bits of others: for hash tables, and for choices that a seed makes. */
#ifndef HOST_MIX_H
#define HOST_MIX_H

#include <stdint.h>

static inline uint64_t tf_mix(uint64_t value)
{
    value = (value ^ value >> 31) * 0x9E3779B97F4A7C15ull;
    value = (value ^ value >> 29) * 0xBF58476D1CE4E5B9ull;
    return value ^ value >> 32;
}

/* The output function of SplitMix64. Equal results mean equal values. */
static inline uint64_t tf_mix_split(uint64_t value)
{
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9ull;
    value = (value ^ value >> 27) * 0x94D049BB133111EBull;
    return value ^ value >> 31;
}

/* FNV-1a: a hash of bytes begins with this number, and takes them one by one. */
#define TF_FNV_FIRST 0xCBF29CE484222325ull

static inline uint64_t tf_mix_fnv(uint64_t hash, uint8_t byte)
{
    return (hash ^ byte) * 0x100000001B3ull;
}

/* The upper half is mixed best. */
static inline uint64_t tf_mix_pair(uint64_t a, uint64_t b)
{
    return (a * 0x9E3779B97F4A7C15u ^ b) * 0xD6E8FEB86659FD93u;
}

#endif
