/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operands, configuration and counters for an instruction of the matrix unit, made from a seed. Exponents have all
 * sizes, or are so close that all data count in a sum. There are zeros, denormals, marked rows of Dst, and all
 * combinations of formats that the reference accepts.
 */
#ifndef TESTS_CONFORMANCE_TENSIX_FPU_OPERANDS_H
#define TESTS_CONFORMANCE_TENSIX_FPU_OPERANDS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <xxhash.h>

#include "recorded_inputs.h"

/* A coprocessor as far as the matrix unit goes, in the layout of the pages: data of 19 bits, Dst is by physical row. */
struct fpu_state {
    uint32_t src[2][2][64][16];
    uint16_t dst[1024][16];
    uint8_t undefined[1024];
    uint8_t to_matrix[2][2], matrix_bank[2], format[2][2];
    uint32_t config[3];
    uint16_t thread_config[68];
    uint32_t counter[7]; /* Dst, Dst_Cr, SrcA, SrcA_Cr, SrcB, SrcB_Cr, FidelityPhase */
};

enum {
    FPU_MOVD2A = 0x08,
    FPU_MOVD2B = 0x0A,
    FPU_MOVB2A = 0x0B,
    FPU_ZEROSRC = 0x11,
    FPU_MOVA2D = 0x12,
    FPU_MOVB2D = 0x13,
    FPU_TRNSPSRCB = 0x16,
    FPU_MVMUL = 0x26,
    FPU_ELWMUL = 0x27,
    FPU_ELWADD = 0x28,
    FPU_ELWSUB = 0x30,
    FPU_GMPOOL = 0x33,
    FPU_GAPOOL = 0x34,
};

enum { FPU_FP16 = 1, FPU_TF32 = 4, FPU_FP8 = 10, FPU_INT8 = 14 };

struct fpu_case {
    uint64_t random;
    unsigned opcode, a_format, b_format;
    bool is_move, is_int, is_fp16, wide, implied, sparse;
    int center[2], spread;
};

static inline uint32_t fpu_random(struct fpu_case *c)
{
    return recorded_number(&c->random);
}

static inline unsigned fpu_pick(struct fpu_case *c, const uint8_t *from, unsigned count)
{
    return from[fpu_random(c) % count];
}

static inline uint32_t fpu_exponent(struct fpu_case *c, int center, int spread)
{
    int exponent = center + (int)(fpu_random(c) % (2u * (unsigned)spread + 1)) - spread;
    return exponent < 0 ? 0 : exponent > 255 ? 255 : (uint32_t)exponent;
}

static inline uint32_t fpu_datum(struct fpu_case *c, unsigned side)
{
    uint32_t random = fpu_random(c), mantissa = random & 0x3FF, exponent;
    if (c->is_int) {
        exponent = random >> 10 & 7 ? 16 : 0;
    } else {
        exponent = c->spread == 0 ? random >> 10 & 0xFF : fpu_exponent(c, c->center[side], c->spread);
        if ((random >> 18 & 15) == 0 || (c->sparse && (random >> 27 & 15) != 0))
            exponent = 0;
        if (c->is_fp16)
            exponent &= 31;
        mantissa = (random >> 22 & 3) == 0 ? mantissa & 0x380 : mantissa;
        mantissa = (random >> 24 & 7) == 0 ? 0x3FF : (random >> 24 & 7) == 1 ? 0 : mantissa;
    }
    return random >> 31 << 18 | mantissa << 8 | exponent;
}

static inline uint16_t fpu_dst(struct fpu_case *c, unsigned row, int center, bool any)
{
    uint32_t random = fpu_random(c), value = random & 0xFFFF;
    bool low = c->wide && (row & 8) != 0;
    if (c->is_int)
        return (uint16_t)(!low && (random >> 16 & 3) == 0 ? value | 0x7FFF : value);
    if (any || low)
        return (uint16_t)value;
    uint32_t exponent = fpu_exponent(c, center, 20);
    value = c->is_fp16 && !c->wide ? (value & 0xFFE0) | (exponent & 31) : (value & 0xFF00) | exponent;
    return (uint16_t)((random >> 16 & 15) == 0 ? 0 : (random >> 16 & 15) == 1 ? value & 0xC0FF : value);
}

