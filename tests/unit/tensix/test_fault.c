/* SPDX-License-Identifier: Apache-2.0 */
/* Bad input stops the thread. The fault names the instruction, its place, and the reason. */
#include "tile/tensix/issue/run.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/thcon.h"
#include "unit/tensix/bare.h"

static const struct tf_fault *only_fault(struct bare *bare)
{
    assert_int_equal(bare->tile.faults.count, 1);
    return &bare->tile.faults.entry[0];
}

static void check(struct bare *bare, uint32_t word, enum tf_fault_category category, const char *what)
{
    assert_int_equal(tf_tensix_push(&bare->tile, 1, word, false, TF_CORE_T1, 0xABC0), TF_ACCESS_OK);
    bare_push(bare, 1, W(SEMPOST) | 1 << 2);
    bare_push(bare, 0, W(SEMPOST) | 2 << 2);
    bare_run(bare, 20);
    const struct tf_fault *fault = only_fault(bare);
    assert_int_equal(fault->category, category);
    assert_int_equal(fault->core, TF_CORE_T1);
    assert_int_equal(fault->pc, 0xABC0);
    assert_int_equal(fault->instruction, word);
    assert_false(fault->hazard);
    assert_int_equal(strncmp(fault->text, "Tensix T1: ", 11), 0);
    if (strstr(fault->text, what) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", fault->text, what);
    assert_int_equal(bare->tile.tensix->sync->value[0], 0); /* that thread is stopped */
    assert_int_equal(bare->tile.tensix->sync->value[1], 1); /* another thread continues */
    assert_true(tf_tensix_waiting(&bare->tile));
    assert_int_equal(bare->hart_faults, 0);
}

static void test_unknown_opcode(void **state)
{
    check(*state, 0xFE123456, TF_FAULT_UNDEFINED, ".word 0xfe123456");
}

static void test_opcode_zero(void **state)
{
    check(*state, 0, TF_FAULT_UNDEFINED, "no such opcode");
}

static void test_reserved_bits(void **state)
{
    check(*state, W(SEMPOST) | 1, TF_FAULT_UNDEFINED, "reserved bits are set: SEMPOST sem_sel=0 reserved=0x1");
}

static void test_reserved_bits_of_nop(void **state)
{
    check(*state, W(NOP) | 0x800000, TF_FAULT_UNDEFINED, "reserved bits are set");
}

/* Conditions of Wormhole's packers. */
static void test_reserved_bits_of_stallwait(void **state)
{
    check(*state, W(STALLWAIT) | 0x2000, TF_FAULT_UNDEFINED, "reserved bits are set");
}

static void test_reserved_bits_of_replay(void **state)
{
    check(*state, W(REPLAY) | 0x4, TF_FAULT_UNDEFINED, "reserved bits are set: REPLAY");
}

static void test_reserved_bits_of_mop_cfg(void **state)
{
    check(*state, W(MOP_CFG) | 0x10000, TF_FAULT_UNDEFINED, "reserved bits are set: MOP_CFG");
}

static void test_beyond_l1(void **state)
{
    ((struct bare *)*state)->tile.tensix->thcon->gpr[1][1] = TF_L1_BYTES / 16;
    check(*state, W(LOADIND) | V(LOADIND, addr_reg_index, 1), TF_FAULT_UNDEFINED,
          "the address 0x00180000 is beyond L1: LOADIND addr_reg_index=1 data_reg_index=0");
}

/* RSTDMA has an opcode, block bits and no page; SETIBRWC and others have fields as well. */
static void test_no_page(void **state)
{
    check(*state, W(RSTDMA), TF_FAULT_UNDEFINED,
          "no page defines what the misc unit does with this instruction: RSTDMA");
}

/* Instructions that the hardware has dropped, or that no page describes, fault. All others are implemented. */
static void test_what_faults(void **state)
{
    (void)state;
    static const struct {
        uint8_t opcode;
        bool reads_src;
    } rows[] = {
        {TF_OP_CONV3S1, true},    {TF_OP_CONV3S2, true},     {TF_OP_MFCONV3S1, true},   {TF_OP_MPOOL3S1, true},
        {TF_OP_MPOOL3S2, true},   {TF_OP_APOOL3S1, true},    {TF_OP_APOOL3S2, true},    {TF_OP_TRNSPSRCA, true},
        {TF_OP_RAREB, false},     {TF_OP_SETASHRMH0, false}, {TF_OP_SETASHRMH1, false}, {TF_OP_SETASHRMV, false},
        {TF_OP_SETASHRMH, false}, {TF_OP_SETPKEDGOF, false}, {TF_OP_SETIBRWC, false},   {TF_OP_TBUFCMD, false},
        {TF_OP_RSTDMA, false},
    };
    bool faults[256] = {false};
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bare *bare;
        bare_setup((void **)&bare);
        struct tf_src_banks *src = bare->tile.tensix->src;
        src->to_matrix[TF_SRC_A][0] = src->to_matrix[TF_SRC_B][0] = rows[i].reads_src;
        check(bare, (uint32_t)rows[i].opcode << 24, TF_FAULT_UNDEFINED, tf_tensix_ops[rows[i].opcode].mnemonic);
        bare_teardown((void **)&bare);
        faults[rows[i].opcode] = true;
    }
    for (unsigned opcode = 0; opcode < 256; opcode++)
        if (tf_tensix_op((uint8_t)opcode) != NULL)
            assert_int_equal(tf_tensix_implemented((uint8_t)opcode), !faults[opcode]);
}

