/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that a host has placed itself are found by their code, in L1 of every kind of tile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "debug/symbols.h"
#include "farm/chip/chip.h"
#include "farm/chip/dram_tiles.h"
#include "farm/chip/loader.h"

#define MOVED 0x1A000u

static uint8_t *image;
static size_t image_bytes;
static struct tf_elf elf;

static int read_program(void **state)
{
    FILE *file = fopen(TF_PROGRAM, "rb");
    (void)state;
    if (file == NULL || fseek(file, 0, SEEK_END) != 0)
        return -1;
    image_bytes = (size_t)ftell(file);
    rewind(file);
    image = malloc(image_bytes);
    const bool whole = image != NULL && fread(image, 1, image_bytes, file) == image_bytes;
    fclose(file);
    return whole && tf_elf_parse(image, image_bytes, TF_PROGRAM, &tf_arch_blackhole.tile[TF_TILE_TENSIX], &elf, NULL) ==
                        TF_OK
               ? 0
               : -1;
}

static int free_program(void **state)
{
    (void)state;
    free(image);
    return 0;
}

/* Place the code at an address of a new chip's tile, and start core 0 there. */
static struct tf_chip *place_in(unsigned tile, uint64_t l1)
{
    struct tf_chip *chip;
    assert_int_equal(tf_chip_create(NULL, &chip, NULL), TF_OK);
    const struct tf_elf_segment *code = &elf.segment[0];
    const struct tf_coord node = tf_chip_tile_node(chip, tile)->coord;
    assert_int_equal(tf_write(chip, node, l1 + MOVED, image + code->file_offset, code->file_bytes), TF_OK);
    assert_int_equal(tf_core_set_pc(chip, tile, 0, MOVED + elf.entry - code->address), TF_OK);
    assert_int_equal(tf_core_start(chip, tile, 0), TF_OK);
    return chip;
}

/* Expect its names there and nowhere else. */
static void find_in(unsigned tile, uint64_t l1)
{
    struct tf_chip *chip = place_in(tile, l1);
    char place[TF_PLACE_BYTES];
    const struct tf_elf_segment *code = &elf.segment[0];
    struct tf_symbols *symbols = tf_symbols_create();
    assert_true(tf_symbols_add_unplaced(symbols, image, image_bytes));
    tf_symbols_match(symbols, chip);
    for (unsigned i = 0; i < tf_chip_tiles(chip); i++) {
        const int number = tf_symbols_tile(tf_chip_arch(chip), tf_chip_tile_node(chip, i)->coord);
        assert_true(number >= 0);
        assert_int_equal(tf_symbols_place(symbols, (unsigned)number, 0, MOVED + elf.entry - code->address, place,
                                          sizeof place),
                         i == tile);
        if (i == tile && strstr(place, "_start+0") == NULL)
            fail_msg("'%s' is not the start of the program", place);
    }
    tf_symbols_destroy(symbols);
    tf_chip_destroy(chip);
}

static void found_in_every_kind_of_tile(void **state)
{
    (void)state;
    find_in(7, 0);
    find_in(140, 0);
    find_in(153, 0); /* the last Ethernet tile */
    find_in(154 + 5, tf_arch_blackhole.space.core_l1_first);
}

static bool is_known(struct tf_symbols *symbols, struct tf_chip *chip, unsigned tile)
{
    char place[TF_PLACE_BYTES];
    const int number = tf_symbols_tile(tf_chip_arch(chip), tf_chip_tile_node(chip, tile)->coord);
    tf_symbols_turn(symbols, chip);
    return tf_symbols_place(symbols, (unsigned)number, 0, MOVED + elf.entry - elf.segment[0].address, place,
                            sizeof place);
}

/* Chips of a system share symbols, and each has programs at places of its own. They change as time passes. */
static void turned_from_chip_to_chip(void **state)
{
    (void)state;
    struct tf_chip *first = place_in(7, 0), *second = place_in(9, 0);
    struct tf_symbols *symbols = tf_symbols_create();
    const struct tf_run_options options = {.cycles_max = 64};
    const uint8_t other[256] = {0};
    tf_symbols_turn(symbols, first); /* also a program that comes later is found */
    assert_true(tf_symbols_add_unplaced(symbols, image, image_bytes));
    for (unsigned i = 0; i < 2; i++) {
        assert_true(is_known(symbols, first, 7));
        assert_false(is_known(symbols, first, 9));
        assert_false(is_known(symbols, second, 7));
        assert_true(is_known(symbols, second, 9));
    }
    const struct tf_coord node = tf_chip_tile_node(second, 9)->coord;
    assert_int_equal(tf_run(second, &options, NULL), TF_OK);
    assert_int_equal(tf_write(second, node, MOVED, other, sizeof other), TF_OK);
    assert_false(is_known(symbols, second, 9));
    tf_symbols_destroy(symbols);
    tf_chip_destroy(first);
    tf_chip_destroy(second);
}

/* Numbers of symbols lead back to their tiles. */
static void numbers_of_tiles(void **state)
{
    struct tf_chip *chip;
    (void)state;
    assert_int_equal(tf_chip_create(NULL, &chip, NULL), TF_OK);
    for (unsigned i = 0; i < tf_chip_tiles(chip); i++) {
        const int number = tf_symbols_tile(tf_chip_arch(chip), tf_chip_tile_node(chip, i)->coord);
        assert_ptr_equal(tf_symbols_tile_of(chip, (unsigned)number), tf_chip_tile(chip, i));
    }
    assert_int_equal(tf_chip_tiles(chip), 140 + 14 + 24);
    assert_null(tf_chip_tile(chip, tf_chip_tiles(chip)));
    assert_null(tf_chip_tile_arch(chip, tf_chip_tiles(chip)));
    tf_chip_destroy(chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(found_in_every_kind_of_tile),
                                       cmocka_unit_test(turned_from_chip_to_chip), cmocka_unit_test(numbers_of_tiles)};
    return cmocka_run_group_tests(tests, read_program, free_program);
}
