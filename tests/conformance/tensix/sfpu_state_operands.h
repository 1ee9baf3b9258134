/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A whole vector unit made from a seed, and an instruction for it. Its flags are in use or not, and its flag stack has
 * any depth. LaneConfig, SFPLOADMACRO, formats, counters and address modifiers are configured; Dst has marked rows.
 */
#ifndef TESTS_CONFORMANCE_TENSIX_SFPU_STATE_OPERANDS_H
#define TESTS_CONFORMANCE_TENSIX_SFPU_STATE_OPERANDS_H

#include <string.h>

#include <xxhash.h>

#include "conformance/tensix/sfpu_operands.h"

/* As far as the reference has it: one LaneConfig and one stack for all lanes. */
struct sfpu_state {
    uint32_t lreg[16][32], prng[32];
    uint32_t flags, use, depth, stack_flags[8], stack_use[8];
    uint32_t lane_config, instruction[4], sequence[4], misc; /* of SFPLOADMACRO: templates and sequences */
    uint32_t counter[2];                                     /* Dst, Dst_Cr */
    uint32_t alu;                                            /* ALU_FORMAT_SPEC_REG, ALU_ACC_CTRL */
    uint16_t thread_config[68];
    uint16_t dst[1024][16];
    uint8_t undefined[1024];
};

enum { SFPU_LOAD = 0x70, SFPU_LOADI, SFPU_STORE, SFPU_LUT, SFPU_CONFIG = 0x91, SFPU_LUTFP32 = 0x95 };

struct sfpu_case {
    uint32_t seed, index;
};

static inline uint32_t sfpu_random(struct sfpu_case *c)
{
    return operand_bits(c->seed, 0x80000 + c->index++);
}

static inline void sfpu_make_lanes(struct sfpu_case *c, struct sfpu_state *state)
{
    for (unsigned lane = 0; lane < 32; lane++) {
        for (unsigned row = 0; row < 16; row++)
            state->lreg[row][lane] = operand_lreg(c->seed, row, row < 8 ? lane : lane & 7);
        state->lreg[8][lane] = 0x3F56594B;
        state->lreg[9][lane] = 0x00000000;
        state->lreg[10][lane] = 0x3F800000;
        state->lreg[15][lane] = 2 * lane;
    }
    for (unsigned lane = 0; lane < 32; lane++)
        state->prng[lane] = operand_prng(c->seed, lane);
    state->flags = sfpu_random(c) % 3 != 0 ? sfpu_random(c) : 0xFFFFFFFF;
    state->use = sfpu_random(c) % 4 != 0 ? 0xFFFFFFFF : 0;
    state->depth = sfpu_random(c) % 9;
    for (unsigned i = 0; i < state->depth; i++) {
        state->stack_flags[i] = sfpu_random(c);
        state->stack_use[i] = sfpu_random(c) % 8 != 0 ? 0xFFFFFFFF : 0;
    }
    state->lane_config = sfpu_random(c) % 3 != 0 ? 0 : sfpu_random(c) & 0x104; /* DEST_INDEX, EXCHANGE_SRCB_SRCC */
    for (unsigned i = 0; i < 4; i++) {
        state->instruction[i] = sfpu_random(c);
        state->sequence[i] = sfpu_random(c);
    }
    state->misc = sfpu_random(c) & 0xFFF;
}

static inline void sfpu_make_dst(struct sfpu_case *c, struct sfpu_state *state)
{
    for (unsigned row = 0; row < 1024; row++) {
        for (unsigned column = 0; column < 16; column++)
            state->dst[row][column] = operand_dst(c->seed, row, column);
        state->undefined[row] = operand_bits(c->seed, 0x50000 + row) % 16 == 0;
    }
    uint32_t random = sfpu_random(c);
    state->alu = (random & 0xFF) << 17 | (random >> 8 & 3 ? 0 : 1u << 30); /* SrcA, SrcB, SFPU_Fp32_enabled */
    if (random >> 10 & 1)
        state->alu = (state->alu & ~(15u << 21)) | 1u << 21;
    state->thread_config[1] = random >> 11 & 1 ? 0 : sfpu_random(c) & 0x3FE; /* MATH_Offset */
    for (unsigned i = 0; i < 8; i++) /* ADDR_MOD_DST: not both DestCToCR and what forbids it */
        state->thread_config[28 + i] = (uint16_t)((sfpu_random(c) & 0x63FF) | (1u << sfpu_random(c) % 4 & 7) << 10);
    state->counter[0] = sfpu_random(c) & 0x3FE;
    state->counter[1] = sfpu_random(c) & 0x3FE;
}

static inline uint32_t sfpu_make_word(struct sfpu_case *c, struct sfpu_state *state, unsigned opcode)
{
    uint32_t random = sfpu_random(c), word = random & 0xFFFFFF, kind = random >> 24 & 3;
    word &= kind == 0 ? 0xFFFFFF : kind == 1 ? sfpu_random(c) : kind == 2 ? 0x0F0FFF : 0x000FFF;
    if (random >> 26 & 1)
        word &= ~0x800080u; /* low registers */
    switch (opcode) {
    case SFPU_LOAD:
    case SFPU_STORE: return opcode << 24 | (word & 0xFFE3FF);
    case SFPU_LUT: return opcode << 24 | 4u << 16 | (word & 0x700000);
    case SFPU_LUTFP32: return opcode << 24 | 2 | (word & 0xF0);
    case 0x84: /* SFPMAD */ return opcode << 24 | (word & 0xFFFFF);
    case 0x85: /* SFPADD: VA is 1 */ return opcode << 24 | 10u << 16 | (word & 0xFFFF);
    case 0x86: /* SFPMUL, SFPMUL24: VC is 0 */
    case 0x98: return opcode << 24 | 9u << 8 | (word & 0xFF0FF);
    case SFPU_CONFIG:
        state->use = 0;
        for (unsigned lane = 0; lane < 32; lane++) /* what LReg[0] gives is to be the same in all lanes */
            state->lreg[0][lane] = (word >> 4 & 15) == 15 ? state->lane_config : state->lreg[0][0];
        return opcode << 24 | (random >> 28 & 1 ? word & 0xF1 : word & 0xFFFF1);
    default: return opcode << 24 | word;
    }
}

static inline uint32_t sfpu_make(struct sfpu_state *state, unsigned opcode, uint32_t seed)
{
    struct sfpu_case c = {seed << 8 | opcode, 0};
    memset(state, 0, sizeof *state);
    sfpu_make_lanes(&c, state);
    sfpu_make_dst(&c, state);
    return sfpu_make_word(&c, state, opcode);
}

static inline uint64_t sfpu_hash(const struct sfpu_state *state)
{
    return XXH3_64bits(state, sizeof *state);
}

#endif
