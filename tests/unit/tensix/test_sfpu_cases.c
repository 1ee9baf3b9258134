/* SPDX-License-Identifier: Apache-2.0 */
/* Values that the pages of the vector unit's instructions state, faults, and rules about whole instructions. */
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/lreg.h"
#include "tile/tensix/data/prng.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/vector/flags.h"
#include "tile/tensix/vector/vector.h"
#include "unit/tensix/bare.h"
#include "unless_hostile.h"

#define MATH 1u

static void issue(struct bare *bare, uint32_t word)
{
    bare->tile.cycle++;
    tf_tensix_dispatch[word >> 24](&bare->tile, MATH, word);
}

static void set(struct bare *bare, unsigned row, uint32_t value)
{
    struct tf_vector *vector = tf_sfpu_get(&bare->tile);
    for (unsigned lane = 0; lane < TF_LANES; lane++)
        vector->lreg[row][lane] = value;
}

static uint32_t get(struct bare *bare, unsigned row)
{
    return bare->tile.tensix->vector->lreg[row][9];
}

static uint32_t bits(float value)
{
    uint32_t result;
    memcpy(&result, &value, sizeof result);
    return result;
}

/* LReg[1] through an instruction with VC 1 and VD 2. */
static uint32_t through(struct bare *bare, uint32_t word, uint32_t value)
{
    set(bare, 1, value);
    issue(bare, word | 1 << 8 | 2 << 4);
    assert_int_equal(bare->tile.faults.count, 0);
    return get(bare, 2);
}

static void constants(void **state)
{
    struct bare *bare = *state;
    issue(bare, W(SFPNOP));
    static const struct {
        unsigned row;
        float value;
    } expected[] = {{8, 0.8373f},      {9, 0.0f},          {10, 1.0f},        {11, -1.0f},
                    {12, 1 / 65536.f}, {13, -0.67487759f}, {14, -0.34484843f}};
    for (unsigned i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        /* LReg.md has LReg[8] to four digits. */
        float value;
        uint32_t pattern = get(bare, expected[i].row);
        memcpy(&value, &pattern, sizeof value);
        assert_true(value - expected[i].value < 1e-4f && expected[i].value - value < 1e-4f);
    }
    assert_int_equal(get(bare, 8), 0x3F56594B);
    for (unsigned lane = 0; lane < TF_LANES; lane++)
        assert_int_equal(bare->tile.tensix->vector->lreg[15][lane], lane * 2);
    for (unsigned row = 0; row < 8; row++)
        assert_int_equal(get(bare, row), 0);
    /* These can be moved, but not overwritten. */
    set(bare, 1, 5);
    issue(bare, W(SFPMOV) | 1 << 8 | 10 << 4);
    assert_int_equal(get(bare, 10), 0x3F800000);
    issue(bare, W(SFPLOADI) | 9 << 20 | 7);
    assert_int_equal(get(bare, 9), 0);
}

static void approximations(void **state)
{
    struct bare *bare = *state;
    assert_int_equal(through(bare, W(SFPARECIP), bits(1.0f)), bits(0.99609375f));
    assert_int_equal(through(bare, W(SFPARECIP) | 2, bits(1.0f)), bits(2.703125f));
    assert_int_equal(through(bare, W(SFPARECIP), bits(-0.0f)), 0xFF800000);
    assert_int_equal(through(bare, W(SFPARECIP), 0x7E800000), 0);
    assert_int_equal(through(bare, W(SFPARECIP) | 2, bits(-0.0f)), bits(-1.0f));
    for (unsigned i = 0; i < 20000; i++) {
        float x = (float)(i + 1) / 10000, y, e;
        uint32_t reciprocal = through(bare, W(SFPARECIP), bits(x));
        uint32_t exponential = through(bare, W(SFPARECIP) | 2, bits(x));
        memcpy(&y, &reciprocal, sizeof y);
        memcpy(&e, &exponential, sizeof e);
        double exact = 1, term = 1;
        for (unsigned k = 1; k < 24; k++)
            exact += term *= x / k;
        assert_true(0.9944 / x < y && y < 1.0054 / x);
        if (i + 1 < 20000)
            assert_true(0.9922 * exact < e && e < 1.016 * exact);
    }
}