/* A fault of an instruction that a MOP emits names the MOP. */
static void test_pc_of_mop(void **state)
{
    struct bare *bare = *state;
    struct tf_mop *mop = &bare->tile.tensix->thread[2].mop;
    mop->config[3] = 0xFF000001;
    bare_push_at(bare, 2, W(NOP), false, 0x100);
    bare_push_at(bare, 2, W(MOP), false, 0x104);
    bare_push_at(bare, 2, W(NOP), false, 0x108);
    bare_run(bare, 20);
    assert_int_equal(only_fault(bare)->pc, 0x104);
    assert_int_equal(only_fault(bare)->instruction, 0xFF000001);
    assert_int_equal(bare->tile.tensix->thread[2].fifo.count, 1);
}

static void test_pc_of_replay(void **state)
{
    struct bare *bare = *state;
    bare->tile.tensix->thread[0].replay.buffer[9] = 0xFF000001;
    assert_int_equal(tf_tensix_push(&bare->tile, 0, W(REPLAY) | V(REPLAY, len, 1) | V(REPLAY, start_idx, 9), false,
                                    TF_CORE_T0, 0x204),
                     TF_ACCESS_OK);
    bare_run(bare, 20);
    assert_int_equal(only_fault(bare)->pc, 0x204);
}

static void test_pc_of_adjacent(void **state)
{
    struct bare *bare = *state;
    static const uint32_t word[3] = {W(NOP), W(NOP), 0xFF000001};
    for (uint32_t i = 0; i < 3; i++)
        bare_push_at(bare, 0, word[i], false, 0x300 + 4 * i);
    bare_run(bare, 20);
    assert_int_equal(only_fault(bare)->pc, 0x308);
}

/* A stopped thread's FIFO fills, and its core waits for ever. No instruction passes, but slices still end. */
static void test_stopped_thread(void **state)
{
    struct bare *bare = *state;
    bare_push(bare, 0, 0);
    bare_run(bare, 10);
    for (unsigned i = 0; i <= TF_FIFO_OPEN; i++)
        bare_push(bare, 0, W(NOP));
    assert_true(tf_tensix_push_would_block(&bare->tile, 0, false));
    assert_int_equal(tf_tensix_push(&bare->tile, 0, W(NOP), false, TF_CORE_T0, 0), TF_ACCESS_BLOCK);
    bare_run(bare, 100);
    assert_int_equal(bare->tile.tensix->thread[0].fifo.count, TF_FIFO_OPEN + 1);
    assert_true(tf_tensix_waiting(&bare->tile));
}

/* RESOURCEDECL acts when it is pushed. A bad one is the core's fault. B's reaches the gate. */
static void test_resourcedecl(void **state)
{
    struct bare *bare = *state;
    assert_int_equal(tf_tensix_push(&bare->tile, 0, W(RESOURCEDECL) | 0x800000, false, TF_CORE_T0, 0), TF_ACCESS_FAULT);
    assert_int_equal(bare->hart_faults, 1);
    bare_push(bare, 0, W(RESOURCEDECL) | 3 | 0x1AB << 4 | 1 << 13);
    assert_int_equal(bare->tile.tensix->ttsync[0].declared[3], 0x1AB);
    assert_int_equal(bare->tile.tensix->thread[0].fifo.count, 0);
    bare_push_b(bare, 0, W(RESOURCEDECL) | 3);
    bare_run(bare, 10);
    assert_true(bare->tile.tensix->thread[0].faulted);
    assert_int_equal(bare->tile.tensix->ttsync[0].declared[3], 0x1AB);
}

#define T(test) cmocka_unit_test_setup_teardown(test, bare_setup, bare_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_unknown_opcode),
        T(test_opcode_zero),
        T(test_reserved_bits),
        T(test_reserved_bits_of_nop),
        T(test_reserved_bits_of_stallwait),
        T(test_reserved_bits_of_replay),
        T(test_reserved_bits_of_mop_cfg),
        T(test_beyond_l1),
        T(test_no_page),
        cmocka_unit_test(test_what_faults),
        T(test_pc_of_mop),
        T(test_pc_of_replay),
        T(test_pc_of_adjacent),
        T(test_stopped_thread),
        T(test_resourcedecl),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
