/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tile for the packer made from a seed: Dst, L1, configuration, address counters and the PACRs of one tile, within
 * what the reference accepts and the Blackhole page of PACR describes alike.
 */
#ifndef TESTS_CONFORMANCE_TENSIX_PACK_OPERANDS_H
#define TESTS_CONFORMANCE_TENSIX_PACK_OPERANDS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <xxhash.h>

#include "recorded_inputs.h"

#define PACK_L1_BYTES 0x4000u
#define PACK_WORDS 6u

/* Dst by rows of a map without remapping or swizzling; counters x, y, z, w of channels 0 and 1, then Y_Cr of both. */
struct pack_state {
    uint16_t dst[1024][16];
    uint8_t undefined[1024];
    uint8_t l1[PACK_L1_BYTES];
    uint32_t config[224];
    uint16_t thread_config[68];
    uint32_t counter[10];
    uint32_t word[PACK_WORDS];
    unsigned words;
};

struct pack_case {
    uint64_t random;
    unsigned from, to, interfaces, rows;
    bool wide, strided, narrow_row;
};

static inline uint32_t pack_random(struct pack_case *c)
{
    return recorded_number(&c->random);
}

/* Read_32b_data << 8 | from << 4 | to, all that the reference takes. */
static const uint16_t pack_conversions[] = {
    0x010, 0x011, 0x015, 0x01A, 0x026, 0x050, 0x055, 0x056, 0x057, 0x05F, 0x060, 0x065, 0x066, 0x067,
    0x099, 0x100, 0x101, 0x106, 0x107, 0x10F, 0x111, 0x11A, 0x155, 0x166, 0x167, 0x188, 0x199, 0x1EE,
};

static inline unsigned pack_bytes(unsigned format)
{
    return (format & 3) == 0 ? 4 : (format & 3) == 1 ? 2 : 1;
}

/* Exponents are low bits of what Dst stores; of 32 bits, those of the high half. */
static inline void pack_make_dst(struct pack_case *c, struct pack_state *state)
{
    unsigned kind = pack_random(c) % 4, center = 100 + pack_random(c) % 50, spread = 1 + pack_random(c) % 20;
    for (unsigned row = 0; row < 1024; row++) {
        for (unsigned column = 0; column < 16; column++) {
            uint32_t random = pack_random(c), value = random & 0xFFFF, pick = random >> 28;
            if (kind == 1 || kind == 2)
                value = (value & 0xFF00) | ((center + (random >> 16 & 0xFF) % spread) & 0xFF);
            if (kind == 2 && pick < 4)
                value = pick == 0 ? 0 : pick == 1 ? value | 0x7FFF : pick == 2 ? value & 0xFF00 : value | 0x00FF;
            state->dst[row][column] = (uint16_t)value;
        }
        state->undefined[row] = pack_random(c) % 16 == 0;
    }
}

/* L1 begins as numbers close to what is added to it, or as anything. */
static inline void pack_make_l1(struct pack_case *c, struct pack_state *state)
{
    bool any = pack_random(c) & 1;
    unsigned center = 100 + pack_random(c) % 50;
    for (unsigned i = 0; i < PACK_L1_BYTES; i += 4) {
        uint32_t word = pack_random(c);
        if (!any && c->to == 0)
            word = (word & 0x807FFFFF) | (center + (word >> 23 & 15)) << 23;
        if (!any && c->to == 5)
            word = (word & 0x807F807F) | (center + (word >> 23 & 15)) << 23 | (center + (word >> 7 & 15)) << 7;
        memcpy(&state->l1[i], &word, sizeof word);
    }
}

static inline void pack_make_formats(struct pack_case *c, struct pack_state *state)
{
    unsigned conversion = pack_conversions[pack_random(c) % (sizeof pack_conversions / sizeof pack_conversions[0])];
    uint32_t random = pack_random(c), *config = state->config;
    c->wide = conversion >> 8;
    c->from = conversion >> 4 & 15;
    c->to = conversion & 15;
    bool round_10b = conversion == 0x111 || conversion == 0x11A || (conversion == 0x01A && (random & 1));
    bool accumulates = (c->to == 0 || c->to == 1 || c->to == 5) && (random >> 1 & 1);
    bool relu = c->from != 9 && c->from != 14 && (random >> 2 & 1);
    unsigned mode = c->from == 8 ? 1 : 1 + (random >> 3) % 3;
    config[1] = c->from << 25;
    config[2] = relu ? mode << 2 | (random >> 8 & 0x7FFF) << 6 : 0;
    config[18] = c->wide | (random >> 24 & 1) << 1 | (uint32_t)round_10b << 3;
    config[70] = 1u | c->to << 4 | c->from << 8;
    config[71] = (uint32_t)accumulates << 19 | 1u << 23;
}