/* SFPSTOCHRND_FloatInt.md names the only three values that rounding to zero rounds away from it. */
static void rounding_to_zero(void **state)
{
    struct bare *bare = *state;
    uint32_t word = W(SFP_STOCH_RND) | 2 << 21 | 6;
    assert_int_equal(through(bare, word, bits(0.9999998807907f)), 1);
    assert_int_equal(through(bare, word, bits(0.9999999403954f)), 1);
    assert_int_equal(through(bare, word, bits(1.999999880791f)), 2);
    assert_int_equal(through(bare, word, bits(0.99999976f)), 0);
    assert_int_equal(through(bare, word, bits(1.9999998f)), 1);
    assert_int_equal(through(bare, word, bits(1.9999995f)), 1);
    assert_int_equal(through(bare, word, bits(2.9999998f)), 2);
    word = W(SFP_STOCH_RND);
    assert_int_equal(through(bare, word | 6, bits(2.5f)), 3);
    assert_int_equal(through(bare, word | 7, bits(-2.5f)), 0x80000003);
    assert_int_equal(through(bare, word | 7, bits(-0.25f)), 0);
    assert_int_equal(through(bare, word | 3, bits(-1e20f)), 0x8000007F);
    assert_int_equal(through(bare, word | 2, bits(-300.f)), 255);
    assert_int_equal(through(bare, word | 1, 0xFFC00001), 0xFF800000);
    assert_int_equal(through(bare, word | 1, 0x80000001), 0);
    assert_int_equal(through(bare, word | 1, 0x3F808000), 0x3F810000);
}

/* UseImm5 is a bit of the form that shifts integers. The encodings of other forms have no bit there, but tt-llk sets
   it. */
static void use_imm5_is_nothing_to_floats(void **state)
{
    struct bare *bare = *state;
    static const uint8_t modes[] = {0, 1, 2, 3, 6, 7};
    bare_seed();
    for (unsigned i = 0; i < 4096; i++) {
        uint32_t word = W(SFP_STOCH_RND) | (bare_random() & 0x1F0000) | modes[i % sizeof modes];
        uint32_t value = i & 64 ? bare_random() : bits((float)(int32_t)bare_random() / (float)(1u << i % 32));
        assert_int_equal(through(bare, word | 8, value), through(bare, word, value));
    }
    assert_int_equal(through(bare, W(SFP_STOCH_RND) | 8, 0x3F801000), 0x3F802000);
    assert_int_equal(bare->tile.faults.count, 0);
}

static void stochastic_rounding_uses_the_generator(void **state)
{
    struct bare *bare = *state;
    uint32_t word = W(SFP_STOCH_RND) | 1 << 21 | 1;
    struct tf_vector *vector = tf_sfpu_get(&bare->tile);
    for (unsigned lane = 0; lane < TF_LANES; lane++)
        vector->prng[lane] = lane << 18; /* of 23 bits */
    set(bare, 1, 0x3F800000 | 7 << 11);
    issue(bare, word | 1 << 8 | 2 << 4);
    for (unsigned lane = 0; lane < TF_LANES; lane++) {
        assert_int_equal(vector->lreg[2][lane], 7 << 11 >= lane << 11 ? 0x3F810000 : 0x3F800000);
        assert_int_equal(vector->prng[lane], tf_prng_step(lane << 18));
    }
    /* Numbers themselves, from SFPMOV; lanes that are off keep theirs. */
    issue(bare, W(SFPENCC) | 3 << 12 | 10);
    vector->lane.flags = 0x0000FFFF;
    vector->prng[0] = 0x80200003;
    vector->prng[1] = 1;
    vector->prng[20] = 99;
    issue(bare, W(SFPMOV) | 9 << 8 | 3 << 4 | 8);
    assert_int_equal(vector->lreg[3][0], 0x80200003);
    assert_int_equal(vector->prng[0], 0x80000000 | 0x80200003u >> 1);
    assert_int_equal(vector->prng[1], 0);
    assert_int_equal(vector->prng[20], 99);
}

