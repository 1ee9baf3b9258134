/* SPDX-License-Identifier: Apache-2.0 */
/* Timing mode: how long instructions of the coprocessor occupy their unit, where no figures of cards show it. The
   expected cycles are those of the pages that times.def names. */
#include <string.h>

#include "one_chip.h"
#include "pushes.h"

enum { BLACKHOLE, WORMHOLE, FAMILIES };
enum { FIRST = 4, SECOND = 12, UNROLL = 32 };

static const char *const names[FAMILIES] = {"blackhole", "wormhole"};

/* Words of configuration, by family. */
static const struct {
    unsigned descriptor, out_format, base, to_row, transfer, pack_format;
    uint32_t row;
} words[FAMILIES] = {{64, 72, 76, 49, 88, 70, 128}, {52, 60, 64, 40, 76, 58, 128u << 16}};

struct unit_case {
    uint32_t block[2]; /* what is pushed again and again; 0: nothing */
    double cycles[FAMILIES];
    void (*prepare)(struct code *code, unsigned family);
};

static void hand_over(struct code *code, unsigned family)
{
    (void)family;
    push(code, 0x57000003); /* SETDVALID */
}

/* The mover copies 1,024 bytes. */
static void copy(struct code *code, unsigned family)
{
    const unsigned word = words[family].transfer;
    configure(code, word, 0x40000 / 16);
    configure(code, word + 1, 0x50000 / 16);
    configure(code, word + 2, 1024 / 16 | 3u << 30);
}

/* Unpacker 0 moves 256 numbers in bf16 to SrcA. */
static void unpack_at(struct code *code, unsigned family, uint32_t speed)
{
    const unsigned at = words[family].descriptor;
    configure(code, at, 5 | 1 << 4 | 16u << 16);
    configure(code, at + 1, 64 | 1 << 16);
    configure(code, at + 2, 1);
    configure(code, at + 3, 0);
    configure(code, words[family].out_format, 5 | speed << 4);
    configure(code, words[family].base, 0x40000 / 16 - 1);
    configure(code, words[family].to_row, words[family].row);
    if (family == BLACKHOLE)
        configure(code, 70, 1 << 3); /* the speed is the configured one */
    push(code, 0x5E000000 | 3 << 21 | 255 << 10);
}

static void unpack_slowly(struct code *code, unsigned family)
{
    unpack_at(code, family, 0);
}

static void unpack_fast(struct code *code, unsigned family)
{
    unpack_at(code, family, 2);
}

/* All packers together move four rows of 16 numbers in bf16. */
static void pack_rows(struct code *code, unsigned family)
{
    configure(code, words[family].pack_format, 5 << 4 | 5 << 8);
    push(code, 0x5E000000 | 4 << 21 | 15 << 10);
}

static const struct unit_case cases[] = {
    {{0x92000010 | 1 << 8}, {2, 2}, NULL},             /* SFPSWAP */
    {{0x92000010 | 1 << 8, 0x8F000000}, {2, 2}, NULL}, /* and SFPNOP after it */
    {{0x84000000 | 1 << 16 | 2 << 12}, {2, 1}, NULL},  /* SFPMAD that reads its result */
    {{0x84000000 | 1 << 16 | 2 << 12 | 3 << 8}, {1.03, 1.03}, NULL},
    {{0x18000000}, {2, 2}, hand_over},             /* SHIFTXB */
    {{0x0A000000, 0x37000000}, {5, 5}, NULL},      /* MOVD2B, SETRWC */
    {{0x08000000, 0x37000000}, {3, 3}, NULL},      /* MOVD2A, SETRWC */
    {{0x08000000}, {1.03, 1.03}, NULL},            /* MOVD2A alone */
    {{0x26000000, 0x26000008}, {6, 6}, hand_over}, /* MVMUL to two blocks of Dst in turn */
    {{0x40000000}, {88, 88}, copy},                /* XMOV */
    {{0x42000000}, {32, 32}, unpack_slowly},       /* UNPACR */
    {{0x42000000}, {4, 8}, unpack_fast},
    {{0x41000000 | 15 << 8}, {2, 2}, pack_rows}, /* PACR */
    {{0x64000000}, {15, 15}, NULL},              /* ATCAS of 0 with 0 */
};

static double cycles_of(unsigned family, const struct unit_case *of)
{
    uint32_t word[WORDS_MAX], block[2 * UNROLL], n[POINTS_MAX] = {FIRST, SECOND}, cycles[2];
    struct code code = {word, 0, WORDS_MAX};
    struct chip_wish config = one_worker();
    struct tf_chip *run = NULL;
    struct tf_coord tile;
    enum tf_end end;
    unsigned count = 0;
    config.timing = true;
    config.arch = tf_arch_find(names[family]);
    if (of->prepare != NULL)
        of->prepare(&code, family);
    for (unsigned i = 0; i < UNROLL; i++)
        for (unsigned j = 0; j < 2 && of->block[j] != 0; j++)
            block[count++] = of->block[j];
    put_points(&code, 1, 2, block, count);
    put_end(&code);
    assert_int_equal(chip_wish_create(&config, &run, NULL), TF_OK);
    assert_int_equal(tf_tile_coord(config.arch, 0, &tile), TF_OK);
    assert_int_equal(tf_write(run, tile, RESULTS, n, sizeof n), TF_OK);
    assert_true(start(run, tile, 1, &code));
    assert_int_equal(tf_run(run, NULL, &end), TF_OK);
    assert_int_equal(end, TF_END_QUIET);
    assert_int_equal(tf_read(run, tile, RESULTS + 512, cycles, sizeof cycles), TF_OK);
    tf_chip_destroy(run);
    return (double)(cycles[1] - cycles[0]) / (SECOND - FIRST) / UNROLL;
}

static void units_are_occupied(void **state)
{
    (void)state;
    for (unsigned family = 0; family < FAMILIES; family++)
        for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            const double cycles = cycles_of(family, &cases[i]), expected = cases[i].cycles[family];
            if (cycles < 0.95 * expected || cycles > 1.05 * expected)
                fail_msg("%s, case %u: %.2f cycles, expected %.2f", names[family], i, cycles, expected);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_are_occupied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
