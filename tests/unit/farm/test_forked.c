/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forks of chips: a chip's changes do not show in its fork, nor the fork's in the chip. Either may change first, or be
 * destroyed first. golden_saved and test_random_chip test that forks continue like the chip.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chip_wish.h"
#include "tilefarm/tilefarm_chip.h"
#include "addresses.h"
#include "blackhole/tilefarm_family.h"

#define COUNTING 20u /* tiles */
#define COUNT 0x300u /* where they count in L1 */

/* malloc() fails from this call on; 0: never. */
static unsigned refuse_from, asked;

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes)
{
    return refuse_from != 0 && ++asked >= refuse_from ? NULL : __real_malloc(bytes);
}

static bool refuses_growth;

void *__real_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes)
{
    return refuses_growth ? NULL : __real_realloc(old, bytes);
}

static const struct tf_coord dram = {0, 0};

static struct tf_coord tile_at(unsigned tile)
{
    struct tf_coord coord;
    assert_int_equal(tf_tile_coord(NULL, tile, &coord), TF_OK);
    return coord;
}

static uint32_t word(struct tf_chip *chip, struct tf_coord node, uint64_t address)
{
    uint32_t value = 0;
    assert_int_equal(tf_read(chip, node, address, &value, sizeof value), TF_OK);
    return value;
}

static void set(struct tf_chip *chip, struct tf_coord node, uint64_t address, uint32_t value)
{
    assert_int_equal(tf_write(chip, node, address, &value, sizeof value), TF_OK);
}

static void run(struct tf_chip *chip, uint64_t cycles)
{
    assert_int_equal(tf_run(chip, &(struct tf_run_options){.cycles_max = cycles}, NULL), TF_OK);
}

/* Some tiles count, one has faulted, and DRAM holds a word. */
static struct tf_chip *counting(unsigned threads)
{
    const uint32_t count[] = {0x00128293, 0x30502023, 0xFF9FF06F}; /* addi t0, t0, 1; sw t0, COUNT(x0); j -8 */
    struct chip_wish config;
    struct tf_chip *chip = NULL;
    chip_wish_init(&config);
    config.threads = threads;
    config.go_on_after_fault = true;
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    for (unsigned i = 0; i < COUNTING; i++) {
        assert_int_equal(tf_write(chip, tile_at(i * 7), 0, count, sizeof count), TF_OK);
        assert_int_equal(tf_core_start(chip, i * 7, TF_CORE_B), TF_OK);
    }
    set(chip, tile_at(1), 0, 0xFFFFFFFF);
    assert_int_equal(tf_core_start(chip, 1, TF_CORE_B), TF_OK);
    set(chip, dram, 0x1234560, 0x12345678);
    run(chip, 20000);
    return chip;
}

static struct tf_chip *fork_of(struct tf_chip *chip)
{
    struct tf_message message = {""};
    struct tf_chip *fork = NULL;
    if (chip_wish_fork(chip, NULL, &fork, &message) != TF_OK)
        fail_msg("%s", message.text);
    return fork;
}

static void expect_equal(struct tf_chip *a, struct tf_chip *b)
{
    struct tf_stats of_a, of_b;
    tf_stats(a, &of_a);
    tf_stats(b, &of_b);
    assert_true(tf_state_hash(a) == tf_state_hash(b));
    assert_true(of_a.cycles == of_b.cycles && of_a.epochs == of_b.epochs && of_a.instructions == of_b.instructions);
    assert_int_equal(tf_fault_count(a), tf_fault_count(b));
}