static void integers(void **state)
{
    struct bare *bare = *state;
    assert_int_equal(through(bare, W(SFPABS), 0x80000000), 0x80000000);
    assert_int_equal(through(bare, W(SFPABS), 0xFFFFFFFB), 5);
    assert_int_equal(through(bare, W(SFPABS) | 1, 0xFFC00000), 0xFFC00000);
    assert_int_equal(through(bare, W(SFPABS) | 1, 0xFF800000), 0x7F800000);
    assert_int_equal(through(bare, W(SFPCAST) | 3, 0x80000000), 0x80000000);
    assert_int_equal(through(bare, W(SFPCAST) | 3, 0x80000005), 0xFFFFFFFB);
    assert_int_equal(through(bare, W(SFPCAST) | 2, 0xFFFFFFFB), 5);
    assert_int_equal(through(bare, W(SFPCAST), 0x01000001), bits(16777216.f));
    assert_int_equal(through(bare, W(SFPCAST), 0x81000003), bits(-16777220.f));
    assert_int_equal(through(bare, W(SFPCAST), 0x80000000), 0x80000000);
    assert_int_equal(through(bare, W(SFPLZ), 0), 32);
    assert_int_equal(through(bare, W(SFPLZ) | 4, 0x80000001), 31);
    assert_int_equal(through(bare, W(SFPEXEXP), bits(0.5f)), 0xFFFFFFFF);
    assert_int_equal(through(bare, W(SFPEXMAN), bits(-1.5f)), 0xC00000);
    assert_int_equal(through(bare, W(SFPDIVP2) | 0xFF << 12 | 1, bits(-3.f)), bits(-1.5f));
    assert_int_equal(through(bare, W(SFPDIVP2) | 5 << 12 | 1, 0x7FC00000), 0x7FC00000);
    assert_int_equal(through(bare, W(SFPDIVP2) | 1 << 12 | 1, 0x7F000000), 0x7F800000);
}

/* SFPLUT.md's table, and the page's special value. */
static void tables(void **state)
{
    struct bare *bare = *state;
    static const struct {
        uint8_t entry;
        float value;
    } eight[] = {{0x0F, 1.9375f},        {0x00, 1.0f}, {0x1F, 0.96875f},      {0x90, -0.5f},
                 {0x7F, 0.01513671875f}, {0xFF, 0.f},  {0xFE, -0.0146484375f}};
    for (unsigned i = 0; i < sizeof eight / sizeof eight[0]; i++) {
        set(bare, 3, bits(-1.f)); /* the second of three, times 1 */
        set(bare, 1, (uint32_t)eight[i].entry << 8 | 0xFF);
        issue(bare, W(SFPLUT) | 2 << 20);
        assert_int_equal(get(bare, 2), bits(eight[i].value) & (eight[i].value == 0 ? 0 : 0xFFFFFFFF));
    }
    /* Boundaries of six entries: the ranges of each entry, for the two last boundaries. */
    static const struct {
        float x;
        unsigned row, shift, row2, shift2;
    } six[] = {{0.25f, 0, 0, 0, 0}, {0.5f, 0, 16, 0, 16}, {1.f, 1, 0, 1, 0},  {1.5f, 1, 16, 1, 16},
               {2.f, 2, 0, 2, 0},   {3.f, 2, 16, 2, 0},   {4.f, 2, 16, 2, 16}};
    for (unsigned i = 0; i < sizeof six / sizeof six[0]; i++) {
        for (unsigned table = 2; table <= 3; table++) {
            for (unsigned row = 0; row < 3; row++) {
                set(bare, row, 0);
                set(bare, 4 + row, (0x3C00u + row * 2 + 1) << 16 | (0x3C00u + row * 2));
                set(bare, row, 0x7C007C00); /* zero */
            }
            set(bare, 3, bits(-six[i].x));
            issue(bare, W(SFPLUTFP32) | 7 << 4 | table);
            unsigned row = table == 2 ? six[i].row : six[i].row2, shift = table == 2 ? six[i].shift : six[i].shift2;
            assert_int_equal(get(bare, 7), 0x3F800000 + (row * 2 + shift / 16) * 0x2000);
        }
    }
}

static void fault_is(struct bare *bare, uint32_t word, const char *text)
{
    uint64_t before = bare_hash(bare);
    bare->tile.tensix->thread[MATH].faulted = false;
    bare->tile.faults.count = 0;
    issue(bare, word);
    assert_int_equal(bare->tile.faults.count, 1);
    assert_int_equal(bare->tile.faults.entry[0].category, TF_FAULT_UNDEFINED);
    assert_non_null(strstr(bare->tile.faults.entry[0].text, text));
    bare->tile.tensix->thread[MATH].faulted = false;
    assert_int_equal(bare_hash(bare), before);
    bare->tile.faults.count = 0;
}

