/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Further statements of "Taking apart T tiles" (docs/wormhole.md), on a Wormhole tile. They are about sizes, expanders,
 * waits, memory instructions of the scalar unit, both copies of configuration, and the article's numbers of fields.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unless_hostile.h"
#include "wormhole_tile.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/lreg.h"
#include "tilefarm_address.h"

#define BANK_1 (TF_CFG_BASE + 4 * 188)
#define SEMAPHORES TF_SEMAPHORE_BASE
#define MOP_WORDS TF_MOP_CFG_BASE
#define DATA 0x20000u /* in L1 */

static unsigned semaphore(unsigned i)
{
    return load(TF_CORE_T0, SEMAPHORES + 4 * i);
}

/* GPR += n */
static uint32_t add(unsigned to, unsigned n)
{
    return W(ADDDMAREG) | V(ADDDMAREG, op_a_reg_index, to) | V(ADDDMAREG, op_b_reg_index, n) |
           V(ADDDMAREG, op_b_is_const, 1) | V(ADDDMAREG, result_reg_index, to);
}

/* "32 KiB in Dst, 30 KiB in the core-local RAMs, 4 KiB in SrcA, 4 KiB in SrcB, 1 KiB in Lreg": bits of data. */
static void test_sizes(void **state)
{
    (void)state;
    const struct tf_tile_arch *arch = &tf_arch_wormhole.tile[TF_TILE_TENSIX];
    unsigned local = arch->iram_bytes;
    for (unsigned core = 0; core < TF_TILE_CORES; core++)
        local += arch->local_bytes[core];
    assert_int_equal(local, 30 * 1024);
    assert_int_equal(sizeof((struct tf_dst *)0)->bits, 32 * 1024);
    assert_int_equal(8 * sizeof((struct tf_vector *)0)->lreg[0], 1024);
}

/* "Values >= 0xC0 aren't used". */
static void test_opcodes(void **state)
{
    (void)state;
    struct tf_fault fault;
    for (unsigned opcode = 0xC0; opcode < 0x100; opcode++)
        assert_null(tf_tensix_op((uint8_t)opcode));
    store(TF_CORE_T0, PUSH, 0xC0000000);
    store(TF_CORE_T1, PUSH, 0xFF000000);
    run();
    assert_int_equal(tf_fault_count(chip), 2);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(tf_fault_get(chip, i, &fault), TF_OK);
        assert_int_equal(fault.category, TF_FAULT_UNDEFINED);
        assert_int_equal(fault.instruction, i == 0 ? 0xC0000000 : 0xFF000000);
    }
}

/* Each T core's words belong to the expander of its pipe. */
static void test_mop_words(void **state)
{
    (void)state;
    for (unsigned thread = 0; thread < 3; thread++) {
        const uint32_t words[9] = {
            1, 1 + thread, W(NOP), W(NOP), W(NOP), add(5, 1 + thread), W(NOP), add(5, 1 + thread), add(5, 1 + thread)};
        for (unsigned i = 0; i < 9; i++)
            store(TF_CORE_T0 + thread, MOP_WORDS + 4 * i, words[i]);
    }
    for (unsigned thread = 0; thread < 3; thread++) {
        push_to(thread, W(MOP) | 1u << 23);
        assert_int_equal(load(TF_CORE_T0 + thread, GPRS + 4 * 5), (1 + thread) * (1 + thread));
    }
}

static uint32_t replay(unsigned index, unsigned count, bool tee, bool record)
{
    return W(REPLAY) | V(REPLAY, start_idx, index) | V(REPLAY, len, count) | V(REPLAY, execute_while_loading, tee) |
           V(REPLAY, load_mode, record);
}

/* Record keeps instructions from the gate, tee passes them, too, and playback wraps at the end of the buffer. Each pipe
   has a buffer. */
static void test_replay(void **state)
{
    (void)state;
    push(replay(30, 3, false, true));
    for (unsigned i = 0; i < 3; i++)
        push(add(1 + i, 1 + i));
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(gpr(1 + i), 0);
    push(add(4, 7)); /* passes */
    assert_int_equal(gpr(4), 7);
    push(replay(31, 2, false, false));
    assert_int_equal(gpr(1), 0);
    assert_int_equal(gpr(2), 2);
    assert_int_equal(gpr(3), 3);
    push(replay(0, 1, true, true));
    push(add(2, 10));
    assert_int_equal(gpr(2), 12);
    push(replay(30, 3, false, false));
    assert_int_equal(gpr(1), 1);
    assert_int_equal(gpr(2), 12 + 2 + 10);
    assert_int_equal(gpr(3), 3);
    push_to(1, replay(30, 1, true, true));
    push_to(1, add(1, 40));
    push(replay(30, 1, false, false));
    assert_int_equal(gpr(1), 2);
    assert_int_equal(load(TF_CORE_T1, GPRS + 4), 40);
}

