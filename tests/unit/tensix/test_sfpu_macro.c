/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPLOADMACRO: what it schedules, when that executes and what it sees. Pipelines as tt_llk_blackhole runs them give
 * what the same computation gives one instruction after another; the corners of SFPLOADMACRO.md one by one.
 */
#include "unit/tensix/macro.h"

#define ROWS 8u /* groups of four rows and two column halves that a pipeline goes through */

/* A computation on ROWS groups of Dst, as a pipeline and plainly: Dst is the same afterwards. */
struct pipeline {
    const char *name;
    unsigned srcb_format;
    uint32_t (*operand)(void); /* the bits of a datum, as in a core's register */
    bool wide;
    void (*prepare)(struct bare *bare);
    void (*run)(struct bare *bare);
    void (*sequence)(struct bare *bare);
    bool blackhole_only; /* it has instructions that Wormhole lacks */
};

static uint32_t any_float(void)
{
    static const uint32_t corner[] = {0, 0x80000000, 0x7F800000, 0xFF800000, 0x3F800000, 0x7F000000, 0x00800000};
    uint32_t which = bare_random() % 16;
    if (which < 7)
        return corner[which];
    return (bare_random() & 0x807FFFFF) | (100 + bare_random() % 54) << 23;
}

static uint32_t any_integer(void)
{
    return bare_random() >> bare_random() % 32;
}

static void reciprocal_7_prepare(struct bare *bare)
{
    issue(bare, OP(SFPARECIP, 12, 0, 0, 0, 0));
    configure(bare, 4, SEQUENCE(L16 | TEMPLATE(0), 0, 0, L16 | AFTER(1) | STORE));
    issue(bare, W(SFPCONFIG) | 0x110 << 8 | 8 << 4 | 1);
}

static void reciprocal_7_run(struct bare *bare)
{
    for (unsigned i = 0; i < ROWS; i++)
        issue(bare, ldm(0, 0, SRCB, NEXT, 0));
    issue(bare, W(SFPNOP));
    issue(bare, W(SFPNOP));
}

static void reciprocal_7_sequence(struct bare *bare)
{
    for (unsigned i = 0; i < ROWS; i++) {
        issue(bare, ld(0, SRCB, STAY, 0));
        issue(bare, OP(SFPARECIP, 0, 0, 0, 0, 0));
        issue(bare, st(0, SRCB, NEXT, 0));
    }
}

/* Three cycles a group: three macros, and each uses results of the others in the same cycle. */
static void reciprocal_8_prepare(struct bare *bare)
{
    issue(bare, OP(SFPARECIP, 12, 0, 0, 0, 0));
    issue(bare, OP(SFPMAD, 13, 0, 9, 9, 8));
    issue(bare, OP(SFPMAD, 14, 11, 0, 1, 0));
    issue(bare, OP(SFPIADD, 15, 1, 0, 0, 4));
    configure(bare, 4, SEQUENCE(TEMPLATE(0), TEMPLATE(1), 0, OWN_VD | STORE));
    configure(bare, 5,
              SEQUENCE(AS_VB | L16 | AFTER(5) | TEMPLATE(3), AS_VB | L16 | TEMPLATE(2), 0, L16 | AFTER(2) | STORE));
    configure(bare, 6, SEQUENCE(0, 0, 0, L16 | AFTER(1) | STORE));
    issue(bare, W(SFPCONFIG) | 0x700 << 8 | 8 << 4 | 1);
    issue(bare, LOADI(0, 0, 0x8000));
    issue(bare, LOADI(7, 2, 1));
}

static void reciprocal_8_run(struct bare *bare)
{
    for (unsigned i = 0; i < ROWS + 2; i++) {
        unsigned y = 3 + i % 3;
        bool begins = i < ROWS, ends = i >= 2;
        issue(bare, begins ? ldm(0, y, SRCB, STAY, 0) : W(SFPNOP));
        issue(bare, ends ? ldm(2, 1, LO16, begins ? STAY : NEXT, 0x3FC) : W(SFPNOP));
        issue(bare, begins ? ldm(1, y, LO16_ONLY, NEXT, 0) : W(SFPNOP));
    }
    issue(bare, W(SFPNOP));
}

static void reciprocal_8_sequence(struct bare *bare)
{
    issue(bare, LOADI(2, 2, 0x8000));
    for (unsigned i = 0; i < ROWS; i++) {
        issue(bare, ld(0, SRCB, STAY, 0));
        issue(bare, OP(SFPMAD, 1, 0, 9, 9, 0));
        issue(bare, OP(SFPARECIP, 0, 0, 0, 0, 0));
        issue(bare, OP(SFPOR, 0, 2, 0, 0, 0));
        issue(bare, OP(SFPMAD, 1, 11, 0, 1, 0));
        issue(bare, OP(SFPSHFT, 1, 1, 0, 0, 5) | 0xFF0u << 12);
        issue(bare, OP(SFPIADD, 0, 1, 0, 0, 4));
        issue(bare, st(0, SRCB, NEXT, 0));
    }
}

/* Five cycles a group, with a swap. */
static void reciprocal_24_prepare(struct bare *bare)
{
    issue(bare, OP(SFPARECIP, 12, 0, 0, 0, 0));
    issue(bare, OP(SFPMAD, 13, 0, 0, 0, 0));
    issue(bare, OP(SFPMAD, 14, 2, 0, 1, 0));
    issue(bare, OP(SFPSWAP, 15, 10, 0, 0, 1));
    configure(bare, 4, SEQUENCE(TEMPLATE(0), 0, 0, L16 | AFTER(6) | STORE));
    configure(bare, 5, SEQUENCE(L16 | TEMPLATE(0), AFTER(2) | TEMPLATE(1), 0, AFTER(2) | STORE));
    configure(bare, 6, SEQUENCE(AS_VB | AFTER(2) | TEMPLATE(3), TEMPLATE(2), 0, 0));
    configure(bare, 7, SEQUENCE(0, AS_VB | L16 | AFTER(1) | TEMPLATE(2), 0, L16 | AFTER(3) | STORE));
    issue(bare, W(SFPCONFIG) | 0xFF0 << 8 | 8 << 4 | 1);
}

