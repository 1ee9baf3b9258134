/* SPDX-License-Identifier: Apache-2.0 */
/* Boards: which parts are fused off, and all places that report it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <string.h>

#include "chip_wish.h"
#include "farm/chip/chip.h"
#include "noc/coords.h"
#include "random.h"
#include "tilefarm/tilefarm_chip.h"
#include "addresses.h"
#include "blackhole/tilefarm_family.h"

#define TELEMETRY_TABLE 0x10000100u /* as clients find it (docs/libttsim.md): scratch RAM 13 of the ARC */
#define TELEMETRY_VALUES 0x10000200u
#define ARC ((struct tf_coord){8, 0})

static struct tf_chip *chip_on(const struct tf_board_text *text)
{
    struct chip_wish config;
    struct tf_message message = {""};
    struct tf_chip *chip = NULL;
    chip_wish_init(&config);
    config.threads = 1;
    if (tf_board_parse(NULL, text, &config.board, &message) != TF_OK ||
        chip_wish_create(&config, &chip, &message) != TF_OK)
        fail_msg("%s", message.text);
    return chip;
}

static uint32_t word(struct tf_chip *chip, struct tf_coord node, uint64_t address)
{
    uint32_t value = 0;
    assert_int_equal(tf_read(chip, node, address, &value, sizeof value), TF_OK);
    return value;
}

static uint32_t telemetry(struct tf_chip *chip, unsigned tag)
{
    uint32_t entries = word(chip, ARC, TELEMETRY_TABLE + 4);
    for (uint32_t i = 0; i < entries; i++) {
        uint32_t entry = word(chip, ARC, TELEMETRY_TABLE + 8 + 4 * i);
        if ((entry & 0xFFFF) == tag)
            return word(chip, ARC, TELEMETRY_VALUES + 4 * (entry >> 16));
    }
    fail_msg("no telemetry with tag %u", tag);
    return 0;
}

/* The node that a name leads to, on NOC 0. */
static struct tf_coord named(struct tf_chip *chip, unsigned x, unsigned y)
{
    uint16_t node = tf_niu_node_of(&chip->fabric->node[chip->arch->pcie_node].niu[0], x | y << 6);
    assert_int_not_equal(node, TF_NO_NODE);
    return chip->fabric->node[node].coord;
}

static void test_default(void **state)
{
    (void)state;
    struct tf_chip *chip = chip_on(&(struct tf_board_text){.name = NULL});
    struct tf_board board;
    tf_chip_board(chip, &board);
    assert_string_equal(board.name, "p150");
    assert_ptr_equal(tf_chip_arch(chip), tf_arch_find(NULL));
    assert_int_equal(telemetry(chip, 28) >> 16, 18 << 8 | 12);
    assert_int_equal(telemetry(chip, 34), 0x3FFF);
    assert_int_equal(telemetry(chip, 35), 0x0FFF);
    assert_int_equal(telemetry(chip, 36), 0xFF);
    assert_int_equal(telemetry(chip, 37), 0xF);
    tf_chip_destroy(chip);
}

