/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Statements of "Taking apart T tiles" (docs/wormhole.md) about the scalar unit, Tensix Sync and the ways into the
 * pipes. Each test pushes a few instructions to a Wormhole tile and looks at GPRs, semaphores and L1.
 */
#include <string.h>

#include "wormhole_tile.h"

#include "unless_hostile.h"
#include "addresses.h"

#define SEMAPHORES TF_SEMAPHORE_BASE
#define DATA 0x20000u /* in L1 */

/* "uint32_t[64] starting at 0xFFE00000" for T cores; B has the registers of all three threads there. */
static void test_ways_in(void **state)
{
    (void)state;
    for (unsigned thread = 0; thread < 3; thread++) {
        store(TF_CORE_B, PUSH + thread * 0x10000,
              W(SETDMAREG) | V(SETDMAREG, reg_index_16b, 2 * 5) | V(SETDMAREG, payload_sig_sel, 0x100 + thread));
        run();
        assert_int_equal(load(TF_CORE_T0 + thread, GPRS + 4 * 5), 0x100 + thread);
        assert_int_equal(load(TF_CORE_B, GPRS + 4 * (64 * thread + 5)), 0x100 + thread);
    }
    /* B's instructions enter after the MOP expander: an expanded MOP of T0's would not be here. */
    assert_int_equal(tf_fault_count(chip), 0);
}

/* SETDMAREG leaves the other half; MULDMAREG takes low halves; constants have 6 bits. */
static void test_arithmetic(void **state)
{
    (void)state;
    enum { A = 10, B = 11, OUT = 12 };
    static const struct {
        uint32_t word, a, b, result;
    } cases[] = {
        {W(ADDDMAREG), 0xFFFFFFFF, 2, 1},
        {W(SUBDMAREG), 1, 2, 0xFFFFFFFF},
        {W(MULDMAREG), 0x70003, 0x80005, 15},
        {W(BITWOPDMAREG) | V(BITWOPDMAREG, op_sel, 0), 0xF0F0, 0xFF00, 0xF000},
        {W(BITWOPDMAREG) | V(BITWOPDMAREG, op_sel, 1), 0xF0F0, 0xFF00, 0xFFF0},
        {W(BITWOPDMAREG) | V(BITWOPDMAREG, op_sel, 2), 0xF0F0, 0xFF00, 0x0FF0},
        {W(CMPDMAREG) | V(CMPDMAREG, op_sel, 0), 3, 2, 1},
        {W(CMPDMAREG) | V(CMPDMAREG, op_sel, 0), 2, 2, 0},
        {W(CMPDMAREG) | V(CMPDMAREG, op_sel, 1), 1, 2, 1},
        {W(CMPDMAREG) | V(CMPDMAREG, op_sel, 1), 2, 1, 0},
        {W(CMPDMAREG) | V(CMPDMAREG, op_sel, 2), 2, 2, 1},
        {W(CMPDMAREG) | V(CMPDMAREG, op_sel, 2), 2, 3, 0},
        {W(SHIFTDMAREG) | V(SHIFTDMAREG, op_sel, 0), 3, 4, 48},
        {W(SHIFTDMAREG) | V(SHIFTDMAREG, op_sel, 1), 0x80000000, 31, 1},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t at = V(ADDDMAREG, op_a_reg_index, A) | V(ADDDMAREG, result_reg_index, OUT);
        set(A, cases[i].a);
        set(B, cases[i].b);
        push(cases[i].word | at | V(ADDDMAREG, op_b_reg_index, B));
        if (gpr(OUT) != cases[i].result)
            fail_msg("0x%08x of 0x%x and 0x%x: 0x%x", cases[i].word, cases[i].a, cases[i].b, gpr(OUT));
        if (cases[i].b >= 64)
            continue;
        push(cases[i].word | at | V(ADDDMAREG, op_b_reg_index, cases[i].b) | V(ADDDMAREG, op_b_is_const, 1));
        assert_int_equal(gpr(OUT), cases[i].result);
    }
    set(OUT, 0x11112222);
    push(W(SETDMAREG) | V(SETDMAREG, reg_index_16b, 2 * OUT + 1) | V(SETDMAREG, payload_sig_sel, 0x333));
    assert_int_equal(gpr(OUT), 0x03332222);
}