/* Step of the loop of five. */
static uint32_t reciprocal_24_step(unsigned step)
{
    switch (step) {
    case 0: return ldm(0, 3, SRCB, STAY, 0);
    case 1: return ldm(2, 1, SRCB, STAY, 0x3FE);
    case 2: return ldm(1, 0, SRCB, STAY, 0);
    case 3: return OP(SFPMAD, 0, 10, 3, 0, 1);
    default: return ldm(3, 2, SRCB, NEXT, 0x3FE);
    }
}

static void reciprocal_24_run(struct bare *bare)
{
    for (unsigned step = 0; step < 4; step++)
        issue(bare, reciprocal_24_step(step));
    issue(bare, ld(7, SRCB, NEXT, 0));
    for (unsigned i = 0; i < ROWS - 1; i++)
        for (unsigned step = 0; step < 5; step++)
            issue(bare, reciprocal_24_step(step));
    issue(bare, W(SFPNOP));
    issue(bare, reciprocal_24_step(1));
    issue(bare, W(SFPNOP));
    issue(bare, reciprocal_24_step(3));
    issue(bare, ldm(3, 2, SRCB, NEXT, 0x3FE));
    for (unsigned i = 0; i < 4; i++)
        issue(bare, W(SFPNOP));
}

static void reciprocal_24_sequence(struct bare *bare)
{
    for (unsigned i = 0; i < ROWS; i++) {
        issue(bare, ld(0, SRCB, STAY, 0));
        issue(bare, OP(SFPARECIP, 1, 0, 0, 0, 0));
        issue(bare, OP(SFPMAD, 2, 10, 1, 0, 1));
        issue(bare, OP(SFPMAD, 3, 2, 2, 2, 0));
        issue(bare, OP(SFPMAD, 3, 2, 2, 3, 0));
        issue(bare, OP(SFPSWAP, 3, 10, 0, 0, 1));
        issue(bare, OP(SFPMAD, 0, 1, 1, 3, 0));
        issue(bare, st(0, SRCB, NEXT, 0));
    }
}

/* One cycle a group: cast, round, store. */
static void to_bf16_prepare(struct bare *bare)
{
    issue(bare, OP(SFPCAST, 12, 0, 0, 0, 0));
    issue(bare, OP(SFP_STOCH_RND, 13, 0, 0, 0, 1));
    configure(bare, 4, SEQUENCE(TEMPLATE(0), 0, L16 | AFTER(1) | TEMPLATE(1), L16 | AFTER(2) | STORE));
    issue(bare, W(SFPCONFIG) | (0x100 | FP16B) << 8 | 8 << 4 | 1);
}

static void to_bf16_run(struct bare *bare)
{
    for (unsigned i = 0; i < ROWS; i++)
        issue(bare, ldm(0, i & 1, UINT16, NEXT, 0));
    for (unsigned i = 0; i < 3; i++)
        issue(bare, W(SFPNOP));
}

static void to_bf16_sequence(struct bare *bare)
{
    for (unsigned i = 0; i < ROWS; i++) {
        issue(bare, ld(0, UINT16, STAY, 0));
        issue(bare, OP(SFPCAST, 0, 0, 0, 0, 0));
        issue(bare, OP(SFP_STOCH_RND, 0, 0, 0, 0, 1));
        issue(bare, st(0, FP16B, NEXT, 0));
    }
}

/* Two cycles a group: the greater of the datum and zero, then to an unsigned integer. */
static void to_uint16_prepare(struct bare *bare)
{
    issue(bare, OP(SFPSWAP, 12, 9, 0, 0, 9));
    issue(bare, OP(SFP_STOCH_RND, 13, 0, 0, 0, 6));
    configure(bare, 4, SEQUENCE(AS_VB | TEMPLATE(0), 0, L16 | AFTER(2) | TEMPLATE(1), L16 | AFTER(3) | STORE));
    issue(bare, W(SFPCONFIG) | (0x100 | UINT16) << 8 | 8 << 4 | 1);
}

static void to_uint16_run(struct bare *bare)
{
    for (unsigned i = 0; i < ROWS; i++) {
        issue(bare, ldm(0, i & 1, SRCB, NEXT, 0));
        issue(bare, W(SFPNOP));
    }
    for (unsigned i = 0; i < 3; i++)
        issue(bare, W(SFPNOP));
}

static void to_uint16_sequence(struct bare *bare)
{
    for (unsigned i = 0; i < ROWS; i++) {
        issue(bare, ld(0, SRCB, STAY, 0));
        issue(bare, OP(SFPSWAP, 0, 9, 0, 0, 9));
        issue(bare, OP(SFP_STOCH_RND, 0, 0, 0, 0, 6));
        issue(bare, st(0, UINT16, NEXT, 0));
    }
}

/*
 * tt-llk's fast exponential. One sequence takes the greater of the datum and -88.5. Its SFPSWAP compares what is loaded
 * with the VD of the template. The other sequence computes.
 */
