/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Features that one family has and the other lacks: their use is a fault that names the family that lacks them. More of
 * Wormhole's are in test_wormhole.c, and those of the command in test_command.sh.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "chip_wish.h"
#include "farm/chip/chip.h"
#include "tile/mmio/map/map.h"
#include "tile/tensix/isa/isa.h"
#include "tilefarm/tilefarm_chip.h"
#include "tilefarm_address.h"

#define PUSH TF_INSTRN_BUF_BASE

enum { STORES = 1, LOADS = 2, BOTH = 3 };

/* A register, or a word that T0 pushes, and what the fault says. */
struct row {
    uint32_t address, word;
    unsigned how;
    const char *says;
};

static struct tf_chip *start(const char *family)
{
    struct tf_chip *chip = NULL;
    struct chip_wish config;
    struct tf_message message;
    chip_wish_init(&config);
    config.arch = tf_arch_find(family);
    config.threads = 1;
    config.go_on_after_fault = true;
    assert_non_null(config.arch);
    if (chip_wish_create(&config, &chip, &message) != TF_OK)
        fail_msg("%s", message.text);
    return chip;
}

/* The last fault; the host's write wakes the tile, which the test reaches past the farm. */
static void expect(struct tf_chip *chip, uint32_t address, const char *says)
{
    struct tf_coord coord;
    struct tf_fault fault;
    enum tf_end end;
    uint32_t nothing = 0;
    assert_int_equal(tf_tile_coord(tf_chip_arch(chip), 0, &coord), TF_OK);
    assert_int_equal(tf_write(chip, coord, 0x70000, &nothing, sizeof nothing), TF_OK);
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    size_t count = tf_fault_count(chip);
    if (count == 0)
        fail_msg("0x%08x: no fault", address);
    assert_int_equal(tf_fault_get(chip, count - 1, &fault), TF_OK);
    if (strstr(fault.text, says) == NULL)
        fail_msg("0x%08x: '%s' says nothing of '%s'", address, fault.text, says);
}

/* Each on a chip of its own. */
static void try(const char *family, const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (unsigned how = STORES; how <= LOADS; how++) {
            if ((rows[i].how & how) == 0)
                continue;
            struct tf_chip *chip = start(family);
            struct tf_tile *tile = &chip->tiles.tile[0];
            uint32_t value;
            bool pure;
            if (rows[i].address == PUSH)
                tf_mmio_store(tile, TF_CORE_T0, PUSH, 4, rows[i].word);
            else if (how == STORES)
                assert_int_equal(tf_mmio_store(tile, TF_CORE_B, rows[i].address, 4, rows[i].word), TF_ACCESS_FAULT);
            else
                assert_int_equal(tf_mmio_load(tile, TF_CORE_B, rows[i].address, 4, &value, &pure), TF_ACCESS_FAULT);
            expect(chip, rows[i].address == PUSH ? rows[i].word : rows[i].address, rows[i].says);
            tf_chip_destroy(chip);
        }
}

#define OP(op, fields) ((uint32_t)TF_OP_##op << 24 | (fields))

static void test_blackhole(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {0xFFC00000, 1, BOTH, "(0xFFC00000 on Blackhole)"}, /* NC's instruction RAM */
        {TF_NIU_BASE(0) + 0x54, 1, STORES, "NIU 0, register 0x54: not implemented (Blackhole)"},
        {TF_NIU_BASE(0) + 0x54, 1, LOADS, "(0xFFB20054 on Blackhole)"}, /* the combined status of initiators */
        {TF_NIU_BASE(0) + 0x300, 1, STORES, "register 0x300: not implemented (Blackhole)"},
        {TF_TDMA_BASE + 0x80, 1, BOTH, "there is no such register (Blackhole)"},
        {0xFFB02000, 1, BOTH, "on Blackhole)"},
        {PUSH, OP(ATGETM, 0xFFFF), STORES, "there is no mutex 65535 on Blackhole"},
        {PUSH, OP(UNPACR_NOP, 7), STORES, "no page describes Blackhole's form"},
        {PUSH, OP(WRCFG, 0x7FF), STORES, "configuration of Blackhole has no word 2047"},
        {PUSH, OP(SETC16, 0xFF << 16), STORES, "thread configuration of Blackhole has no word 255"},
        {PUSH, OP(LOADREG, 0x30000), STORES, "on Blackhole: "}, /* beyond what the pages list */
    };
    try("blackhole", rows, sizeof rows / sizeof rows[0]);
}

static void test_wormhole(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {TF_NIU_BASE(0) + 0x8, 1, STORES,
         "NIU 0, register 0x8: there is no such register (Wormhole)"}, /* coordinates */
        {TF_NIU_BASE(0) + 0x40, 1, STORES,
         "register 0x40: there is no such register (Wormhole)"}, /* Blackhole's command */
        {TF_NIU_BASE(0) + 0x3C, 1, LOADS, "(0xFFB2003C on Wormhole)"},
        {TF_TDMA_BASE + 0x40, 1, BOTH, "there is no such register (Wormhole)"},
        {PUSH, OP(WRCFG, 200), STORES, "configuration of Wormhole has no word 200"},
        {PUSH, OP(RDCFG, 200), STORES, "configuration of Wormhole has no word 200"},
        {PUSH, OP(RMWCIB0, 200), STORES, "configuration of Wormhole has no word 200"},
        {PUSH, OP(SETC16, 57 << 16), STORES, "thread configuration of Wormhole has no word 57"},
        {PUSH, OP(REG2FLOP, 0x7F << 6), STORES, "THCON configuration of Wormhole has no word 127"},
        {PUSH, OP(LOADREG, 0x36000), STORES, "on Wormhole: "},
    };
    try("wormhole", rows, sizeof rows / sizeof rows[0]);
}

/* Each family's NIU is given a request to a node that only the other one has. */
static void test_nodes(void **state)
{
    (void)state;
    struct tf_chip *chip = start("blackhole");
    static const uint32_t command[][2] = {{0x00, 0x1000}, {0x08, 25 | 24 << 6},
                                          {0x0C, 0x2000}, {0x14, 1 | 2 << 6},
                                          {0x20, 4},      {0x40, 1}};
    for (size_t i = 0; i < sizeof command / sizeof command[0]; i++)
        tf_mmio_store(&chip->tiles.tile[0], TF_CORE_B, TF_NIU_BASE(0) + command[i][0], 4, command[i][1]);
    expect(chip, TF_NIU_BASE(0) + 0x40, "(Blackhole)");
    tf_chip_destroy(chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blackhole),
        cmocka_unit_test(test_wormhole),
        cmocka_unit_test(test_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