static void test_ethernet(void **state)
{
    (void)state;
    struct tf_chip *chip = chip_on(&(struct tf_board_text){.name = "p150a"});
    static const struct tf_coord left[12] = {{1, 1},  {16, 1}, {2, 1}, {15, 1}, {3, 1}, {4, 1},
                                             {13, 1}, {12, 1}, {6, 1}, {11, 1}, {7, 1}, {10, 1}};
    static const uint8_t number[12] = {0, 1, 2, 3, 4, 6, 7, 9, 10, 11, 12, 13};
    assert_int_equal(telemetry(chip, 35), 0x3FFF & ~0x120);
    assert_int_equal(telemetry(chip, 1), 0x400);
    for (unsigned i = 0; i < 12; i++) {
        struct tf_coord at = named(chip, 20 + i, 25);
        assert_memory_equal(&at, &left[i], sizeof at);
        assert_int_equal(word(chip, at, NIU_AT(0, ID_LOGICAL)), (20 + i) | 25 << 6);
        assert_int_equal(word(chip, at, NIU_AT(1, ID_LOGICAL)), (20 + i) | 25 << 6);
        assert_int_equal(word(chip, at, 0x7CFC0) >> 16, number[i] | i << 8); /* its numbers before and from 18.12 on */
    }
    assert_int_equal(tf_node_kind(tf_chip_arch(chip), (struct tf_coord){14, 1}), TF_NODE_EMPTY);
    assert_int_equal(word(chip, (struct tf_coord){14, 1}, NIU_AT(0, NODE_ID)) & 0xFFF, 14 | 1 << 6);
    assert_int_equal(word(chip, (struct tf_coord){14, 1}, NIU_AT(1, NODE_ID)) & 0xFFF,
                     2 | 10 << 6); /* both NIUs remain */
    uint32_t value = 0;
    assert_int_equal(tf_read(chip, (struct tf_coord){14, 1}, 0x1000, &value, 4), TF_ERANGE);
    tf_chip_destroy(chip);
}

/* The remaining columns are named in their order. The others follow; the first of the die is last. */
static void test_columns(void **state)
{
    (void)state;
    static const uint8_t raw[14] = {1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15, 16, 10, 7};
    struct tf_chip *chip = chip_on(&(struct tf_board_text){.name = "p100a"});
    struct tf_shape shape;
    tf_arch_shape(tf_chip_arch(chip), &shape);
    assert_int_equal(shape.tensix_tiles, 120);
    assert_int_equal(shape.eth_tiles, 0);
    assert_int_equal(telemetry(chip, 34), 0x3FFF & ~(1 << 12 | 1 << 13)); /* 7 and 10 are the last of the die */
    for (unsigned i = 0; i < 14; i++) {
        struct tf_coord at = named(chip, i < 7 ? 1 + i : 3 + i, 5);
        assert_int_equal(at.x, raw[i]);
        assert_int_equal(at.y, 5);
        assert_int_equal(word(chip, at, NIU_AT(0, ID_LOGICAL)), (i < 7 ? 1 + i : 3 + i) | 5 << 6);
        assert_int_equal(tf_tile_index(tf_chip_arch(chip), at) >= 0, i < 12);
    }
    struct tf_coord at;
    assert_int_equal(tf_tile_coord(tf_chip_arch(chip), 119, &at), TF_OK);
    assert_int_equal(at.x | at.y << 8, 16 | 11 << 8);
    assert_int_equal(tf_tile_coord(tf_chip_arch(chip), 120, &at), TF_ENODEV);
    assert_int_equal(word(chip, (struct tf_coord){1, 2}, NIU_CONFIG(0, 2)),
                     1 << 0 | 1 << 7 | 1 << 8 | 1 << 9 | 1 << 10);
    tf_chip_destroy(chip);
}

/* The test above for rows, by which Wormhole's boards differ: the remaining rows are named first. */
static void test_rows(void **state)
{
    (void)state;
    static const uint8_t raw[10] = {2, 3, 4, 5, 7, 9, 10, 11, 1, 8};
    struct chip_wish config;
    struct tf_chip *chip = NULL;
    chip_wish_init(&config);
    config.arch = tf_arch_find("wormhole");
    config.threads = 1;
    const struct tf_board_text text = {.name = "n300"};
    assert_int_equal(tf_board_parse(config.arch, &text, &config.board, NULL), TF_OK);
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    for (unsigned i = 0; i < 10; i++) {
        struct tf_coord at = named(chip, 18, 18 + i);
        assert_int_equal(at.x, 1);
        assert_int_equal(at.y, raw[i]);
        assert_int_equal(tf_tile_index(tf_chip_arch(chip), at) >= 0, i < 8);
    }
    tf_chip_destroy(chip);
}

