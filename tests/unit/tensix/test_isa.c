/* SPDX-License-Identifier: Apache-2.0 */
/* The list of instructions against what the references say of each: opcode, bits in use, block bits. */
#include "unit/tensix/bare.h"

#define NOT_LISTED 0xFFFF /* STALLWAIT.md has no row for it, or says that it never comes to the gate */

/*
 * Bits in use: those of a field in Diagrams/Src/Bits32.lua or in data/bh/tensix_isa.json, and for dest_reg_addr and
 * rwc_cr in tt-llk. 0: none of them has the field. Block bits: the table of STALLWAIT.md (BlackholeA0).
 */
static const struct {
    const char *mnemonic;
    uint8_t opcode;
    uint32_t used;
    uint16_t block;
} listed[] = {
    {"MOP", 0x01, 0xFFFFFF, NOT_LISTED},
    {"NOP", 0x02, 0x000000, NOT_LISTED},
    {"MOP_CFG", 0x03, 0x00FFFF, NOT_LISTED},
    {"REPLAY", 0x04, 0x07C3F3, NOT_LISTED},
    {"RESOURCEDECL", 0x05, 0x000000, NOT_LISTED},
    {"MOVD2A", 0x08, 0xFFF3FF, 0x040},
    {"MOVDBGA2D", 0x09, 0xFFA3FF, 0x040},
    {"MOVD2B", 0x0A, 0xFFF3FF, 0x040},
    {"MOVB2A", 0x0B, 0x7FF03F, 0x040},
    {"MOVDBGB2D", 0x0C, 0x000000, NOT_LISTED},
    {"ZEROACC", 0x10, 0x1FC3FF, 0x040},
    {"ZEROSRC", 0x11, 0x00001F, 0x040},
    {"MOVA2D", 0x12, 0xFFF3FF, 0x040},
    {"MOVB2D", 0x13, 0xFFFBFF, 0x040},
    {"TRNSPSRCA", 0x14, 0x000000, NOT_LISTED},
    {"RAREB", 0x15, 0x000000, NOT_LISTED},
    {"TRNSPSRCB", 0x16, 0x000000, 0x040},
    {"SHIFTXA", 0x17, 0x000003, 0x040},
    {"SHIFTXB", 0x18, 0x01843F, 0x040},
    {"SETASHRMH0", 0x1A, 0x000000, NOT_LISTED},
    {"SETASHRMH1", 0x1B, 0x000000, NOT_LISTED},
    {"SETASHRMV", 0x1C, 0x000000, NOT_LISTED},
    {"SETPKEDGOF", 0x1D, 0x000000, NOT_LISTED},
    {"SETASHRMH", 0x1E, 0x000000, NOT_LISTED},
    {"CLREXPHIST", 0x21, 0x000000, 0x040},
    {"CONV3S1", 0x22, 0x000000, 0x040},
    {"CONV3S2", 0x23, 0x000000, 0x040},
    {"MPOOL3S1", 0x24, 0x000000, 0x040},
    {"APOOL3S1", 0x25, 0x000000, 0x040},
    {"MVMUL", 0x26, 0xC9C3FF, 0x040},
    {"ELWMUL", 0x27, 0xF9C3FF, 0x040},
    {"ELWADD", 0x28, 0xF9C3FF, 0x040},
    {"DOTPV", 0x29, 0xC183FF, 0x040},
    {"ELWSUB", 0x30, 0xF9C3FF, 0x040},
    {"MPOOL3S2", 0x31, 0x000000, 0x040},
    {"APOOL3S2", 0x32, 0x000000, 0x040},
    {"GMPOOL", 0x33, 0xCBC3FF, 0x040},
    {"GAPOOL", 0x34, 0xCBC3FF, 0x040},
    {"GATESRCRST", 0x35, 0x000003, 0x040},
    {"CLEARDVALID", 0x36, 0xC00003, 0x040},
    {"SETRWC", 0x37, 0xFFFFCF, 0x040},
    {"INCRWC", 0x38, 0xFFFFC0, 0x040},
    {"SETIBRWC", 0x39, 0x000000, NOT_LISTED},
    {"MFCONV3S1", 0x3A, 0x000000, 0x040},
    {"XMOV", 0x40, 0x000000, 0x011},
    {"PACR", 0x41, 0x7FFF9F, 0x005},
    {"UNPACR", 0x42, 0xFFBFFF, 0x009},
    {"UNPACR_NOP", 0x43, 0xFF7FFF, 0x009},
    {"RSTDMA", 0x44, 0x000000, 0x001},
    {"SETDMAREG", 0x45, 0xFFFFFF, 0x021},
    {"FLUSHDMA", 0x46, 0x00000F, 0x021},
    {"REG2FLOP", 0x48, 0xFF1FFF, 0x021},
    {"LOADIND", 0x49, 0xDFFFFF, 0x021},
    {"PACR_SETREG", 0x4A, 0xFFFFFE, 0x005},
    {"TBUFCMD", 0x4B, 0x000000, NOT_LISTED},
    {"SETADC", 0x50, 0xFFFFFF, 0x001},
    {"SETADCXY", 0x51, 0xEFFFCF, 0x001},
    {"INCADCXY", 0x52, 0xEFFFC0, 0x001},
    {"ADDRCRXY", 0x53, 0xEFFFCF, 0x001},
    {"SETADCZW", 0x54, 0xEFFFCF, 0x001},
    {"INCADCZW", 0x55, 0xEFFFC0, 0x001},
    {"ADDRCRZW", 0x56, 0xEFFFCF, 0x001},
    {"SETDVALID", 0x57, 0x000003, 0x001},
    {"ADDDMAREG", 0x58, 0x83FFFF, 0x021},
    {"SUBDMAREG", 0x59, 0x83FFFF, 0x021},
    {"MULDMAREG", 0x5A, 0x83FFFF, 0x021},
    {"BITWOPDMAREG", 0x5B, 0x9FFFFF, 0x021},
    {"SHIFTDMAREG", 0x5C, 0x9FFFFF, 0x021},
    {"CMPDMAREG", 0x5D, 0x9FFFFF, 0x021},
    {"SETADCXX", 0x5E, 0xEFFFFF, 0x001},
    {"DMANOP", 0x60, 0x000000, 0x021},
    {"ATINCGET", 0x61, 0x07FFFF, 0x021},
    {"ATINCGETPTR", 0x62, 0x7FFFFF, 0x021},
    {"ATSWAP", 0x63, 0x7FCFFF, 0x021},
    {"ATCAS", 0x64, 0x3FF03F, 0x021},
    {"STOREIND", 0x66, 0xFFFFFF, 0x021},
    {"STOREREG", 0x67, 0xFFFFFF, 0x021},
    {"LOADREG", 0x68, 0xFFFFFF, 0x021},
    {"SFPLOAD", 0x70, 0xFFFFFF, 0x100},
    {"SFPLOADI", 0x71, 0xFFFFFF, 0x100},
    {"SFPSTORE", 0x72, 0xFFFFFF, 0x100},
    {"SFPLUT", 0x73, 0xFF0000, 0x100},
    {"SFPMULI", 0x74, 0xFFFFFF, 0x100},
    {"SFPADDI", 0x75, 0xFFFFFF, 0x100},
    {"SFPDIVP2", 0x76, 0xFFFFFF, 0x100},
    {"SFPEXEXP", 0x77, 0x000FFF, 0x100},
    {"SFPEXMAN", 0x78, 0x000FFF, 0x100},
    {"SFPIADD", 0x79, 0xFFFFFF, 0x100},
    {"SFPSHFT", 0x7A, 0xFFFFFF, 0x100},
    {"SFPSETCC", 0x7B, 0x001FFF, 0x100},
    {"SFPMOV", 0x7C, 0x000FFF, 0x100},
    {"SFPABS", 0x7D, 0x000FFF, 0x100},
    {"SFPAND", 0x7E, 0x00FFFF, 0x100},
    {"SFPOR", 0x7F, 0x00FFFF, 0x100},
    {"SFPNOT", 0x80, 0x000FF0, 0x100},
    {"SFPLZ", 0x81, 0x000FFF, 0x100},
    {"SFPSETEXP", 0x82, 0x0FFFFF, 0x100},
    {"SFPSETMAN", 0x83, 0xFFFFFF, 0x100},
    {"SFPMAD", 0x84, 0x0FFFFF, 0x100},
    {"SFPADD", 0x85, 0x0FFFFF, 0x100},
    {"SFPMUL", 0x86, 0x0FFFFF, 0x100},
    {"SFPPUSHC", 0x87, 0x0000FF, 0x100},
    {"SFPPOPC", 0x88, 0x0000FF, 0x100},
    {"SFPSETSGN", 0x89, 0x001FFF, 0x100},
    {"SFPENCC", 0x8A, 0x0030FF, 0x100},
    {"SFPCOMPC", 0x8B, 0x0000F0, 0x100},
    {"SFPTRANSP", 0x8C, 0x0000F0, 0x100},
    {"SFPXOR", 0x8D, 0x000FF0, 0x100},
    {"SFP_STOCH_RND", 0x8E, 0x7FFFFF, 0x100},
    {"SFPNOP", 0x8F, 0x000000, 0x100},
    {"SFPCAST", 0x90, 0x000FFF, 0x100},
    {"SFPCONFIG", 0x91, 0xFFFFFF, 0x100},
    {"SFPSWAP", 0x92, 0x000FFF, 0x100},
    {"SFPLOADMACRO", 0x93, 0xFFFFFF, 0x100},
    {"SFPSHFT2", 0x94, 0xFFFFFF, 0x100},
    {"SFPLUTFP32", 0x95, 0x0F00FF, 0x100},
    {"SFPLE", 0x96, 0x000FFF, 0x100},
    {"SFPGT", 0x97, 0x000FFF, 0x100},
    {"SFPMUL24", 0x98, 0x0FFFFF, 0x100},
    {"SFPARECIP", 0x99, 0x00FFFF, 0x100},
    {"ATGETM", 0xA0, 0x00FFFF, 0x002},
    {"ATRELM", 0xA1, 0x00FFFF, 0x002},
    {"STALLWAIT", 0xA2, 0xFF9FFF, 0x1FF},
    {"SEMINIT", 0xA3, 0xFF03FC, 0x002},
    {"SEMPOST", 0xA4, 0x0003FC, 0x002},
    {"SEMGET", 0xA5, 0x0003FC, 0x002},
    {"SEMWAIT", 0xA6, 0xFF83FF, 0x1FF},
    {"STREAMWAIT", 0xA7, 0xFFBFFB, 0x1FF},
    {"WRCFG", 0xB0, 0x3F87FF, 0x080},
    {"RDCFG", 0xB1, 0x3F07FF, 0x080},
    {"SETC16", 0xB2, 0xFFFFFF, 0x080},
    {"RMWCIB0", 0xB3, 0xFFFFFF, 0x080},
    {"RMWCIB1", 0xB4, 0xFFFFFF, 0x080},
    {"RMWCIB2", 0xB5, 0xFFFFFF, 0x080},
    {"RMWCIB3", 0xB6, 0xFFFFFF, 0x080},
    {"STREAMWRCFG", 0xB7, 0x7FFFFF, 0x080},
    {"CFGSHIFTMASK", 0xB8, 0xFFFFFF, 0x080},
};