static void exponential_prepare(struct bare *bare)
{
    configure(bare, 14, 0xC2B10000);
    configure(bare, 12, 0x43B8AA3B);
    configure(bare, 13, 0x46FDE9A3);
    configure(bare, 0, OP(SFPSWAP, 14, 0, 0, 0, 1));
    issue(bare, OP(SFPMAD, 13, 13, 0, 12, 0));
    issue(bare, OP(SFP_STOCH_RND, 14, 0, 0, 0, 14));
    issue(bare, OP(SFPSHFT, 15, 0, 15, 0, 1));
    configure(bare, 5, SEQUENCE(TEMPLATE(0), 0, 0, AFTER(2) | STORE));
    configure(bare, 4,
              SEQUENCE(AS_VB | L16 | AFTER(3) | TEMPLATE(3), AS_VB | TEMPLATE(1), AFTER(2) | TEMPLATE(2),
                       L16 | AFTER(4) | STORE));
    issue(bare, W(SFPCONFIG) | 8 << 4 | 1);
}

static void exponential_run(struct bare *bare)
{
    for (unsigned i = 0; i < ROWS; i++) {
        issue(bare, ldm(1, i & 3, SRCB, STAY, 2 * i));
        issue(bare, W(SFPNOP));
    }
    for (unsigned i = 0; i < ROWS; i++)
        issue(bare, ldm(0, i & 3, SRCB, STAY, 2 * i));
    for (unsigned i = 0; i < 5; i++)
        issue(bare, W(SFPNOP));
}

static void exponential_sequence(struct bare *bare)
{
    for (unsigned i = 0; i < ROWS; i++) {
        issue(bare, ld(0, SRCB, STAY, 2 * i));
        issue(bare, OP(SFPSWAP, 0, 14, 0, 0, 9));
        issue(bare, OP(SFPMAD, 0, 13, 0, 12, 0));
        issue(bare, OP(SFP_STOCH_RND, 0, 0, 0, 0, 6));
        issue(bare, OP(SFPSHFT, 0, 0, 15, 0, 1));
        issue(bare, st(0, SRCB, STAY, 2 * i));
    }
}

/* The next group is loaded into an operand in the cycle in which the product reads it. */
static void product_prepare(struct bare *bare)
{
    issue(bare, OP(SFPMUL24, 12, 9, 0, 0, 0));
    configure(bare, 4, SEQUENCE(0, AS_VB | L16 | TEMPLATE(0), 0, L16 | AFTER(2) | STORE));
    issue(bare, W(SFPCONFIG) | 0x110 << 8 | 8 << 4 | 1);
}

static void product_run(struct bare *bare)
{
    for (unsigned i = 0; i < ROWS; i++) {
        issue(bare, ld(0, UINT16, STAY, 64));
        issue(bare, ldm(0, 1, UINT16, NEXT, 0));
    }
    for (unsigned i = 0; i < 3; i++)
        issue(bare, W(SFPNOP));
}

static void product_sequence(struct bare *bare)
{
    for (unsigned i = 0; i < ROWS; i++) {
        issue(bare, ld(0, UINT16, STAY, 64));
        issue(bare, ld(1, UINT16, STAY, 0));
        issue(bare, OP(SFPMUL24, 1, 9, 1, 0, 0));
        issue(bare, st(1, UINT16, NEXT, 0));
    }
}

/* Lane flags change in the same cycle in which a load goes by them. */
static void where_prepare(struct bare *bare)
{
    issue(bare, OP(SFPSETCC, 12, 0, 0, 0, 6));
    issue(bare, OP(SFPENCC, 13, 0, 0, 0, 0));
    configure(bare, 4, SEQUENCE(TEMPLATE(0), 0, 0, AFTER(2) | STORE));
    issue(bare, W(SFPCONFIG) | (uint32_t)TEMPLATE(1) << 8 | 6 << 4 | 1);
    issue(bare, W(SFPCONFIG) | 0x770 << 8 | 8 << 4 | 1);
}

static void where_run(struct bare *bare)
{
    for (unsigned i = 0; i < ROWS; i++) {
        issue(bare, ldm(0, 0, UINT16, STAY, 0));
        issue(bare, ldm(2, 0, UINT16, STAY, 64));
        issue(bare, ld(0, UINT16, NEXT, 128));
    }
    for (unsigned i = 0; i < 3; i++)
        issue(bare, W(SFPNOP));
}

static void where_sequence(struct bare *bare)
{
    for (unsigned i = 0; i < ROWS; i++) {
        issue(bare, ld(0, UINT16, STAY, 0));
        issue(bare, ld(1, UINT16, STAY, 64));
        issue(bare, OP(SFPSETCC, 0, 0, 0, 0, 6));
        issue(bare, ld(1, UINT16, STAY, 128));
        issue(bare, OP(SFPENCC, 0, 0, 0, 0, 0));
        issue(bare, st(1, UINT16, NEXT, 0));
    }
}

static uint32_t few_bits(void)
{
    return bare_random() & bare_random() & bare_random() & bare_random() & 0xFFFF;
}

static const struct pipeline pipelines[] = {
    {"reciprocal, 7 bits", 5, any_float, false, reciprocal_7_prepare, reciprocal_7_run, reciprocal_7_sequence, true},
    {"reciprocal, 8 bits", 5, any_float, false, reciprocal_8_prepare, reciprocal_8_run, reciprocal_8_sequence, true},
    {"reciprocal, 24 bits", 0, any_float, true, reciprocal_24_prepare, reciprocal_24_run, reciprocal_24_sequence, true},
    {"integer to BF16", 5, any_integer, false, to_bf16_prepare, to_bf16_run, to_bf16_sequence, false},
    {"float to integer", 5, any_float, false, to_uint16_prepare, to_uint16_run, to_uint16_sequence, false},
    {"fast exponential", 5, any_float, false, exponential_prepare, exponential_run, exponential_sequence, false},
    {"product", 5, any_integer, false, product_prepare, product_run, product_sequence, true},
    {"where", 5, few_bits, false, where_prepare, where_run, where_sequence, false},
};

