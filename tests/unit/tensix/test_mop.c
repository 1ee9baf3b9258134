/* SPDX-License-Identifier: Apache-2.0 */
/* The MOP expander against the functional model of MOPExpander.md, written out. */
#include "tile/tensix/frontend/mop.h"
#include "unit/tensix/bare.h"

#define NOP 0x02000000u
#define MOST 32639u

struct sequence {
    uint32_t word[MOST + 1];
    unsigned count;
};

static void emit(struct sequence *out, uint32_t word)
{
    assert_true(out->count < MOST + 1);
    out->word[out->count++] = word;
}

static bool is_nop(uint32_t word)
{
    return word >> 24 == 2;
}

static void model_template_0(struct sequence *out, const uint32_t *cfg, uint32_t mask, unsigned count1)
{
    for (unsigned i = 0; i < count1 + 1; i++) {
        if ((mask & 1) == 0) {
            emit(out, cfg[3]);
            if (cfg[1] & 2) {
                emit(out, cfg[4]);
                emit(out, cfg[5]);
                emit(out, cfg[6]);
            }
            if (cfg[1] & 1)
                emit(out, cfg[2]);
        } else {
            emit(out, cfg[7]);
            if (cfg[1] & 1)
                emit(out, cfg[8]);
        }
        mask >>= 1;
    }
}

static void model_template_1(struct sequence *out, const uint32_t *cfg)
{
    unsigned outer = cfg[0] & 127, inner = cfg[1] & 127;
    uint32_t loop = cfg[5], flip = 0;
    if (!is_nop(cfg[6])) {
        flip = cfg[5] ^ cfg[6];
        inner *= 2;
    }
    if (outer == 1 && is_nop(cfg[2]) && inner == 0 && !is_nop(cfg[3]))
        outer += 128;
    for (unsigned j = 0; j < outer; j++) {
        if (!is_nop(cfg[2]))
            emit(out, cfg[2]);
        for (unsigned i = 0; i < inner; i++) {
            emit(out, i != inner - 1 ? loop : j != outer - 1 ? cfg[8] : cfg[7]);
            loop ^= flip;
        }
        if (!is_nop(cfg[3])) {
            emit(out, cfg[3]);
            if (!is_nop(cfg[4]))
                emit(out, cfg[4]);
        }
    }
}

static struct sequence expected; /* too big for a stack */

static void check(struct tf_mop *mop, uint32_t word)
{
    expected.count = 0;
    if (word >> 23 & 1)
        model_template_1(&expected, mop->config);
    else
        model_template_0(&expected, mop->config, (uint32_t)mop->mask_high << 16 | (word & 0xFFFF), word >> 16 & 127);
    assert_int_equal(tf_mop_length(mop, word), expected.count);
    tf_mop_start(mop, word, 0x1234, 0);
    assert_int_equal(mop->remaining, expected.count);
    assert_int_equal(mop->pc, 0x1234);
    for (unsigned i = 0; i < expected.count; i++)
        assert_int_equal(tf_mop_next(mop).word, expected.word[i]);
    assert_int_equal(mop->remaining, 0);
}

static void configure(struct tf_mop *mop)
{
    memset(mop, 0, sizeof *mop);
    for (uint32_t i = 0; i < TF_MOP_CFG_WORDS; i++)
        mop->config[i] = 0x58000000 | i << 12;
}

static void test_template_0(void **state)
{
    (void)state;
    struct tf_mop mop;
    for (uint32_t flags = 0; flags < 4; flags++) {
        configure(&mop);
        mop.config[1] = flags | 0xABCD0000; /* two bits count */
        check(&mop, 0x01000000);
        check(&mop, 0x01000001);
        check(&mop, 0x01000000 | 31u << 16 | 0x5555);
        mop.mask_high = 0xF00F;
        check(&mop, 0x01000000 | 31u << 16 | 0x3210);
        check(&mop, 0x01000000 | 127u << 16 | 0xFFFF); /* the mask has ended: all later instructions are A */
    }
}

