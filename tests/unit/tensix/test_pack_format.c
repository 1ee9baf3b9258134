/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions of data that no reference computes, against FormatConversion.md; and that rows and data agree. */
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/format.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/pack/state.h"
#include "unit/tensix/pack.h"
#include "unit/tensix/pack_choose.h"

enum { LAST = 1, ONE = 1 << 8 };
enum { RAW = 1, UNSIGNED = 2, ROUND = 4 };

/* A datum from Dst to the first four bytes of L1; 0xBAD: a fault. */
static const struct conversion {
    uint8_t wide, modes, intermediate, from, to;
    uint32_t in, out;
} conversions[] = {
    /* early, from 32 bits, to FP32 */
    {1, 0, 0, 0, 0, 0x7FC12345, 0x7FC12345},     /* identity */
    {1, ROUND, 0, 0, 0, 0x3F801000, 0x3F802000}, /* TF32, ties away from zero */
    {1, ROUND, 0, 0, 0, 0x7FC12345, 0x7F800000}, /* NaN becomes infinity */
    {1, ROUND, 0, 0, 0, 0x80000001, 0},          /* denormals and minus zero become zero */
    {1, ROUND | RAW, 0, 0, 0, 0x3F801000, 0x3F801000},
    {1, 0, 4, 4, 4, 0xBF80F000, 0xBF810000},
    {1, RAW, 4, 0, 0, 0x3F801234, 0x3F801234},
    {1, 0, 8, 8, 8, 0x80000007, 0x80000007},
    {1, 0, 8, 0, 0, 0x12345678, 0x12345678}, /* bitcast */
    {1, 0, 0, 8, 8, 0x12345678, 0x12345678},
    /* to BF16 */
    {1, RAW, 5, 5, 5, 0x3F80FFFF, 0x3F80},
    {1, RAW, 6, 5, 5, 0x7F800001, 0x7F80}, /* NaN cut to infinity */
    {1, 0, 0, 0, 5, 0x3F80FFFF, 0x3F80},   /* late conversions cut */
    {1, 0, 0, 0, 5, 0x807F0000, 0},        /* and flush denormals when mantissas narrow */
    {1, 0, 4, 4, 5, 0x3F80FFFF, 0x3F81},
    {0, RAW, 5, 5, 5, 0x007F, 0x007F},
    {0, 0, 5, 5, 5, 0x007F, 0},
    {0, RAW, 5, 5, 5, 0xFFC1, 0xFFC1},
    {0, 0, 5, 5, 5, 0xFFC1, 0xFF80},
    {0, 0, 4, 4, 0, 0x7FC1, 0x7F800000}, /* BF16 to TF32 */
    {0, 0, 4, 4, 4, 0x3F81, 0x3F810000},
    {0, RAW, 5, 5, 0, 0x0001, 0x00010000},
    {0, 0, 5, 5, 1, 0x3F81, 0x3C08},
    {0, 0, 5, 5, 1, 0x7F00, 0x7FFF},
    {0, 0, 5, 5, 1, 0x3700, 0},          /* 2^-17 */
    {0, ROUND, 5, 4, 1, 0x3F81, 0x3C08}, /* by way of TF32 */
    {1, ROUND, 5, 4, 1, 0x3F801000, 0x3C01},
    {1, RAW | ROUND, 5, 4, 1, 0x3F801000, 0xBAD},
    {0, 0, 5, 5, 10, 0x3FC0, 0x3E}, /* e5m2 */
    {0, 0, 5, 5, 10, 0xFF00, 0xFF},
    /* FP16 named by In_data_format alone, as tt-llk does for FP8 */
    {0, ROUND, 5, 1, 10, 0x3FC0, 0x3E},
    {1, ROUND, 5, 1, 10, 0x3FC00000, 0x3E},
    {1, ROUND, 0, 1, 10, 0xBFFFF000, 0xC0}, /* rounded to ten bits: -2 */
    {1, ROUND, 4, 1, 10, 0x7F000000, 0x7F},
    {0, ROUND, 5, 1, 10, 0x3700, 0},
    {0, 0, 5, 1, 10, 0x3FC0, 0xBAD},
    {1, ROUND | RAW, 5, 1, 10, 0x3FC00000, 0xBAD},
    {1, ROUND, 6, 1, 10, 0x3FC00000, 0xBAD},
    {1, ROUND, 5, 1, 1, 0x3FC00000, 0xBAD},
    /* FP16 */
    {0, RAW, 1, 1, 1, 0x03FF, 0x03FF},
    {0, 0, 1, 1, 1, 0x03FF, 0},
    {0, RAW, 2, 2, 1, 0x3C0F, 0x3C08}, /* E5M7 */
    {0, 0, 2, 2, 1, 0x3C0F, 0x3C10},   /* E5M6 */
    {0, RAW, 10, 10, 10, 0x3DFF, 0x3D},
    {0, RAW, 10, 10, 10, 0x8155, 0x81}, /* e5m2 keeps denormals of its own width */
    {0, RAW, 1, 1, 10, 0x8155, 0x80},   /* and flushes them when mantissas narrow */
    {0, RAW, 1, 1, 4, 0x3C01, 0x3F802000},
    {0, 0, 10, 10, 10, 0x3C00, 0xBAD},
    {0, 0, 0, 0, 0, 0x3C00, 0x3C000000}, /* BF16 as FP32, not on the page */
    {0, RAW, 0, 0, 0, 0x3C00, 0xBAD},
    {1, 0, 1, 1, 1, 0x3C00, 0xBAD},
    {1, 0, 0, 0, 4, 0x3F800000, 0xBAD}, /* FP32 has no late conversion to TF32 */
    {1, 0, 0, 5, 5, 0x3F800000, 0xBAD}, /* 23 bits of mantissa for a format of 7 */
    {1, 0, 10, 10, 10, 0x3F800000, 0xBAD},
    {0, RAW, 7, 7, 7, 0, 0xBAD},
    {0, 0, 5, 5, 12, 0, 0xBAD},
    {0, 0, 9, 9, 5, 0, 0xBAD},
    /* integers */
    {1, 0, 14, 14, 14, 0x800000FF, 0xFF},
    {1, 0, 14, 14, 14, 200, 127},
    {1, UNSIGNED, 14, 14, 14, 300, 255},
    {1, UNSIGNED, 14, 14, 14, 0x80000001, 0},
    {1, RAW, 14, 14, 14, 0x80000181, 0x81},
    {1, RAW | UNSIGNED, 14, 14, 14, 0x123, 0x23},
    {0, RAW, 14, 14, 14, 0xBF80, 0x80},
    {0, RAW | UNSIGNED, 14, 14, 14, 0xBF80, 0xBAD},
    {0, 0, 9, 9, 9, 0, 0},
};