static void undefined_behaviour_faults(void **state)
{
    struct bare *bare = *state;
    issue(bare, W(SFPNOP));
    static const uint8_t modes[] = {3, 5, 6, 7, 9, 11, 12, 13, 14, 15};
    for (unsigned i = 0; i < sizeof modes; i++)
        fault_is(bare, W(SFPLOADI) | (uint32_t)modes[i] << 16, "Mod0");
    for (unsigned mod1 = 7; mod1 < 16; mod1++)
        fault_is(bare, W(SFPSHFT2) | mod1, "Mod1");
    fault_is(bare, W(SFPPOPC), "empty");
    for (unsigned mod1 = 1; mod1 < 16; mod1++)
        fault_is(bare, W(SFPPUSHC) | mod1, "empty");
    for (unsigned i = 0; i < 8; i++)
        issue(bare, W(SFPPUSHC));
    assert_int_equal(bare->tile.faults.count, 0);
    fault_is(bare, W(SFPPUSHC), "full");
    /* The complex modes work with a full stack (SFPPOPC.md: Wormhole's defect is gone), and with an empty one. */
    for (unsigned mod1 = 1; mod1 < 16; mod1++)
        issue(bare, W(SFPPOPC) | mod1);
    assert_int_equal(bare->tile.faults.count, 0);
    assert_int_equal(bare->tile.tensix->vector->lane.depth[3], 8);
}

/* Popped flags are no state: equal hashes. */
static void popped_levels_do_not_count(void **state)
{
    struct bare *bare = *state;
    issue(bare, W(SFPENCC) | 3 << 12 | 10);
    uint64_t before = bare_hash(bare);
    issue(bare, W(SFPPUSHC));
    assert_int_not_equal(bare_hash(bare), before);
    issue(bare, W(SFPPOPC));
    assert_int_equal(bare_hash(bare), before);
}

/* Software can make the depths of columns' stacks differ; each column's own top counts. */
static void columns_have_their_own_tops(void **state)
{
    struct bare *bare = *state;
    struct tf_lane_flags *lane = &tf_sfpu_get(&bare->tile)->lane;
    for (unsigned level = 0; level < TF_FLAG_STACK; level++) {
        lane->stack_flags[level] = 0x13579BDF * (level + 1);
        lane->stack_use[level] = 0x2468ACE1 * (level + 3);
    }
    uint32_t flags = 0, use = 0;
    for (unsigned column = 0; column < TF_LANE_COLUMNS; column++) {
        unsigned depth = 1 + (3 * column + 1) % 6;
        lane->depth[column] = (uint8_t)depth;
        flags |= lane->stack_flags[depth - 1] & TF_COLUMN_LANES << column;
        use |= lane->stack_use[depth - 1] & TF_COLUMN_LANES << column;
    }
    issue(bare, W(SFPPOPC));
    assert_int_equal(lane->flags, flags);
    assert_int_equal(lane->use, use);
    for (unsigned column = 0; column < TF_LANE_COLUMNS; column++)
        assert_int_equal(lane->depth[column], (3 * column + 1) % 6);
    /* SFPCOMPC.md: an empty stack counts as set flags and set use. */
    const uint32_t before = lane->flags, used = lane->use = 0x5A5AF00F;
    uint32_t complement = 0;
    for (unsigned i = 0; i < TF_LANES; i++) {
        unsigned depth = lane->depth[i % TF_LANE_COLUMNS];
        bool top_flag = depth == 0 || (lane->stack_flags[depth - 1] >> i & 1);
        bool top_use = depth == 0 || (lane->stack_use[depth - 1] >> i & 1);
        complement |= (uint32_t)(top_flag && top_use && (used >> i & 1) && !(before >> i & 1)) << i;
    }
    issue(bare, W(SFPCOMPC));
    assert_int_equal(lane->flags, complement);
}

/* With VD from 12 on, columns act whose LaneConfig permits it. The stacks of other columns stay unchanged. */
static void columns_that_act_get_deeper(void **state)
{
    struct bare *bare = *state;
    struct tf_vector *vector = tf_sfpu_get(&bare->tile);
    issue(bare, W(SFPLOADI) | 2 << 16 | TF_LANE_DISABLE_BACKDOOR_LOAD);
    issue(bare, W(SFPCONFIG) | 0x4444 << 8 | 15 << 4 | 8); /* odd columns */
    vector->lane.flags = 0x12345678;
    for (unsigned depth = 1; depth < 3; depth++) {
        issue(bare, W(SFPPUSHC) | V(SFPPUSHC, lreg_dest, 12));
        for (unsigned column = 0; column < TF_LANE_COLUMNS; column++)
            assert_int_equal(vector->lane.depth[column], column % 2 == 0 ? 0 : depth);
        assert_int_equal(vector->lane.stack_flags[depth - 1], 0x12345678 & 0xAAAAAAAA);
    }
    /* Their own depths decide which instructions are refused. */
    const uint32_t pop = W(SFPPOPC) | V(SFPPOPC, lreg_dest, 12);
    issue(bare, pop);
    issue(bare, pop);
    assert_int_equal(bare->tile.faults.count, 0);
    fault_is(bare, pop, "empty");
    vector->lane.depth[0] = 3; /* and their stacks are full */
    for (unsigned column = 1; column < TF_LANE_COLUMNS; column += 2)
        vector->lane.depth[column] = TF_FLAG_STACK;
    fault_is(bare, W(SFPPUSHC) | V(SFPPUSHC, lreg_dest, 12), "full");
}