/* "Any of the specified semaphores", equal to zero or at the maximum; both conditions at once; the block mask alone. */
static void test_semwait(void **state)
{
    (void)state;
    SKIP_WHEN_HOSTILE("a FIFO holds less");
    static const struct {
        unsigned condition, semaphores, value[2];
        bool waits;
    } cases[] = {
        {1, 3, {0, 1}, true}, {1, 3, {1, 0}, true}, {1, 3, {1, 1}, false}, {1, 2, {0, 1}, false},
        {2, 3, {1, 3}, true}, {2, 3, {4, 1}, true}, {2, 3, {1, 2}, false}, {2, 1, {1, 3}, false},
        {3, 1, {3, 0}, true}, {3, 1, {0, 3}, true}, {3, 3, {1, 2}, false}, {1, 0, {0, 0}, false},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        teardown(NULL);
        setup(NULL);
        for (unsigned j = 0; j < 2; j++)
            push(W(SEMINIT) | V(SEMINIT, max_value, 3) | V(SEMINIT, init_value, cases[i].value[j]) |
                 V(SEMINIT, sem_sel, 1u << j));
        store(TF_CORE_T0, PUSH,
              W(SEMWAIT) | V(SEMWAIT, stall_res, 1u << 5) | V(SEMWAIT, wait_sem_cond, cases[i].condition) |
                  V(SEMWAIT, sem_sel, cases[i].semaphores));
        store(TF_CORE_T0, PUSH, W(SEMPOST) | V(SEMPOST, sem_sel, 1u << 7)); /* not in the block mask */
        store(TF_CORE_T0, PUSH, add(9, 1));                                 /* B5 */
        store(TF_CORE_T1, PUSH, add(9, 2));                                 /* of another pipe */
        run();
        assert_int_equal(semaphore(7), 1);
        assert_int_equal(gpr(9), !cases[i].waits);
        assert_int_equal(load(TF_CORE_T1, GPRS + 4 * 9), 2);
        if (!cases[i].waits)
            continue;
        for (unsigned j = 0; j < 2; j++)
            push_to(1,
                    W(SEMINIT) | V(SEMINIT, max_value, 3) | V(SEMINIT, init_value, 1) | V(SEMINIT, sem_sel, 1u << j));
        assert_int_equal(gpr(9), 1);
    }
}

/* Four sizes and four increments; of 128 bits, the four GPRs from data & 0x3C on. */
static void test_stores(void **state)
{
    (void)state;
    enum { BASE = 8, OFFSET = 9, FROM = 20 };
    static const uint32_t steps[] = {0, 2, 4, 16};
    const uint32_t at = W(STOREIND) | V(STOREIND, mem_hier_sel, 1) | V(STOREIND, addr_reg_index, BASE) |
                        V(STOREIND, offset_index, 2 * OFFSET + 1);
    set(BASE, DATA / 16);
    for (unsigned i = 0; i < 4; i++)
        set(FROM + i, 0x03020100 + i * 0x04040404);
    for (unsigned size = 0; size < 4; size++) {
        for (unsigned i = 0; i < 4; i++)
            put(DATA + 4 * i, 0xEEEEEEEE);
        set(OFFSET, 7u << 16 | 0x123);
        /* reg_size_sel and size_sel are the article's `sz`. */
        push(at | (size >> 1) << 22 | (size & 1) << 21 | V(STOREIND, data_reg_index, FROM + (size == 0 ? 3 : 1)) |
             V(STOREIND, auto_inc_spec, size));
        assert_int_equal(gpr(OFFSET), (7 + steps[size]) << 16 | 0x123);
        assert_int_equal(get(DATA), size == 0 ? 0x03020100 : 0xEEEEEEEE);
        switch (size) {
        case 0: assert_int_equal(get(DATA + 12), 0x0F0E0D0C); break;
        case 1: assert_int_equal(get(DATA + 4), 0x07060504); break;
        case 2: assert_int_equal(get(DATA + 4), 0x0504EEEE); break;
        default: assert_int_equal(get(DATA + 4), 0x04EEEEEE); break;
        }
    }
}