/* Four sizes, and four increments of a half of the offset's register. */
static void test_indirect(void **state)
{
    (void)state;
    enum { BASE = 8, OFFSET = 9, TO = 20 };
    static const uint32_t steps[] = {0, 2, 4, 16};
    for (unsigned i = 0; i < 4; i++)
        put(DATA + 4 * i, 0x33221100 + i * 0x44444444);
    set(BASE, DATA / 16);
    for (unsigned step = 0; step < 4; step++) {
        set(OFFSET, 4u << 16 | 7);
        set(TO, 0xAAAAAAAA);
        push(W(LOADIND) | V(LOADIND, addr_reg_index, BASE) | V(LOADIND, offset_index, OFFSET * 2 + 1) |
             V(LOADIND, data_reg_index, TO) | V(LOADIND, size_sel, 1) | V(LOADIND, auto_inc_spec, step));
        assert_int_equal(gpr(TO), 0x77665544);
        assert_int_equal(gpr(OFFSET), (4 + steps[step]) << 16 | 7);
    }
    set(OFFSET, 2);
    set(TO, 0xAAAAAAAA);
    const uint32_t at = V(LOADIND, addr_reg_index, BASE) | V(LOADIND, offset_index, OFFSET * 2) |
                        V(LOADIND, data_reg_index, TO);
    push(W(LOADIND) | at | V(LOADIND, size_sel, 2));
    assert_int_equal(gpr(TO), 0xAAAA3322);
    push(W(LOADIND) | at | V(LOADIND, size_sel, 3));
    assert_int_equal(gpr(TO), 0xAAAA3322);
    set(OFFSET, 0);
    push(W(LOADIND) | at | V(LOADIND, size_sel, 0));
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(gpr(TO + i), 0x33221100 + i * 0x44444444);
    set(TO, 0x12345678);
    set(OFFSET, 6);
    push(W(STOREIND) | V(STOREIND, mem_hier_sel, 1) | V(STOREIND, size_sel, 1) | V(STOREIND, offset_index, OFFSET * 2) |
         V(STOREIND, data_reg_index, TO) | V(STOREIND, addr_reg_index, BASE));
    assert_int_equal(get(DATA + 4), 0x56785544);
}

/* "if bit i of ofs_mask is set, then bits i*16 through i*16+15 are swapped". The page: written, nothing returned. */
static void test_atomics(void **state)
{
    (void)state;
    enum { BASE = 8, TO = 20 };
    set(BASE, DATA / 16);
    for (unsigned i = 0; i < 4; i++) {
        put(DATA + 4 * i, 0x11111111 * (i + 1));
        set(TO + i, 0xA0A0B0B0 + i);
    }
    push(W(ATSWAP) | V(ATSWAP, mem_hier_sel, 1) | V(ATSWAP, swap_mask, 0x89) | V(ATSWAP, data_reg_index, TO) |
         V(ATSWAP, addr_reg_index, BASE));
    assert_int_equal(get(DATA), 0x1111B0B0);
    assert_int_equal(get(DATA + 4), 0xA0A02222);
    assert_int_equal(get(DATA + 8), 0x33333333);
    assert_int_equal(get(DATA + 12), 0xA0A04444);
    put(DATA + 4, 0xFFFF00FE);
    set(TO, 3);
    push(W(ATINCGET) | V(ATINCGET, mem_hier_sel, 1) | V(ATINCGET, wrap_val, 7) | V(ATINCGET, sel_32b, 1) |
         V(ATINCGET, data_reg_index, TO) | V(ATINCGET, addr_reg_index, BASE));
    assert_int_equal(gpr(TO), 0xFFFF00FE);
    assert_int_equal(get(DATA + 4), 0xFFFF0001);
    put(DATA + 8, 5);
    push(W(ATCAS) | V(ATCAS, mem_hier_sel, 1) | V(ATCAS, swap_val, 9) | V(ATCAS, cmp_val, 5) | V(ATCAS, sel_32b, 2) |
         V(ATCAS, addr_reg_index, BASE));
    assert_int_equal(get(DATA + 8), 9);
    /* Until it holds the value. */
    push(W(ATCAS) | V(ATCAS, mem_hier_sel, 1) | V(ATCAS, swap_val, 1) | V(ATCAS, cmp_val, 4) | V(ATCAS, sel_32b, 2) |
         V(ATCAS, addr_reg_index, BASE));
    assert_int_equal(get(DATA + 8), 9);
    put(DATA + 8, 4);
    run();
    assert_int_equal(get(DATA + 8), 1);
}

