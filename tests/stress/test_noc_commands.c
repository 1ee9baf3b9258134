/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands to the NIUs of both families under any settings: between two commands of an initiator a few of its
 * registers change. Addresses are near the ends of memories, rectangles wrap, lengths cross packets, control words have
 * any bits. Serial delivery on one thread, with all requests heard, and two threads end in the same state. No request
 * writes beyond a memory: nothing asks for the first bytes of L1. Relaxed mode survives.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chip_difference.h"
#include "chip_wish.h"
#include "noc_words.h"
#include "tilefarm/tilefarm_chip.h"
#include "tilefarm_address.h"

#define ROUNDS 4u
#define CORES 4u /* each has an initiator of both NOCs */
#define CODE 0x4000u
#define LIST 0x8000u /* of a core: stores, as pairs of an address and a value */
#define LIST_BYTES 0x4000u
#define PIECES 24u
#define PIECE_CYCLES 2500u
#define GUARD 0x1000u /* bytes that no request asks for */

/* Lists */

struct list {
    uint32_t *word, count;
};

static void add(struct list *to, uint32_t address, uint32_t value)
{
    to->word[to->count++] = address;
    to->word[to->count++] = value;
}

/* Addresses that are odd are polled until they hold 0. */
static void make_list(struct maker *of, unsigned core, uint32_t *word)
{
    struct list list = {.word = word};
    uint32_t reg[2][WORDS] = {{0}};
    add(&list, LIST + core * LIST_BYTES + 8, 0);
    while (list.count < LIST_BYTES / 4 - 2 * (CHANGES_MAX + 3)) {
        struct change change[CHANGES_MAX];
        const unsigned noc = pick(&of->dice, 2), count = change_words(of, reg[noc], change);
        const uint32_t base = TF_NIU_BASE(0) + noc * 0x10000u + core * of->layout->stride;
        add(&list, (base + of->layout->command) | 1, 0);
        for (unsigned i = 0; i < count; i++)
            add(&list, base + change[i].offset, change[i].value);
        add(&list, base + of->layout->command, 1);
    }
}

/* Walks through the list of a core, which begins with the place. A core that has faulted continues after that entry. */
static void make_code(struct code *code, unsigned core)
{
    enum { AT = 10, PLACE = 11, ADDRESS = 5, VALUE = 6, ODD = 7 };
    li(code, PLACE, LIST + core * LIST_BYTES);
    put(code, rv_i(LW, AT, PLACE, 0));
    unsigned loop = code->count;
    put(code, rv_i(LW, ADDRESS, AT, 0));
    put(code, rv_i(LW, VALUE, AT, 4));
    put(code, rv_i(ADDI, AT, AT, 8));
    put(code, rv_s(SW, AT, PLACE, 0));
    put(code, rv_i(ANDI, ODD, ADDRESS, 1));
    unsigned end = code->count;
    put(code, 0);
    unsigned poll = code->count;
    put(code, 0);
    put(code, rv_s(SW, VALUE, ADDRESS, 0));
    jump_to(code, 0, loop);
    land_branch(code, poll, BNE, ODD, 0);
    unsigned repeat = code->count;
    put(code, rv_i(LW, VALUE, ADDRESS, 0xFFF));
    branch_to(code, BNE, VALUE, 0, repeat);
    jump_to(code, 0, loop);
    land_branch(code, end, BEQ, ADDRESS, 0);
    put(code, EBREAK);
}

struct task {
    struct maker maker;
    uint32_t (*list)[CORES][LIST_BYTES / 4]; /* by tile */
};

static void make(struct task *task, uint64_t seed, const struct layout *layout)
{
    task->maker = make_maker(seed, layout);
    task->list = calloc(NOC_TILES, sizeof *task->list);
    assert_non_null(task->list);
    for (unsigned i = 0; i < NOC_TILES * CORES; i++)
        make_list(&task->maker, i % CORES, task->list[i / CORES][i % CORES]);
}

/* Runs */

static void load(struct tf_chip *chip, const struct task *of)
{
    uint32_t words[32];
    uint8_t data[0x1000];
    for (unsigned i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 7 + (i >> 8));
    for (unsigned i = 0; i < NOC_TILES; i++) {
        for (unsigned at = 0; at < 16; at++)
            assert_int_equal(tf_write(chip, of->maker.tile[i], NOC_DATA + at * 0x1000, data, sizeof data), TF_OK);
        for (unsigned core = 0; core < CORES; core++) {
            struct code code = {.word = words, .capacity = 32};
            const uint32_t pc = CODE + core * 0x100;
            make_code(&code, core);
            assert_int_equal(tf_write(chip, of->maker.tile[i], pc, words, code.count * 4), TF_OK);
            assert_int_equal(tf_write(chip, of->maker.tile[i], LIST + core * LIST_BYTES, of->list[i][core], LIST_BYTES),
                             TF_OK);
            assert_int_equal(tf_core_set_pc(chip, i * 3, (enum tf_core)core, pc), TF_OK);
            assert_int_equal(tf_core_start(chip, i * 3, (enum tf_core)core), TF_OK);
        }
    }
}

