/* SPDX-License-Identifier: Apache-2.0 */
/* Wormhole B0 outside its Tensix tiles: boards, and all places that report them. docs/wormhole.md calls these tests
   C. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "chip_wish.h"
#include "farm/chip/chip.h"
#include "noc/nodes/arc.h"
#include "noc/coords.h"
#include "noc/nodes/pcie.h"
#include "tilefarm/tilefarm_chip.h"
#include "addresses.h"
#include "wormhole/tilefarm_family.h"

#define NIU0 TF_NIU_BASE(0)
#define HARVESTING 0x57u

static const struct tf_coord arc = {0, 10};

static struct tf_chip *chip_on(const char *board, const char *rows)
{
    const struct tf_board_text text = {.name = board, .rows = rows};
    struct chip_wish config;
    struct tf_message message = {""};
    struct tf_chip *chip = NULL;
    chip_wish_init(&config);
    config.arch = tf_arch_find("wormhole");
    config.threads = 1;
    if (tf_board_parse(config.arch, &text, &config.board, &message) != TF_OK ||
        chip_wish_create(&config, &chip, &message) != TF_OK)
        fail_msg("%s", message.text);
    return chip;
}

static uint32_t word_at(struct tf_chip *chip, struct tf_coord node, uint64_t address)
{
    uint32_t word = 0;
    assert_int_equal(tf_read(chip, node, address, &word, sizeof word), TF_OK);
    return word;
}

static void put_word(struct tf_chip *chip, struct tf_coord node, uint64_t address, uint32_t word)
{
    assert_int_equal(tf_write(chip, node, address, &word, sizeof word), TF_OK);
}

/* The answer to a message without arguments, in scratch register 3 of the reset unit. */
static uint32_t message(struct tf_chip *chip, uint32_t code)
{
    put_word(chip, arc, 0x880030074, 0xAA00 | code);
    put_word(chip, arc, 0x880030100, 1 << 16);
    assert_int_equal(word_at(chip, arc, 0x880030100), 0);
    return word_at(chip, arc, 0x880030074) == code ? word_at(chip, arc, 0x88003006C) : UINT32_MAX;
}

static unsigned row_named(struct tf_chip *chip, unsigned y)
{
    uint16_t node = tf_niu_node_of(&chip->fabric->node[chip->arch->pcie_node].niu[0], 18 | y << 6);
    assert_int_not_equal(node, TF_NO_NODE);
    return chip->fabric->node[node].coord.y;
}

/* NoC/Coordinates.md: two rows are off as in its example, and their names come last. */
static void test_rows(void **state)
{
    (void)state;
    static const uint8_t rows[10] = {1, 2, 3, 4, 5, 8, 9, 11, 7, 10};
    const struct tf_coord off = {3, 7}, on = {3, 8};
    struct tf_chip *chip = chip_on(NULL, "7,10");
    struct tf_shape shape;
    tf_arch_shape(tf_chip_arch(chip), &shape);
    assert_int_equal(shape.tensix_tiles, 64);
    for (unsigned i = 0; i < 10; i++)
        assert_int_equal(row_named(chip, 18 + i), rows[i]);
    assert_int_equal(row_named(chip, 16), 0);
    assert_int_equal(row_named(chip, 17), 6);
    assert_int_equal(word_at(chip, on, NIU0 + 0x138), 20 | 23 << 6);
    assert_int_equal(word_at(chip, on, NIU0 + 0x110), 1 << 0 | 1 << 6 | 1 << 7 | 1 << 10);
    assert_int_equal(tf_node_kind(tf_chip_arch(chip), off), TF_NODE_EMPTY);
    assert_int_equal(word_at(chip, off, 0xF00000000 + NIU0 + 0x100), 1 << 14 | 1 << 12); /* NIU_CFG_0 */
    assert_int_equal(word_at(chip, on, NIU0 + 0x100), 1 << 14);
    uint32_t word = 0;
    assert_int_not_equal(tf_write(chip, off, 0x20000, &word, sizeof word), TF_OK);
    tf_chip_destroy(chip);
}

static void run(struct tf_chip *chip)
{
    enum tf_end end;
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    assert_int_equal(tf_fault_count(chip), 0);
}