/* Each function that reads sees a fork's state, even if it is the first access. */
static void test_looks(void **state)
{
    (void)state;
    struct tf_chip *chip = counting(1), *fork;
    struct tf_core_view view, of_fork;
    struct tf_tile_stats tile, tile_of_fork;
    struct tf_stats stats, stats_of_fork;
    struct tf_fault fault;
    char text[4096], text_of_fork[4096];
    for (unsigned i = 0; i < COUNTING; i++) {
        fork = fork_of(chip);
        tf_core_view(chip, i * 7, TF_CORE_B, &view);
        assert_int_equal(tf_core_view(fork, i * 7, TF_CORE_B, &of_fork), TF_OK);
        assert_true(view.instret > 1000 && view.instret == of_fork.instret && view.pc == of_fork.pc);
        tf_chip_destroy(fork);
    }
    fork = fork_of(chip);
    tf_tile_stats(chip, 0, &tile);
    tf_tile_stats(fork, 0, &tile_of_fork);
    assert_true(tile.instructions != 0 && tile.instructions == tile_of_fork.instructions);
    tf_chip_destroy(fork);
    fork = fork_of(chip);
    tf_stats(chip, &stats);
    tf_stats(fork, &stats_of_fork);
    assert_true(stats.instructions == stats_of_fork.instructions);
    tf_chip_destroy(fork);
    fork = fork_of(chip);
    assert_true(tf_state_hash(fork) == tf_state_hash(chip));
    tf_chip_destroy(fork);
    fork = fork_of(chip);
    tf_describe_waits(chip, text, sizeof text);
    tf_describe_waits(fork, text_of_fork, sizeof text_of_fork);
    assert_string_equal(text, text_of_fork);
    tf_chip_destroy(fork);
    fork = fork_of(chip);
    assert_int_equal(word(fork, dram, 0x1234560), 0x12345678);
    assert_int_equal(word(fork, tile_at(7), COUNT), word(chip, tile_at(7), COUNT));
    assert_int_equal(tf_fault_get(fork, 0, &fault), TF_OK);
    tf_chip_destroy(fork);
    tf_chip_destroy(chip);
}

/* Later changes of one chip do not show in the other. */
static void test_independent(void **state)
{
    (void)state;
    struct tf_chip *chip = counting(2), *like = counting(1);
    struct tf_chip *first = fork_of(chip), *second = fork_of(chip);
    expect_equal(second, like);
    set(chip, tile_at(3), 0x400, 1); /* before the fork has seen that tile */
    set(chip, dram, 0x1234560, 2);
    set(first, tile_at(4), 0x400, 3);
    set(first, dram, 0x7654320, 4);
    assert_int_equal(word(first, tile_at(3), 0x400), 0);
    assert_int_equal(word(first, dram, 0x1234560), 0x12345678);
    assert_int_equal(word(chip, tile_at(4), 0x400), 0);
    assert_int_equal(word(chip, dram, 0x7654320), 0);
    run(chip, 30000);
    assert_true(word(chip, tile_at(7), COUNT) > word(first, tile_at(7), COUNT));
    expect_equal(second, like);
    run(second, 30000);
    run(like, 30000);
    expect_equal(second, like);
    tf_chip_destroy(chip);
    tf_chip_destroy(first);
    tf_chip_destroy(second);
    tf_chip_destroy(like);
}

/* A fork outlives its chip and the forks in between. A chip outlives its forks. */
static void test_order(void **state)
{
    (void)state;
    struct tf_chip *like = counting(1);
    run(like, 10000);
    for (unsigned order = 0; order < 6; order++) {
        static const uint8_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
        for (unsigned moved = 0; moved < 3; moved++) { /* how far the fork has gone when it is forked */
            struct tf_chip *chip[3] = {counting(1)};
            chip[1] = fork_of(chip[0]);
            if (moved == 1)
                assert_int_equal(word(chip[1], tile_at(7), 0x400), 0);
            if (moved == 2)
                run(chip[1], 1);
            chip[2] = fork_of(chip[1]);
            for (unsigned i = 0; i < 2; i++)
                tf_chip_destroy(chip[orders[order][i]]);
            unsigned last = orders[order][2];
            if (moved != 2 || last == 0) {
                run(chip[last], 10000);
                expect_equal(chip[last], like);
            }
            tf_chip_destroy(chip[last]);
        }
    }
    tf_chip_destroy(like);
}