static inline void fpu_choose_formats(struct fpu_case *c)
{
    static const uint8_t common[] = {0, 4, 5, 6, 7}, of_a[] = {0, 4, 5, 6, 7, 15}, of_b[] = {0, 4, 5, 6, 7, 8, 9, 15};
    bool elementwise = c->opcode == FPU_ELWMUL || c->opcode == FPU_ELWADD || c->opcode == FPU_ELWSUB;
    c->is_move = !elementwise && c->opcode != FPU_MVMUL && c->opcode != FPU_GMPOOL && c->opcode != FPU_GAPOOL;
    c->is_int = !c->is_move && c->opcode != FPU_GMPOOL && fpu_random(c) % 5 == 0;
    c->is_fp16 = !c->is_int && c->opcode != FPU_GMPOOL && fpu_random(c) % 3 == 0;
    c->a_format = fpu_pick(c, elementwise ? of_a : common, elementwise ? sizeof of_a : sizeof common);
    c->b_format = fpu_pick(c, elementwise ? of_b : common, elementwise ? sizeof of_b : sizeof common);
    if (c->is_int)
        c->a_format = c->b_format = FPU_INT8;
    if (c->is_fp16)
        c->a_format = c->b_format = c->is_move || fpu_random(c) % 2 ? FPU_FP16 : FPU_FP8;
    c->wide = fpu_random(c) & 1;
    c->implied = fpu_random(c) & 1;
    /* A move between Dst and SrcA or SrcB needs a width that goes with the format. */
    unsigned counts = c->opcode == FPU_MOVD2B && c->implied ? c->b_format : c->a_format;
    if (c->opcode == FPU_MOVD2A || c->opcode == FPU_MOVD2B)
        c->wide = counts == FPU_TF32 || (!c->is_fp16 && c->wide);
}

static inline void fpu_make_data(struct fpu_case *c, struct fpu_state *state)
{
    unsigned kind = fpu_random(c) % 4;
    c->sparse = fpu_random(c) % 6 == 0;
    c->spread = kind == 0 ? 0 : 1 + (int)(fpu_random(c) % 18);
    c->center[0] = c->is_fp16 ? 15 : 20 + (int)(fpu_random(c) % 220);
    /* Products in the middle, close to what is too small, or anywhere. */
    c->center[1] = c->is_fp16  ? 15
                   : kind == 1 ? 254 - c->center[0]
                   : kind == 2 ? 127 - c->center[0] + 10
                               : 20 + (int)(fpu_random(c) % 220);
    for (unsigned i = 0; i < 2 * 2 * 64 * 16; i++)
        state->src[i / 2048][i / 1024 % 2][i / 16 % 64][i % 16] = fpu_datum(c, i / 2048);
    if (c->opcode == FPU_GMPOOL) /* no scaling */
        for (unsigned i = 0; i < 2 * 64 * 16; i++)
            state->src[1][i / 1024][i / 16 % 64][i % 16] = 127;
    int bias = c->is_fp16 ? (c->wide ? -97 : 15) : 127;
    int center = c->opcode == FPU_ELWADD || c->opcode == FPU_ELWSUB || c->opcode == FPU_GMPOOL
                     ? c->center[0] + (c->is_fp16 && c->wide ? 112 : 0)
                     : c->center[0] + c->center[1] - bias;
    bool any = fpu_random(c) % 4 == 0;
    /* Sums of zeros alone have an exponent too, and smaller numbers lose bits against it. */
    if (c->sparse)
        center -= 40;
    for (unsigned row = 0; row < 1024; row++) {
        for (unsigned column = 0; column < 16; column++)
            state->dst[row][column] = fpu_dst(c, row, center, any);
        state->undefined[row] = fpu_random(c) % 8 == 0;
    }
}

static inline void fpu_make_configuration(struct fpu_case *c, struct fpu_state *state)
{
    uint32_t formats = c->implied ? fpu_random(c) & 0xFF : c->a_format | c->b_format << 4;
    state->config[1] = formats << 17 | (uint32_t)c->wide << 29 | (uint32_t)c->is_int << 31;
    state->config[2] = c->opcode != FPU_MVMUL && c->opcode != FPU_GAPOOL && fpu_random(c) % 3 == 0;
    for (unsigned bank = 0; bank < 2; bank++) {
        state->format[0][bank] = c->implied ? (uint8_t)c->a_format : fpu_random(c) % 16;
        state->format[1][bank] = c->implied ? (uint8_t)c->b_format : fpu_random(c) % 16;
        state->matrix_bank[bank] = fpu_random(c) & 1;
        state->to_matrix[0][bank] = state->to_matrix[1][bank] = 1;
    }
    state->thread_config[1] = fpu_random(c) % 2 ? 512 : 0;           /* MATH_Offset */
    state->thread_config[2] = state->thread_config[3] = !c->implied; /* DISABLE_IMPLIED_SRC*_FMT */
    state->thread_config[7] = fpu_random(c) & 3;                     /* CLR_DVALID_Src*_Disable */
    for (unsigned i = 0; i < 8; i++) {
        uint32_t random = fpu_random(c);
        state->thread_config[12 + i] = random & 0xF8F8;                                        /* ADDR_MOD_AB */
        state->thread_config[28 + i] = (random >> 16 & 0xE3F8) | (1u << random % 4 & 7) << 10; /* ADDR_MOD_DST */
    }
}

