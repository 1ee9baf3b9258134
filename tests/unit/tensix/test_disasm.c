/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/isa/disasm.h"
#include "tile/tensix/debug/names.h"
#include "unit/tensix/bare.h"

static void check(uint32_t word, const char *expected)
{
    char text[200], small[8];
    assert_int_equal(tf_tensix_disassemble(word, text, sizeof text), strlen(expected));
    assert_string_equal(text, expected);
    assert_int_equal(tf_tensix_disassemble(word, NULL, 0), strlen(expected));
    memset(small, 'x', sizeof small);
    assert_int_equal(tf_tensix_disassemble(word, small, sizeof small - 1), strlen(expected));
    assert_int_equal(strncmp(small, expected, sizeof small - 2), 0);
    assert_int_equal(small[strlen(expected) < sizeof small - 2 ? strlen(expected) : sizeof small - 2], 0);
    assert_int_equal(small[sizeof small - 1], 'x');
}

static void test_known(void **state)
{
    (void)state;
    check(0x02000000, "NOP");
    check(0xA6A10006, "SEMWAIT wait_sem_cond=2 sem_sel=1 stall_res=0x142");
    check(0x01800000, "MOP zmask_lo16_or_loop_count=0 loop_count=0 mop_type=1");
    check(0x04040101, "REPLAY load_mode=1 execute_while_loading=0 len=0x10 start_idx=0x10");
    check(0xA1000009, "ATRELM mutex_index=9");
    check(0xA100000A, "ATRELM mutex_index=0xa");
    check(0x58801083, "ADDDMAREG op_a_reg_index=3 op_b_reg_index=2 result_reg_index=1 op_b_is_const=1");
}

static void test_broken(void **state)
{
    (void)state;
    check(0x00000000, ".word 0x00000000");
    check(0xFFFFFFFF, ".word 0xffffffff");
    check(0x02000010, "NOP reserved=0x10");
    check(0xA6004001, "SEMWAIT wait_sem_cond=1 sem_sel=0 stall_res=0 reserved=0x4000");
}

static void check_named(uint32_t word, const char *expected)
{
    char text[400];
    assert_int_equal(tf_tensix_disassemble_named(NULL, word, text, sizeof text), strlen(expected));
    assert_string_equal(text, expected);
}

/* The fields of configuration that an instruction writes or reads: of the word, or of the bits of its mask. */
static void test_named(void **state)
{
    (void)state;
    check_named(0x02000000, "NOP");
    check_named(0xB3020300, "RMWCIB0 cfg_reg_addr=0 data=3 mask=2 # ALU_FORMAT_SPEC_REG_SrcA_val");
    check_named(0xB30F0500, "RMWCIB0 cfg_reg_addr=0 data=5 mask=0xf # ALU_FORMAT_SPEC_REG_SrcA_val=0x5");
    check_named(0xB1010000, "RDCFG cfg_reg=0 gpr_address=1 # ALU_FORMAT_SPEC_REG_SrcA_val"
                            " ALU_FORMAT_SPEC_REG_SrcA_override ALU_FORMAT_SPEC_REG_SrcB_val"
                            " ALU_FORMAT_SPEC_REG_SrcB_override ALU_FORMAT_SPEC_REG_Dstacc_val"
                            " ALU_FORMAT_SPEC_REG_Dstacc_override");
    check_named(0xB2380005, "SETC16 setc16_value=5 setc16_reg=0x38 # TENSIX_TRISC_SYNC_TrackGlobalCfg=0x1"
                            " TENSIX_TRISC_SYNC_EnSubdividedCfgForUnpacr=0x0 TENSIX_TRISC_SYNC_TrackGPR=0x1"
                            " TENSIX_TRISC_SYNC_TrackTDMARegs=0x0 TENSIX_TRISC_SYNC_TrackTensixInstructions=0x0");
}

/* Fields to which Wormhole gives another name, and the same instructions of Blackhole. */
static void test_own_names(void **state)
{
    (void)state;
    static const struct {
        uint32_t opcode;
        const char *own, *other;
    } cases[] = {{TF_OP_ZEROACC, " dst=", " where="}, {TF_OP_PACR, " pack_sel=", " read_intf_sel="}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (unsigned own = 0; own < 2; own++) {
            const struct tf_arch *arch = own ? &tf_arch_wormhole : &tf_arch_blackhole;
            char text[400];
            tf_tensix_disassemble_of(&arch->tile[TF_TILE_TENSIX], cases[i].opcode << 24, text, sizeof text);
            assert_true((strstr(text, cases[i].own) != NULL) == own);
            assert_true((strstr(text, cases[i].other) != NULL) == !own);
        }
}

/* Each opcode, with all bits set: no text is longer than callers may expect. */
static void test_lengths(void **state)
{
    (void)state;
    for (uint32_t opcode = 0; opcode < 256; opcode++) {
        char text[400];
        int length = tf_tensix_disassemble(opcode << 24 | 0xFFFFFF, text, sizeof text);
        assert_true(length > 0 && length < 320);
        assert_int_equal(strlen(text), length);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),     cmocka_unit_test(test_broken),  cmocka_unit_test(test_named),
        cmocka_unit_test(test_own_names), cmocka_unit_test(test_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
