/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every opcode of Wormhole's coprocessor, each on a tile of its own: it executes, or it is a fault that says why. The
 * results of the instructions are tested by conformance/tensix/units_wormhole.inc, and by the tests of Blackhole's,
 * which have the same functions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tile/mmio/map/map.h"
#include "unless_hostile.h"
#include "conformance/family/wormhole_chip.h"
#include "farm/chip/chip.h"
#include "random.h"
#include "tile/tensix/isa/family.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/state.h"
#include "tilefarm_address.h"

#define PUSH TF_INSTRN_BUF_BASE
#define IDLE TF_DONE_CHECK

enum outcome { RUNS, ABSENT, DROPPED, UNDESCRIBED };

/* Fields that an instruction needs beside its opcode. */
static const struct row {
    uint8_t opcode;
    enum outcome outcome;
    uint32_t fields;
} rows[] = {
    {TF_OP_MOP, RUNS, 0},
    {TF_OP_NOP, RUNS, 0},
    {TF_OP_MOP_CFG, RUNS, 0},
    {TF_OP_REPLAY, RUNS, 1 | 1 << 4},
    {TF_OP_RESOURCEDECL, ABSENT, 0},
    {TF_OP_MOVD2A, RUNS, 0},
    {TF_OP_MOVDBGA2D, RUNS, 0},
    {TF_OP_MOVD2B, RUNS, 0},
    {TF_OP_MOVB2A, RUNS, 0},
    {TF_OP_MOVDBGB2D, ABSENT, 0},
    {TF_OP_ZEROACC, RUNS, 0},
    {TF_OP_ZEROSRC, RUNS, 0},
    {TF_OP_MOVA2D, RUNS, 0},
    {TF_OP_MOVB2D, RUNS, 0},
    {TF_OP_TRNSPSRCA, UNDESCRIBED, 0},
    {TF_OP_RAREB, UNDESCRIBED, 0},
    {TF_OP_TRNSPSRCB, RUNS, 0},
    {TF_OP_SHIFTXA, RUNS, 2},
    {TF_OP_SHIFTXB, RUNS, 0},
    {TF_OP_SETASHRMH0, UNDESCRIBED, 0},
    {TF_OP_SETASHRMH1, UNDESCRIBED, 0},
    {TF_OP_SETASHRMV, UNDESCRIBED, 0},
    {TF_OP_SETPKEDGOF, UNDESCRIBED, 0},
    {TF_OP_SETASHRMH, UNDESCRIBED, 0},
    {TF_OP_CLREXPHIST, RUNS, 0},
    {TF_OP_CONV3S1, DROPPED, 0},
    {TF_OP_CONV3S2, DROPPED, 0},
    {TF_OP_MPOOL3S1, DROPPED, 0},
    {TF_OP_APOOL3S1, DROPPED, 0},
    {TF_OP_MVMUL, RUNS, 0},
    {TF_OP_ELWMUL, RUNS, 0},
    {TF_OP_ELWADD, RUNS, 0},
    {TF_OP_DOTPV, RUNS, 0},
    {TF_OP_ELWSUB, RUNS, 0},
    {TF_OP_MPOOL3S2, DROPPED, 0},
    {TF_OP_APOOL3S2, DROPPED, 0},
    {TF_OP_GMPOOL, RUNS, 1u << 19},
    {TF_OP_GAPOOL, RUNS, 0},
    {TF_OP_GATESRCRST, RUNS, 0},
    {TF_OP_CLEARDVALID, RUNS, 0},
    {TF_OP_SETRWC, RUNS, 0},
    {TF_OP_INCRWC, RUNS, 0},
    {TF_OP_SETIBRWC, UNDESCRIBED, 0},
    {TF_OP_MFCONV3S1, DROPPED, 0},
    {TF_OP_XMOV, RUNS, 0},
    {TF_OP_PACR, RUNS, 1u << 8 | 1},
    {TF_OP_UNPACR, RUNS, 1},
    {TF_OP_UNPACR_NOP, RUNS, 1},
    {TF_OP_RSTDMA, UNDESCRIBED, 0},
    {TF_OP_SETDMAREG, RUNS, 0},
    {TF_OP_FLUSHDMA, RUNS, 0},
    {TF_OP_REG2FLOP, RUNS, 0},
    {TF_OP_LOADIND, RUNS, 0},
    {TF_OP_PACR_SETREG, RUNS, 0x800F02 | 0x11 << 2},
    {TF_OP_TBUFCMD, UNDESCRIBED, 0},
    {TF_OP_SETADC, RUNS, 0},
    {TF_OP_SETADCXY, RUNS, 0},
    {TF_OP_INCADCXY, RUNS, 0},
    {TF_OP_ADDRCRXY, RUNS, 0},
    {TF_OP_SETADCZW, RUNS, 0},
    {TF_OP_INCADCZW, RUNS, 0},
    {TF_OP_ADDRCRZW, RUNS, 0},
    {TF_OP_SETDVALID, RUNS, 0},
    {TF_OP_ADDDMAREG, RUNS, 0},
    {TF_OP_SUBDMAREG, RUNS, 0},
    {TF_OP_MULDMAREG, RUNS, 0},
    {TF_OP_BITWOPDMAREG, RUNS, 0},
    {TF_OP_SHIFTDMAREG, RUNS, 0},
    {TF_OP_CMPDMAREG, RUNS, 0},
    {TF_OP_SETADCXX, RUNS, 0},
    {TF_OP_DMANOP, RUNS, 0},
    {TF_OP_ATINCGET, RUNS, 0},
    {TF_OP_ATINCGETPTR, RUNS, 0},
    {TF_OP_ATSWAP, RUNS, 0},
    {TF_OP_ATCAS, RUNS, 0},
    {TF_OP_STOREIND, RUNS, 0},
    {TF_OP_STOREREG, RUNS, 0x10003},
    {TF_OP_LOADREG, RUNS, 0x10003},
    {TF_OP_SFPLOAD, RUNS, 0},
    {TF_OP_SFPLOADI, RUNS, 0},
    {TF_OP_SFPSTORE, RUNS, 0},
    {TF_OP_SFPLUT, RUNS, 0},
    {TF_OP_SFPMULI, RUNS, 0},
    {TF_OP_SFPADDI, RUNS, 0},
    {TF_OP_SFPDIVP2, RUNS, 0},
    {TF_OP_SFPEXEXP, RUNS, 0},
    {TF_OP_SFPEXMAN, RUNS, 0},
    {TF_OP_SFPIADD, RUNS, 0},
    {TF_OP_SFPSHFT, RUNS, 0},
    {TF_OP_SFPSETCC, RUNS, 0},
    {TF_OP_SFPMOV, RUNS, 0},
    {TF_OP_SFPABS, RUNS, 0},
    {TF_OP_SFPAND, RUNS, 0},
    {TF_OP_SFPOR, RUNS, 0},
    {TF_OP_SFPNOT, RUNS, 0},
    {TF_OP_SFPLZ, RUNS, 0},
    {TF_OP_SFPSETEXP, RUNS, 0},
    {TF_OP_SFPSETMAN, RUNS, 0},
    {TF_OP_SFPMAD, RUNS, 0},
    {TF_OP_SFPADD, RUNS, 0},
    {TF_OP_SFPMUL, RUNS, 0},
    {TF_OP_SFPPUSHC, RUNS, 0},
    {TF_OP_SFPPOPC, RUNS, 0},
    {TF_OP_SFPSETSGN, RUNS, 0},
    {TF_OP_SFPENCC, RUNS, 0},
    {TF_OP_SFPCOMPC, RUNS, 0},
    {TF_OP_SFPTRANSP, RUNS, 0},
    {TF_OP_SFPXOR, RUNS, 0},
    {TF_OP_SFP_STOCH_RND, RUNS, 0},
    {TF_OP_SFPNOP, RUNS, 0},
    {TF_OP_SFPCAST, RUNS, 0},
    {TF_OP_SFPCONFIG, RUNS, 0},
    {TF_OP_SFPSWAP, RUNS, 0},
    {TF_OP_SFPLOADMACRO, RUNS, 0},
    {TF_OP_SFPSHFT2, RUNS, 0},
    {TF_OP_SFPLUTFP32, RUNS, 0},
    {TF_OP_SFPLE, ABSENT, 0},
    {TF_OP_SFPGT, ABSENT, 0},
    {TF_OP_SFPMUL24, ABSENT, 0},
    {TF_OP_SFPARECIP, ABSENT, 0},
    {TF_OP_ATGETM, RUNS, 0},
    {TF_OP_ATRELM, RUNS, 0},
    {TF_OP_STALLWAIT, RUNS, 0},
    {TF_OP_SEMINIT, RUNS, 0},
    {TF_OP_SEMPOST, RUNS, 0},
    {TF_OP_SEMGET, RUNS, 0},
    {TF_OP_SEMWAIT, RUNS, 1u << 2 | 1 | 1u << 15},
    {TF_OP_STREAMWAIT, ABSENT, 0},
    {TF_OP_WRCFG, RUNS, 0},
    {TF_OP_RDCFG, RUNS, 0},
    {TF_OP_SETC16, RUNS, 0},
    {TF_OP_RMWCIB0, RUNS, 0},
    {TF_OP_RMWCIB1, RUNS, 0},
    {TF_OP_RMWCIB2, RUNS, 0},
    {TF_OP_RMWCIB3, RUNS, 0},
    {TF_OP_STREAMWRCFG, ABSENT, 0},
    {TF_OP_CFGSHIFTMASK, ABSENT, 0},
};