static void configure(struct bare *bare, const struct conversion *c)
{
    set_formats(bare, c->wide, c->from, c->to);
    SET(bare, ALU_FORMAT_SPEC_REG2_Dstacc, c->intermediate);
    SET(bare, PCK_DEST_RD_CTRL_Read_int8, c->modes & RAW);
    SET(bare, PCK_DEST_RD_CTRL_Read_unsigned, c->modes >> 1 & 1);
    SET(bare, PCK_DEST_RD_CTRL_Round_10b_mant, c->modes >> 2 & 1);
}

static void test_conversions(void **state)
{
    struct bare *bare = *state;
    for (unsigned i = 0; i < sizeof conversions / sizeof conversions[0]; i++) {
        const struct conversion *c = &conversions[i];
        configure(bare, c);
        if (c->wide)
            put32(bare, 0, 0, c->in);
        else if (c->intermediate == 1 || c->intermediate == 2 || c->intermediate == 10)
            put_fp16(bare, 0, 0, (uint16_t)c->in);
        else
            put_bf16(bare, 0, 0, (uint16_t)c->in);
        if (c->out == 0xBAD) {
            pacr_faults(bare, ONE | LAST, TF_FAULT_UNDEFINED);
            continue;
        }
        pacr(bare, ONE | LAST);
        unsigned bytes = tf_format_info[c->to].bits / 8;
        uint32_t out = l1_word(bare, OUT) & (bytes == 4 ? 0xFFFFFFFF : (1u << bytes * 8) - 1);
        if (out != c->out)
            fail_msg("conversion %u of 0x%08x: 0x%08x, not 0x%08x", i, c->in, out, c->out);
    }
}

static void test_override_and_descale(void **state)
{
    struct bare *bare = *state;
    static const struct conversion to_int8 = {1, 0, 5, 14, 14, 0, 0};
    configure(bare, &to_int8);
    SET(bare, ALU_FORMAT_SPEC_REG_Dstacc_override, 1);
    SET(bare, ALU_FORMAT_SPEC_REG_Dstacc_val, 14);
    SET(bare, INT_DESCALE_Enable, 1);
    SET(bare, INT_DESCALE_VALUES_SEC0_Value, 0xFFFFFF43); /* the low five bits: 3 */
    static const uint32_t in[4] = {0x80000014, 0x80000013, 4, 3};
    for (unsigned i = 0; i < 4; i++)
        put32(bare, 0, i, in[i]);
    pacr(bare, ONE | LAST);
    assert_int_equal(l1_word(bare, OUT), 0x00018283);
    SET(bare, INT_DESCALE_Mode, 1);
    pacr_faults(bare, ONE | LAST, TF_FAULT_UNPREDICTABLE);
}