static uint64_t heard;

static void take_event(void *user, const struct tf_noc_event *event)
{
    (void)user, (void)event;
    heard++;
}

/* Start the cores again that have faulted. */
static void go_on(struct tf_chip *chip)
{
    struct tf_core_view view;
    for (unsigned i = 0; i < NOC_TILES * CORES; i++) {
        unsigned tile = i / CORES * 3;
        enum tf_core core = (enum tf_core)(i % CORES);
        assert_int_equal(tf_core_view(chip, tile, core, &view), TF_OK);
        if (view.state != TF_CORE_FAULTED)
            continue;
        assert_int_equal(tf_core_stop(chip, tile, core), TF_OK);
        assert_int_equal(tf_core_start(chip, tile, core), TF_OK);
    }
}

static struct tf_chip *run(const struct task *of, struct chip_wish *config)
{
    struct tf_chip *chip;
    config->arch = of->maker.arch;
    config->go_on_after_fault = true;
    config->pin = false;
    assert_int_equal(chip_wish_create(config, &chip, NULL), TF_OK);
    load(chip, of);
    for (unsigned piece = 0; piece < PIECES; piece++) {
        const struct tf_run_options options = {.cycles_max = PIECE_CYCLES};
        assert_int_equal(tf_run(chip, &options, NULL), TF_OK);
        go_on(chip);
    }
    return chip;
}

static void check_guard(struct tf_chip *chip, const struct task *of)
{
    static uint8_t found[GUARD];
    struct tf_coord at;
    for (unsigned tile = 0; tf_tile_coord(of->maker.arch, tile, &at) == TF_OK; tile++) {
        assert_int_equal(tf_read(chip, at, 0, found, GUARD), TF_OK);
        for (unsigned i = 0; i < GUARD; i++)
            if (found[i] != 0 && of->maker.wild == 0)
                fail_msg("tile %u: the byte at 0x%x is 0x%02x", tile, i, found[i]);
    }
}

static void run_both_ways(uint64_t seed, const struct layout *layout)
{
    struct chip_wish one, two;
    struct tf_stats stats;
    struct task of;
    char text[200];
    make(&of, seed, layout);
    chip_wish_init(&one);
    chip_wish_init(&two);
    one.threads = 1;
    one.serial_delivery = true;
    one.on_noc = take_event;
    two.threads = 2;
    struct tf_chip *a = run(&of, &one), *b = run(&of, &two);
    tf_stats(a, &stats);
    print_message("%s %llu: %llu requests, %llu faults, %llu hazards\n", layout->family, (unsigned long long)seed,
                  (unsigned long long)stats.noc_requests, (unsigned long long)stats.faults,
                  (unsigned long long)stats.hazards);
    if (tf_state_hash(a) != tf_state_hash(b))
        fail_msg("%s, seed %llu: %s", layout->family, (unsigned long long)seed,
                 chip_difference(a, b, text, sizeof text));
    check_guard(a, &of);
    tf_chip_destroy(a);
    tf_chip_destroy(b);
    free(of.list);
}

static void ways_agree(void **state)
{
    (void)state;
    uint64_t seed = test_seed(1), rounds = test_rounds(ROUNDS);
    for (uint64_t i = 0; i < rounds; i++)
        run_both_ways(seed + i, &layouts[(seed + i) % 2]);
    assert_true(heard > rounds * 100);
}

static void relaxed_mode_survives(void **state)
{
    (void)state;
    uint64_t seed = test_seed(1), rounds = test_rounds(ROUNDS);
    for (uint64_t i = 0; i < rounds; i++) {
        struct chip_wish config;
        struct task of;
        make(&of, seed + i, &layouts[(seed + i) % 2]);
        chip_wish_init(&config);
        config.threads = 1 + (unsigned)(seed + i) / 2 % 2;
        config.mode = TF_MODE_RELAXED;
        struct tf_chip *chip = run(&of, &config);
        check_guard(chip, &of);
        tf_chip_destroy(chip);
        free(of.list);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ways_agree), cmocka_unit_test(relaxed_mode_survives)};
    cmocka_set_test_filter(getenv("TF_TEST"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