#define ROWS (sizeof rows / sizeof rows[0])

/* Push to T0 of a tile, which the next run visits. */
static enum tf_access push(struct tf_chip *chip, unsigned tile, uint32_t word)
{
    struct tf_coord at;
    const uint32_t zero = 0;
    assert_int_equal(tf_tile_coord(tf_chip_arch(chip), tile, &at), TF_OK);
    enum tf_access access = tf_mmio_store(&chip->tiles.tile[tile], TF_CORE_T0, PUSH, 4, word);
    assert_int_equal(tf_write(chip, at, 0x70000, &zero, sizeof zero), TF_OK);
    return access;
}

/* The part of a fault's sentence; NULL: there is none. */
static const char *expected(enum outcome outcome)
{
    static const char *const part[] = {
        [ABSENT] = "Wormhole has no",
        [DROPPED] = "",
        [UNDESCRIBED] = "no page defines",
    };
    return part[outcome];
}

static void check(struct tf_chip *chip, unsigned tile, const struct row *row)
{
    const struct tf_tensix_op *op = tf_tensix_op(row->opcode);
    size_t before = tf_fault_count(chip);
    enum tf_end end;
    assert_non_null(op);
    enum tf_access access = push(chip, tile, (uint32_t)row->opcode << 24 | row->fields);
    assert_int_equal(access, row->outcome == ABSENT ? TF_ACCESS_FAULT : TF_ACCESS_OK);
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    struct tf_fault fault = {.text = ""};
    if (tf_fault_count(chip) != before)
        assert_int_equal(tf_fault_get(chip, tf_fault_count(chip) - 1, &fault), TF_OK);
    const char *part = expected(row->outcome);
    if (part == NULL && fault.text[0] != '\0')
        fail_msg("%s: %s", op->mnemonic, fault.text);
    if (part != NULL && (strstr(fault.text, part) == NULL || strstr(fault.text, op->mnemonic) == NULL))
        fail_msg("%s: '%s' says nothing of '%s'", op->mnemonic, fault.text, part);
    if (part == NULL && chip->tiles.tile[tile].tensix->thread[0].fifo.count != 0)
        fail_msg("%s waits", op->mnemonic);
}