/* WormholeB0 SFPPOPC.md, "hardware bug": if the stack of a column is full, its top is also copied to the bottom. */
static void wormhole_copies_the_top(void **state)
{
    struct bare *bare = *state;
    struct tf_lane_flags *lane = &tf_sfpu_get(&bare->tile)->lane;
    uint32_t flags = 0, use = 0;
    for (unsigned level = 0; level < TF_FLAG_STACK; level++) {
        lane->stack_flags[level] = 0x13579BDF * (level + 1);
        lane->stack_use[level] = 0x2468ACE1 * (level + 3);
    }
    for (unsigned column = 0; column < TF_LANE_COLUMNS; column++) {
        unsigned depth = column & 1 ? TF_FLAG_STACK : 3, from = column & 1 ? TF_FLAG_STACK - 1 : 0;
        lane->depth[column] = (uint8_t)depth;
        flags |= lane->stack_flags[from] & TF_COLUMN_LANES << column;
        use |= lane->stack_use[from] & TF_COLUMN_LANES << column;
    }
    issue(bare, W(SFPPOPC) | 1);
    assert_int_equal(lane->stack_flags[0], flags);
    assert_int_equal(lane->stack_use[0], use);
}

/* if (a < 0) { if (b == 0) x = 1; else x = 2; } else x = 3, as compilers use the stack. */
static void branches(void **state)
{
    struct bare *bare = *state;
    struct tf_vector *vector = tf_sfpu_get(&bare->tile);
    for (unsigned lane = 0; lane < TF_LANES; lane++) {
        vector->lreg[0][lane] = lane & 1 ? 0xFFFFFFFF : 1;
        vector->lreg[1][lane] = lane & 2 ? 0 : 7;
    }
    issue(bare, W(SFPENCC) | 3 << 12 | 10);
    issue(bare, W(SFPPUSHC));
    issue(bare, W(SFPSETCC) | 0 << 8 | 0);
    issue(bare, W(SFPPUSHC));
    issue(bare, W(SFPSETCC) | 1 << 8 | 6);
    issue(bare, W(SFPLOADI) | 2 << 20 | 2 << 16 | 1);
    issue(bare, W(SFPCOMPC));
    issue(bare, W(SFPLOADI) | 2 << 20 | 2 << 16 | 2);
    issue(bare, W(SFPPOPC));
    issue(bare, W(SFPCOMPC));
    issue(bare, W(SFPLOADI) | 2 << 20 | 2 << 16 | 3);
    issue(bare, W(SFPPOPC));
    for (unsigned lane = 0; lane < TF_LANES; lane++)
        assert_int_equal(vector->lreg[2][lane], lane & 1 ? (lane & 2 ? 1 : 2) : 3);
    assert_int_equal(vector->lane.flags, 0xFFFFFFFF);
}

/* Argmin: LReg[4 + i] follows LReg[i], and holds the place that it came from. */
static void indices_follow(void **state)
{
    struct bare *bare = *state;
    struct tf_dst *dst = tf_dst_get(&bare->tile);
    struct tf_vector *vector = tf_sfpu_get(&bare->tile);
    bare->tile.tensix->config->bank[0][1] = 5u << 21;
    issue(bare, W(SFPCONFIG) | 0x00C << 8 | 15 << 4 | 1);
    for (unsigned lane = 0; lane < TF_LANES; lane++) {
        dst->bits[lane / 8][lane % 8 * 2] = tf_dst_shuffle_bf16((uint16_t)(0x3F80 + lane));
        dst->bits[4 + lane / 8][lane % 8 * 2 + 1] = tf_dst_shuffle_bf16((uint16_t)(0x3F80 + 31 - lane));
    }
    issue(bare, W(SFPLOAD) | 0 << 20);
    issue(bare, W(SFPLOAD) | 1 << 20 | 6);
    for (unsigned lane = 0; lane < TF_LANES; lane++)
        assert_int_equal(vector->lreg[5][lane], (4 + lane / 8) << 4 | (lane % 8 * 2 + 1));
    issue(bare, W(SFPSWAP) | 0 << 8 | 1 << 4 | 1); /* LReg[1] gets the least */
    for (unsigned lane = 0; lane < TF_LANES; lane++) {
        bool first = lane < 31 - lane;
        assert_int_equal(vector->lreg[1][lane] >> 16, 0x3F80 + (first ? lane : 31 - lane));
        assert_int_equal(vector->lreg[5][lane] >> 4, first ? lane / 8 : 4 + lane / 8);
        assert_int_equal(vector->lreg[4][lane] >> 4, first ? 4 + lane / 8 : lane / 8);
    }
}