/* The names of tt-umd's test for each harvested bank, by its rule. */
static void test_banks(void **state)
{
    (void)state;
    static const char *const off[] = {"none", "0", "1", "2", "3", "4", "5", "6", "7"};
    static const uint8_t first[9][8] = {
        {0, 1, 2, 3, 4, 5, 6, 7}, {5, 6, 7, 4, 1, 2, 3, 0}, {4, 6, 7, 5, 0, 2, 3, 1},
        {4, 5, 7, 6, 0, 1, 3, 2}, {4, 5, 6, 7, 0, 1, 2, 3}, {1, 2, 3, 0, 5, 6, 7, 4},
        {0, 2, 3, 1, 4, 6, 7, 5}, {0, 1, 3, 2, 4, 5, 7, 6}, {0, 1, 2, 3, 4, 5, 6, 7},
    };
    for (unsigned i = 0; i < 9; i++) {
        struct tf_chip *chip = chip_on(&(struct tf_board_text){.banks = off[i]});
        assert_int_equal(telemetry(chip, 36), i == 0 ? 0xFF : 0xFF & ~(1 << (i - 1)));
        for (unsigned group = 0; group < 8; group++) {
            struct tf_coord at = named(chip, 17 + group / 4, 12 + group % 4 * 3);
            const struct tf_node *node = &chip->fabric->node[tf_node_number(chip->arch, at)];
            assert_int_equal(node->index, first[i][group]);
            assert_int_equal(word(chip, at, NIU_AT(0, ID_LOGICAL)), (17 + group / 4) | (12 + group % 4 * 3) << 6);
        }
        uint32_t value = 7;
        for (unsigned bank = 0; bank < 8; bank++)
            assert_int_equal(tf_dram_write(chip, bank, 0x1000, &value, 4), bank + 1 == i ? TF_ENODEV : TF_OK);
        tf_chip_destroy(chip);
    }
}

/* The columns in the order of their bits in telemetry: from both edges of the grid to its middle. */
static const uint8_t die_column[14] = {1, 16, 2, 15, 3, 14, 4, 13, 5, 12, 6, 11, 7, 10};

/* Telemetry has a bit for each part that is enabled. */
static void telemetry_agrees(struct tf_chip *chip, const struct tf_board *board)
{
    uint32_t columns = telemetry(chip, 34);
    for (unsigned i = 0; i < 14; i++)
        assert_int_equal(columns >> i & 1, !(board->columns_off >> die_column[i] & 1));
    assert_int_equal(columns >> 14, 0);
    assert_int_equal(telemetry(chip, 35), 0x3FFF & ~board->eth_off);
    assert_int_equal(telemetry(chip, 36), 0xFF & ~board->banks_off);
    assert_int_equal(telemetry(chip, 37), 0xF & ~board->cpus_off);
    assert_int_equal(telemetry(chip, 1), board->product << 4);
}

/* Each name leads to a node of its own, whose registers have that name. Both NOCs lead to one node. Names without a
   part lead to an empty node. */
static void names_agree(struct tf_chip *chip, unsigned x_first, unsigned x_last, unsigned y_first, unsigned y_last,
                        unsigned count)
{
    bool seen[17 * 12] = {false};
    for (unsigned x = x_first; x <= x_last; x++)
        for (unsigned y = y_first; y <= y_last; y++) {
            if (x == 8 || x == 9)
                continue;
            struct tf_coord at = named(chip, x, y);
            const struct tf_node *host = &chip->fabric->node[chip->arch->pcie_node];
            assert_int_equal(tf_niu_node_of(&host->niu[1], x | y << 6), tf_node_number(chip->arch, at));
            if (y == 25 && tf_node_kind(tf_chip_arch(chip), at) == TF_NODE_EMPTY)
                continue;
            assert_false(seen[at.y * 17 + at.x]);
            seen[at.y * 17 + at.x] = true;
            assert_int_equal(word(chip, at, NIU_AT(0, ID_LOGICAL)) & 0xFFF, x | y << 6);
            assert_int_equal(word(chip, at, NIU_AT(1, ID_LOGICAL)) & 0xFFF, x | y << 6);
            count--;
        }
    assert_int_equal(count, 0);
}

static uint32_t mask_in(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    assert_non_null(at);
    return (uint32_t)strtoul(at + strlen(key), NULL, 10);
}

