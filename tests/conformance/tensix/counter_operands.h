/* SPDX-License-Identifier: Apache-2.0 */
/* Address counters, row counters and banks of SrcA and SrcB, and an instruction that changes them, from a seed. */
#ifndef TESTS_CONFORMANCE_TENSIX_COUNTER_OPERANDS_H
#define TESTS_CONFORMANCE_TENSIX_COUNTER_OPERANDS_H

#include <stdint.h>
#include <string.h>

#include "recorded_inputs.h"

enum {
    COUNTER_SRCA,
    COUNTER_SRCA_CR,
    COUNTER_SRCB,
    COUNTER_SRCB_CR,
    COUNTER_DST,
    COUNTER_DST_CR,
    COUNTER_FIDELITY,
    COUNTER_ROWS
};

struct counter_state {
    uint32_t adc[3][2][4][2]; /* unpackers 0 and 1, packers; channel; X, Y, Z, W; value and carriage return */
    uint32_t rwc[COUNTER_ROWS];
    uint32_t to_matrix[2][2], matrix_bank[2]; /* SrcA, SrcB */
};

/* Of an instruction: with random operands in the bits that it uses. */
static inline uint32_t counter_make(struct counter_state *state, uint32_t opcode, uint32_t used, uint32_t seed)
{
    static const uint32_t adc_mask[4] = {0x3FFFF, 0x1FFF, 0xFF, 0xFF};
    static const uint32_t rwc_mask[COUNTER_ROWS] = {63, 63, 63, 63, 1023, 1023, 3};
    uint64_t random = recorded_first(opcode, seed);
    for (unsigned i = 0; i < 48; i++)
        state->adc[i / 16][i / 8 % 2][i / 2 % 4][i % 2] = recorded_next(&random) & adc_mask[i / 2 % 4];
    for (unsigned i = 0; i < COUNTER_ROWS; i++)
        state->rwc[i] = recorded_next(&random) & rwc_mask[i];
    for (unsigned i = 0; i < 4; i++)
        state->to_matrix[i / 2][i % 2] = (recorded_next(&random) & 3) != 0;
    for (unsigned i = 0; i < 2; i++)
        state->matrix_bank[i] = recorded_next(&random) & 1;
    return opcode << 24 | (recorded_next(&random) & used);
}

/* FNV-1a over the words of the state. */
static inline uint64_t counter_hash(const struct counter_state *state)
{
    uint32_t words[sizeof *state / sizeof(uint32_t)];
    memcpy(words, state, sizeof words);
    uint64_t hash = 0xCBF29CE484222325u;
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        hash = (hash ^ words[i]) * 0x100000001B3u;
    return hash;
}

#endif