/* At the same time, other instructions must not write LReg[4] to LReg[7] (SFPCONFIG.md, TEN-2932). */
static void followers_are_not_written(void **state)
{
    SKIP_WHEN_HOSTILE("instructions that follow each other do not fit a FIFO");
    struct bare *bare = *state;
    const uint32_t move = W(SFPMOV) | 1 << 8, add = W(SFPADD) | 10 << 16 | 1 << 12 | 2 << 8;
    issue(bare, move | 5 << 4);
    issue(bare, W(SFPCONFIG) | 0x004 << 8 | 15 << 4 | 1);
    for (unsigned vd = 0; vd < 4; vd++) {
        issue(bare, move | vd << 4);
        issue(bare, add | vd << 4);
        fault_is(bare, move | (4 + vd) << 4, "ENABLE_DEST_INDEX");
        fault_is(bare, add | (4 + vd) << 4, "ENABLE_DEST_INDEX");
        issue(bare, W(SFPLOADI) | (4 + vd) << 20);
        issue(bare, W(SFPSETCC) | (4 + vd) << 4);
    }
    issue(bare, W(SFPTRANSP));
    issue(bare, W(SFPCONFIG) | 15 << 4 | 1);
    issue(bare, move | 5 << 4);
    assert_int_equal(bare->tile.faults.count, 0);
    /* Nor may they in a batch after the instruction that sets the bit. */
    bare_push(bare, 1, W(SFPCONFIG) | 0x004 << 8 | 15 << 4 | 1);
    bare_push(bare, 1, move | 5 << 4);
    bare_run(bare, 20);
    assert_int_equal(bare->tile.faults.count, 1);
}

/* Equal values: lanes of minimum swap negative ones, lanes of maximum the others (SFPSWAP.md of August 2026). */
static void equal_values_swap_by_sign(void **state)
{
    struct bare *bare = *state;
    issue(bare, W(SFPCONFIG) | 0x004 << 8 | 15 << 4 | 1);
    for (unsigned i = 0; i < 8; i++) {
        bool negative = i & 1, max = i & 2, exchanged = i & 4;
        if (exchanged)
            issue(bare, W(SFPCONFIG) | 0x104 << 8 | 15 << 4 | 1);
        set(bare, 0, negative ? 0xC1200000 : 0x41200000);
        set(bare, 1, negative ? 0xC1200000 : 0x41200000);
        set(bare, 4, 100);
        set(bare, 5, 200);
        issue(bare, W(SFPSWAP) | 0 << 8 | 1 << 4 | (max ? 9 : 1));
        assert_int_equal(get(bare, 4), (negative ^ max ^ exchanged) ? 200 : 100);
    }
}

/* MOD0_FMT_INT32_ALL: a stack in Dst, for all lanes. */
static void int32_all_is_a_stack(void **state)
{
    struct bare *bare = *state;
    struct tf_vector *vector = tf_sfpu_get(&bare->tile);
    bare->tile.tensix->config->thread[MATH][TF_THREAD_CFG_SFPU_STACK_Incr >> 16] = 4;
    bare->tile.tensix->config->bank[0][TF_CFG_DEST_SP_BASE_Base >> 16] = 64;
    vector->lane.use = 0xFFFFFFFF; /* and no lane enabled */
    for (unsigned i = 0; i < 4; i++) {
        set(bare, 3, 0x80001000 + i);
        issue(bare, W(SFPSTORE) | 3 << 20 | 10 << 16);
    }
    assert_int_equal(vector->stack_pointer[MATH], 16);
    assert_int_equal(vector->stack_pointer[0], 0);
    for (unsigned i = 4; i-- > 0;) {
        issue(bare, W(SFPLOAD) | 5 << 20 | 10 << 16);
        assert_int_equal(get(bare, 5), 0x80001000 + i);
    }
    assert_int_equal(vector->stack_pointer[MATH], 0);
    issue(bare, W(SFPLOAD) | 5 << 20 | 10 << 16);
    assert_int_equal(vector->stack_pointer[MATH], 0);
    assert_int_equal(get(bare, 5), 0x80001000);
}