static inline void pack_make_masks(struct pack_case *c, struct pack_state *state)
{
    static const uint16_t masks[] = {0xFFFF, 0xFFFF, 1, 0};
    uint32_t *config = state->config;
    bool masked = !c->narrow_row && pack_random(c) % 3 == 0;
    config[20] = masked ? pack_random(c) & 0x55555555 : 0;
    config[21] = masked ? pack_random(c) & 0x55555555 : 0;
    config[24] = masked ? masks[pack_random(c) % 4] | (pack_random(c) & 1) << 17 : 0xFFFF;
    for (unsigned i = 25; i < 28; i++)
        config[i] = masked ? masks[pack_random(c) % 4] : 0xFFFF;
    config[28] = (4u << pack_random(c) % 3) << 8;
}

/* Rows of 16 data; whatever moves a counter moves it by whole groups of rows. */
static inline void pack_make_addresses(struct pack_case *c, struct pack_state *state)
{
    uint32_t *config = state->config, *counter = state->counter, bytes = pack_bytes(c->from);
    unsigned group = c->interfaces == 1 ? 1 : c->interfaces == 3 ? 2 : 4;
    config[12] = 16 * bytes * group << 16;
    config[13] = 16 * bytes * 16 | 16 * bytes * 64 << 16;
    config[14] = (16u << pack_random(c) % 3) << 16;
    config[68] = (c->to & 2 ? 2 + pack_random(c) % 3 : pack_random(c) % 5) << 16;
    config[69] = 0x10 + pack_random(c) % 0x100;
    config[180] = c->strided ? 0 : pack_random(c) % 8 * 64;
    counter[1] = pack_random(c) % 8;
    counter[2] = pack_random(c) % 4;
    counter[3] = pack_random(c) % 4;
    counter[4] = c->narrow_row ? 7 : 15;
    counter[5] = pack_random(c) % 8;
    counter[8] = pack_random(c) % 8;
    for (unsigned i = 0; i < 4; i++) /* ADDR_MOD_PACK, without YdstCR */
        state->thread_config[37 + i] = (uint16_t)(pack_random(c) & 0xFBFF & ~0x000Cu);
}

static inline void pack_make(struct pack_state *state, uint64_t seed)
{
    static const uint8_t interfaces[] = {0, 1, 3, 5, 10};
    struct pack_case c = {.random = seed};
    memset(state, 0, sizeof *state);
    pack_make_formats(&c, state);
    c.strided = pack_random(&c) % 6 == 0;
    c.interfaces = interfaces[pack_random(&c) % (c.strided ? 3 : 5)];
    /* A half row of data that have 8 bits or fewer is not a whole line. */
    c.narrow_row = c.interfaces == 1 && (c.to & 2) == 0 && pack_random(&c) % 3 == 0;
    pack_make_dst(&c, state);
    pack_make_l1(&c, state);
    pack_make_masks(&c, state);
    pack_make_addresses(&c, state);
    state->config[220] = c.strided ? 3 : 0;
    state->words = 1 + pack_random(&c) % PACK_WORDS;
    for (unsigned i = 0; i < state->words; i++)
        state->word[i] = 0x41000000u | (uint32_t)c.strided << 17 | (pack_random(&c) & 3) << 15 | c.interfaces << 8 |
                         (pack_random(&c) & 1) << 4 | (i + 1 == state->words);
}

/* Of what PACR can change. */
static inline uint64_t pack_hash(const struct pack_state *state)
{
    return XXH3_64bits(state->l1, sizeof state->l1) ^ XXH3_64bits(state->counter, sizeof state->counter) * 3;
}

#endif