static bool is_wormhole(const struct bare *bare)
{
    return bare->tile.arch->units.edition == TF_EDITION_WORMHOLE;
}

static void fill_dst(const struct pipeline *pipeline, struct tf_dst *dst)
{
    for (unsigned row = 0; row < 256; row++) {
        for (unsigned column = 0; column < 16; column++) {
            uint32_t datum = pipeline->operand();
            if (pipeline->wide)
                datum = tf_dst_shuffle32(datum);
            else if (pipeline->operand == any_float)
                datum = tf_dst_shuffle32(datum) >> 16;
            if (pipeline->wide)
                tf_dst_write32(dst, tf_dst_row32((struct tf_dst_map){0}, row), column, datum);
            else
                dst->bits[row][column] = (uint16_t)datum;
        }
    }
}

/* More cycles than any delay, in which nothing else is issued: what SFPLOADMACRO has scheduled executes. */
static void run_out(struct bare *bare)
{
    for (unsigned cycle = 0; cycle < 10; cycle++)
        issue(bare, W(SFPNOP));
}

static void with_pipeline(struct bare *bare, const struct pipeline *pipeline)
{
    struct tf_dst *dst = tf_dst_get(&bare->tile);
    struct tf_dst *before = malloc(3 * sizeof *before), *after = before + 1, *later = before + 2;
    assert_non_null(before);
    setup(bare, pipeline->srcb_format);
    if (pipeline->wide)
        for (unsigned bank = 0; bank < 2; bank++)
            bare->tile.tensix->config->bank[bank][TF_CFG_WORD(ALU_ACC_CTRL_SFPU_Fp32_enabled)] |=
                tf_cfg_put(0, TF_CFG_ALU_ACC_CTRL_SFPU_Fp32_enabled, 1);
    for (unsigned round = 0; round < 200; round++) {
        fill_dst(pipeline, dst);
        memcpy(before, dst, sizeof *dst);
        pipeline->prepare(bare);
        bare->tile.tensix->rwc[MATH].dst = 16;
        pipeline->run(bare);
        memcpy(after, dst, sizeof *dst);
        run_out(bare);
        memcpy(later, dst, sizeof *dst);
        memcpy(dst, before, sizeof *dst);
        bare->tile.tensix->rwc[MATH].dst = 16;
        pipeline->sequence(bare);
        for (unsigned row = 0; row < TF_DST_ROWS; row++) {
            if (memcmp(after->bits[row], dst->bits[row], sizeof dst->bits[row]) != 0)
                fail_msg("%s: row %u of Dst differs", pipeline->name, row);
            if (memcmp(after->bits[row], later->bits[row], sizeof dst->bits[row]) != 0)
                fail_msg("%s: row %u of Dst is stored after the pipeline", pipeline->name, row);
        }
    }
    free(before);
}

static void pipelines_equal_sequences(void **state)
{
    struct bare *bare = *state;
    bare_seed();
    for (unsigned i = 0; i < sizeof pipelines / sizeof pipelines[0]; i++) {
        if (is_wormhole(bare) && pipelines[i].blackhole_only)
            continue;
        tf_sfpu_destroy(&bare->tile);
        with_pipeline(bare, &pipelines[i]);
    }
}

/* A delay of d: executes in the d + 1st cycle after the SFPLOADMACRO. */
static void delays_are_cycles(void **state)
{
    struct bare *bare = *state;
    setup(bare, 5);
    issue(bare, OP(SFPNOT, 12, 9, 0, 0, 0));
    for (unsigned delay = 0; delay < 8; delay++) {
        configure(bare, 4, SEQUENCE(AS_VB | AFTER(delay) | TEMPLATE(0), 0, 0, 0));
        issue(bare, ldm(0, 3, SRCB, STAY, 0));
        assert_int_equal(lreg(bare, 3), 0);
        for (unsigned cycle = 1; cycle <= delay; cycle++) {
            issue(bare, W(SFPNOP));
            assert_int_equal(lreg(bare, 3), 0);
        }
        issue(bare, W(SFPNOP));
        assert_int_equal(lreg(bare, 3), 0xFFFFFFFF);
    }
}

static void delays_may_be_instructions(void **state)
{
    struct bare *bare = *state;
    setup(bare, 5);
    issue(bare, OP(SFPNOT, 12, 9, 0, 0, 0));
    configure(bare, 4, SEQUENCE(AS_VB | AFTER(2) | TEMPLATE(0), 0, 0, 0));
    issue(bare, W(SFPCONFIG) | 0x100 << 8 | 8 << 4 | 1);
    issue(bare, ldm(0, 3, SRCB, STAY, 0));
    bare->tile.now += 1000;
    tf_dst_settle(&bare->tile, bare->tile.now);
    tf_sfpu_drain(&bare->tile);
    assert_int_equal(lreg(bare, 3), 0);
    issue(bare, W(SFPNOP));
    bare->tile.now += 1000;
    assert_int_equal(lreg(bare, 3), 0);
    issue(bare, W(SFPNOP));
    assert_int_equal(lreg(bare, 3), 0);
    /* It has counted down: the next cycle executes it, whatever is issued then. */
    tf_dst_settle(&bare->tile, bare->tile.now + 2);
    assert_int_equal(lreg(bare, 3), 0xFFFFFFFF);
}