/* The cluster descriptor counts columns from the left. */
static void cluster_agrees(struct tf_chip *chip, const struct tf_board *board)
{
    char text[4096];
    uint32_t columns = 0;
    for (unsigned i = 0; i < 14; i++)
        columns |= (board->columns_off >> (i < 7 ? 1 + i : 3 + i) & 1) << i;
    tf_describe_cluster(tf_chip_arch(chip), text, sizeof text);
    assert_int_equal(mask_in(text, " harvest_mask: "), columns);
    assert_int_equal(mask_in(text, "dram_harvesting_mask: "), board->banks_off);
    assert_int_equal(mask_in(text, "eth_harvesting_mask: "), board->eth_off);
    assert_int_equal(__builtin_popcount(mask_in(text, "l2cpu_harvesting_mask: ")), __builtin_popcount(board->cpus_off));
}

static void everything_agrees(const struct tf_board_text *text)
{
    struct tf_chip *chip = chip_on(text);
    struct tf_board board;
    struct tf_shape shape;
    tf_chip_board(chip, &board);
    tf_arch_shape(tf_chip_arch(chip), &shape);
    assert_int_equal(shape.tensix_tiles, 140 - 10 * __builtin_popcount(board.columns_off));
    unsigned eth = 14 - (unsigned)__builtin_popcount(board.eth_off);
    /* the default board's tiles without a name are there (docs/libttsim.md) */
    assert_int_equal(shape.eth_tiles, text->eth == NULL && strcmp(board.name, "p150") == 0 ? 14 : eth);
    telemetry_agrees(chip, &board);
    names_agree(chip, 1, 16, 2, 11, 140); /* columns that are off have the last names */
    names_agree(chip, 17, 18, 12, 23, 24);
    names_agree(chip, 20, 31, 25, 25, eth);
    cluster_agrees(chip, &board);
    tf_chip_destroy(chip);
}

/* A list of some of the numbers below `below`, as text. */
static void any_list(uint64_t *random, const uint8_t *of, unsigned below, unsigned least, unsigned most, char *text)
{
    uint32_t chosen = 0, count = least + test_random_below(random, most - least + 1);
    while ((uint32_t)__builtin_popcount(chosen) < count)
        chosen |= 1u << test_random_below(random, below);
    strcpy(text, chosen == 0 ? "none" : "");
    for (unsigned i = 0; i < below; i++)
        if (chosen >> i & 1)
            sprintf(text + strlen(text), text[0] == '\0' ? "%u" : ",%u", of != NULL ? of[i] : i);
}

static void test_agreement(void **state)
{
    (void)state;
    uint64_t random = test_seed(21);
    for (unsigned i = 0; tf_board_name(NULL, i) != NULL; i++)
        everything_agrees(&(struct tf_board_text){.name = tf_board_name(NULL, i)});
    for (unsigned i = 0; i < 24; i++) {
        char columns[64], banks[8], eth[64], cpus[16];
        any_list(&random, die_column, 14, 0, 13, columns);
        any_list(&random, NULL, 8, 0, 1, banks);
        any_list(&random, NULL, 14, 2, 14, eth);
        any_list(&random, NULL, 4, 0, 4, cpus);
        everything_agrees(&(struct tf_board_text){.columns = columns, .banks = banks, .eth = eth, .cpus = cpus});
    }
}

/* Programs run on the remaining tiles. A request to a fused-off tile is a fault. */
static void test_run(void **state)
{
    (void)state;
    static const uint32_t code[] = {0x00700293, 0x00502023, 0x0000006F}; /* li t0, 7; sw t0, 0(zero); j . */
    struct tf_chip *chip = chip_on(&(struct tf_board_text){.columns = "1,16", .eth = "0,1,2,13"});
    enum tf_end end;
    for (unsigned tile = 0; tile < 120; tile++) {
        struct tf_coord at;
        assert_int_equal(tf_tile_coord(tf_chip_arch(chip), tile, &at), TF_OK);
        assert_int_equal(tf_write(chip, at, 0x1000, code, sizeof code), TF_OK);
        assert_int_equal(tf_core_set_pc(chip, tile, TF_CORE_B, 0x1000), TF_OK);
        assert_int_equal(tf_core_start(chip, tile, TF_CORE_B), TF_OK);
    }
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    assert_int_equal(end, TF_END_QUIET);
    for (unsigned tile = 0; tile < 120; tile++) {
        struct tf_coord at;
        tf_tile_coord(tf_chip_arch(chip), tile, &at);
        assert_int_equal(word(chip, at, 0), 7);
    }
    tf_chip_destroy(chip);
}