/* EthernetTile/SoftReset.md: the core starts at the value of 0xFFB9409C, which is 0 after power-on. */
static void test_ethernet_starts_at_0(void **state)
{
    (void)state;
    struct tf_chip *chip = chip_on(NULL, NULL);
    static const struct tf_coord eth = {1, 0};
    static const uint32_t program[] = {
        0x00000297, /* auipc x5, 0 */
        0x00010337, /* lui x6, 0x10 */
        0x00532023, /* sw x5, 0(x6) */
        0x0000006F, /* jal x0, 0 */
    };
    put_word(chip, eth, DEBUG_AT(SOFT_RESET_0), 0x47800);
    put_word(chip, eth, DEBUG_AT(SOFT_RESET_0), 0x47000);
    run(chip); /* nothing is there: the firmware goes on */
    put_word(chip, eth, DEBUG_AT(SOFT_RESET_0), 0x47800);
    put_word(chip, eth, 0, 0x1000006F); /* jal x0, 0x100 */
    for (unsigned i = 0; i < 4; i++)
        put_word(chip, eth, 0x100 + 4 * i, program[i]);
    assert_int_equal(word_at(chip, eth, 0x10000), 0);
    put_word(chip, eth, DEBUG_AT(SOFT_RESET_0), 0x47000);
    run(chip);
    assert_int_equal(word_at(chip, eth, 0x10000), 0x100);
    tf_chip_destroy(chip);
}

/* The order of the die is 11, 1, 10, 2, 9, 3, 8, 4, 7, 5. */
static void test_boards(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned tiles;
        uint32_t harvested, board_high, mask;
    } boards[] = {{"n150-full", 80, 0, 0x180, 0},
                  {"n150", 72, 1 << 6, 0x180, 1 << 6},
                  {"n300", 64, 1 << 6 | 1 << 1, 0x140, 1 << 6 | 1 << 0}};
    for (unsigned i = 0; i < 3; i++) {
        struct tf_chip *chip = chip_on(boards[i].name, NULL);
        char text[2048], mask[40], type[40];
        struct tf_shape shape;
        tf_arch_shape(tf_chip_arch(chip), &shape);
        assert_int_equal(shape.tensix_tiles, boards[i].tiles);
        assert_int_equal(message(chip, HARVESTING), boards[i].harvested);
        uint64_t values = word_at(chip, arc, 0x8800301D4); /* as tt-umd looks for them; the first tag is the board */
        assert_int_equal(word_at(chip, arc, 0x800000000 + values), boards[i].board_high);
        tf_describe_cluster(tf_chip_arch(chip), text, sizeof text);
        snprintf(mask, sizeof mask, " harvest_mask: %u\n", boards[i].mask);
        snprintf(type, sizeof type, "board_type: %.4s\n", boards[i].name);
        assert_non_null(strstr(text, mask));
        assert_non_null(strstr(text, type));
        assert_non_null(strstr(text, "0: wormhole_b0\n"));
        tf_chip_destroy(chip);
    }
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        struct tf_board_text text;
        const char *part;
    } cases[] = {{{.name = "p150"}, "boards: n150-full, n150, n300"},
                 {{.columns = "1"}, "this family fuses off rows of Tensix tiles, not columns"},
                 {{.rows = "6"}, "a row that is fused off has no Tensix tiles"},
                 {{.rows = "1,2,3,4,5,7,8,9,10,11"}, "all rows"},
                 {{.banks = "1"}, "this family fuses off neither"},
                 {{.eth = "1"}, "this family fuses off neither"}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tf_board board;
        struct tf_message why = {""};
        assert_int_equal(tf_board_parse(tf_arch_find("wormhole"), &cases[i].text, &board, &why), TF_EINVAL);
        if (strstr(why.text, cases[i].part) == NULL)
            fail_msg("%s", why.text);
    }
    struct tf_message why = {""};
    struct tf_board board;
    assert_int_equal(tf_board_parse(NULL, &(struct tf_board_text){.rows = "3"}, &board, &why), TF_EINVAL);
    assert_non_null(strstr(why.text, "this family fuses off columns of Tensix tiles, not rows"));
}

/* ResetUnit.md, and tt-umd's wormhole_arc_messenger.cpp: a message that the firmware does not know. */
static void test_messages(void **state)
{
    (void)state;
    struct tf_chip *chip = chip_on(NULL, NULL);
    assert_int_equal(message(chip, 0x58), 1);
    assert_int_equal(message(chip, 0x34), 1000);
    assert_int_equal(message(chip, 0x99), UINT32_MAX);
    assert_int_equal(word_at(chip, arc, 0x880030074), UINT32_MAX);
    tf_chip_destroy(chip);
}