/* With delays in cycles, time is enough; one that counts instructions makes all of them do so. */
static void time_suffices(void **state)
{
    struct bare *bare = *state;
    setup(bare, 5);
    issue(bare, OP(SFPNOT, 12, 9, 0, 0, 0));
    configure(bare, 4, SEQUENCE(AS_VB | AFTER(3) | TEMPLATE(0), 0, 0, 0));
    issue(bare, ldm(0, 3, SRCB, STAY, 0));
    uint64_t issued = bare->tile.now;
    tf_dst_settle(&bare->tile, issued + 4);
    assert_int_equal(lreg(bare, 3), 0);
    tf_dst_settle(&bare->tile, issued + 5);
    assert_int_equal(lreg(bare, 3), 0xFFFFFFFF);
    configure(bare, 5, SEQUENCE(0, 0, 0, AFTER(7) | STORE));
    issue(bare, W(SFPCONFIG) | 0x800 << 8 | 8 << 4 | 1);
    issue(bare, ldm(0, 3, SRCB, STAY, 0));
    issue(bare, ldm(1, 4, SRCB, STAY, 0));
    tf_dst_settle(&bare->tile, bare->tile.now + 100);
    assert_int_equal(lreg(bare, 3), 0);
    /* The store, too, waits for instructions: it stores what its LReg holds when they have been issued. */
    const struct tf_dst *dst = tf_dst_get(&bare->tile);
    set_lreg(bare, 4, 0x42280000);
    tf_dst_settle(&bare->tile, bare->tile.now + 100);
    assert_int_equal(dst->bits[0][0], 0);
    run_out(bare);
    assert_int_equal(lreg(bare, 3), 0xFFFFFFFF);
    assert_int_equal(tf_dst_unshuffle_bf16(dst->bits[0][0]), 0x4228);
}

/* An idle cycle that executes something is no instruction to count. */
static void idle_cycles_do_not_count(void **state)
{
    struct bare *bare = *state;
    setup(bare, 5);
    issue(bare, OP(SFPNOT, 12, 9, 0, 0, 0));
    issue(bare, OP(SFPADD, 13, 10, 9, 10, 0));
    configure(bare, 4, SEQUENCE(AS_VB | AFTER(2) | TEMPLATE(0), AS_VB | L16 | TEMPLATE(1), 0, 0));
    issue(bare, W(SFPCONFIG) | 0x100 << 8 | 8 << 4 | 1);
    issue(bare, ldm(0, 3, SRCB, STAY, 0));
    bare->tile.now += 50;
    tf_dst_settle(&bare->tile, bare->tile.now);
    assert_int_equal(lreg(bare, 16), 0x3F800000); /* multiplied by one and added to one: LReg[3] was 0 */
    issue(bare, W(SFPNOP));
    issue(bare, W(SFPNOP));
    assert_int_equal(lreg(bare, 3), 0);
    issue(bare, W(SFPNOP));
    assert_int_equal(lreg(bare, 3), 0xFFFFFFFF);
}

/* A multiply-add's result is there a cycle later than others'. */
static void results_take_their_time(void **state)
{
    struct bare *bare = *state;
    setup(bare, 5);
    set_lreg(bare, 1, 0x40000000);
    issue(bare, OP(SFPADD, 12, 1, 10, 10, 0));
    configure(bare, 4, SEQUENCE(0, AS_VB | TEMPLATE(0), 0, 0));
    issue(bare, ldm(0, 3, SRCB, STAY, 0));
    issue(bare, W(SFPNOP));
    assert_int_equal(lreg(bare, 3), 0);
    issue(bare, W(SFPNOP));
    assert_int_equal(lreg(bare, 3), 0x40000000);
}

/* A later instruction for the same cycle replaces the one there. One for another cycle is kept as well. */
static void later_ones_replace_earlier_ones(void **state)
{
    struct bare *bare = *state;
    setup(bare, 5);
    issue(bare, OP(SFPNOT, 12, 9, 0, 0, 0));
    issue(bare, OP(SFPMOV, 13, 10, 0, 0, 0));
    configure(bare, 4, SEQUENCE(AS_VB | AFTER(1) | TEMPLATE(0), 0, 0, 0));
    configure(bare, 5, SEQUENCE(AS_VB | TEMPLATE(1), 0, 0, 0));
    issue(bare, ldm(0, 3, SRCB, STAY, 0));
    issue(bare, ldm(1, 4, SRCB, STAY, 0));
    issue(bare, W(SFPNOP));
    issue(bare, W(SFPNOP));
    assert_int_equal(lreg(bare, 3), 0);
    assert_int_equal(lreg(bare, 4), 0x3F800000);
    issue(bare, ldm(0, 3, SRCB, STAY, 0));
    issue(bare, W(SFPNOP));
    issue(bare, ldm(1, 5, SRCB, STAY, 0));
    issue(bare, W(SFPNOP));
    assert_int_equal(lreg(bare, 3), 0xFFFFFFFF);
    assert_int_equal(lreg(bare, 5), 0x3F800000);
}