/* Rows that ZEROACC has marked read as zero; a store into some columns defines the row, with what was there before. */
static void undefined_rows(void **state)
{
    struct bare *bare = *state;
    struct tf_dst *dst = tf_dst_get(&bare->tile);
    memset(dst->bits, 0x55, sizeof dst->bits);
    issue(bare, W(ZEROACC) | V(ZEROACC, clear_mode, 3));
    set(bare, 1, 9);
    issue(bare, W(SFPLOAD) | 1 << 20 | 6 << 16);
    assert_int_equal(get(bare, 1), 0);
    struct tf_vector *vector = bare->tile.tensix->vector;
    issue(bare, W(SFPENCC) | 3 << 12 | 10);
    vector->lane.flags = 0x0000FF01;
    set(bare, 1, 0x1234);
    issue(bare, W(SFPSTORE) | 1 << 20 | 6 << 16);
    assert_false(tf_dst_is_undefined(dst, 0) || tf_dst_is_undefined(dst, 1));
    assert_true(tf_dst_is_undefined(dst, 2) && tf_dst_is_undefined(dst, 3) && tf_dst_is_undefined(dst, 4));
    assert_int_equal(dst->bits[0][0], 0x1234);
    assert_int_equal(dst->bits[0][1], 0x5555);
    assert_int_equal(dst->bits[0][2], 0x5555);
    assert_int_equal(dst->bits[1][14], 0x1234);
}

/* Address modifiers come after the move, for instructions that move nothing as well; templates have none. */
static void moves_modify_addresses(void **state)
{
    struct bare *bare = *state;
    struct tf_tensix *tensix = bare->tile.tensix;
    tensix->config->thread[MATH][TF_THREAD_CFG_ADDR_MOD_DST_SEC3_DestIncr >> 16] = 2;
    tensix->config->thread[MATH][TF_THREAD_CFG_ADDR_MOD_DST_SEC3_DestIncr >> 16] |= 3 << 13;
    tensix->rwc[MATH].fidelity = 1;
    issue(bare, W(SFPLOAD) | 1 << 20 | 3 << 13);
    issue(bare, W(SFPSTORE) | 1 << 20 | 3 << 13);
    issue(bare, W(SFPLOAD) | 9 << 20 | 3 << 13);
    assert_int_equal(tensix->rwc[MATH].dst, 6);
    issue(bare, W(SFPLOAD) | 12 << 20 | 3 << 13);
    assert_int_equal(tensix->rwc[MATH].dst, 6);
    assert_int_equal(tensix->vector->macro[7].template[0], W(SFPLOAD) | 12 << 20 | 3 << 13);
    assert_int_equal(tensix->rwc[MATH].fidelity, 1);
}

/* What INT32 loads after a store of `value` by a mode, at a row of even or odd columns. */
static uint32_t stored(struct bare *bare, unsigned mode, uint32_t value, unsigned row)
{
    set(bare, 1, value);
    issue(bare, W(SFPSTORE) | 1 << 20 | mode << 16 | row);
    issue(bare, W(SFPLOAD) | 2 << 20 | 4 << 16 | row);
    assert_int_equal(bare->tile.faults.count, 0);
    return get(bare, 2);
}

/* Issue 55 of tt-isa-documentation: silicon of both families flushes denormals in FP32, and in SRCB that means it. The
   integer modes keep them. */
static void floats_are_stored_without_denormals(void **state)
{
    enum { SRCB, FP32 = 3, INT32 = 4 };
    struct bare *bare = *state;
    uint32_t *word = &bare->tile.tensix->config->bank[0][TF_CFG_WORD(ALU_ACC_CTRL_SFPU_Fp32_enabled)];
    *word = tf_cfg_put(*word, TF_CFG_ALU_ACC_CTRL_SFPU_Fp32_enabled, 1);
    for (enum tf_vectors level = TF_VECTORS_PORTABLE; level < TF_VECTOR_LEVELS; level++) {
        if (!tf_sfpu_choose(&bare->tile, level))
            continue;
        for (unsigned some = 0; some < 2; some++) {
            tf_sfpu_get(&bare->tile)->lane.use = 0xFFFFFFFF;
            tf_sfpu_get(&bare->tile)->lane.flags = some ? 0x00000F00 : 0xFFFFFFFF;
            for (unsigned row = 0; row < 4; row += 2) {
                assert_int_equal(stored(bare, FP32, 0x807FFFFF, row), 0x80000000);
                assert_int_equal(stored(bare, SRCB, 0x00000001, row), 0);
                assert_int_equal(stored(bare, FP32, 0x80800001, row), 0x80800001);
                assert_int_equal(stored(bare, INT32, 0x807FFFFF, row), 0x807FFFFF);
            }
        }
    }
}

