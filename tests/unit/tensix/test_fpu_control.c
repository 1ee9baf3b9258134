/* SPDX-License-Identifier: Apache-2.0 */
/* The common parts of the matrix unit's instructions, without their arithmetic: faults, formats, banks, counters. */
#include <xxhash.h>

#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/frontend/state.h"
#include "unit/tensix/fpu.h"

/* A fault leaves all state unchanged. */
static void expect_fault(struct bare *bare, uint32_t word)
{
    uint64_t before = XXH3_64bits(bare->tile.tensix->dst, sizeof *bare->tile.tensix->dst);
    struct tf_rwc rwc = bare->tile.tensix->rwc[0];
    execute_fault(bare, 0, word, TF_FAULT_UNDEFINED);
    assert_true(XXH3_64bits(bare->tile.tensix->dst, sizeof *bare->tile.tensix->dst) == before);
    assert_memory_equal(&rwc, &bare->tile.tensix->rwc[0], sizeof rwc);
}

/* With a broadcast column, other data of SrcB have no effect. */
static void test_columns_that_do_not_count(void **state)
{
    struct bare *bare = fpu_fresh(state);
    static const uint32_t ops[] = {W(ELWADD), W(ELWSUB), W(ELWMUL)};
    for (unsigned i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        fpu_format(bare, FP16, FP16);
        fpu_row(bare, TF_SRC_B, 3)[9] = fpu_src(0, 32, 0);
        expect_fault(bare, ops[i]);
        execute(bare, 0, ops[i] | V(ELWADD, instr_mod19, 1));
        fpu_row(bare, TF_SRC_B, 3)[0] = fpu_src(0, 32, 0);
        expect_fault(bare, ops[i] | V(ELWADD, instr_mod19, 1));
        fpu_row(bare, TF_SRC_B, 3)[0] = fpu_row(bare, TF_SRC_B, 3)[9] = 0;
    }
}

static void test_faults(void **state)
{
    struct bare *bare = fpu_fresh(state);
    static const uint32_t ops[] = {
        W(MVMUL), W(DOTPV), W(GAPOOL), W(ELWADD), W(ELWSUB), W(ELWMUL), W(GMPOOL) | V(GMPOOL, instr_mod19, 1)};
    for (unsigned i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        fpu_format(bare, BF16, BF16);
        execute(bare, 0, ops[i]);
        fpu_format(bare, NONE, BF16);
        expect_fault(bare, ops[i]);
        fpu_format(bare, BF16, NONE + 1);
        expect_fault(bare, ops[i]);
        fpu_format(bare, BF16, BF16);
        if (ops[i] >> 24 == TF_OP_GMPOOL)
            continue;
        fpu_format(bare, FP16, FP16);
        for (unsigned side = TF_SRC_A; side <= TF_SRC_B; side++) {
            fpu_row(bare, side, 3)[9] = fpu_src(0, 32, 0);
            expect_fault(bare, ops[i]);
            fpu_row(bare, side, 3)[9] = 0;
        }
        execute(bare, 0, ops[i]);
    }
    bare->tile.tensix->rwc[0].srca = 56;
    for (unsigned i = 0; i < 3; i++)
        expect_fault(bare, ops[i]);
    execute(bare, 0, W(ELWADD));
    expect_fault(bare, W(DOTPV) | V(DOTPV, instr_mod19, 1));
    expect_fault(bare, W(DOTPV) | V(DOTPV, dest_accum_en, 1));
    expect_fault(bare, W(GAPOOL) | V(GAPOOL, max_pool_index_en, 1));
    expect_fault(bare, W(GMPOOL));
}

static void test_dropped(void **state)
{
    struct bare *bare = fpu_fresh(state);
    static const uint32_t ops[] = {W(CONV3S1),  W(CONV3S2),  W(MFCONV3S1), W(MPOOL3S1),
                                   W(MPOOL3S2), W(APOOL3S1), W(APOOL3S2)};
    for (unsigned i = 0; i < sizeof ops / sizeof ops[0]; i++)
        expect_fault(bare, ops[i]);
}