static void test_template_1_longest(void **state)
{
    (void)state;
    struct tf_mop mop;
    configure(&mop);
    mop.config[0] = 127;
    mop.config[1] = 127;
    check(&mop, 0x01800000);
    assert_int_equal(expected.count, MOST);
}

static void test_template_1_nops(void **state)
{
    (void)state;
    struct tf_mop mop;
    for (unsigned nops = 0; nops < 128; nops++)
        for (unsigned outer = 0; outer < 4; outer++)
            for (unsigned inner = 0; inner < 4; inner++) {
                configure(&mop);
                mop.config[0] = outer;
                mop.config[1] = inner;
                for (unsigned i = 0; i < 7; i++)
                    if (nops >> i & 1)
                        mop.config[2 + i] = NOP;
                check(&mop, 0x01800000);
            }
}

static void test_template_1_bug(void **state)
{
    (void)state;
    struct tf_mop mop;
    configure(&mop);
    mop.config[0] = 1;
    mop.config[1] = 128; /* seven bits count: none */
    mop.config[2] = NOP;
    check(&mop, 0x01800000);
    assert_int_equal(expected.count, 2 * 129);
}

/* Only NOP is a NOP: neither DMANOP nor SFPNOP. */
static void test_other_nops(void **state)
{
    (void)state;
    struct tf_mop mop;
    configure(&mop);
    mop.config[0] = mop.config[1] = 2;
    mop.config[2] = W(DMANOP);
    mop.config[3] = W(SFPNOP);
    mop.config[6] = NOP | 5; /* known by its opcode alone */
    check(&mop, 0x01800000);
    assert_int_equal(expected.count, 2 * (1 + 2 + 2));
}

static void test_random(void **state)
{
    (void)state;
    struct tf_mop mop;
    bare_seed();
    for (unsigned round = 0; round < 3000; round++) {
        memset(&mop, 0, sizeof mop);
        for (unsigned i = 0; i < TF_MOP_CFG_WORDS; i++)
            mop.config[i] = bare_random() % 3 == 0 ? NOP : bare_random();
        mop.config[0] = bare_random() & 0xFF8F;
        mop.config[1] = bare_random() & 0xFF8F;
        mop.mask_high = (uint16_t)bare_random();
        check(&mop, 0x01000000 | (bare_random() & 0xFFFFFF));
    }
}

/* Equal instructions that are emitted together leave the state that they leave one by one. */
static void test_equal(void **state)
{
    (void)state;
    struct tf_mop grouped, one_by_one;
    configure(&grouped);
    grouped.config[0] = 5;
    grouped.config[1] = 7;
    grouped.config[2] = grouped.config[3] = grouped.config[6] = NOP;
    for (unsigned other = TF_MOP_START_OP; other < TF_MOP_CFG_WORDS; other++) {
        grouped.config[7] = grouped.config[8] = grouped.config[5];
        uint32_t before = grouped.config[other];
        grouped.config[other] = 0x59000000;
        tf_mop_start(&grouped, 0x01800000, 0, 0);
        assert_int_equal(tf_mop_equal(&grouped), other == TF_MOP_END_OP_1 ? 35 : 0);
        grouped.config[other] = before;
    }
    bare_seed();
    for (unsigned round = 0; round < 100; round++) {
        grouped.config[7] = grouped.config[8] = grouped.config[5];
        tf_mop_start(&grouped, 0x01800000, 0, 0);
        memcpy(&one_by_one, &grouped, sizeof grouped);
        while (grouped.remaining != 0) {
            assert_int_equal(tf_mop_equal(&grouped), grouped.remaining);
            uint32_t count = 1 + bare_random() % grouped.remaining;
            tf_mop_emit_equal(&grouped, count);
            for (; count != 0; count--)
                assert_int_equal(tf_mop_next(&one_by_one).word, grouped.loop);
            assert_memory_equal(&grouped, &one_by_one, sizeof grouped);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_template_0),      cmocka_unit_test(test_template_1_longest),
        cmocka_unit_test(test_template_1_nops), cmocka_unit_test(test_template_1_bug),
        cmocka_unit_test(test_other_nops),      cmocka_unit_test(test_random),
        cmocka_unit_test(test_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