/* The numbers of the boards, and which parts of their chips are fused off. */
static void test_table(void **state)
{
    (void)state;
    static const struct tf_board rows[] = {
        {.name = "p150", .product = 0x40, .eth_off = 0x3000},
        {.name = "p150a", .product = 0x40, .eth_off = 0x0120},
        {.name = "p150b", .product = 0x41, .eth_off = 0x0120},
        {.name = "p150c", .product = 0x42, .eth_off = 0x0120},
        {.name = "p100", .product = 0x36, .columns_off = 0x480, .banks_off = 8, .eth_off = 0x3FFF},
        {.name = "p100a", .product = 0x43, .columns_off = 0x480, .banks_off = 8, .eth_off = 0x3FFF},
        {.name = "p300a", .product = 0x45, .columns_off = 0x10400, .eth_off = 0x0120},
        {.name = "p300b", .product = 0x44, .columns_off = 0x10400, .eth_off = 0x0120},
        {.name = "p300c", .product = 0x46, .columns_off = 0x10400, .eth_off = 0x0120},
        {.name = "ubb", .product = 0x47, .columns_off = 0x2000, .eth_off = 0x0120},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tf_board board;
        struct tf_message message = {""};
        assert_string_equal(tf_board_name(NULL, i), rows[i].name);
        assert_int_equal(tf_board_parse(NULL, &(struct tf_board_text){.name = rows[i].name}, &board, &message), TF_OK);
        assert_int_equal(board.product, rows[i].product);
        assert_int_equal(board.columns_off, rows[i].columns_off);
        assert_int_equal(board.banks_off, rows[i].banks_off);
        assert_int_equal(board.eth_off, rows[i].eth_off);
        assert_int_equal(board.cpus_off, 0);
    }
    assert_null(tf_board_name(NULL, sizeof rows / sizeof rows[0]));
}