/* tt-umd, WormholeTTDevice::configure_iatu_region(): region, target and size in CSM; from the host alone. */
static void test_message_sets_region(void **state)
{
    (void)state;
    static const struct {
        uint32_t region, bytes;
        bool right;
    } cases[] = {
        {0, 0x40000000, true}, {4, 0x30000000, true}, {4, 0x40000000, false}, {16, 0x1000, false}, {1, 0, false}};
    struct tf_chip *chip = chip_on(NULL, NULL);
    struct tf_node *pcie = &chip->fabric->node[chip->arch->pcie_node];
    struct tf_node *arc_node = &chip->fabric->node[arc.y * chip->arch->grid_x + arc.x];
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint32_t words[] = {cases[i].region, 0x12345000 + i, 0x67, cases[i].bytes};
        for (unsigned k = 0; k < 4; k++)
            put_word(chip, arc, 0x8100783C4 + 4 * k, words[k]);
        message(chip, 0x97);
        assert_int_equal(word_at(chip, arc, 0x880030074), cases[i].right ? 0x97 : UINT32_MAX);
        uint32_t base = cases[i].region * cases[i].bytes;
        const uint32_t set[] = {0, 1u << 31, base, 0, base + cases[i].bytes - 1, words[1], words[2]};
        for (unsigned k = 0; k < 7 && cases[i].right; k++) {
            uint32_t word;
            assert_null(tf_pcie_load(pcie->pcie, 0x1200 + 0x200 * cases[i].region + 4 * k, &word));
            assert_int_equal(word, set[k]);
        }
    }
    put_word(chip, arc, 0x8100783C4, 0);
    put_word(chip, arc, 0x8100783D0, 0x1000);
    assert_null(tf_arc_store(arc_node->arc, 0x30074, 0xAA97)); /* as a request of a tile */
    assert_null(tf_arc_store(arc_node->arc, 0x30100, 1 << 16));
    assert_int_equal(word_at(chip, arc, 0x880030074), UINT32_MAX);
    tf_chip_destroy(chip);
}

/* tt-umd's smbus_arc_telemetry_reader.hpp: the place where it reads the older telemetry before any message. */
static void test_older_telemetry(void **state)
{
    (void)state;
    enum { BUNDLE = 49 };
    const uint64_t known = 0x820078D60, csm = 0x810000000;
    uint32_t two[2];
    struct tf_chip *chip = chip_on("n300", NULL);
    assert_int_equal(word_at(chip, arc, known + 4 * BUNDLE), 0x12040000);
    assert_int_equal(word_at(chip, arc, csm + message(chip, 0x2C) + 4 * BUNDLE), 0x12040000);
    put_word(chip, arc, csm + 0x10, 7);
    assert_int_equal(word_at(chip, arc, known + 0x10), 7);
    put_word(chip, arc, known + 0xFC, 9);
    assert_int_equal(word_at(chip, arc, csm + 0xFC), 9);
    assert_int_not_equal(tf_read(chip, arc, known - 4, two, 4), TF_OK);
    assert_int_not_equal(tf_read(chip, arc, known + 0xFC, two, 8), TF_OK);
    tf_chip_destroy(chip);
}

static uint32_t tagged(struct tf_chip *chip, unsigned tag)
{
    uint64_t table = 0x800000000 + word_at(chip, arc, 0x8800301D0),
             values = 0x800000000 + word_at(chip, arc, 0x8800301D4);
    uint32_t entries = word_at(chip, arc, table + 4);
    assert_in_range(entries, 1, 62);
    for (unsigned i = 0; i < entries; i++) {
        uint32_t entry = word_at(chip, arc, table + 8 + 4 * i);
        if ((entry & 0xFFFF) == tag)
            return word_at(chip, arc, values + 4 * (entry >> 16));
    }
    fail_msg("no telemetry with tag %u", tag);
    return 0;
}

/* ARCTile/Telemetry.md: every tag of its first table, and every word of the second one that comes from a tag. */
static void test_telemetry(void **state)
{
    (void)state;
    static const uint8_t tags[] = {1,  2,  5,  6,  9,  7,  64, 8,  55, 13, 11, 56, 10, 31, 14,
                                   63, 15, 16, 22, 23, 21, 28, 24, 29, 57, 27, 26, 58, 40, 52};
    static const struct {
        uint8_t word, low, shift, high;
    } words[] = {
        {4, 1, 0, 0},   {5, 2, 0, 0},    {6, 29, 0, 0},   {11, 24, 0, 0}, {12, 27, 0, 0},
        {13, 26, 0, 0}, {23, 31, 0, 0},  {24, 14, 0, 63}, {25, 15, 0, 0}, {26, 16, 0, 0},
        {28, 6, 0, 0},  {29, 11, 12, 0}, {31, 13, 16, 0}, {32, 7, 0, 64}, {33, 8, 0, 55},
        {34, 9, 0, 0},  {35, 56, 0, 10}, {36, 57, 0, 0},  {46, 58, 0, 0}, {49, 28, 0, 0},
    };
    struct tf_chip *chip = chip_on("n300", NULL);
    const uint64_t older = 0x810000000 + message(chip, 0x2C);
    for (unsigned i = 0; i < sizeof tags; i++)
        tagged(chip, tags[i]);
    assert_int_equal(word_at(chip, arc, older), 0xBA5E0001);
    assert_int_equal(word_at(chip, arc, older + 4 * 14), 0x02222222);
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++) {
        uint32_t value = tagged(chip, words[i].low) >> words[i].shift;
        if (words[i].high != 0)
            value |= tagged(chip, words[i].high) << 16;
        if (word_at(chip, arc, older + 4 * words[i].word) != value)
            fail_msg("word %u is 0x%x, not 0x%x", words[i].word, word_at(chip, arc, older + 4 * words[i].word), value);
    }
    assert_int_equal(word_at(chip, arc, older + 4 * 4), 0x140);
    assert_int_equal(word_at(chip, arc, older + 4 * 29), 40 << 4);
    assert_int_equal(word_at(chip, arc, older + 4 * 31), 35);
    tf_chip_destroy(chip);
}