#define LISTED (sizeof listed / sizeof listed[0])

static void test_every_opcode(void **state)
{
    (void)state;
    assert_int_equal(LISTED, TF_TENSIX_OPS);
    for (unsigned i = 0; i < LISTED; i++) {
        const struct tf_tensix_op *op = tf_tensix_op(listed[i].opcode);
        assert_non_null(op);
        assert_string_equal(op->mnemonic, listed[i].mnemonic);
        assert_int_equal(op->opcode, listed[i].opcode);
        if ((listed[i].used & op->reserved) != 0)
            fail_msg("%s reserves bits in use: 0x%06x", op->mnemonic, listed[i].used & op->reserved);
        if (listed[i].block != NOT_LISTED)
            assert_int_equal(op->block, listed[i].block);
    }
}

/* ttsim refuses bits that it does not know. A bit that neither reference knows must be refused here, too. */
static void test_reserved_bits(void **state)
{
    (void)state;
    static const uint8_t no_layout[] = {0x05, 0x0C, 0x1A, 0x1B, 0x1C, 0x1D, 0x1E, 0x22,
                                        0x23, 0x24, 0x25, 0x31, 0x32, 0x39, 0x3A}; /* known only from assembly.yaml */
    for (unsigned i = 0; i < LISTED; i++) {
        const struct tf_tensix_op *op = tf_tensix_op(listed[i].opcode);
        if (memchr(no_layout, op->opcode, sizeof no_layout) != NULL)
            continue;
        uint32_t more = TF_TENSIX_OPERANDS & ~op->reserved & ~listed[i].used;
        switch (op->opcode) { /* assembly.yaml knows more than both */
        case TF_OP_STALLWAIT: /* Wormhole's packers; a fault on Blackhole (tensix_fault) */
        case TF_OP_MOVDBGA2D:
        case TF_OP_SHIFTXA:
        case TF_OP_SHIFTXB:
        case TF_OP_DOTPV:
        case TF_OP_XMOV:
        case TF_OP_PACR_SETREG:
        case TF_OP_ATINCGET:
        case TF_OP_ATINCGETPTR:
        case TF_OP_ATSWAP:
        case TF_OP_ATCAS:
        case TF_OP_STOREIND: continue;
        default: break;
        }
        if (more != 0)
            fail_msg("%s uses bits that nobody knows: 0x%06x", op->mnemonic, more);
    }
}

