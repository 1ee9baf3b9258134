/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Marks of rows of Dst, row counters, what configures them (instructions: SETC16 of all address modifiers, WRCFG) and
 * a ZEROACC, from a seed.
 */
#ifndef TESTS_CONFORMANCE_TENSIX_ZEROACC_OPERANDS_H
#define TESTS_CONFORMANCE_TENSIX_ZEROACC_OPERANDS_H

#include <stdbool.h>
#include <stdint.h>

#include "recorded_inputs.h"

enum {
    ZEROACC_SRCA,
    ZEROACC_SRCA_CR,
    ZEROACC_SRCB,
    ZEROACC_SRCB_CR,
    ZEROACC_DST,
    ZEROACC_DST_CR,
    ZEROACC_FIDELITY,
    ZEROACC_EXTRA,
    ZEROACC_COUNTERS
};

#define ZEROACC_ROWS 1024u
#define ZEROACC_PROGRAM 32u

struct zeroacc_state {
    bool defined[ZEROACC_ROWS];
    uint32_t counter[ZEROACC_COUNTERS];
    uint32_t program[ZEROACC_PROGRAM]; /* to be executed before */
};

/* ADDR_MOD_AB, ADDR_MOD_DST and ADDR_MOD_BIAS of all eight sections; the last without its clear, and at most 1. */
static inline uint32_t *zeroacc_modifiers(uint32_t *at, uint64_t *random)
{
    static const struct {
        uint32_t word, mask;
    } kind[] = {{12, 0xFFFF}, {28, 0xFFFF}, {47, 0x0001}};
    for (unsigned i = 0; i < 24; i++)
        *at++ = 0xB2000000u | (kind[i / 8].word + i % 8) << 16 | (recorded_next(random) & kind[i / 8].mask);
    return at;
}

/* A ZEROACC, and the state before it. */
static inline uint32_t zeroacc_make(struct zeroacc_state *state, uint32_t seed)
{
    static const uint32_t where[4] = {0x7F, 0x1F, 1, 0};
    static const uint32_t mask[ZEROACC_COUNTERS] = {63, 63, 63, 63, 255, 1023, 3, 0};
    uint64_t random = recorded_first(0x10, seed);
    uint32_t *at = zeroacc_modifiers(state->program, &random);
    *at++ = 0xB2000000u | (recorded_next(&random) & 1);           /* the bank */
    *at++ = 0xB2010000u | (recorded_next(&random) & 0x300);       /* DEST_TARGET_REG_CFG_MATH_Offset */
    *at++ = 0x45000001u | (recorded_next(&random) & 0x2000) << 8; /* ALU_ACC_CTRL_Fp32_enabled */
    *at++ = 0xB0000001u;
    *at++ = 0x45000002u | (recorded_next(&random) & 8) << 8; /* zeroacc_absolute_tile_mode */
    *at++ = 0xB00100DCu;
    *at++ = 0x60000000u;
    *at = 0x60000000u;
    for (unsigned row = 0; row < ZEROACC_ROWS; row++)
        state->defined[row] = (recorded_next(&random) & 3) != 0;
    for (unsigned i = 0; i < ZEROACC_COUNTERS; i++)
        state->counter[i] = recorded_next(&random) & mask[i];
    uint32_t mode = recorded_next(&random) & 3;
    uint32_t flags = recorded_next(&random) & (mode == 0 ? 0x1C000 : mode == 1 ? 0x7C000 : 0x5C000);
    return 0x10000000u | mode << 19 | flags | (recorded_next(&random) & where[mode]);
}

/* FNV-1a over marks and counters. */
static inline uint64_t zeroacc_hash(const struct zeroacc_state *state)
{
    uint64_t hash = 0xCBF29CE484222325u;
    for (unsigned row = 0; row < ZEROACC_ROWS; row++)
        hash = (hash ^ state->defined[row]) * 0x100000001B3u;
    for (unsigned i = 0; i < ZEROACC_COUNTERS; i++)
        hash = (hash ^ state->counter[i]) * 0x100000001B3u;
    return hash;
}

#endif