/* A regular instruction loses its turn to a scheduled one of its sub-unit, and to no other. */
static void scheduled_ones_win(void **state)
{
    struct bare *bare = *state;
    setup(bare, 5);
    issue(bare, OP(SFPNOT, 12, 9, 0, 0, 0));
    configure(bare, 4, SEQUENCE(AS_VB | TEMPLATE(0), 0, 0, 0));
    set_lreg(bare, 5, 77);
    issue(bare, ldm(0, 3, SRCB, STAY, 0));
    issue(bare, OP(SFPMOV, 6, 5, 0, 0, 0));
    assert_int_equal(lreg(bare, 3), 0xFFFFFFFF);
    assert_int_equal(lreg(bare, 6), 0);
    issue(bare, ldm(0, 3, SRCB, STAY, 0));
    issue(bare, LOADI(6, 2, 5));
    assert_int_equal(lreg(bare, 3), 0xFFFFFFFF);
    assert_int_equal(lreg(bare, 6), 5);
    issue(bare, OP(SFPMOV, 6, 5, 0, 0, 0));
    assert_int_equal(lreg(bare, 6), 77);
    /* SFPNOP in a sequence has its sub-unit, too. */
    configure(bare, 5, SEQUENCE(2, 0, 0, 0));
    set_lreg(bare, 6, 0);
    issue(bare, ldm(1, 3, SRCB, STAY, 0));
    issue(bare, OP(SFPMOV, 6, 5, 0, 0, 0));
    assert_int_equal(lreg(bare, 6), 0);
}

static void a_wrong_sub_unit_does_nothing(void **state)
{
    struct bare *bare = *state;
    setup(bare, 5);
    issue(bare, OP(SFPNOT, 12, 9, 0, 0, 0));
    configure(bare, 4, SEQUENCE(0, TEMPLATE(0), TEMPLATE(0), 0));
    issue(bare, ldm(0, 3, SRCB, STAY, 0));
    issue(bare, W(SFPNOP));
    issue(bare, W(SFPNOP));
    assert_int_equal(lreg(bare, 3), 0);
    static const uint32_t undefined[] = {1, 1 << 8, 1 << 16, 1u << 24, 2u << 24, (uint32_t)TEMPLATE(0) << 24};
    for (unsigned i = 0; i < sizeof undefined / sizeof undefined[0]; i++) {
        configure(bare, 4, undefined[i]);
        bare->tile.now++;
        tf_tensix_dispatch[TF_OP_SFPLOADMACRO](&bare->tile, MATH, ldm(0, 3, SRCB, STAY, 0));
        assert_int_equal(bare->tile.faults.count, 1);
        assert_int_equal(bare->tile.faults.entry[0].category, TF_FAULT_UNDEFINED);
        bare->tile.faults.count = 0;
        bare->tile.tensix->thread[MATH].faulted = false;
    }
}

/* The store goes where the SFPLOADMACRO loaded from, with the mode that Misc says, and its register. */
static void stores_go_where_loads_came_from(void **state)
{
    struct bare *bare = *state;
    setup(bare, 5);
    struct tf_dst *dst = tf_dst_get(&bare->tile);
    set_lreg(bare, 6, 0xABCD1234);
    issue(bare, W(SFPSTORE) | 6 << 20); /* as a template: VD below 12 */
    configure(bare, 0, st(6, UINT16, STAY, 0x3FF));
    configure(bare, 4, SEQUENCE(0, 0, 0, OWN_VD | AFTER(1) | TEMPLATE(0)));
    issue(bare, W(SFPCONFIG) | 0x00F << 8 | 8 << 4 | 1); /* StoreMod0: HI16_ONLY */
    bare->tile.tensix->rwc[MATH].dst = 0x40;
    issue(bare, ldm(0, 1, SRCB, NEXT, 0x10));
    assert_int_equal(bare->tile.tensix->rwc[MATH].dst, 0x42);
    issue(bare, W(SFPNOP));
    issue(bare, W(SFPNOP));
    assert_int_equal(dst->bits[0x50][10], 0xABCD);
    assert_int_equal(dst->bits[0x50][11], 0);
    assert_int_equal(bare->tile.tensix->rwc[MATH].dst, 0x42);
    issue(bare, W(SFPCONFIG) | 0x01F << 8 | 8 << 4 | 1); /* UsesLoadMod0ForStore */
    issue(bare, ldm(0, 1, LO16_ONLY, STAY, 0x22));
    issue(bare, W(SFPNOP));
    issue(bare, W(SFPNOP));
    assert_int_equal(dst->bits[0x64][10], 0x1234);
}

/* Other units see the stores to Dst that were due by then. A wait for the vector unit waits for all of them. */
static void others_see_stores_in_time(void **state)
{
    struct bare *bare = *state;
    setup(bare, 5);
    set_lreg(bare, 0, 0x42280000);
    configure(bare, 4, SEQUENCE(0, 0, 0, OWN_VD | AFTER(4) | STORE));
    set_lreg(bare, 0, 0x42280000);
    issue(bare, W(SFPCONFIG) | FP16B << 8 | 8 << 4 | 1);
    struct tf_dst *dst = tf_dst_get(&bare->tile);
    issue(bare, ldm(0, 1, SRCB, STAY, 0));
    uint64_t issued = bare->tile.now;
    bare->tile.now = issued + 5;
    assert_ptr_equal(tf_dst(&bare->tile, MATH), dst);
    assert_int_equal(dst->bits[0][0], 0);
    bare->tile.now = issued + 6;
    tf_dst(&bare->tile, MATH);
    assert_int_equal(tf_dst_unshuffle_bf16(dst->bits[0][0]), 0x4228);
    dst->bits[0][0] = 0;
    issue(bare, ldm(0, 1, SRCB, STAY, 0));
    tf_exec_STALLWAIT(&bare->tile, MATH, W(STALLWAIT) | V(STALLWAIT, wait_res, 1 << 11) | V(STALLWAIT, stall_res, 1));
    assert_int_equal(tf_dst_unshuffle_bf16(dst->bits[0][0]), 0x4228);
    /* The matrix unit writes over what was stored. */
    issue(bare, ldm(0, 1, SRCB, STAY, 0));
    bare->tile.now += 6;
    tf_tensix_dispatch[TF_OP_ELWADD](&bare->tile, MATH, W(ELWADD));
    run_out(bare);
    assert_int_equal(dst->bits[0][0], 0);
}