/* A chip that changes between two forks gives each the state at its fork. */
static void test_moments(void **state)
{
    (void)state;
    struct tf_chip *chip = counting(1), *fork[4], *other = counting(1);
    for (unsigned i = 0; i < 4; i++) {
        fork[i] = fork_of(chip);
        set(chip, tile_at(3), 0x400, i + 1);
        if (i == 1)
            run(chip, 5000);
    }
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(word(fork[i], tile_at(3), 0x400), i);
    assert_int_equal(word(fork[0], tile_at(7), COUNT), word(other, tile_at(7), COUNT));
    assert_int_equal(word(fork[1], tile_at(7), COUNT), word(other, tile_at(7), COUNT));
    assert_int_equal(word(fork[2], tile_at(7), COUNT), word(chip, tile_at(7), COUNT));
    for (unsigned i = 0; i < 4; i++)
        tf_chip_destroy(fork[i]);
    tf_chip_destroy(chip);
    tf_chip_destroy(other);
}

/* Let a tile increment a word of the next tile, where nothing runs, each so many instructions. */
static void start_increments(struct tf_chip *chip, unsigned tile, uint32_t loops)
{
    const uint32_t code[] = {
        0xFFB202B7,               /* lui t0, 0xFFB20 */
        0x00100313,               /* addi t1, zero, 1 */
        0x00000393 | loops << 20, /* addi t2, zero, loops */
        0xFFF38393,               /* addi t2, t2, -1 */
        0xFE039EE3,               /* bne t2, zero, -4 */
        0x0462A023,               /* sw t1, 0x40(t0): NOC_CMD_CTRL */
        0xFF1FF06F,               /* j -16 */
    };
    struct tf_coord from = tile_at(tile), target = tile_at(tile + 1);
    set(chip, from, TF_NIU_BASE(0), COUNT); /* NOC_TARG_ADDR_LO, _HI, NOC_CTRL, NOC_AT_LEN_BE, NOC_AT_DATA */
    set(chip, from, NIU_AT(0, TARG_ADDR_HI), target.x | (uint32_t)target.y << 6);
    set(chip, from, NIU_AT(0, CTRL), 1);
    set(chip, from, NIU_AT(0, AT_LEN_BE), 0x107C);
    set(chip, from, NIU_AT(0, AT_DATA), 1);
    assert_int_equal(tf_write(chip, from, 0, code, sizeof code), TF_OK);
    assert_int_equal(tf_core_start(chip, tile, TF_CORE_B), TF_OK);
}

/* Requests change a tile that no phase visits. Neither side sees requests of the other side. */
static void test_requests(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        const unsigned who = i % 2;
        struct chip_wish config;
        struct tf_chip *side[2];
        chip_wish_init(&config);
        config.threads = 1;
        config.serial_delivery = i >= 2;
        assert_int_equal(chip_wish_create(&config, &side[0], NULL), TF_OK);
        start_increments(side[0], 0, 1900); /* at long intervals: no visit of tile 1 when the chip is forked */
        start_increments(side[0], 2, 200);  /* at short intervals, so that epochs are short */
        run(side[0], 20000);
        uint32_t before = word(side[0], tile_at(1), COUNT);
        assert_int_equal(before, 5);
        side[1] = fork_of(side[0]);
        run(side[who], 50000);
        assert_int_equal(word(side[1 - who], tile_at(1), COUNT), before);
        assert_in_range(word(side[who], tile_at(1), COUNT), before + 10, before + 20);
        run(side[1 - who], 50000);
        expect_equal(side[0], side[1]);
        tf_chip_destroy(side[0]);
        tf_chip_destroy(side[1]);
    }
}

/* A fault that an access of the host has made, and that no run has collected yet. */
static void test_faults(void **state)
{
    (void)state;
    struct tf_chip *chip = counting(1), *fork;
    size_t faults = tf_fault_count(chip);
    set(chip, tile_at(5), 0, 0xFFFFFFFF);
    assert_int_equal(tf_core_start(chip, 5, TF_CORE_NC), TF_OK);
    fork = fork_of(chip);
    run(chip, 1000);
    run(fork, 1000);
    expect_equal(chip, fork);
    assert_int_equal(tf_fault_count(fork), faults + tf_fault_count(chip) - faults);
    tf_chip_destroy(fork);
    tf_chip_destroy(chip);
}

static void count_riscv(void *user, const struct tf_riscv_event *event)
{
    (void)event;
    ++*(unsigned *)user;
}