static void configure(struct tf_chip *chip, unsigned tile, uint32_t word, uint32_t value)
{
    struct tf_tile *at = &chip->tiles.tile[tile];
    assert_int_equal(tf_mmio_store(at, TF_CORE_B, TF_CFG_BASE + 4 * word, 4, value), TF_ACCESS_OK);
}

/*
 * Both banks belong to the matrix unit, since its instructions wait for them. Unpackers and packers have formats
 * (BackendConfiguration.md), the MOP expander has a NOP, and the flag stack has an entry.
 */
static void prepare(struct tf_chip *chip, unsigned tile, uint8_t opcode)
{
    enum { INT32 = 8, BF16 = 5 };
    struct tf_tile *at = &chip->tiles.tile[tile];
    if (tf_tensix_op(opcode)->unit == TF_UNIT_MATRIX)
        push(chip, tile, (uint32_t)TF_OP_SETDVALID << 24 | 3);
    if (opcode == TF_OP_SFPPOPC)
        push(chip, tile, (uint32_t)TF_OP_SFPPUSHC << 24);
    assert_int_equal(tf_mmio_store(at, TF_CORE_T0, TF_MOP_CFG_BASE + 4 * 3, 4, (uint32_t)TF_OP_NOP << 24),
                     TF_ACCESS_OK);
    configure(chip, tile, 1, INT32 << 25);                  /* ALU_FORMAT_SPEC_REG2_Dstacc */
    configure(chip, tile, 14, 1);                           /* PCK_DEST_RD_CTRL_Read_32b_data */
    configure(chip, tile, 52, BF16 | 1 << 4 | 16 << 16);    /* THCON_SEC0_REG0_TileDescriptor */
    configure(chip, tile, 58, INT32 << 4 | INT32 << 8 | 1); /* THCON_SEC0_REG1 */
    configure(chip, tile, 60, BF16);                        /* THCON_SEC0_REG2_Out_data_format */
}