static void test_unknown_opcodes(void **state)
{
    (void)state;
    unsigned known = 0;
    for (unsigned opcode = 0; opcode < 256; opcode++) {
        known += tf_tensix_op((uint8_t)opcode) != NULL;
        bool is_listed = false;
        for (unsigned i = 0; i < LISTED; i++)
            is_listed |= listed[i].opcode == opcode;
        assert_int_equal(tf_tensix_op((uint8_t)opcode) != NULL, is_listed);
        assert_int_equal(tf_tensix_valid((uint32_t)opcode << 24), is_listed);
    }
    assert_int_equal(known, TF_TENSIX_OPS);
}

static void test_fields(void **state)
{
    (void)state;
    for (unsigned i = 0; i < LISTED; i++) {
        const struct tf_tensix_op *op = tf_tensix_op(listed[i].opcode);
        uint32_t seen = 0;
        for (unsigned f = 0; f < op->fields; f++) {
            const struct tf_tensix_field *field = &op->field[f];
            uint32_t mask = ((1u << field->width) - 1) << field->first;
            assert_true(field->width > 0 && field->first + field->width <= 24);
            assert_true(mask > seen); /* ascending, and apart */
            assert_int_equal(mask & seen, 0);
            assert_int_equal(tf_tensix_bits(0xA5000000 | mask, field->first, field->width), (1u << field->width) - 1);
            assert_int_equal(tf_tensix_bits(~mask, field->first, field->width), 0);
            seen |= mask;
        }
        assert_int_equal(op->reserved, TF_TENSIX_OPERANDS & ~seen);
        assert_true(tf_tensix_valid((uint32_t)op->opcode << 24 | seen));
        for (uint32_t bits = op->reserved; bits != 0; bits &= bits - 1)
            assert_false(tf_tensix_valid((uint32_t)op->opcode << 24 | (bits & -bits)));
    }
}

