/* SPDX-License-Identifier: Apache-2.0 */
/*
 * L1, configuration, counters and an UNPACR or UNPACR_NOP, made from a seed. All formats, both contexts, tilizing,
 * transposing, Dst, and all kinds of starts and ends come, as far as the reference takes them.
 */
#ifndef TESTS_CONFORMANCE_TENSIX_UNPACK_OPERANDS_H
#define TESTS_CONFORMANCE_TENSIX_UNPACK_OPERANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <xxhash.h>

#include "recorded_inputs.h"

#define UNPACK_L1_BYTES 0x10000u /* what lies above is not read */

/* As far as an unpacker goes, in the layout of the pages: data of SrcA and SrcB of 19 bits, Dst by physical row. */
struct unpack_state {
    uint32_t l1[UNPACK_L1_BYTES / 4];
    uint32_t config[224];
    uint16_t thread_config[68];
    uint8_t thread, side;
    /* From here on it is what the instruction changes, and what is hashed. */
    uint32_t counter[2][4]; /* X, Y, Z, W of channels 0 and 1 of the unpacker's address counters */
    uint32_t src[2][2][64][16];
    uint16_t dst[1024][16];
    uint8_t undefined[1024];
    uint8_t to_matrix[2][2], unpack_bank[2], matrix_bank[2], format[2][2];
};

struct unpack_case {
    uint64_t random;
    unsigned side, context, in, out, bits, out_bytes;
    bool to_dst, tilize, transpose, forced;
};

static inline uint32_t unpack_random(struct unpack_case *c)
{
    return recorded_number(&c->random);
}

static inline bool unpack_chance(struct unpack_case *c, unsigned one_in)
{
    return unpack_random(c) % one_in == 0;
}

static inline void unpack_choose(struct unpack_case *c)
{
    /* In and out, 4 bits each; what goes to Dst, and what goes to SrcA or SrcB. */
    static const uint8_t to_dst[] = {0x00, 0x04, 0x88},
                         to_src[] = {0x01, 0x04, 0x05, 0x11, 0x55, 0x66, 0x77, 0xFF, 0x99, 0xAA, 0xEE};
    static const uint8_t bits[16] = {32, 16, 8, 4, 32, 16, 8, 4, 32, 16, 8, 2, 0, 0, 8, 2};
    c->side = unpack_random(c) & 1;
    c->context = unpack_random(c) & 1;
    c->to_dst = c->side == 0 && unpack_chance(c, 4);
    unsigned formats = c->to_dst ? to_dst[unpack_random(c) % sizeof to_dst] : to_src[unpack_random(c) % sizeof to_src];
    c->in = formats >> 4;
    c->out = formats & 15;
    c->bits = bits[c->in];
    c->out_bytes = bits[c->out] < 8 ? 1 : bits[c->out] / 8;
    c->tilize = c->side == 0 && c->bits >= 8 && unpack_chance(c, 4);
    c->transpose = c->side == 0 && !c->to_dst && unpack_chance(c, 3);
    c->forced = unpack_chance(c, 3);
}

static inline void unpack_fill(struct unpack_case *c, struct unpack_state *state)
{
    uint32_t like = unpack_random(c);
    for (unsigned i = 0; i < UNPACK_L1_BYTES / 4; i++) {
        uint32_t random = unpack_random(c), kind = unpack_random(c) % 16;
        static const uint32_t special[4] = {0, 0xFFFFFFFF, 0x80008080, 0x7F807F7F};
        state->l1[i] = kind < 4                 ? special[kind]
                       : kind == 4              ? random & 0x807FFFFF
                       : kind < 8 && (like & 1) ? (random & 0x8FFFFFFF) | 0x38000000
                                                : random;
    }
    for (unsigned i = 0; i < 2 * 2 * 64 * 16; i++)
        state->src[i / 2048][i / 1024 % 2][i / 16 % 64][i % 16] = i * 0x1357 & 0x7FFFF;
    for (unsigned i = 0; i < 1024; i++) {
        for (unsigned column = 0; column < 16; column++)
            state->dst[i][column] = (uint16_t)(i * 16 + column);
        state->undefined[i] = (like >> 4 & 15) == 0;
    }
}

/* Which data: a range of a tile, whole rows or not. */
static inline uint32_t unpack_range(struct unpack_case *c, struct unpack_state *state)
{
    static const uint16_t x_dims[] = {16, 32, 64, 256, 256, 256, 48, 100};
    uint32_t(*counter)[4] = state->counter;
    uint32_t x_dim = x_dims[unpack_random(c) % 8], y_dim = 1 + unpack_random(c) % 4;
    unsigned sec = 48 * c->side;
    state->config[64 + sec] = c->in | 1u << 4 | x_dim << 16;
    state->config[65 + sec] = y_dim | (unpack_random(c) % 5) << 16;
    if (c->side == 0)
        state->config[86] = c->context ? x_dim << 16 | 7 : x_dim | 7u << 16;
    counter[0][0] = unpack_chance(c, 3) ? unpack_random(c) % x_dim : 0;
    if (c->tilize || c->transpose || unpack_chance(c, 2))
        counter[0][0] &= ~63u;
    uint32_t count = unpack_chance(c, 3) ? 1 + unpack_random(c) % 300 : 16 * (1 + unpack_random(c) % 17);
    if (count > 256 && !c->to_dst)
        count = 256;
    counter[1][0] = counter[0][0] + count - 1;
    counter[0][1] = unpack_random(c) % y_dim;
    counter[0][2] = unpack_random(c) % 4;
    counter[0][3] = unpack_chance(c, 4);
    /* Data that do not begin on a line of 16 bytes cannot be tilized or transposed. */
    if ((c->tilize || c->transpose) && (x_dim == 100 || x_dim == 48 || (c->bits < 8 && x_dim < 64)))
        counter[0][1] = counter[0][2] = counter[0][3] = 0;
    return count;
}