/* The fused-off parts of a board without a name would be ignored. */
static void test_nameless(void **state)
{
    (void)state;
    struct tf_message message = {""};
    struct chip_wish config;
    struct tf_chip *chip = NULL;
    chip_wish_init(&config);
    static const struct tf_board boards[] = {{.product = 0x40}, {.columns_off = 0x1FCFC}, {.rows_off = 1},
                                             {.banks_off = 8},  {.eth_off = 0x120},       {.cpus_off = 1}};
    for (unsigned i = 0; i < sizeof boards / sizeof boards[0]; i++) {
        config.board = boards[i];
        assert_int_equal(chip_wish_create(&config, &chip, &message), TF_EINVAL);
        assert_non_null(strstr(message.text, "no name"));
        assert_null(chip);
    }
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        struct tf_board_text text;
        const char *why;
    } cases[] = {
        {{.name = "p151"}, "Blackhole has no board \"p151\"; its boards: p150, p150a"},
        {{.name = "n300"}, "Blackhole has no board \"n300\" (arch wormhole has it); its boards: p150, p150a"},
        {{.columns = "7,8"}, "has no Tensix tiles"},
        {{.columns = "7;10"}, "neither 'none' nor numbers from 0 to 31"},
        {{.columns = ""}, "neither 'none' nor numbers from 0 to 31"},
        {{.columns = "7,"}, "neither 'none' nor numbers from 0 to 31"},
        {{.columns = "-7"}, "neither 'none' nor numbers from 0 to 31"},
        {{.columns = "1,2,3,4,5,6,7,10,11,12,13,14,15,16"}, "all columns"},
        {{.banks = "8"}, "does not exist"},
        {{.banks = "1,2"}, "more than one DRAM bank"},
        {{.banks = "99"}, "neither 'none' nor numbers from 0 to 31"},
        {{.eth = "14"}, "does not exist"},
        {{.eth = "3"}, "fewer than two"},
        {{.cpus = "4"}, "does not exist"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tf_message message = {""};
        struct tf_board board = {.product = 99};
        assert_int_equal(tf_board_parse(NULL, &cases[i].text, &board, &message), TF_EINVAL);
        if (strstr(message.text, cases[i].why) == NULL)
            fail_msg("%u: %s", i, message.text);
        assert_int_equal(board.product, 99);
    }
    struct chip_wish config;
    struct tf_chip *chip = NULL;
    struct tf_message message;
    chip_wish_init(&config);
    config.board = (struct tf_board){.name = "mine", .banks_off = 3, .eth_off = 3};
    assert_int_equal(chip_wish_create(&config, &chip, &message), TF_EINVAL);
    assert_non_null(strstr(message.text, "more than one DRAM bank"));
    config.board = (struct tf_board){.name = "mine", .product = 1u << 20};
    assert_int_equal(chip_wish_create(&config, &chip, &message), TF_EINVAL);
    assert_non_null(strstr(message.text, "too long"));
    config.board = (struct tf_board){.name = "mine", .product = (1u << 20) - 1, .eth_off = 0x3000};
    assert_int_equal(chip_wish_create(&config, &chip, &message), TF_OK);
    tf_chip_destroy(chip);
}

static void expect(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("no \"%s\" in:\n%s", part, text);
}

static void test_describe(void **state)
{
    (void)state;
    struct tf_chip *chip = chip_on(&(struct tf_board_text){.name = "p100a", .cpus = "1"});
    char text[8192], second[8192];
    size_t length = tf_describe_soc(NULL, text, sizeof text);
    assert_int_equal(length, strlen(text));
    assert_int_equal(tf_describe_soc(NULL, NULL, 0), length);
    expect(text, "x_size: 17\n  y_size: 12\n");
    expect(text, "[0-0, 0-1, 0-11],\n    [0-2, 0-10, 0-3],\n    [0-9, 0-4, 0-8],\n    [0-5, 0-7, 0-6],\n    [9-0,");
    expect(text, "eth:\n  [1-1, 16-1, 2-1, 15-1, 3-1, 14-1, 4-1, 13-1, 5-1, 12-1, 6-1, 11-1, 7-1, 10-1]\n");
    expect(text, "l2cpu:\n  [8-3, 8-9, 8-5, 8-7]\n");
    expect(text, "arch_name: BLACKHOLE\n");
    tf_describe_soc(tf_chip_arch(chip), second, sizeof second); /* the die is the same */
    expect(second, "pcie:\n  [2-0, 11-0]");
    expect(second, "[0-5, 0-7, 0-6],\n");
    expect(second, "8-1, 8-4,");
    assert_int_equal(strlen(second), length);
    tf_describe_cluster(tf_chip_arch(chip), text, sizeof text);
    expect(text, "harvest_mask: 192\n    dram_harvesting_mask: 8\n    eth_harvesting_mask: 16383\n"
                 "    pcie_harvesting_mask: 2\n    l2cpu_harvesting_mask: 8\n");
    expect(text, "board_type: p100\n");
    tf_chip_destroy(chip);
    tf_describe_soc(tf_arch_find("wormhole"), text, sizeof text);
    expect(text, "dram:\n  [\n    [0-0, 0-1, 0-11],\n    [0-5, 0-6, 0-7],\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_default), cmocka_unit_test(test_ethernet), cmocka_unit_test(test_columns),
        cmocka_unit_test(test_rows),    cmocka_unit_test(test_banks),    cmocka_unit_test(test_agreement),
        cmocka_unit_test(test_run),     cmocka_unit_test(test_table),    cmocka_unit_test(test_nameless),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_describe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