/* A FIFO of four elements, with counters of three bits. While it waits, it holds the scalar unit. */
static void test_fifo_pointers(void **state)
{
    (void)state;
    enum { BASE = 8, READ = 16, WROTE = 17 };
    const uint32_t at = W(ATINCGETPTR) | V(ATINCGETPTR, mem_hier_sel, 1) | V(ATINCGETPTR, addr_reg_index, BASE) |
                        V(ATINCGETPTR, wrap_val, 3);
    const uint32_t write = at | V(ATINCGETPTR, sel_32b, 1) | V(ATINCGETPTR, data_reg_index, WROTE);
    const uint32_t read = at | V(ATINCGETPTR, data_reg_index, READ);
    set(BASE, DATA / 16);
    put(DATA, 1);
    put(DATA + 4, 1);
    for (unsigned i = 1; i < 5; i++) {
        push(write);
        assert_int_equal(gpr(WROTE), i);
    }
    assert_int_equal(get(DATA + 4), 5);
    push(write); /* it is full */
    assert_int_equal(get(DATA + 4), 5);
    push_to(1, add(9, 3));
    assert_int_equal(load(TF_CORE_T1, GPRS + 4 * 9), 0);
    put(DATA, 2); /* another actor takes an element */
    run();
    assert_int_equal(get(DATA + 4), 6);
    assert_int_equal(gpr(WROTE), 5);
    assert_int_equal(load(TF_CORE_T1, GPRS + 4 * 9), 3);
    push(read | V(ATINCGETPTR, no_incr, 1)); /* reads the FIFO */
    assert_int_equal(get(DATA), 2);
    assert_int_equal(gpr(READ), 2);
    push(read | V(ATINCGETPTR, incr_val, 2)); /* takes four */
    assert_int_equal(get(DATA), 6);
    push(read); /* it is empty */
    assert_int_equal(get(DATA), 6);
    put(DATA + 4, 0); /* 8, in three bits */
    run();
    assert_int_equal(get(DATA), 7);
    push(read);
    assert_int_equal(get(DATA), 0);
    assert_int_equal(gpr(READ), 7);
}

/* LOADREG and STOREREG do not reach below 0xFFB11000, where core-local RAM is. */
static void test_no_local_memory(void **state)
{
    (void)state;
    struct tf_fault fault;
    for (unsigned i = 0; i < 2; i++) {
        store(TF_CORE_T0, PUSH, (i == 0 ? W(LOADREG) : W(STOREREG)) | 0x10FFCu / 4);
        run();
        assert_int_equal(tf_fault_count(chip), 1);
        assert_int_equal(tf_fault_get(chip, 0, &fault), TF_OK);
        assert_int_equal(fault.category, TF_FAULT_UNDEFINED);
        teardown(NULL);
        setup(NULL);
    }
    push(W(LOADREG) | 0x11000u / 4);
}

/* "Two copies, with CFG_STATE_ID::StateID determining which copy is in use by a given pipe". */
static void test_state_id(void **state)
{
    (void)state;
    enum { WORD = 64 };
    for (unsigned i = 0; i < 4; i++) {
        set(16 + i, 0x10000000 + i);
        store(TF_CORE_T1, GPRS + 4 * (16 + i), 0x20000000 + i);
    }
    push(W(SETC16) | 0 << 16 | 1); /* T0 takes bank 1 */
    push(W(WRCFG) | V(WRCFG, gpr_address, 16) | V(WRCFG, wr128b, 1) | V(WRCFG, cfg_reg, WORD));
    push_to(1, W(WRCFG) | V(WRCFG, gpr_address, 16) | V(WRCFG, wr128b, 1) | V(WRCFG, cfg_reg, WORD));
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(load(TF_CORE_B, BANK_1 + 4 * (WORD + i)), 0x10000000 + i);
        assert_int_equal(load(TF_CORE_B, CONFIG + 4 * (WORD + i)), 0x20000000 + i);
    }
    push(W(RDCFG) | V(RDCFG, gpr_address, 30) | V(RDCFG, cfg_reg, WORD + 2));
    push_to(1, W(RDCFG) | V(RDCFG, gpr_address, 30) | V(RDCFG, cfg_reg, WORD + 2));
    assert_int_equal(gpr(30), 0x10000002);
    assert_int_equal(load(TF_CORE_T1, GPRS + 4 * 30), 0x20000002);
    push(W(RMWCIB0) | V(RMWCIB0, mask, 0x0F) | V(RMWCIB0, data, 0xFF) | V(RMWCIB0, cfg_reg_addr, WORD));
    push(W(RMWCIB2) | V(RMWCIB2, mask, 0x3C) | V(RMWCIB2, data, 0xFF) | V(RMWCIB2, cfg_reg_addr, WORD));
    push(W(RMWCIB3) | V(RMWCIB3, mask, 0x30) | V(RMWCIB3, data, 0x2F) | V(RMWCIB3, cfg_reg_addr, WORD));
    push(W(REG2FLOP) | V(REG2FLOP, size_sel, 1) | V(REG2FLOP, flop_index, WORD + 1 - 52) | V(REG2FLOP, reg_index, 19));
    assert_int_equal(load(TF_CORE_B, BANK_1 + 4 * WORD), 0x203C000F);
    assert_int_equal(load(TF_CORE_B, BANK_1 + 4 * (WORD + 1)), 0x10000003);
    assert_int_equal(load(TF_CORE_B, CONFIG + 4 * WORD), 0x20000000);
    assert_int_equal(load(TF_CORE_B, CONFIG + 4 * (WORD + 1)), 0x20000001);
}