static inline void unpack_target(struct unpack_case *c, struct unpack_state *state, uint32_t count)
{
    uint32_t(*counter)[4] = state->counter;
    uint32_t rows = (count + 15) / 16, limit = c->to_dst ? 400 : 64;
    uint32_t row = rows < limit ? unpack_random(c) % (limit - rows + 1) : 0;
    if (unpack_chance(c, 2))
        row &= ~15u;
    counter[1][1] = row != 0 && unpack_chance(c, 2) ? 1 + unpack_random(c) % 3 : 0;
    counter[1][2] = unpack_random(c) % 3;
    uint32_t y_stride = counter[1][1] != 0 ? row / counter[1][1] * 16 * c->out_bytes : unpack_random(c) & 0xFFFC;
    uint32_t own = counter[1][1] != 0 ? row / counter[1][1] * counter[1][1] : 0;
    if (c->side == 1) { /* without an address of its own */
        counter[1][2] = counter[1][1] != 0 ? 0 : 1;
        state->config[59] = row * 16 * c->out_bytes & 0xFFFF;
        counter[1][1] = 0;
        return;
    }
    bool adds = c->to_dst || unpack_chance(c, 2);
    state->config[56] = (adds ? y_stride : unpack_random(c) & 0xFFFC) << 16;
    state->config[57] = 0;
    state->config[50] = (unpack_random(c) & 0xFF) | (uint32_t)(adds && (!c->to_dst || unpack_chance(c, 2))) << 8;
    uint32_t dest = (4 + row - (adds ? own : 0)) * 16;
    state->config[84] = c->context ? dest << 16 | 0x77 : dest | 0x770000;
}

static inline void unpack_configure(struct unpack_case *c, struct unpack_state *state)
{
    unsigned sec = 48 * c->side;
    uint32_t random = unpack_random(c), stride = (1 + unpack_random(c) % 40) * 16;
    uint32_t base = 16 + unpack_random(c) % 256, offset = unpack_random(c) % 64;
    state->config[1] = (random & 3) << 15;             /* Src?Unsigned */
    state->config[71 + sec] = (random >> 2 & 1) << 22; /* Unp_LF8_4b_exp */
    state->config[72 + sec] = c->out | (random >> 3 & 3) << 4 | (uint32_t)c->transpose << 8 | (uint32_t)c->tilize << 9 |
                              (c->tilize ? stride >> 4 << 16 : 0);
    state->config[73 + sec] = 1u << c->context | (uint32_t)c->to_dst << (4 + c->context) | (uint32_t)c->forced << 8;
    state->config[76 + sec] = c->context ? 0x12345 : base;
    state->config[77 + sec] = c->context ? base : 0x12345;
    if (c->side == 0) { /* the reference has no offsets for unpacker 1 */
        state->config[92] = c->context ? 0x321 : offset;
        state->config[93] = c->context ? offset : 0x321;
    }
    state->thread_config[5] = c->to_dst ? 0 : 4; /* SRCA_SET_SetOvrdWithAddr */
    state->thread_config[41] = (uint16_t)(c->context << 8 * c->side);
}

static inline uint32_t unpack_make_nop(struct unpack_case *c, struct unpack_state *state)
{
    uint32_t random = unpack_random(c);
    state->config[72 + 48 * c->side] = random & 15;
    bool stall = random >> 4 & 1;
    state->to_matrix[c->side][0] = state->to_matrix[c->side][1] = 0;
    if (!(random >> 7 & 1)) /* the other bank, unless it is the one that is waited for */
        state->to_matrix[c->side][state->unpack_bank[c->side] ^ 1] = stall || state->matrix_bank[c->side] ==
                                                                                  state->unpack_bank[c->side];
    return 0x43u << 24 | c->side << 23 | (random >> 5 & 1) << 8 | (uint32_t)stall << 5 |
           (c->side == 0 ? (random >> 6 & 1) << 2 : 0) | 1;
}

/* The instruction, for the thread in state->thread. */
static inline uint32_t unpack_make(struct unpack_state *state, unsigned opcode, unsigned seed)
{
    struct unpack_case c = {.random = (uint64_t)opcode << 32 | seed};
    memset(state, 0, sizeof *state);
    unpack_choose(&c);
    unpack_fill(&c, state);
    state->side = (uint8_t)c.side;
    state->thread = unpack_random(&c) % 3;
    for (unsigned side = 0; side < 2; side++) {
        state->unpack_bank[side] = unpack_random(&c) & 1;
        state->matrix_bank[side] = unpack_random(&c) & 1;
        state->to_matrix[side][state->unpack_bank[side] ^ 1] = unpack_random(&c) & 1;
        state->format[side][0] = unpack_random(&c) & 7;
        state->format[side][1] = unpack_random(&c) & 7;
    }
    if (opcode == 0x43)
        return unpack_make_nop(&c, state);
    unpack_target(&c, state, unpack_range(&c, state));
    unpack_configure(&c, state);
    uint32_t random = unpack_random(&c);
    return opcode << 24 | c.side << 23 | (random & 0xFF) << 15 | 1u << 7 | (random >> 8 & 1) << 6 | 1;
}

static inline uint64_t unpack_hash(const struct unpack_state *state)
{
    size_t from = offsetof(struct unpack_state, counter);
    return XXH3_64bits((const uint8_t *)state + from, offsetof(struct unpack_state, format) + 4 - from);
}

#endif
