/* SPDX-License-Identifier: Apache-2.0 */
/* What the coprocessor writes to L1 is noticed: by cores that have decoded code there, and by waiting threads. */
#include "unless_hostile.h"
#include "unit/tensix/pack.h"

#define AT 0x1000u /* GPR 4 times 16 */
#define WAITED 0x2000u

static void set_gprs(struct bare *bare, unsigned thread)
{
    gpr(bare, thread)[4] = AT
    / 16;
    gpr(bare, thread)[5] = 0x26 | 0x27 << 16; /* offsets */
    gpr(bare, thread)[8] = WAITED / 16;
}

#define TO_L1(size, half)                                                                                            \
    (W(STOREIND) | V(STOREIND, mem_hier_sel, 1) | V(STOREIND, reg_size_sel, size) | V(STOREIND, addr_reg_index, 4) | \
     V(STOREIND, offset_index, half))

static void set_xmov(struct bare *bare, uint32_t dst, uint32_t src, uint32_t lines)
{
    for (unsigned bank = 0; bank < 2; bank++) {
        uint32_t *config = bare->tile.tensix->config->bank[bank];
        config[TF_CFG_THCON_SEC0_REG6_Source_address >> 16] = src >> 4;
        config[TF_CFG_THCON_SEC0_REG6_Destination_address >> 16] = dst >> 4;
        config[TF_CFG_THCON_SEC0_REG6_Buffer_size >> 16] = lines | 3u << 30; /* L1 to L1 */
    }
}

static void test_code_is_given_up(void **state)
{
    struct bare *bare = *state;
    static const struct {
        uint32_t word, address, bytes;
    } rows[] = {
        {TO_L1(0, 10), AT + 0x20, 16},
        {TO_L1(1, 10), AT + 0x24, 4},
        {TO_L1(2, 11), AT + 0x26, 2},
        {TO_L1(3, 11), AT + 0x27, 1},
        {W(ATINCGET) | V(ATINCGET, addr_reg_index, 4) | V(ATINCGET, sel_32b, 2), AT + 8, 4},
        {W(ATINCGETPTR) | V(ATINCGETPTR, addr_reg_index, 4) | V(ATINCGETPTR, sel_32b, 1), AT, 16},
        {W(ATSWAP) | V(ATSWAP, addr_reg_index, 4) | V(ATSWAP, swap_mask, 1), AT, 16},
        {W(ATCAS) | V(ATCAS, addr_reg_index, 4) | V(ATCAS, sel_32b, 3), AT + 12, 4},
        {W(XMOV), AT + 0x40, 0x30},
    };
    memset(bare->tile.code.decoded, 1, sizeof bare->tile.code.decoded);
    set_gprs(bare, 1);
    set_xmov(bare, AT + 0x40, 0x4000, 3);
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bare->notes = 0;
        execute(bare, 1, rows[i].word);
        if (bare->notes != 1 || bare->noted_address != rows[i].address || bare->noted_bytes != rows[i].bytes)
            fail_msg("0x%08x: %u notes, of %u bytes at 0x%05x", rows[i].word, bare->notes, bare->noted_bytes,
                     bare->noted_address);
    }
}

/* TDMA-RISC's writes, of a word and of two. */
static void test_code_is_given_up_to_tdma(void **state)
{
    struct bare *bare = *state;
    memset(bare->tile.code.decoded, 1, sizeof bare->tile.code.decoded);
    assert_int_equal(tf_tensix_store(&bare->tile, TF_CORE_B, 0xFFB11000, AT + 8), TF_ACCESS_OK);
    for (unsigned wide = 0; wide < 2; wide++) {
        bare->notes = 0;
        assert_int_equal(tf_tensix_store(&bare->tile, TF_CORE_B, 0xFFB11010, 0x666 | wide << 8), TF_ACCESS_OK);
        assert_int_equal(bare->notes, 1);
        assert_int_equal(bare->noted_address, AT + 8);
        assert_int_equal(bare->noted_bytes, wide ? 8 : 4);
    }
}

#define ADD_ONE                                                                          \
    (W(ADDDMAREG) | V(ADDDMAREG, op_a_reg_index, 20) | V(ADDDMAREG, op_b_reg_index, 1) | \
     V(ADDDMAREG, op_b_is_const, 1) | V(ADDDMAREG, result_reg_index, 20))

/* By which cycle T1 has waited for what `release` of thread `from` writes, in turns of so many cycles. */
static unsigned counted(unsigned from, uint32_t waits, uint32_t release, unsigned turn)
{
    struct bare *bare;
    bare_setup((void **)&bare);
    set_formats(bare, true, 8, 8);
    SET(bare, THCON_SEC0_REG1_L1_Dest_addr, WAITED / 16);
    for (unsigned column = 0; column < 16; column++)
        put32(bare, 0, column, column == 0 ? 5 : 7);
    memcpy(bare->tile.tensix->adcs->of[from], bare->tile.tensix->adcs->of[0], sizeof bare->tile.tensix->adcs->of[0]);
    set_l1_word(bare, 0x4000, 5);
    set_xmov(bare, WAITED, 0x4000, 1);
    set_gprs(bare, 1);
    bare_push(bare, 1, waits);
    for (unsigned i = 0; i < 20; i++)
        bare_push(bare, 1, ADD_ONE);
    for (unsigned i = 0; i < 8; i++)
        bare_push(bare, from, W(NOP));
    bare_push(bare, from, release);
    for (unsigned cycle = 0; cycle < 20; cycle += turn)
        bare_run(bare, turn);
    assert_int_equal(bare->tile.faults.count, 0);
    unsigned count = gpr(bare, 1)[20];
    bare_teardown((void **)&bare);
    return count;
}

/* As soon as there is what it waits for, also in the middle of a turn. */
static void test_waiting_thread_goes_on(void **state)
{
    (void)state;
    SKIP_WHEN_HOSTILE("a FIFO holds less");
    static const uint32_t waits[] = {
        W(ATCAS) | V(ATCAS, addr_reg_index, 8) | V(ATCAS, cmp_val, 5),
        W(ATINCGETPTR) | V(ATINCGETPTR, addr_reg_index, 8),
    };
    static const uint32_t release[] = {W(XMOV), W(PACR) | V(PACR, read_intf_sel, 1) | V(PACR, last, 1)};
    for (unsigned i = 0; i < 2; i++)
        for (unsigned k = 0; k < 2; k++)
            for (unsigned from = 0; from < 3; from += 2) {
                unsigned count = counted(from, waits[i], release[k], 20);
                assert_int_equal(count, counted(from, waits[i], release[k], 1));
                assert_in_range(count, 5, 15);
            }
}

#define T(test) cmocka_unit_test_setup_teardown(test, bare_setup, bare_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_code_is_given_up),
        T(test_code_is_given_up_to_tdma),
        cmocka_unit_test(test_waiting_thread_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