/* Columns may have different configurations. */
static void columns_go_their_own_ways(void **state)
{
    struct bare *bare = *state;
    setup(bare, 5);
    struct tf_vector *vector = bare->tile.tensix->vector;
    issue(bare, OP(SFPNOT, 12, 9, 0, 0, 0));
    issue(bare, OP(SFPMOV, 13, 10, 0, 0, 0));
    configure(bare, 4, SEQUENCE(AS_VB | TEMPLATE(0), 0, 0, 0));
    set_lreg(bare, 0, SEQUENCE(AS_VB | AFTER(1) | TEMPLATE(1), 0, 0, 0));
    issue(bare, W(SFPCONFIG) | 0x0011 << 8 | 4 << 4 | 8); /* columns 0 and 2 */
    issue(bare, ldm(0, 3, SRCB, STAY, 0));
    issue(bare, W(SFPNOP));
    for (unsigned lane = 0; lane < 32; lane++)
        assert_int_equal(vector->lreg[3][lane], lane % 8 == 0 || lane % 8 == 2 ? 0 : 0xFFFFFFFF);
    issue(bare, W(SFPNOP));
    for (unsigned lane = 0; lane < 32; lane++)
        assert_int_equal(vector->lreg[3][lane], lane % 8 == 0 || lane % 8 == 2 ? 0x3F800000 : 0xFFFFFFFF);
    issue(bare, OP(SFPSWAP, 12, 1, 0, 0, 0)); /* templates 0 and 1 */
    issue(bare, OP(SFPSWAP, 13, 2, 0, 0, 0));
    set_lreg(bare, 0, SEQUENCE(AS_VB | TEMPLATE(1), 0, 0, 0));
    issue(bare, W(SFPCONFIG) | 0x0011 << 8 | 4 << 4 | 8);
    set_lreg(bare, 1, 0x11);
    set_lreg(bare, 2, 0x22);
    issue(bare, ldm(0, 3, SRCB, STAY, 0));
    for (unsigned i = 0; i < 3; i++)
        issue(bare, W(SFPNOP));
    for (unsigned lane = 0; lane < 32; lane++)
        assert_int_equal(vector->lreg[3][lane], lane % 8 == 0 || lane % 8 == 2 ? 0x22 : 0x11);
    /* But not with the store. */
    set_lreg(bare, 0, SEQUENCE(0, 0, 0, STORE));
    issue(bare, W(SFPCONFIG) | 0x0011 << 8 | 4 << 4 | 8);
    set_lreg(bare, 1, 0x33);
    bare->tile.now++;
    tf_tensix_dispatch[TF_OP_SFPLOADMACRO](&bare->tile, MATH, ldm(0, 3, SRCB, STAY, 0));
    assert_int_equal(bare->tile.faults.count, 1);
    assert_int_equal(bare->tile.faults.entry[0].category, TF_FAULT_UNDEFINED);
    /* What it has scheduled before the fault executes: the swap of the other columns. */
    bare->tile.faults.count = 0;
    bare->tile.tensix->thread[MATH].faulted = false;
    run_out(bare);
    for (unsigned lane = 0; lane < 32; lane++)
        assert_int_equal(vector->lreg[3][lane], lane % 8 == 0 || lane % 8 == 2 ? 0 : 0x33);
}

/* An instruction that needs the result of the multiply-add just issued comes a cycle later; scheduled ones move on. */
static void automatic_stalls_are_cycles(void **state)
{
    struct bare *bare = *state;
    setup(bare, 5);
    issue(bare, OP(SFPNOT, 12, 9, 0, 0, 0));
    configure(bare, 4, SEQUENCE(AS_VB | AFTER(3) | TEMPLATE(0), 0, 0, 0));
    set_lreg(bare, 1, 0x40000000);
    issue(bare, ldm(0, 3, SRCB, STAY, 0));
    issue(bare, OP(SFPADD, 2, 1, 1, 10, 0));
    issue(bare, st(2, FP16B, STAY, 8));
    assert_int_equal(tf_dst_unshuffle_bf16(bare->tile.tensix->dst->bits[8][0]), 0x4080);
    issue(bare, W(SFPNOP));
    assert_int_equal(lreg(bare, 3), 0xFFFFFFFF);
    /* SFPSHFT2 reads VC and VD; neither in the cycle after the multiply-add that writes it. */
    for (unsigned vc = 2; vc <= 4; vc++) {
        issue(bare, ldm(0, 3, SRCB, STAY, 0));
        issue(bare, OP(SFPADD, 2, 1, 1, 10, 0));
        issue(bare, OP(SFPSHFT2, vc == 3 ? 2 : 5, vc == 3 ? 4 : vc, 1, 0, 5));
        issue(bare, W(SFPNOP));
        assert_int_equal(lreg(bare, 3), vc == 4 ? 0 : 0xFFFFFFFF);
        issue(bare, W(SFPNOP));
    }
}

/* Behind an SFPSWAP, SFPNOP is not held for another cycle. */
static void a_nop_after_a_swap_is_a_cycle(void **state)
{
    struct bare *bare = *state;
    setup(bare, 5);
    issue(bare, OP(SFPNOT, 12, 9, 0, 0, 0));
    configure(bare, 4, SEQUENCE(AS_VB | AFTER(3) | TEMPLATE(0), 0, 0, 0));
    issue(bare, ldm(0, 3, SRCB, STAY, 0));
    issue(bare, OP(SFPSWAP, 1, 2, 0, 0, 0));
    for (unsigned cycle = 2; cycle <= 4; cycle++) {
        assert_int_equal(lreg(bare, 3), 0);
        issue(bare, W(SFPNOP));
    }
    assert_int_equal(lreg(bare, 3), 0xFFFFFFFF);
}