/* The format comes from the bank, or from the configuration with its override, or from FP16A_FORCE. */
static void test_formats(void **state)
{
    struct bare *bare = fpu_fresh(state);
    struct tf_tensix *tensix = bare->tile.tensix;
    fpu_row(bare, TF_SRC_A, 0)[0] = fpu_src(0, 15, 0x00C); /* the low three bits are beyond BF16 */
    CFG_SET(bare, ALU_FORMAT_SPEC_REG0_SrcA, NONE);
    CFG_SET(bare, ALU_FORMAT_SPEC_REG1_SrcB, NONE);
    uint16_t *dst = tensix->dst->bits[0];
    tensix->src->format[TF_SRC_A][0] = BF16;
    execute(bare, 0, W(ELWADD));
    assert_int_equal(dst[0], 1 << 8 | 15);
    tensix->src->format[TF_SRC_A][0] = tensix->src->format[TF_SRC_B][0] = FP8;
    execute(bare, 0, W(ELWADD));
    assert_int_equal(dst[0], 12 << 5 | 15);
    tensix->src->format[TF_SRC_A][1] = tensix->src->format[TF_SRC_B][1] = NONE;
    execute(bare, 0, W(ELWADD)); /* of the bank in use */
    fpu_format(bare, BF16, BF16);
    execute(bare, 0, W(ELWADD));
    assert_int_equal(dst[0], 1 << 8 | 15);
    THREAD_SET(bare, DISABLE_IMPLIED_SRCA_FMT_Base, 0); /* each side has its own switch */
    execute(bare, 0, W(ELWADD));
    assert_int_equal(dst[0], 12 << 5 | 15);
    fpu_format(bare, BF16, FP16); /* SrcA's decides how both are read */
    fpu_row(bare, TF_SRC_B, 0)[1] = fpu_src(1, 200, 0x3FF);
    execute(bare, 0, W(ELWADD));
    assert_int_equal(dst[0], 1 << 8 | 15);
    assert_int_equal(dst[1], 1 << 15 | 127 << 8 | 200);
    fpu_row(bare, TF_SRC_B, 0)[1] = 0;
    fpu_format(bare, BF16, BF16);
    CFG_SET(bare, ALU_FORMAT_SPEC_REG_SrcA_val, FP16);
    CFG_SET(bare, ALU_FORMAT_SPEC_REG_SrcA_override, 1);
    CFG_SET(bare, ALU_FORMAT_SPEC_REG_SrcB_val, FP16);
    CFG_SET(bare, ALU_FORMAT_SPEC_REG_SrcB_override, 1);
    execute(bare, 0, W(ELWADD));
    assert_int_equal(dst[0], 12 << 5 | 15);
    CFG_SET(bare, ALU_FORMAT_SPEC_REG_SrcA_val, NONE);
    CFG_SET(bare, ALU_ACC_CTRL_Fp32_enabled, 1);
    CFG_SET(bare, ALU_ACC_CTRL_INT8_math_enabled, 1);
    THREAD_SET(bare, FP16A_FORCE_Enable, 1);
    memset(dst, 0xEE, 32);
    execute(bare, 0, W(ELWADD));
    assert_int_equal(dst[0], 12 << 5 | 15);
    assert_int_equal(tensix->dst->bits[8][0], 0); /* it is still 16 bits wide: there is no low half at row 8 */
}

/* Banks are handed back, or only flipped; counters advance as the modifier says. */
static void test_flips_and_modifiers(void **state)
{
    struct bare *bare = fpu_fresh(state);
    struct tf_tensix *tensix = bare->tile.tensix;
    static const uint32_t ops[] = {
        W(MVMUL), W(ELWADD), W(ELWSUB), W(ELWMUL), W(DOTPV), W(GAPOOL), W(GMPOOL) | V(GMPOOL, instr_mod19, 1)};
    for (unsigned i = 0; i < sizeof ops / sizeof ops[0] * 16; i++) {
        unsigned flip = i & 3, keep = i >> 2 & 3;
        uint32_t op = ops[i / 16];
        fpu_fresh(state);
        fpu_format(bare, BF16, BF16);
        THREAD_SET(bare, CLR_DVALID_SrcA_Disable, keep & 1);
        tensix->config->thread[0][TF_THREAD_CFG_CLR_DVALID_SrcB_Disable >> 16] |= (uint16_t)(keep & 2);
        tensix->config->thread[0][(TF_THREAD_CFG_ADDR_MOD_AB_SEC0_SrcAIncr >> 16) + 3] = 16 | 8 << 8;
        tensix->config->thread[0][(TF_THREAD_CFG_ADDR_MOD_DST_SEC0_DestIncr >> 16) + 3] = 4 | 1 << 13;
        bool pool = op >> 24 == TF_OP_GMPOOL || op >> 24 == TF_OP_GAPOOL;
        op |= pool ? V(GAPOOL, pool_addr_mode, 3) : V(MVMUL, addr_mode, 3);
        execute(bare, 0, op | V(MVMUL, clear_dvalid, flip));
        for (unsigned side = 0; side < 2; side++) {
            assert_int_equal(tensix->src->matrix_bank[side], flip >> side & 1);
            assert_int_equal(tensix->src->to_matrix[side][0], !(flip >> side & 1) || (keep >> side & 1));
            assert_true(tensix->src->to_matrix[side][1]);
        }
        assert_int_equal(tensix->rwc[0].srca, 16);
        assert_int_equal(tensix->rwc[0].srcb, 8);
        assert_int_equal(tensix->rwc[0].dst, 4);
        assert_int_equal(tensix->rwc[0].fidelity, 1);
    }
}

static void test_waits_for_banks(void **state)
{
    static const uint32_t ops[] = {
        W(MVMUL), W(ELWADD), W(ELWSUB), W(ELWMUL), W(DOTPV), W(GAPOOL), W(GMPOOL) | V(GMPOOL, instr_mod19, 1)};
    for (unsigned i = 0; i < sizeof ops / sizeof ops[0] * 2; i++) {
        struct bare *bare = fpu_fresh(state);
        bare->tile.tensix->src->to_matrix[i & 1][0] = false;
        bare_push(bare, 0, ops[i / 2]);
        assert_waits(bare, 0, ops[i / 2]);
        execute(bare, 1, W(SETDVALID) | V(SETDVALID, setvalid, 1u << (i & 1)));
        assert_passed(bare, 0);
        assert_int_equal(bare->tile.faults.count, 0);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, bare_setup, bare_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_columns_that_do_not_count), TEST(test_faults),          TEST(test_dropped), TEST(test_formats),
        TEST(test_flips_and_modifiers),       TEST(test_waits_for_banks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
