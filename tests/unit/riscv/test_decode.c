/* SPDX-License-Identifier: Apache-2.0 */
/* The instruction list against itself, against a literal search of it, and against encodings written by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/ids.h"
#include "tilefarm/tilefarm_base.h"
#include "random_group.h"

static struct tf_rv_insn decode(uint32_t word)
{
    struct tf_rv_insn insn;
    tf_rv_decode(word, &insn);
    return insn;
}

static void test_patterns_do_not_overlap(void **state)
{
    (void)state;
    for (unsigned i = 0; i < TF_RV_LISTED; i++) {
        const struct tf_rv_info *a = tf_rv_info(i);
        assert_int_equal(a->match & ~a->mask, 0);
        assert_int_equal(a->mask & 0x7f, 0x7f);
        assert_int_equal(a->match & 3, 3);
        for (unsigned j = 0; j < i; j++) {
            const struct tf_rv_info *b = tf_rv_info(j);
            if (((a->match ^ b->match) & a->mask & b->mask) == 0) {
                fail_msg("%s and %s overlap", a->mnemonic, b->mnemonic);
            }
        }
    }
}

static void test_every_word_of_a_pattern_is_found(void **state)
{
    (void)state;
    for (unsigned id = 0; id < TF_RV_LISTED; id++) {
        const struct tf_rv_info *info = tf_rv_info(id);
        for (unsigned i = 0; i < 2000; i++) {
            uint32_t word = info->match | (random_word() & ~info->mask);
            struct tf_rv_insn insn = decode(word);
            if (insn.id != id) {
                fail_msg("0x%08x is %s, not %s", word, info->mnemonic, tf_rv_info(insn.id)->mnemonic);
            }
            assert_int_equal(insn.word, word);
            assert_int_equal(insn.rd, word >> 7 & 31);
            assert_int_equal(insn.rs1, word >> 15 & 31);
            assert_int_equal(insn.rs2, word >> 20 & 31);
            assert_int_equal(insn.rs3, word >> 27);
        }
    }
}

static unsigned search(uint32_t word)
{
    if ((word & 3) != 3) {
        return TF_RV_TTINSN;
    }
    for (unsigned id = 0; id < TF_RV_LISTED; id++) {
        if ((word & tf_rv_info(id)->mask) == tf_rv_info(id)->match) {
            return id;
        }
    }
    return TF_RV_COUNT;
}

static void test_random_words(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 400000; i++) {
        uint32_t word = random_word() | (i % 16 ? 3 : 0);
        unsigned want = search(word);
        unsigned id = decode(word).id;
        if (want == TF_RV_COUNT) {
            assert_true(id == TF_RV_ILLEGAL || id == TF_RV_VECTOR);
        } else {
            assert_int_equal(id, want);
        }
    }
}

/* Put an immediate into the bits that each format has for it, by the drawings of the RISC-V ISA manual. */
static uint32_t place(unsigned format, uint32_t imm)
{
    switch (format) {
    case TF_RV_FMT_I:
    case TF_RV_FMT_LOAD:
    case TF_RV_FMT_FLOAD:
    case TF_RV_FMT_JALR:
    case TF_RV_FMT_CSR:
    case TF_RV_FMT_CSRI:
    case TF_RV_FMT_FENCE: return imm << 20;
    case TF_RV_FMT_SHIFT: return (imm & 31) << 20;
    case TF_RV_FMT_STORE:
    case TF_RV_FMT_FSTORE: return (imm & 31) << 7 | (imm >> 5 & 127) << 25;
    case TF_RV_FMT_BRANCH:
        return (imm >> 11 & 1) << 7 | (imm >> 1 & 15) << 8 | (imm >> 5 & 63) << 25 | (imm >> 12 & 1) << 31;
    case TF_RV_FMT_U: return imm & 0xfffff000;
    case TF_RV_FMT_J:
        return (imm >> 12 & 255) << 12 | (imm >> 11 & 1) << 20 | (imm >> 1 & 1023) << 21 | (imm >> 20 & 1) << 31;
    default: return 0;
    }
}

