/* SPDX-License-Identifier: Apache-2.0 */
/* Programs for the cores, word by word, and the random numbers that choose them. */
#ifndef STRESS_RV_EMIT_H
#define STRESS_RV_EMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "random.h"

struct dice {
    uint64_t state;
};

static inline uint32_t roll(struct dice *dice)
{
    return test_random(&dice->state);
}

/* 0 .. below - 1 */
static inline uint32_t pick(struct dice *dice, uint32_t below)
{
    return test_random_below(&dice->state, below);
}

static inline uint32_t pick_between(struct dice *dice, uint32_t first, uint32_t last)
{
    return first + pick(dice, last - first + 1);
}

/* True once in so many times. */
static inline bool one_in(struct dice *dice, uint32_t times)
{
    return pick(dice, times) == 0;
}

struct code {
    uint32_t *word;
    unsigned count, capacity; /* words; what does not fit is left out */
};

static inline void put(struct code *code, uint32_t word)
{
    if (code->count < code->capacity)
        code->word[code->count++] = word;
}

static inline uint32_t rv_r(uint32_t match, unsigned rd, unsigned rs1, unsigned rs2)
{
    return match | rs2 << 20 | rs1 << 15 | rd << 7;
}

static inline uint32_t rv_i(uint32_t match, unsigned rd, unsigned rs1, uint32_t imm)
{
    return match | imm << 20 | rs1 << 15 | rd << 7;
}

static inline uint32_t rv_s(uint32_t match, unsigned rs2, unsigned rs1, uint32_t imm)
{
    return match | (imm >> 5 & 0x7F) << 25 | rs2 << 20 | rs1 << 15 | (imm & 31) << 7;
}

static inline uint32_t rv_b(uint32_t match, unsigned rs1, unsigned rs2, int32_t distance)
{
    uint32_t d = (uint32_t)distance;
    return match | (d >> 12 & 1) << 31 | (d >> 5 & 0x3F) << 25 | rs2 << 20 | rs1 << 15 | (d >> 1 & 15) << 8 |
           (d >> 11 & 1) << 7;
}

static inline uint32_t rv_j(unsigned rd, int32_t distance)
{
    uint32_t d = (uint32_t)distance;
    return 0x6F | (d >> 20 & 1) << 31 | (d >> 1 & 0x3FF) << 21 | (d >> 11 & 1) << 20 | (d >> 12 & 0xFF) << 12 | rd << 7;
}

enum {
    ADD = 0x33,
    XOR = 0x4033,
    ADDI = 0x13,
    ANDI = 0x7013,
    SLTI = 0x2013,
    SUB = 0x40000033,
    LB = 0x03,
    LH = 0x1003,
    LW = 0x2003,
    LBU = 0x4003,
    LHU = 0x5003,
    SB = 0x23,
    SH = 0x1023,
    SW = 0x2023,
    BEQ = 0x63,
    BNE = 0x1063,
    BLT = 0x4063,
    BGE = 0x5063,
    BLTU = 0x6063,
    BGEU = 0x7063,
    JALR = 0x67,
    CSRRS = 0x2073,
    FENCE = 0x0FF0000F,
    EBREAK = 0x00100073,
    MRET = 0x30200073,
    CSR_CYCLE = 0xC00,
    CSR_INSTRET = 0xC02,
};

#define RET (JALR | 1u << 15)

/* A constant, always in two words. */
static inline void li(struct code *code, unsigned rd, uint32_t value)
{
    put(code, ((value + 0x800) & 0xFFFFF000u) | rd << 7 | 0x37);
    put(code, rv_i(ADDI, rd, rd, value & 0xFFF));
}

/* A branch back to the word at `to`. */
static inline void branch_to(struct code *code, uint32_t match, unsigned rs1, unsigned rs2, unsigned to)
{
    put(code, rv_b(match, rs1, rs2, ((int32_t)to - (int32_t)code->count) * 4));
}

static inline void jump_to(struct code *code, unsigned rd, unsigned to)
{
    put(code, rv_j(rd, ((int32_t)to - (int32_t)code->count) * 4));
}

/* A forward branch at word `from`, emitted as a hole, now leads here. */
static inline void land_branch(struct code *code, unsigned from, uint32_t match, unsigned rs1, unsigned rs2)
{
    if (from < code->capacity)
        code->word[from] = rv_b(match, rs1, rs2, ((int32_t)code->count - (int32_t)from) * 4);
}

#endif