/* Registers from 0xFFB00000 on, in words; core-local RAM is out of reach. REG2FLOP: a word of the THCON section. */
static void test_registers(void **state)
{
    (void)state;
    const uint32_t reset = (DEBUG_AT(SOFT_RESET_0) - TF_LOCAL_BASE) / 4, stream = (STREAM_AT(0, 3) - TF_LOCAL_BASE) / 4;
    push(W(LOADREG) | V(LOADREG, reg_addr, reset) | V(LOADREG, tdma_data_reg_index, 30));
    assert_int_equal(gpr(30), load(TF_CORE_T0, DEBUG_AT(SOFT_RESET_0)));
    set(31, 0x1234);
    push(W(STOREREG) | V(STOREREG, reg_addr, stream) | V(STOREREG, tdma_data_reg_index, 31));
    assert_int_equal(load(TF_CORE_T0, STREAM_AT(0, 3)), 0x1234);
    set(32, 0x55667788);
    push(W(REG2FLOP) | V(REG2FLOP, size_sel, 1) | V(REG2FLOP, flop_index, 64 - 52) | V(REG2FLOP, reg_index, 32));
    assert_int_equal(load(TF_CORE_B, TF_CFG_BASE + 4 * 64), 0x55667788);
    push(W(RDCFG) | V(RDCFG, gpr_address, 33) | V(RDCFG, cfg_reg, 64));
    assert_int_equal(gpr(33), 0x55667788);
    push(W(WRCFG) | V(WRCFG, gpr_address, 31) | V(WRCFG, cfg_reg, 65));
    assert_int_equal(load(TF_CORE_B, TF_CFG_BASE + 4 * 65), 0x1234);
    push(W(RMWCIB1) | V(RMWCIB1, mask, 0xF0) | V(RMWCIB1, data, 0xAB) | V(RMWCIB1, cfg_reg_addr, 65));
    assert_int_equal(load(TF_CORE_B, TF_CFG_BASE + 4 * 65), 0xA234);
}

/* A counter stops at 15 and at 0 for any maximum. Loads and stores of T cores do the same. */
static void test_semaphores(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        push(W(SEMINIT) | V(SEMINIT, max_value, 3) | V(SEMINIT, init_value, i) | V(SEMINIT, sem_sel, 1u << i));
        assert_int_equal(load(TF_CORE_T1, SEMAPHORES + 4 * i), i);
    }
    for (unsigned i = 0; i < 20; i++)
        push(W(SEMPOST) | V(SEMPOST, sem_sel, 1));
    assert_int_equal(load(TF_CORE_T0, SEMAPHORES), 15);
    for (unsigned i = 0; i < 20; i++)
        push(W(SEMGET) | V(SEMGET, sem_sel, 0x81));
    assert_int_equal(load(TF_CORE_T0, SEMAPHORES), 0);
    assert_int_equal(load(TF_CORE_T0, SEMAPHORES + 4 * 7), 0);
    store(TF_CORE_T2, SEMAPHORES + 4 * 3, 0);
    assert_int_equal(load(TF_CORE_T0, SEMAPHORES + 4 * 3), 4);
    store(TF_CORE_T2, SEMAPHORES + 4 * 3, 1);
    assert_int_equal(load(TF_CORE_T0, SEMAPHORES + 4 * 3), 3);
    /* At its maximum, 3: instructions of Tensix Sync wait. */
    push(W(SEMWAIT) | V(SEMWAIT, sem_sel, 1u << 3) | V(SEMWAIT, wait_sem_cond, 2) | V(SEMWAIT, stall_res, 2));
    push(W(SEMPOST) | V(SEMPOST, sem_sel, 1u << 5));
    assert_int_equal(load(TF_CORE_T1, SEMAPHORES + 4 * 5), 5);
    store(TF_CORE_T1, SEMAPHORES + 4 * 3, 1);
    run();
    assert_int_equal(load(TF_CORE_T1, SEMAPHORES + 4 * 5), 6);
}

/* A mutex pauses the pipes that do not hold it. A pipe that has not acquired it does not release it. */
static void test_mutexes(void **state)
{
    (void)state;
    SKIP_WHEN_HOSTILE("a FIFO holds less");
    const uint32_t post = W(SEMPOST) | V(SEMPOST, sem_sel, 1);
    for (unsigned mutex = 0; mutex < 8; mutex += mutex == 0 ? 2 : 1) {
        uint32_t before = load(TF_CORE_T0, SEMAPHORES);
        push(W(ATGETM) | V(ATGETM, mutex_index, mutex));
        push(W(ATGETM) | V(ATGETM, mutex_index, mutex)); /* it has it already */
        store(TF_CORE_T1, PUSH, W(ATRELM) | V(ATRELM, mutex_index, mutex));
        store(TF_CORE_T1, PUSH, W(ATGETM) | V(ATGETM, mutex_index, mutex));
        store(TF_CORE_T1, PUSH, post);
        run();
        assert_int_equal(load(TF_CORE_T0, SEMAPHORES), before);
        push(W(ATRELM) | V(ATRELM, mutex_index, mutex));
        assert_int_equal(load(TF_CORE_T0, SEMAPHORES), before + 1);
        store(TF_CORE_T1, PUSH, W(ATRELM) | V(ATRELM, mutex_index, mutex));
        run();
    }
}