/* A fork has callbacks of its own, and not those of the chip. */
static void test_callbacks(void **state)
{
    (void)state;
    unsigned events = 0;
    struct chip_wish config;
    struct tf_chip *chip = counting(1), *fork, *silent, *like = counting(1);
    chip_wish_init(&config);
    config.threads = 2;
    config.go_on_after_fault = true;
    config.on_riscv = count_riscv;
    config.user = &events;
    config.riscv_traced[7] = 1u << TF_CORE_B;
    assert_int_equal(chip_wish_fork(chip, &config, &fork, NULL), TF_OK);
    silent = fork_of(fork);
    run(fork, 5000);
    assert_in_range(events, 4000, 7000);
    events = 0;
    run(silent, 5000);
    assert_int_equal(events, 0);
    run(like, 5000);
    expect_equal(fork, like);
    expect_equal(silent, like);
    tf_chip_destroy(chip);
    tf_chip_destroy(fork);
    tf_chip_destroy(silent);
    tf_chip_destroy(like);
}

static void test_refused(void **state)
{
    (void)state;
    struct tf_message message = {""};
    struct chip_wish config;
    struct tf_chip *chip = counting(1), *relaxed, *fork = NULL;
    assert_int_equal(chip_wish_fork(NULL, NULL, &fork, &message), TF_EINVAL);
    assert_int_equal(chip_wish_fork(chip, NULL, NULL, &message), TF_EINVAL);
    chip_wish_init(&config);
    char text[80];
    snprintf(text, sizeof text, "epoch_cycles_max %u, and this one has 8192", config.epoch_cycles_max);
    config.epoch_cycles_max = 8192;
    assert_int_equal(chip_wish_fork(chip, &config, &fork, &message), TF_EINVAL);
    assert_non_null(strstr(message.text, text));
    config.threads = 1000;
    assert_int_equal(chip_wish_fork(chip, &config, &fork, &message), TF_EINVAL);
    assert_non_null(strstr(message.text, "threads is 1000"));
    chip_wish_init(&config);
    config.threads = 1;
    config.mode = TF_MODE_RELAXED;
    assert_int_equal(chip_wish_create(&config, &relaxed, NULL), TF_OK);
    assert_int_equal(chip_wish_fork(relaxed, NULL, &fork, &message), TF_EINVAL);
    assert_non_null(strstr(message.text, "relaxed mode"));
    assert_null(fork);
    tf_chip_destroy(relaxed);
    tf_chip_destroy(chip);
}

/* If the host has no memory for a copy, the fork reports that by the end of an epoch, and the chip continues. */
static void test_no_memory(void **state)
{
    (void)state;
    struct tf_chip *chip = counting(1), *like = counting(1), *fork, *other;
    fork = fork_of(chip);
    asked = 0;
    refuse_from = 3;
    run(chip, 5000);
    refuse_from = 0;
    assert_true(asked >= 3);
    run(like, 5000);
    expect_equal(chip, like);
    assert_int_equal(tf_run(fork, NULL, NULL), TF_ENOMEM);
    other = fork_of(chip); /* a later fork is not affected */
    expect_equal(other, like);
    tf_chip_destroy(other);
    tf_chip_destroy(fork);
    tf_chip_destroy(chip);
    tf_chip_destroy(like);
}

/* The copy of a tile with much data needs memory that grows. */
static void test_no_memory_to_grow(void **state)
{
    (void)state;
    static uint32_t data[0x20000 / 4];
    struct tf_chip *chip = counting(1), *fork;
    for (uint32_t i = 0; i < sizeof data / 4; i++)
        data[i] = i + 1;
    assert_int_equal(tf_write(chip, tile_at(0), 0x10000, data, sizeof data), TF_OK);
    fork = fork_of(chip);
    refuses_growth = true;
    run(chip, 5000);
    refuses_growth = false;
    assert_int_equal(tf_run(fork, NULL, NULL), TF_ENOMEM);
    tf_chip_destroy(fork);
    tf_chip_destroy(chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_looks),     cmocka_unit_test(test_independent),
        cmocka_unit_test(test_order),     cmocka_unit_test(test_moments),
        cmocka_unit_test(test_requests),  cmocka_unit_test(test_faults),
        cmocka_unit_test(test_callbacks), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_no_memory), cmocka_unit_test(test_no_memory_to_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
