/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pipelines of SFPLOADMACRO as tt_llk_blackhole runs them. They give the results of the computation without pipelines.
 */
#include "unit/tensix/macro.h"

#define ROWS 8u /* groups of four rows and two column halves that a pipeline goes through */

/* A computation on ROWS groups of Dst, with and without a pipeline. Both leave Dst equal. */
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

/* Lane flags change in the cycle in which a load depends on them. */
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

static void with_pipeline(struct bare *bare, const struct pipeline *pipeline)
{
    struct tf_dst *dst = tf_dst_get(&bare->tile);
    struct tf_dst *before = malloc(3 * sizeof *before), *after = before + 1, *last = before + 2;
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
        memcpy(last, dst, sizeof *dst);
        memcpy(dst, before, sizeof *dst);
        bare->tile.tensix->rwc[MATH].dst = 16;
        pipeline->sequence(bare);
        for (unsigned row = 0; row < TF_DST_ROWS; row++) {
            if (memcmp(after->bits[row], dst->bits[row], sizeof dst->bits[row]) != 0)
                fail_msg("%s: row %u of Dst differs", pipeline->name, row);
            if (memcmp(after->bits[row], last->bits[row], sizeof dst->bits[row]) != 0)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(pipelines_equal_sequences, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(pipelines_equal_sequences, bare_setup_wormhole, bare_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