static void mop_config(const uint32_t *config)
{
    for (unsigned i = 0; i < 9; i++)
        store(TF_CORE_T0, TF_MOP_CFG_BASE + 4 * i, config[i]);
}

/* Template 0: a bit of the mask chooses; template 1: two loops, with the last instructions of each. */
static void test_mops(void **state)
{
    (void)state;
#define ADD(to, n)                                                                       \
    (W(ADDDMAREG) | V(ADDDMAREG, op_a_reg_index, to) | V(ADDDMAREG, op_b_reg_index, n) | \
     V(ADDDMAREG, op_b_is_const, 1) | V(ADDDMAREG, result_reg_index, to))
    static const uint32_t nop = W(NOP);
    const uint32_t list[9] = {0, 3, ADD(41, 1), ADD(40, 1), ADD(42, 1), ADD(42, 1), ADD(42, 1), ADD(43, 1), ADD(44, 1)};
    const uint32_t loops[9] = {3, 4, ADD(45, 1), ADD(46, 1), nop, ADD(47, 1), nop, ADD(48, 1), ADD(49, 1)};
    for (unsigned i = 40; i < 50; i++)
        set(i, 0);
    mop_config(list);
    push(W(MOP_CFG) | 1);          /* bit 16 of the mask */
    push(W(MOP) | 19 << 16 | 0x5); /* 20 rounds, with bits 0, 2 and 16 */
    assert_int_equal(gpr(40), 17);
    assert_int_equal(gpr(42), 17 * 3);
    assert_int_equal(gpr(41), 17);
    assert_int_equal(gpr(43), 3);
    assert_int_equal(gpr(44), 3);
    mop_config(loops);
    push(W(MOP) | 1u << 23);
    assert_int_equal(gpr(45), 3);
    assert_int_equal(gpr(46), 3);
    assert_int_equal(gpr(47), 3 * 3);
    assert_int_equal(gpr(48), 1);
    assert_int_equal(gpr(49), 2);
#undef ADD
}

/* SETDMAREG_Special.md: 128 bits of the packers' state. */
static void read_packers(unsigned which, unsigned source, unsigned size, unsigned half, unsigned to)
{
    push(W(SETDMAREG) | V(SETDMAREG, set_signals_mode, 1) | V(SETDMAREG, payload_sig_sel_size, size) |
         V(SETDMAREG, payload_sig_sel, which << 7 | source << 3 | half) | V(SETDMAREG, reg_index_16b, to));
}

enum { INT32 = 8, SIZES = 0, FLAGS = 1, HEADERS = 2, RESET = 8 };

static const struct {
    unsigned word, add; /* of the packer's REG1 or REG8: formats; the bit Add_tile_header_size */
} packers[4] = {{58, 22}, {86, 17}, {98, 22}, {126, 17}};

/* Each packer packs a row of zeros; packer `adding` counts its header, too. */
static void read_sizes(unsigned adding)
{
    for (unsigned i = 0; i < 4; i++) {
        uint32_t add = i == adding ? 1u << packers[i].add : 0;
        configure(packers[i].word - 1, 0x1000 + 0x100 * i);            /* L1_Dest_addr */
        configure(packers[i].word, INT32 << 4 | INT32 << 8 | 1 | add); /* Disable_zero_compress */
    }
    push(W(PACR) | V(PACR, read_intf_sel, 15) | V(PACR, last, 1));
    read_packers(0, SIZES, 2, 0, 2 * 8);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(gpr(8 + i), (i == adding ? 2u : 1u) << 16 | 1);
    read_packers(0, FLAGS, 2, 0, 2 * 12);
    for (unsigned i = 0; i < 4; i++) {
        configure(packers[i].word, INT32 << 4 | (i & 1));
        set(16, UINT32_MAX);
        read_packers(0, HEADERS + i, 3, 0, 2 * 16); /* leaves what is reserved */
        assert_int_equal(gpr(16), 0xFFFF0002);
        read_packers(0, HEADERS + i, 2, 0, 2 * 16);
        assert_int_equal(gpr(16), 2);
        assert_int_equal(gpr(17), INT32 << 16 | (i & 1) << 20);
        assert_int_equal(gpr(18), gpr(12 + i));
    }
    set(20, 0x12345678);
    read_packers(0, SIZES, 0, 2 * adding + 1, 2 * 20); /* a half into a half */
    assert_int_equal(gpr(20), 0x12340002);
    read_packers(5, RESET, 1, 0, 2 * 21);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(gpr(21) >> i & 1, gpr(12 + i) & 1);
    read_packers(0, SIZES, 2, 0, 2 * 8);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(gpr(8 + i) >> 16, i % 2 == 0 ? 0 : i == adding ? 2 : 1);
    read_packers(15, RESET, 1, 0, 2 * 21);
}