static const char *const names[] = {
#define CFG(name, word, first, width) #name,
#define CFG_OWN(name, word, first, width) #name,
#define THREAD_CFG(name, word, first, width) #name,
#define THREAD_CFG_OWN(name, word, first, width) #name,
#include "tile/tensix/config/wormhole.def"
#undef CFG
#undef CFG_OWN
#undef THREAD_CFG
#undef THREAD_CFG_OWN
};

static const uint8_t words[] = {
#define CFG(name, word, first, width) word,
#define CFG_OWN(name, word, first, width) word,
#include "tile/tensix/config/wormhole.def"
#undef CFG
#undef CFG_OWN
};

static const char *const some[] = {
    "CFG_STATE_ID_StateID",
    "DEST_TARGET_REG_CFG_MATH_Offset",
    "ADDR_MOD_SET_Base",
    "ADDR_MOD_BIAS_SEC3_",
    "SRCB_SET_Base",
    "CLR_DVALID_SrcB_Disable",
    "FIDELITY_BASE_Phase",
    "UNPACK_MISC_CFG_CfgContextCntInc_1",
    "NOC_OVERLAY_MSG_CLEAR_MsgNum_1",
    "CG_CTRL_KICK_",
    "PERF_CNT_CMD_Cmd3Stop",
    "ENABLE_ACC_STATS_Enable",
    "FPU_BIAS_SEL_Pointer",
    "FP16A_FORCE_Enable",
    "THCON_SEC1_REG0_TileDescriptor",
    "THCON_SEC1_REG9_",
    "THCON_SEC0_REG6_",
    "UNP1_ADDR_CTRL_ZW_REG_1_Wstride",
    "UNP0_BLOBS_Y_START_CNTX_23_blobs_y_start",
    "ALU_FORMAT_SPEC_REG_Dstacc_override",
    "ALU_ROUNDING_MODE_Packer_srnd_en",
    "STACC_RELU_ReluThreshold",
    "DISABLE_RISC_BP_",
    "ECC_SCRUBBER_",
    "STATE_RESET_EN",
    "DEST_OFFSET_Enable",
    "DEST_REGW_BASE_Base",
    "INT_DESCALE_Mode",
    "PCK0_ADDR_BASE_REG_1_Base",
    "PCK_DEST_RD_CTRL_",
    "PCK_EDGE_OFFSET_SEC3_mask",
    "PACK_CONCAT_MASK_SEC3_pack_concat_mask",
    "TILE_ROW_SET_MAPPING_3_row_set_mapping_15",
    "TILE_FACE_SET_MAPPING_3_face_set_mapping_15",
};

/* "248+26+39+174 unit-specific registers ... packed into (72+14+8+28)x 32b", and 261 of each pipe. */
static void test_fields(void **state)
{
    (void)state;
    static const struct {
        unsigned first, end, fields, words;
    } units[] = {{52, 152, 248, 72}, {36, 52, 26, 14}, {0, 8, 39, 8}, {8, 36, 174, 28}};
    const unsigned own = sizeof words;
    assert_int_equal(sizeof names / sizeof names[0] - own, 261);
    for (unsigned unit = 0; unit < 4; unit++) {
        unsigned fields = 0, used = 0;
        bool listed[256] = {false};
        for (unsigned i = 0; i < own; i++) {
            bool mine = words[i] >= units[unit].first && words[i] < units[unit].end;
            fields += mine;
            used += mine && !listed[words[i]];
            listed[words[i]] = true;
        }
        assert_int_equal(fields, units[unit].fields);
        assert_int_equal(used, units[unit].words);
    }
}

static void test_names_of_fields(void **state)
{
    (void)state;
    const unsigned all = sizeof names / sizeof names[0];
    for (unsigned i = 0; i < sizeof some / sizeof some[0]; i++) {
        unsigned at = 0;
        while (at < all && strncmp(names[at], some[i], strlen(some[i])) != 0)
            at++;
        if (at == all)
            fail_msg("no field %s", some[i]);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_sizes),    TEST(test_opcodes), TEST(test_mop_words),       TEST(test_replay),
        TEST(test_semwait),  TEST(test_stores),  TEST(test_fifo_pointers),   TEST(test_no_local_memory),
        TEST(test_state_id), TEST(test_fields),  TEST(test_names_of_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