static uint32_t random_immediate(unsigned format)
{
    uint32_t value = random_word();
    switch (format) {
    case TF_RV_FMT_SHIFT: return value & 31;
    case TF_RV_FMT_CSR:
    case TF_RV_FMT_CSRI:
    case TF_RV_FMT_FENCE: return value & 0xfff;
    case TF_RV_FMT_BRANCH: return (uint32_t)((int32_t)value >> 19) & ~1u;
    case TF_RV_FMT_U: return value & 0xfffff000;
    case TF_RV_FMT_J: return (uint32_t)((int32_t)value >> 11) & ~1u;
    case TF_RV_FMT_I:
    case TF_RV_FMT_LOAD:
    case TF_RV_FMT_FLOAD:
    case TF_RV_FMT_JALR:
    case TF_RV_FMT_STORE:
    case TF_RV_FMT_FSTORE: return (uint32_t)((int32_t)value >> 20);
    default: return 0;
    }
}

static void test_immediates(void **state)
{
    (void)state;
    for (unsigned id = 0; id < TF_RV_LISTED; id++) {
        const struct tf_rv_info *info = tf_rv_info(id);
        for (unsigned i = 0; i < 500; i++) {
            uint32_t imm = random_immediate(info->format);
            struct tf_rv_insn insn = decode(info->match | place(info->format, imm));
            assert_int_equal(insn.id, id);
            assert_int_equal((uint32_t)insn.imm, imm);
        }
    }
}

struct encoding {
    uint32_t word;
    unsigned id;
    uint8_t rd, rs1, rs2;
    int32_t imm;
};

static void test_encodings(void **state)
{
    (void)state;
    /* As riscv64-unknown-elf-as (binutils 2.40) assembles them. */
    static const struct encoding list[] = {
        {0x00150513, TF_RV_ADDI, 10, 10, 1, 1},      {0xfff5f593, TF_RV_ANDI, 11, 11, 31, -1},
        {0x8000006f, TF_RV_JAL, 0, 0, 0, -0x100000}, {0xfe000ee3, TF_RV_BEQ, 29, 0, 0, -4},
        {0xfe000f63, TF_RV_BEQ, 30, 0, 0, -2050},    {0xfffff537, TF_RV_LUI, 10, 31, 31, -4096},
        {0xfeb52e23, TF_RV_SW, 28, 10, 11, -4},      {0x7c01a073, TF_RV_CSRRS, 0, 3, 0, 0x7c0},
        {0x69855513, TF_RV_GREVI, 10, 10, 24, 24},   {0x28755513, TF_RV_ORC_B, 10, 10, 7, 0},
        {0x0805c533, TF_RV_PACK, 10, 11, 0, 0},      {0x06c5a52f, TF_RV_AMOADD_W, 10, 11, 12, 0},
        {0x0ff0000f, TF_RV_FENCE, 0, 0, 31, 0xff},   {0x30200073, TF_RV_MRET, 0, 0, 2, 0},
        {0xd03577d3, TF_RV_ILLEGAL, 15, 10, 3, 0},   {0xd01577d3, TF_RV_FCVT_S_WU, 15, 10, 1, 0},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        struct tf_rv_insn insn = decode(list[i].word);
        if (insn.id != list[i].id || insn.rd != list[i].rd || insn.rs1 != list[i].rs1 || insn.rs2 != list[i].rs2 ||
            insn.imm != list[i].imm) {
            fail_msg("0x%08x: %s rd %u rs1 %u rs2 %u imm %d", list[i].word, tf_rv_info(insn.id)->mnemonic, insn.rd,
                     insn.rs1, insn.rs2, insn.imm);
        }
    }
}