static void test_opcodes(void **state)
{
    (void)state;
    SKIP_WHEN_HOSTILE("a FIFO holds less");
    struct tf_chip *chip = wormhole_chip();
    const unsigned tiles = 80;
    for (unsigned i = 0; i < ROWS; i++) {
        if (i != 0 && i % tiles == 0) {
            tf_chip_destroy(chip);
            chip = wormhole_chip();
        }
        prepare(chip, i % tiles, rows[i].opcode);
        check(chip, i % tiles, &rows[i]);
    }
    tf_chip_destroy(chip);
}

/* No opcode is missing, and none is listed twice. */
static void test_all(void **state)
{
    (void)state;
    unsigned count = 0;
    bool listed[256] = {false};
    for (unsigned i = 0; i < ROWS; i++) {
        assert_false(listed[rows[i].opcode]);
        listed[rows[i].opcode] = true;
    }
    for (unsigned opcode = 0; opcode < 256; opcode++) {
        count += tf_tensix_op((uint8_t)opcode) != NULL;
        assert_int_equal(listed[opcode], tf_tensix_op((uint8_t)opcode) != NULL);
    }
    assert_int_equal(count, ROWS);
}

/* A word that has another form on Blackhole comes back as a word with the same meaning. */
static void test_own_words(void **state)
{
    (void)state;
    const struct tf_tile_arch *arch = &tf_arch_wormhole.tile[TF_TILE_TENSIX];
    uint64_t seed = 1;
    unsigned moved = 0;
    for (unsigned i = 0; i < 1000000; i++) {
        uint32_t given = (uint32_t)test_random(&seed), word = given;
        if (tf_family_word(arch, &word) != TF_WORD_RIGHT)
            continue;
        uint32_t own = tf_family_own_word(arch, word);
        assert_int_equal(tf_family_word(arch, &own), TF_WORD_RIGHT);
        assert_int_equal(own, word);
        moved += given != word;
    }
    assert_true(moved > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all), cmocka_unit_test(test_opcodes),
                                       cmocka_unit_test(test_own_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