/* 2.5, -1.0, 0.5 and zeros, in both families: magnitudes against the exponent of 2.5, then cut; no minus zero. */
static void test_shared_exponents(void **state)
{
    struct bare *bare = *state;
    static const struct {
        uint8_t to, exponent, bytes[3];
    } cases[] = {
        {6, 0x80, {0x50, 0xA0, 0x10}}, {7, 0x80, {0xA5, 0x01, 0}}, {15, 0x80, {0x01, 0, 0}},
        {2, 0x10, {0x50, 0xA0, 0x10}}, {3, 0x10, {0xA5, 0x01, 0}}, {11, 0x10, {0x01, 0, 0}},
    };
    static const uint16_t bf16[3] = {0x4020, 0xBF80, 0x3F00}, fp16[3] = {0x4100, 0xBC00, 0x3800};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bool a_family = cases[i].exponent == 0x10;
        set_formats(bare, false, a_family ? 1 : 5, cases[i].to);
        SET(bare, THCON_SEC0_REG1_Exp_section_size, 1);
        for (unsigned column = 0; column < 16; column++) {
            if (a_family)
                put_fp16(bare, 0, column, column < 3 ? fp16[column] : 0);
            else
                put_bf16(bare, 0, column, column < 3 ? bf16[column] : 0);
        }
        pacr(bare, ONE | LAST);
        assert_int_equal(bare->tile.l1[OUT], cases[i].exponent);
        assert_int_equal(bare->tile.l1[OUT + 1], 0);
        assert_memory_equal(&bare->tile.l1[OUT + 16], cases[i].bytes, 3);
        assert_int_equal(bare->tile.l1[OUT + 32], 0xCC);
    }
}

/* Every pattern of 16 bits, and random patterns of 32 bits, through every path of rows. */
static void test_rows_and_data_agree(void **state)
{
    struct bare *bare = *state;
    static const struct conversion ways[] = {
        {0, 0, 5, 5, 5, 0, 0}, {0, 0, 5, 5, 6, 0, 0}, {0, 0, 6, 6, 6, 0, 0}, {0, 0, 1, 1, 1, 0, 0},
        {1, 0, 0, 0, 0, 0, 0}, {1, 0, 5, 5, 5, 0, 0}, {1, 0, 0, 0, 6, 0, 0}, {1, 0, 5, 5, 6, 0, 0},
        {1, 0, 6, 6, 6, 0, 0}, {1, 0, 8, 8, 8, 0, 0}, {0, 0, 6, 6, 5, 0, 0}, {1, 0, 6, 6, 5, 0, 0},
    };
    static uint8_t expected[0x1000];
    bare_seed();
    struct tf_dst *dst = tf_dst_get(&bare->tile);
    assert_non_null(dst);
    for (unsigned way = 0; way < sizeof ways / sizeof ways[0]; way++) {
        for (unsigned round = 0; round < 64; round++) {
            for (unsigned i = 0; i < 64 * 16; i++)
                dst->bits[i / 16][i % 16] = (uint16_t)(ways[way].wide ? bare_random() : round * 1024 + i * 37);
            if (round % 4 == 0)
                tf_dst_undefine(dst, round / 4);
            for (unsigned choice = 0; choice < PACK_CHOICES; choice++) {
                if (!pack_choose(&bare->tile, choice))
                    continue;
                struct tf_packer *packer = bare->tile.tensix->packer;
                static uint8_t exponents[4];
                configure(bare, &ways[way]);
                SET(bare, THCON_SEC0_REG1_Exp_section_size, 3);
                bare->tile.tensix->config->thread[0][37] = 4;
                for (unsigned i = 0; i < 4; i++)
                    packer[i].max_exponent = 0;
                for (unsigned i = 0; i < 8; i++)
                    pacr(bare, i == 7 ? LAST : 0);
                for (unsigned i = 0; i < 4; i++) {
                    if (choice == 0)
                        exponents[i] = packer[i].max_exponent;
                    assert_int_equal(packer[i].max_exponent, exponents[i]);
                }
                if (choice == 0)
                    memcpy(expected, &bare->tile.l1[OUT], sizeof expected);
                if (memcmp(expected, &bare->tile.l1[OUT], sizeof expected) != 0)
                    fail_msg("way %u, choice %u: rows and data differ", way, choice);
            }
            tf_dst_define(dst, round / 4);
        }
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bare_setup, bare_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_conversions),
        TEST(test_override_and_descale),
        TEST(test_shared_exponents),
        TEST(test_rows_and_data_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