/* Rows at which the reference takes the instruction; returns the instruction. */
static inline uint32_t fpu_make_word(struct fpu_case *c, struct fpu_state *state)
{
    uint32_t *counter = state->counter, random = fpu_random(c), row = (random & 31) * 8, half = random >> 5 & 4;
    uint32_t mode = random >> 8 & 3, flip = random >> 10 & 3, modifier = random >> 12 & 7, low = random >> 15 & 1;
    uint32_t a = (random >> 16 & 7) * 8, b = (random >> 19 & 7) * 8, source = (random >> 22 & 3) * 4;
    for (unsigned i = 0; i < 6; i++)
        counter[i] = (fpu_random(c) & (i < 2 ? 31 : 7)) * 8;
    counter[2] = a;
    counter[4] = b;
    counter[6] = c->opcode == FPU_ELWADD || c->opcode == FPU_ELWSUB ? 0 : random >> 24 & 3;
    uint32_t word = c->opcode << 24, common = word | modifier << 14;
    /* Of the formats that count for MOVA2D and MOVB2D, those that leave room for the low half. */
    bool low_fits = !c->is_fp16 && (c->opcode == FPU_MOVA2D || !c->implied ? c->a_format : c->b_format) != FPU_TF32;
    switch (c->opcode) {
    case FPU_MVMUL: counter[2] = a & 0x30; return common | flip << 22 | row;
    case FPU_ELWMUL: return common | flip << 22 | mode << 19 | row;
    case FPU_ELWADD:
    case FPU_ELWSUB: return common | flip << 22 | low << 21 | mode << 19 | row;
    case FPU_GMPOOL:
    case FPU_GAPOOL: counter[2] = a & 0x30; return word | modifier << 15 | flip << 22 | 1u << 19 | row | half;
    case FPU_MOVD2A: counter[2] = a & 0x20; return common | 2u << 12 | source << 17 | row | half;
    case FPU_MOVD2B:
        counter[4] = b & 0x20;
        low &= c->wide && (c->implied ? c->b_format : c->a_format) != FPU_TF32;
        return common | (mode & 2) << 12 | source << 17 | low << 23 | row | half;
    case FPU_MOVB2A:
        counter[2] = a & 0x20;
        counter[4] = b & 0x20;
        return common | 2u << 12 | source << 17 | (source ^ 12);
    case FPU_MOVA2D: counter[2] = 0; return common | 2u << 12 | a << 17 | (low & low_fits) << 23 | row;
    case FPU_MOVB2D: counter[4] = 0; return common | (2 + mode) << 11 | b << 17 | (low & low_fits) << 23 | row;
    case FPU_ZEROSRC: return mode == 0 ? word | 3u | 4u : word | mode | 8u;
    default: return word;
    }
}

/* Seeds from here on: formats of SrcA and SrcB that have nothing to do with each other, of SrcB even none. */
#define FPU_MIXED_SEEDS 50000u

static inline void fpu_mix_formats(struct fpu_case *c, struct fpu_state *state)
{
    static const uint8_t of_a[] = {0, 1, 5, 6, 7, 8, 9};
    uint32_t random = fpu_random(c);
    state->config[1] = (uint32_t)fpu_pick(c, of_a, sizeof of_a) << 17 | (random & 15) << 21 | (uint32_t)c->wide << 29;
    state->thread_config[2] = 1;
    state->thread_config[3] = random >> 4 & 1;
    state->format[1][0] = random >> 8 & 15;
    state->format[1][1] = random >> 12 & 15;
    c->implied = false;
    c->is_fp16 = true; /* no low halves */
}

static inline uint32_t fpu_make(struct fpu_state *state, unsigned opcode, uint64_t seed)
{
    struct fpu_case c = {.random = seed << 8 | opcode, .opcode = opcode};
    memset(state, 0, sizeof *state);
    fpu_choose_formats(&c);
    fpu_make_data(&c, state);
    fpu_make_configuration(&c, state);
    if (seed >= FPU_MIXED_SEEDS)
        fpu_mix_formats(&c, state);
    return fpu_make_word(&c, state);
}

/* Of what an instruction can change. */
static inline uint64_t fpu_hash(const struct fpu_state *state)
{
    const uint64_t parts[] = {
        XXH3_64bits(state->src, sizeof state->src),
        XXH3_64bits(state->dst, sizeof state->dst),
        XXH3_64bits(state->undefined, sizeof state->undefined),
        XXH3_64bits(state->to_matrix, sizeof state->to_matrix),
        XXH3_64bits(state->matrix_bank, sizeof state->matrix_bank),
        XXH3_64bits(state->counter, sizeof state->counter),
    };
    return XXH3_64bits(parts, sizeof parts);
}

#endif