static void test_absent_instructions(void **state)
{
    (void)state;
    /* Instructions that InstructionSet.md says are missing. The page does not contain any others. */
    static const uint32_t words[] = {
        0x1005252f,
        /* lr.w */ 0x18b5252f,
        /* sc.w */ 0x18c5f553,
        /* fdiv.s */ 0x5805f553, /* fsqrt.s */
        0x1cc5f553,
        /* fdiv.h */ 0x5c05f553,
        /* fsqrt.h */ 0x02c5f553,
        /* fadd.d */ 0x00053507, /* fld */
        0x00053527,
        /* fsd */ 0x28a51533,
        /* bset */ 0x48a51533,
        /* bclr */ 0x0ab51533, /* clmul */
        0x08b57533,
        /* packh */ 0x08f51513,
        /* zip */ 0x08f55513,
        /* unzip */ 0x0000100f, /* fence.i */
        0x10500073,
        /* wfi */ 0x10200073,
        /* sret */ 0x00004073,
        /* funct3 4 */ 0x00053503, /* ld */
        0x00056503,
        /* lwu */ 0x00b53023,
        /* sd */ 0x02051513,
        /* slli by 32 */ 0x0000201b, /* OP-IMM-32 */
        0x40051533,
        /* sll with bit 30 */ 0xffffffff,
        0x0000000b,
        0x00002063,
        0x00001067,
        0x0000302f,
        0x60301013,
        0x00200073,
        0x48055513,
        /* bexti */ 0x68051513,
        /* binvi */ 0x28055513, /* orc by 0 */
        0x6a055513,
        /* grevi by 32 */ 0x42055513,
        /* srai by 32 */ 0x02055513, /* srli by 32 */
        0x62055513,                  /* rori by 32 */
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        struct tf_rv_insn insn = decode(words[i]);
        if (insn.id != TF_RV_ILLEGAL) {
            fail_msg("0x%08x is %s", words[i], tf_rv_info(insn.id)->mnemonic);
        }
    }
}

static void test_ttinsn(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 1000; i++) {
        uint32_t tensix = random_word() % 0xC0000000u;
        struct tf_rv_insn insn = decode(tensix << 2 | tensix >> 30);
        assert_int_equal(insn.id, TF_RV_TTINSN);
        assert_int_equal((uint32_t)insn.imm, tensix);
    }
    assert_int_equal(decode(0).id, TF_RV_TTINSN);
}

static void test_vector_instructions(void **state)
{
    (void)state;
    static const uint32_t vector[] = {0x02008057, 0x0cd07057, 0x02050007, 0x02055007, 0x02056027, 0x02057027};
    for (size_t i = 0; i < sizeof vector / sizeof vector[0]; i++) {
        struct tf_rv_insn insn;
        assert_int_equal(decode(vector[i]).id, TF_RV_VECTOR);
        tf_rv_decode_as(vector[i], TF_EXT_ALL & ~TF_EXT_V, &insn);
        assert_int_equal(insn.id, TF_RV_ILLEGAL);
    }
    assert_int_equal(decode(0x00004007).id, TF_RV_ILLEGAL); /* flq */
    assert_int_equal(decode(0x06008057).id, TF_RV_ILLEGAL); /* no instruction has funct6 1 */
}

static void test_info(void **state)
{
    (void)state;
    assert_string_equal(tf_rv_info(TF_RV_AMOADD_W)->mnemonic, "amoadd.w");
    assert_ptr_equal(tf_rv_info(TF_RV_COUNT), tf_rv_info(TF_RV_ILLEGAL));
    assert_ptr_equal(tf_rv_info(0xffff), tf_rv_info(TF_RV_ILLEGAL));
    const unsigned kinds = TF_RV_F_PURE | TF_RV_F_BRANCH | TF_RV_F_JUMP | TF_RV_F_LOAD | TF_RV_F_STORE | TF_RV_F_AMO |
                           TF_RV_F_FENCE | TF_RV_F_CSR;
    for (unsigned id = 0; id < TF_RV_LISTED; id++) {
        unsigned kind = tf_rv_info(id)->flags & kinds;
        if (tf_rv_info(id)->flags & TF_RV_F_SYSTEM) {
            continue;
        }
        assert_int_equal(kind & (kind - 1), 0); /* exactly one kind */
        assert_int_not_equal(kind, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patterns_do_not_overlap),
        cmocka_unit_test_setup(test_every_word_of_a_pattern_is_found, random_group),
        cmocka_unit_test_setup(test_random_words, random_group),
        cmocka_unit_test_setup(test_immediates, random_group),
        cmocka_unit_test(test_encodings),
        cmocka_unit_test(test_absent_instructions),
        cmocka_unit_test_setup(test_ttinsn, random_group),
        cmocka_unit_test(test_vector_instructions),
        cmocka_unit_test(test_info),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