/* Sizes of tiles are in lines of 16 bytes. Add_tile_header_size is not at one place in REG1 and REG8. */
static void test_packers(void **state)
{
    (void)state;
    configure(1, INT32 << 25); /* ALU_FORMAT_SPEC_REG2_Dstacc */
    configure(14, 1);          /* PCK_DEST_RD_CTRL_Read_32b_data */
    configure(58, INT32 << 4 | INT32 << 8);
    push(W(PACR) | V(PACR, read_intf_sel, 1) | V(PACR, last, 1)); /* a row of zeros, compressed, by the first packer */
    read_packers(15, RESET, 1, 0, 2 * 21);
    assert_int_equal(gpr(21), 1);
    for (unsigned adding = 0; adding < 4; adding++)
        read_sizes(adding);
    for (unsigned i = 0; i < 4; i++)
        configure(packers[i].word, INT32 << 4 | INT32 << 8 | 1);
    for (unsigned mask = 0; mask < 16; mask++) /* PACR.md: PackerMask is one of these */
        if (0x911F >> mask & 1)
            push(W(PACR) | V(PACR, read_intf_sel, mask) | V(PACR, last, 1));
    configure(58, INT32 << 4 | INT32 << 8 | 1 | 1u << 21 | 1u << 19); /* for all: packer 2's alone */
    for (unsigned i = 0; i < 4; i++) {
        read_packers(0, HEADERS + i, 1, 2, 2 * 16);
        assert_int_equal(gpr(16) >> 20 & 1, i == 2);
    }
    static const uint8_t others[3] = {5, 11, 14};
    for (unsigned i = 0; i < 3; i++) {
        store(TF_CORE_T0 + i, PUSH, W(PACR) | V(PACR, read_intf_sel, others[i]));
        run();
        assert_int_equal(tf_fault_count(chip), i + 1);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

/* MemoryMap.md, "Due to a hardware bug": transactions of writes to PCIe and ARC tiles. */
static void test_edge_tiles(void **state)
{
    (void)state;
    static const struct {
        uint32_t tag, ctrl;
        bool hazard;
    } writes[] = {{0, 0x12, false}, {5 << 10, 0x02, false}, {5 << 10, 0x12, true}};
    for (unsigned i = 0; i < sizeof writes / sizeof writes[0]; i++) {
        struct tf_fault fault;
        uint32_t got;
        const uint32_t words[][2] = {
            {0x00, 0x20000},       {0x04, 1 << 4 | 1 << 10}, {0x0C, 0x10000040}, {0x10, 8 | 10 << 10},
            {0x18, writes[i].tag}, {0x1C, writes[i].ctrl},   {0x20, 4},          {0x28, 1}};
        put(0x20000, 100 + i);
        for (unsigned j = 0; j < sizeof words / sizeof words[0]; j++)
            store(TF_CORE_B, TF_NIU_BASE(0) + words[j][0], words[j][1]);
        run();
        assert_int_equal(tf_read(chip, (struct tf_coord){0, 10}, 0x810000040, &got, sizeof got), TF_OK);
        assert_int_equal(got, 100 + i);
        assert_int_equal(tf_fault_count(chip), writes[i].hazard);
        if (!writes[i].hazard)
            continue;
        assert_int_equal(tf_fault_get(chip, 0, &fault), TF_OK);
        assert_true(fault.hazard);
        assert_non_null(strstr(fault.text, "write with transaction id 5 to a PCIe or ARC tile: Wormhole counts"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_edge_tiles), TEST(test_ways_in),    TEST(test_arithmetic), TEST(test_indirect), TEST(test_atomics),
        TEST(test_registers),  TEST(test_semaphores), TEST(test_mutexes),    TEST(test_mops),     TEST(test_packers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