/* ResetUnit.md: REFCLK_COUNTER counts 27 times where the chip has 1000 cycles, for the host and for a core's reads. */
static void test_reference_clock(void **state)
{
    (void)state;
    enum { CYCLES = 1000000 };
    const struct tf_coord tensix = {1, 1};
    const struct tf_run_options options = {.cycles_max = CYCLES};
    static const uint32_t read[][2] = {{0x00, 0x800300E0}, {0x04, 0x8 | 0 << 4 | 10 << 10},
                                       {0x0C, 0x20000},    {0x10, 1 << 4 | 1 << 10},
                                       {0x1C, 0x10},       {0x20, 4},
                                       {0x28, 1}};
    struct tf_chip *chip = chip_on(NULL, NULL);
    enum tf_end end;
    assert_int_equal(word_at(chip, arc, 0x8800300E0), 0);
    put_word(chip, tensix, 0, 0x00108093); /* addi x1, x1, 1 */
    put_word(chip, tensix, 4, 0xFFDFF06F); /* j .-4 */
    assert_int_equal(tf_core_start(chip, 0, TF_CORE_B), TF_OK);
    assert_int_equal(tf_run(chip, &options, &end), TF_OK);
    assert_int_equal(end, TF_END_CYCLES);
    uint64_t cycles = tf_chip_cycles(chip);
    assert_true(cycles >= CYCLES);
    assert_int_equal(word_at(chip, arc, 0x8800300E0), cycles * 27 / 1000);
    assert_int_equal(word_at(chip, arc, 0x8800300E4), 0);
    for (unsigned i = 0; i < sizeof read / sizeof read[0]; i++)
        put_word(chip, tensix, TF_NIU_BASE(0) + read[i][0], read[i][1]);
    assert_int_equal(tf_run(chip, &options, &end), TF_OK);
    assert_int_equal(tf_fault_count(chip), 0);
    assert_int_equal(word_at(chip, tensix, 0x20000), cycles * 27 / 1000);
    tf_chip_destroy(chip);
}

/* NoC/MemoryMap.md, DRAMTile/README.md: where the NIUs of nodes without cores are. */
static void test_nius(void **state)
{
    (void)state;
    struct tf_chip *chip = chip_on(NULL, NULL);
    const struct tf_coord port = {5, 9}, pcie = {0, 3}, empty = {0, 2}, eth = {2, 6};
    static const uint8_t ports[3] = {10, 2, 9}; /* as tt-umd's tests have it */
    for (unsigned i = 0; i < 3; i++)
        for (unsigned noc = 0; noc < 2; noc++)
            assert_int_equal(word_at(chip, port, 0x10008002C + 0x10000 * i + 0x8000 * noc) & 0xFFF,
                             noc == 0 ? 5u | ports[i] << 6 : 4u | (11u - ports[i]) << 6);
    assert_int_equal(word_at(chip, port, 0xF0004302C) & 0xFFF, 5 | 9 << 6); /* every 4 KiB, of the asking NOC */
    assert_int_equal(word_at(chip, pcie, 0xFFFB3002C) & 0xFFF, 0 | 3 << 6);
    assert_int_equal(word_at(chip, empty, 0xFFFB2002C) & 0xFFF, 0 | 2 << 6);
    assert_int_equal(word_at(chip, empty, NIU_AT(0, NODE_ID)) & 0xFFF, 0 | 2 << 6);
    assert_int_equal(word_at(chip, eth, NIU_AT(0, NODE_ID)) & 0xFFF, 2 | 6 << 6);
    assert_int_equal(word_at(chip, eth, NIU_AT(1, NODE_ID)) & 0xFFF, 7 | 5 << 6);
    uint32_t word;
    assert_int_not_equal(tf_read(chip, port, 0x1000B002C, &word, 4), TF_OK);
    assert_int_not_equal(tf_read(chip, port, 0x10008102C, &word, 4), TF_OK);
    tf_chip_destroy(chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_boards),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_message_sets_region),
        cmocka_unit_test(test_older_telemetry),
        cmocka_unit_test(test_telemetry),
        cmocka_unit_test(test_reference_clock),
        cmocka_unit_test(test_nius),
        cmocka_unit_test(test_ethernet_starts_at_0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