/* tt-llk saves two registers at -128 and -126 (ckernel_sfpu_reduce_custom.h): ten bits of address count. */
static void addresses_below_zero_wrap(void **state)
{
    struct bare *bare = *state;
    set(bare, 1, 0x12345678);
    bare_push(bare, MATH, W(SFPSTORE) | 1 << 20 | 4 << 16 | 0x1F80);
    bare_run(bare, 10);
    bare_push(bare, MATH, W(SFPLOAD) | 2 << 20 | 4 << 16 | 0x380);
    bare_run(bare, 10);
    bare_push(bare, MATH, W(SFPLOAD) | 3 << 20 | 4 << 16 | 0x0780);
    bare_run(bare, 10);
    assert_int_equal(bare->tile.faults.count, 0);
    assert_int_equal(get(bare, 2), 0x12345678);
    assert_int_equal(get(bare, 3), 0x12345678);
}

/* Through the frontend, from a thread of its own, like a kernel's first instructions. */
static void threads_share_the_unit(void **state)
{
    struct bare *bare = *state;
    bare_push(bare, 0, W(SFPLOADI) | 2 << 20 | 2 << 16 | 41);
    bare_run(bare, 10);
    bare_push(bare, 2, W(SFPIADD) | 1 << 12 | 2 << 8 | 2 << 4 | 5);
    bare_run(bare, 10);
    assert_int_equal(get(bare, 2), 42);
    assert_int_equal(bare->tile.faults.count, 0);
    bare_push(bare, 2, W(SFPPOPC));
    bare_run(bare, 10);
    assert_int_equal(bare->tile.faults.count, 1);
    assert_int_equal(bare->tile.faults.entry[0].core, TF_CORE_T2);
}

static void sets_of_kernels(void **state)
{
    struct bare *bare = *state;
    assert_ptr_equal(tf_sfpu_kernels_of(TF_EDITION_BLACKHOLE, TF_VECTORS_PORTABLE), &tf_sfpu_portable);
    assert_non_null(tf_sfpu_kernels_of(TF_EDITION_BLACKHOLE, TF_VECTORS_BEST));
    assert_true(tf_sfpu_choose(&bare->tile, TF_VECTORS_PORTABLE));
    assert_ptr_equal(bare->tile.tensix->vector->kernels, &tf_sfpu_portable);
    assert_null(tf_sfpu_kernels_of(TF_EDITION_BLACKHOLE, TF_VECTOR_LEVELS));
    assert_false(tf_sfpu_choose(&bare->tile, TF_VECTOR_LEVELS));
    assert_ptr_equal(bare->tile.tensix->vector->kernels, &tf_sfpu_portable);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, bare_setup, bare_teardown)
    const struct CMUnitTest tests[] = {
        TEST(constants),
        TEST(approximations),
        TEST(rounding_to_zero),
        TEST(use_imm5_is_nothing_to_floats),
        TEST(stochastic_rounding_uses_the_generator),
        TEST(integers),
        TEST(tables),
        TEST(undefined_behaviour_faults),
        TEST(popped_levels_do_not_count),
        TEST(columns_have_their_own_tops),
        TEST(columns_that_act_get_deeper),
        cmocka_unit_test_setup_teardown(wormhole_copies_the_top, bare_setup_wormhole, bare_teardown),
        TEST(branches),
        TEST(indices_follow),
        TEST(followers_are_not_written),
        TEST(equal_values_swap_by_sign),
        TEST(int32_all_is_a_stack),
        TEST(undefined_rows),
        TEST(moves_modify_addresses),
        TEST(floats_are_stored_without_denormals),
        cmocka_unit_test_setup_teardown(floats_are_stored_without_denormals, bare_setup_wormhole, bare_teardown),
        TEST(addresses_below_zero_wrap),
        TEST(threads_share_the_unit),
        TEST(sets_of_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
