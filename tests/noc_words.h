/* SPDX-License-Identifier: Apache-2.0 */
/* Random values for the registers of an initiator of either family, near the ends of what they may be. */
#ifndef TESTS_NOC_WORDS_H
#define TESTS_NOC_WORDS_H

#include "stress/rv_emit.h"
#include "tilefarm/tilefarm_chip.h"
#include "addresses.h"

#define NOC_TILES 12u
#define NOC_DATA 0x20000u /* where most addresses are; none is in the first 4 KiB of L1 */

enum {
    TARG_LO,
    TARG_MID,
    TARG_HI,
    RET_LO,
    RET_MID,
    RET_HI,
    TAG,
    CTRL,
    LENGTH,
    LENGTH_1,
    AT_DATA,
    EXCLUDE,
    L1_ACC,
    WORDS
};

/* Where a family has the words of an initiator; those that it lacks are at 0, and are left out. */
struct layout {
    const char *family;
    uint32_t stride, command;
    uint8_t place[WORDS];
    bool joined; /* coordinates are in NOC_*_MID */
    uint32_t l1_bytes;
    unsigned grid_x, grid_y;
};

static const struct layout layouts[] = {
    {"blackhole", 0x800, 0x40, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, false, 0x180000, 17, 12},
    {"wormhole", 0x400, 0x28, {0, 1, 0, 3, 4, 0, 6, 7, 8, 0, 9, 0, 0}, true, 0x16E000, 10, 12},
};

struct maker {
    struct dice dice;
    const struct layout *layout;
    const struct tf_arch *arch;
    struct tf_coord tile[NOC_TILES];
    unsigned wild; /* of 100 words have any value */
};

static inline bool in_100(struct maker *of, unsigned percent)
{
    return pick(&of->dice, 100) < percent;
}

/* Values of registers */

static inline uint32_t some_node(struct maker *of)
{
    struct tf_coord at = of->tile[pick(&of->dice, NOC_TILES)];
    if (in_100(of, 20))
        at = (struct tf_coord){(uint8_t)pick(&of->dice, of->layout->grid_x),
                               (uint8_t)pick(&of->dice, of->layout->grid_y)};
    return at.x | (uint32_t)at.y << 6;
}

static inline uint32_t some_address(struct maker *of)
{
    struct dice *dice = &of->dice;
    uint32_t fine = in_100(of, 85) ? 0 : one_in(dice, 2) ? pick(dice, 4) * 16 : pick(dice, 64);
    switch (pick(dice, 24)) {
    case 0: return of->layout->l1_bytes - pick(dice, 16) * 4;
    case 1: return of->layout->l1_bytes - pick(dice, 3) * 64 + (one_in(dice, 2) ? fine : -fine);
    case 2: return of->layout->l1_bytes - (pick(dice, 4) + 1) * 0x1000 + fine;
    case 3: return NIU_COUNTER(0, 0) + pick(dice, 2) * 0x10000 + pick(dice, 64) * 4;
    case 4: return TF_DEBUG_BASE + pick(dice, 64) * 4;
    case 5: return 0x40000000u - pick(dice, 3) * 64 + fine; /* of DRAM, too */
    default: return NOC_DATA + pick(dice, 16) * 0x1000 + fine;
    }
}

/* The opcode of an atomic, which may be any, or the length of a copy. */
static inline uint32_t some_length(struct maker *of, bool atomic)
{
    static const uint32_t edge[] = {4, 16, 32, 64, 2048, 4096, 8192, 16384, 32768};
    struct dice *dice = &of->dice;
    if (in_100(of, 10))
        return roll(dice) & 0xFFFF;
    if (atomic)
        return (one_in(dice, 3) ? pick(dice, 16) : 1) << 12 | (one_in(dice, 2) ? 31u << 2 : roll(dice) & 0xFFF);
    return one_in(dice, 4) ? pick(dice, 64) : edge[pick(dice, 9)] + (in_100(of, 90) ? 0 : pick(dice, 3) - 1);
}

/* The type of the request is valid mostly; each of the other bits may be set. */
static inline uint32_t some_control(struct maker *of)
{
    struct dice *dice = &of->dice;
    uint32_t control = pick(dice, 3) | (roll(dice) & (1u << 4 | 1u << 16 | 1u << 17));
    if (one_in(dice, 8))
        control |= 1u << pick(dice, 32);
    return (control & 3) != 0 && one_in(dice, 4) ? control | 1u << 5 : control;
}

static inline uint32_t some_value(struct maker *of, unsigned word, bool atomic)
{
    struct dice *dice = &of->dice;
    if (in_100(of, of->wild))
        return roll(dice);
    switch (word) {
    case TARG_LO:
    case RET_LO: return some_address(of);
    case TARG_MID:
    case RET_MID: return in_100(of, 98) ? 0 : pick(dice, 16);
    case TARG_HI:
    case RET_HI: return some_node(of) | (one_in(dice, 3) ? some_node(of) << 12 : 0);
    case TAG: return pick(dice, 16) << 10 | (in_100(of, 90) ? 0 : roll(dice) & 0x3FF);
    case CTRL: return some_control(of);
    case LENGTH: return some_length(of, atomic);
    case LENGTH_1: return in_100(of, 95) ? 0 : roll(dice);
    case AT_DATA: return one_in(dice, 2) ? roll(dice) : (NOC_DATA + pick(dice, 256) * 16) >> 4;
    case EXCLUDE: return one_in(dice, 2) ? 0 : 1u << 22 | roll(dice);
    default: return roll(dice);
    }
}

/* A store to an initiator's register. */
struct change {
    uint32_t offset, value;
};

#define CHANGES_MAX 24u

static inline unsigned change_word(struct maker *of, uint32_t reg[WORDS], unsigned word, struct change *change)
{
    const struct layout *layout = of->layout;
    bool high = word == TARG_HI || word == RET_HI;
    reg[word] = some_value(of, word, (reg[CTRL] & 3) == 1);
    if (layout->joined && (high || word == TARG_MID || word == RET_MID)) {
        word -= high;
        *change = (struct change){layout->place[word] * 4u, reg[word] | reg[word + 1] << 4};
        return 1;
    }
    *change = (struct change){layout->place[word] * 4u, reg[word]};
    return word == 0 || layout->place[word] != 0;
}

/* Changes a few words of an initiator, or all at first. Addresses change the most. The meaning of a length depends on
   the type of the request. Returns how many stores that takes. */
static inline unsigned change_words(struct maker *of, uint32_t reg[WORDS], struct change change[CHANGES_MAX])
{
    unsigned count = 0;
    bool all = reg[TARG_HI] == 0;
    for (unsigned word = 0; word < WORDS && all; word++)
        count += change_word(of, reg, word, &change[count]);
    for (unsigned i = pick(&of->dice, 4); i != 0; i--) {
        unsigned word = in_100(of, 50) ? (one_in(&of->dice, 2) ? TARG_LO : RET_LO) : pick(&of->dice, WORDS);
        count += change_word(of, reg, word, &change[count]);
        if (word == CTRL)
            count += change_word(of, reg, LENGTH, &change[count]);
    }
    return count;
}

static inline struct maker make_maker(uint64_t seed, const struct layout *layout)
{
    static const uint8_t wild[] = {0, 0, 1, 4};
    struct maker of = {.dice = {seed}, .layout = layout, .arch = tf_arch_find(layout->family)};
    of.wild = wild[pick(&of.dice, sizeof wild)];
    for (unsigned i = 0; i < NOC_TILES; i++)
        tf_tile_coord(of.arch, i * 3, &of.tile[i]);
    return of;
}

#endif