static void test_field_macro(void **state)
{
    (void)state;
    uint32_t word = W(SEMWAIT) | V(SEMWAIT, wait_sem_cond, 2) | V(SEMWAIT, sem_sel, 0x81) |
                    V(SEMWAIT, stall_res, 0x142);
    assert_int_equal(word, 0xA6A10206);
    assert_int_equal(TF_FIELD(word, SEMWAIT, wait_sem_cond), 2);
    assert_int_equal(TF_FIELD(word, SEMWAIT, sem_sel), 0x81);
    assert_int_equal(TF_FIELD(word, SEMWAIT, stall_res), 0x142);
}

/* Matrix instructions that wait for SrcA and SrcB on their own (pages of MVMUL, MOVA2D and so on). */
static void test_src_flags(void **state)
{
    (void)state;
    static const struct {
        uint8_t opcode;
        unsigned flags;
    } rows[] = {
        {TF_OP_MVMUL, TF_TENSIX_SRCA | TF_TENSIX_SRCB},
        {TF_OP_ELWMUL, TF_TENSIX_SRCA | TF_TENSIX_SRCB},
        {TF_OP_ELWADD, TF_TENSIX_SRCA | TF_TENSIX_SRCB},
        {TF_OP_ELWSUB, TF_TENSIX_SRCA | TF_TENSIX_SRCB},
        {TF_OP_GMPOOL, TF_TENSIX_SRCA | TF_TENSIX_SRCB},
        {TF_OP_GAPOOL, TF_TENSIX_SRCA | TF_TENSIX_SRCB},
        {TF_OP_DOTPV, TF_TENSIX_SRCA | TF_TENSIX_SRCB},
        {TF_OP_MOVA2D, TF_TENSIX_SRCA},
        {TF_OP_SHIFTXA, TF_TENSIX_SRCA},
        {TF_OP_MOVB2D, TF_TENSIX_SRCB},
        {TF_OP_MOVB2A, TF_TENSIX_SRCB},
        {TF_OP_SHIFTXB, TF_TENSIX_SRCB},
        {TF_OP_TRNSPSRCB, TF_TENSIX_SRCB},
        {TF_OP_MOVD2A, 0},
        {TF_OP_MOVD2B, 0},
        {TF_OP_MOVDBGA2D, 0},
        {TF_OP_ZEROSRC, 0},
        {TF_OP_ZEROACC, 0},
        {TF_OP_SETRWC, 0},
        {TF_OP_CLEARDVALID, 0},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(tf_tensix_ops[rows[i].opcode].flags & (TF_TENSIX_SRCA | TF_TENSIX_SRCB), rows[i].flags);
}

static void test_units(void **state)
{
    (void)state;
    static const struct {
        uint8_t opcode, unit;
        const char *name;
    } rows[] = {
        {TF_OP_MOP, TF_UNIT_FRONTEND, "frontend"}, {TF_OP_SEMPOST, TF_UNIT_SYNC, "sync"},
        {TF_OP_UNPACR, TF_UNIT_UNPACK, "unpack"},  {TF_OP_MVMUL, TF_UNIT_MATRIX, "matrix"},
        {TF_OP_PACR, TF_UNIT_PACK, "pack"},        {TF_OP_SFPMAD, TF_UNIT_VECTOR, "vector"},
        {TF_OP_ATCAS, TF_UNIT_SCALAR, "scalar"},   {TF_OP_WRCFG, TF_UNIT_CONFIG, "config"},
        {TF_OP_XMOV, TF_UNIT_MOVER, "mover"},      {TF_OP_SETADC, TF_UNIT_MISC, "misc"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(tf_tensix_ops[rows[i].opcode].unit, rows[i].unit);
        assert_string_equal(tf_tensix_unit_name(rows[i].unit), rows[i].name);
    }
    assert_string_equal(tf_tensix_unit_name(TF_UNITS), "-");
    /* STALLWAIT.md, "Block mask": the bits that hold an instruction say where it is executed. */
    static const uint16_t block_of[TF_UNITS] = {
        [TF_UNIT_FRONTEND] = 0,  [TF_UNIT_SYNC] = 0x002,   [TF_UNIT_UNPACK] = 0x009, [TF_UNIT_MATRIX] = 0x040,
        [TF_UNIT_PACK] = 0x005,  [TF_UNIT_VECTOR] = 0x100, [TF_UNIT_SCALAR] = 0x021, [TF_UNIT_CONFIG] = 0x080,
        [TF_UNIT_MOVER] = 0x011, [TF_UNIT_MISC] = 0x001,
    };
    for (unsigned i = 0; i < LISTED; i++) {
        const struct tf_tensix_op *op = tf_tensix_op(listed[i].opcode);
        if (op->block == TF_BLOCK_ALL)
            assert_int_equal(op->unit, TF_UNIT_SYNC);
        else if (op->block != block_of[op->unit])
            fail_msg("%s: unit %s, block bits 0x%03x", op->mnemonic, tf_tensix_unit_name(op->unit), op->block);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_opcode),    cmocka_unit_test(test_reserved_bits),
        cmocka_unit_test(test_unknown_opcodes), cmocka_unit_test(test_fields),
        cmocka_unit_test(test_field_macro),     cmocka_unit_test(test_src_flags),
        cmocka_unit_test(test_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