/* SFPMAD.md of WormholeB0: software keeps the distance. SFPSWAP.md: the unit takes SFPNOP alone in the next cycle. */
static void wormhole_stalls_after_swaps(void **state)
{
    struct bare *bare = *state;
    setup(bare, 5);
    issue(bare, OP(SFPNOT, 12, 9, 0, 0, 0));
    configure(bare, 4, SEQUENCE(AS_VB | AFTER(7) | TEMPLATE(0), 0, 0, 0));
    set_lreg(bare, 1, 0x40000000);
    issue(bare, ldm(0, 3, SRCB, STAY, 0));
    issue(bare, OP(SFPADD, 2, 1, 1, 10, 0));
    issue(bare, st(2, FP16B, STAY, 8)); /* of the old value */
    assert_int_equal(bare->tile.tensix->dst->bits[8][0], 0);
    assert_int_equal(lreg(bare, 2), 0x40800000);
    issue(bare, OP(SFPSWAP, 1, 2, 0, 0, 0));
    issue(bare, st(1, FP16B, STAY, 8)); /* a cycle later */
    assert_int_equal(tf_dst_unshuffle_bf16(bare->tile.tensix->dst->bits[8][0]), 0x4080);
    issue(bare, W(SFPNOP));
    issue(bare, W(SFPNOP));
    assert_int_equal(lreg(bare, 3), 0);
    issue(bare, W(SFPNOP));
    assert_int_equal(lreg(bare, 3), 0xFFFFFFFF);
}

/* Templates hold any bits; what the family lacks is found when it is scheduled. */
static void wormhole_refuses_what_it_lacks(void **state)
{
    struct bare *bare = *state;
    const uint32_t lacks[] =
    { OP(SFPARECIP, 0, 0, 0, 0, 0),
      OP(SFPLE, 0, 0, 0, 0, 1),
      OP(SFPSHFT, 0, 0, 0, 0, 5),
      OP(SFPMUL24, 0, 9, 0, 0, 0) };
    setup(bare, 5);
    for (unsigned i = 0; i < sizeof lacks / sizeof lacks[0]; i++) {
        unsigned unit = tf_sfpu_op(lacks[i])->unit;
        configure(bare, 0, lacks[i]);
        configure(bare, 4, (uint32_t)TEMPLATE(0) << 8 * unit);
        bare->tile.now++;
        tf_tensix_dispatch[TF_OP_SFPLOADMACRO](&bare->tile, MATH, ldm(0, 3, SRCB, STAY, 0));
        assert_int_equal(bare->tile.faults.count, 1);
        assert_string_equal(
            bare->tile.faults.entry[0].text,
            "Tensix T1: Wormhole: a template with an instruction that the family lacks: .word 0x00000000");
        bare->tile.faults.count = 0;
        bare->tile.tensix->thread[MATH].faulted = false;
    }
}

static void soft_reset_forgets(void **state)
{
    struct bare *bare = *state;
    setup(bare, 5);
    issue(bare, OP(SFPNOT, 12, 9, 0, 0, 0));
    configure(bare, 4, SEQUENCE(AS_VB | AFTER(3) | TEMPLATE(0), 0, 0, 0));
    issue(bare, ldm(0, 3, SRCB, STAY, 0));
    uint64_t scheduled = bare_hash(bare);
    bare->tile.mmio.debug.soft_reset = 1u << 10;
    tf_tensix_reset(&bare->tile);
    assert_int_not_equal(bare_hash(bare), scheduled);
    for (unsigned i = 0; i < 8; i++)
        issue(bare, W(SFPNOP));
    assert_int_equal(lreg(bare, 3), 0);
    assert_int_not_equal(lreg(bare, 0), 0);
    bare->tile.mmio.debug.soft_reset = 0;
    tf_tensix_reset(&bare->tile);
    assert_int_equal(lreg(bare, 0), 0);
    assert_int_equal(lreg(bare, 12), 0x37800000);
    assert_int_equal(bare->tile.tensix->vector->macro[0].sequence[0], 0);
    assert_int_equal(bare->tile.tensix->vector->lane.use, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, bare_setup, bare_teardown)
#define BOTH(name) TEST(name), cmocka_unit_test_setup_teardown(name, bare_setup_wormhole, bare_teardown)
#define WORMHOLE(name) cmocka_unit_test_setup_teardown(name, bare_setup_wormhole, bare_teardown)
    const struct CMUnitTest tests[] = {
        BOTH(pipelines_equal_sequences),
        BOTH(delays_are_cycles),
        BOTH(delays_may_be_instructions),
        BOTH(time_suffices),
        BOTH(idle_cycles_do_not_count),
        BOTH(results_take_their_time),
        BOTH(later_ones_replace_earlier_ones),
        BOTH(scheduled_ones_win),
        BOTH(a_wrong_sub_unit_does_nothing),
        BOTH(stores_go_where_loads_came_from),
        BOTH(others_see_stores_in_time),
        BOTH(columns_go_their_own_ways),
        BOTH(a_nop_after_a_swap_is_a_cycle),
        TEST(automatic_stalls_are_cycles),
        WORMHOLE(wormhole_stalls_after_swaps),
        WORMHOLE(wormhole_refuses_what_it_lacks),
        BOTH(soft_reset_forgets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
