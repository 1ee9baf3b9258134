/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chains of requests, where a worker steals tiles. It takes them from the end of another worker's share, and so issues
 * requests of later tiles first. All increments of one word must still act in delivery order, and each is counted once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chip_wish.h"
#include "farm/chip/chip.h"
#include "noc_emit.h"
#include "places.h"

#define OTHER_L1 0x3000u /* in the first tile */
#define OWN_L1 0x4000u   /* the last answer of a tile */
#define CODE 0x8000u
#define CYCLES 1024u
#define REST 100u /* turns of two cycles between two requests */
#define EPOCHS 40u

enum { X_INITIATOR = 20, X_REST };

/* One request without end, which is a repeated one after the first time: others end all chains for some epochs. */
static void load_program(struct tf_chip *chip, unsigned tile)
{
    static uint32_t words[256];
    struct code code = {words, 0, 256};
    fill(&code, 0, &(struct request){OTHER_L1, xy(0), OWN_L1, xy(tile), INCREMENT_CTRL, INCREMENT_LENGTH});
    li(&code, X_INITIATOR, NIU);
    unsigned loop = code.count;
    send(&code, X_INITIATOR);
    li(&code, X_REST, REST);
    put(&code, rv_i(ADDI, X_REST, X_REST, 0xFFF));
    put(&code, rv_b(BNE, X_REST, 0, -4));
    branch_to(&code, BEQ, 0, 0, loop);
    assert_int_equal(tf_write(chip, at(tile), CODE, words, 4 * code.count), TF_OK);
    assert_int_equal(tf_core_set_pc(chip, tile, TF_CORE_B, CODE), TF_OK);
    assert_int_equal(tf_core_start(chip, tile, TF_CORE_B), TF_OK);
}

/* Two threads: all tiles are in the share of the second worker. */
static struct tf_chip *create(unsigned threads)
{
    struct chip_wish config;
    struct tf_chip *chip;
    chip_wish_init(&config);
    config.threads = threads;
    config.slice_cycles = config.epoch_cycles_min = config.epoch_cycles_max = CYCLES;
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    for (unsigned tile = 0; tile < TF_TENSIX_TILES; tile++)
        load_program(chip, tile);
    if (threads > 1)
        chip->sharing.border[1] = 0;
    return chip;
}

static void run(struct tf_chip *chip, uint32_t answer[TF_TENSIX_TILES])
{
    const struct tf_run_options options = {.cycles_max = CYCLES};
    assert_int_equal(tf_run(chip, &options, NULL), TF_OK);
    for (unsigned tile = 0; tile < TF_TENSIX_TILES; tile++)
        assert_int_equal(tf_read(chip, at(tile), OWN_L1, &answer[tile], 4), TF_OK);
}

static uint64_t deliveries(struct tf_chip *chip, unsigned threads)
{
    struct tf_worker_stats stats;
    uint64_t sum = 0;
    for (unsigned i = 0; i < threads; i++) {
        assert_int_equal(tf_worker_stats(chip, i, &stats), TF_OK);
        sum += stats.deliveries;
    }
    return sum;
}

static void test_stolen_tiles(void **state)
{
    static uint32_t expected[TF_TENSIX_TILES], found[TF_TENSIX_TILES];
    struct tf_chip *single = create(1), *shared = create(2);
    struct tf_stats stats;
    uint64_t before = 0, stolen = 0;
    (void)state;
    for (unsigned epoch = 0; epoch < EPOCHS; epoch++) {
        run(single, expected);
        run(shared, found);
        for (unsigned tile = 0; tile < TF_TENSIX_TILES; tile++)
            if (found[tile] != expected[tile])
                fail_msg("run %u, tile %u: %u on two threads, %u on one", epoch, tile, found[tile], expected[tile]);
        tf_stats(shared, &stats);
        stolen += shared->epochs.chains ? stats.steals - before : 0;
        before = stats.steals;
    }
    assert_true(stolen > 0);
    assert_int_equal(deliveries(shared, 2), deliveries(single, 1));
    tf_chip_destroy(single);
    tf_chip_destroy(shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stolen_tiles)};
    return cmocka_run_group_tests_name("chain_order", tests, NULL, NULL);
}
