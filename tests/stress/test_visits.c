/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Relaxed mode: how long a worker stays with a tile, and the events of atomics. No core here parks, so every tile takes
 * part all the time. On one thread all runs have one order, so cycles can be compared.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "chip_wish.h"
#include "unless_hostile.h"
#include "noc_emit.h"
#include "places.h"
#include "tile/run/slice.h"
#include "tilefarm/tilefarm_chip.h"

#define TILES 140u
#define PROGRAM 0x100u
#define BALL 0x4000u
#define ANSWER 0x4100u
#define DONE 0x4200u
#define SLICE 1024u
#define LONGEST 16384u /* visit, in cycles: as the longest epoch */
#define PASSES 60u

enum { X_COUNT = 8, X_LIMIT, X_NIU, X_BALL, X_SEEN };

static struct tf_chip *create(struct chip_wish *config, unsigned threads)
{
    struct tf_chip *chip;
    config->threads = threads;
    config->pin = false;
    assert_int_equal(chip_wish_create(config, &chip, NULL), TF_OK);
    return chip;
}

static struct tf_chip *create_relaxed(unsigned threads)
{
    struct chip_wish config;
    chip_wish_init(&config);
    config.mode = TF_MODE_RELAXED;
    return create(&config, threads);
}

static void start(struct tf_chip *chip, unsigned tile, void (*write)(struct code *code, unsigned tile))
{
    uint32_t word[128];
    struct code code = {.word = word, .capacity = 128};
    write(&code, tile);
    assert_true(code.count < code.capacity);
    assert_int_equal(tf_write(chip, at(tile), PROGRAM, word, code.count * 4), TF_OK);
    assert_int_equal(tf_core_set_pc(chip, tile, TF_CORE_B, PROGRAM), TF_OK);
    assert_int_equal(tf_core_start(chip, tile, TF_CORE_B), TF_OK);
}

static uint64_t cycle_of(struct tf_chip *chip, unsigned tile)
{
    struct tf_core_view view;
    assert_int_equal(tf_core_view(chip, tile, TF_CORE_B, &view), TF_OK);
    return view.cycle;
}

static void count_for_ever(struct code *code, unsigned tile)
{
    (void)tile;
    put(code, rv_i(ADDI, X_COUNT, X_COUNT, 1));
    jump_to(code, 0, 0);
}

static void count_up(struct code *code, uint32_t to)
{
    li(code, X_COUNT, 0);
    li(code, X_LIMIT, to);
    unsigned loop = code->count;
    put(code, rv_i(ADDI, X_COUNT, X_COUNT, 1));
    branch_to(code, BNE, X_COUNT, X_LIMIT, loop);
}

static void finish(struct code *code)
{
    store(code, DONE, 1);
    put(code, rv_j(0, 0));
}

/* Slices of the first rounds of visits, three of them as long as can be; and a time in the middle of the next round. */
#define ROUNDS_BEFORE (1 + 2 + 4 + 8 + 3 * 16)
#define BETWEEN ((ROUNDS_BEFORE + 12) * SLICE)

static void count_some_time(struct code *code, unsigned tile)
{
    (void)tile;
    count_up(code, BETWEEN / 2);
    finish(code);
}

static enum tf_end run_until_done(struct tf_chip *chip, unsigned tile)
{
    struct tf_run_options options = {
        .cycles_max = 100000000, .until = true, .until_node = at(tile), .until_address = DONE, .until_value = 1};
    enum tf_end end;
    assert_int_equal(tf_run(chip, &options, &end), TF_OK);
    return end;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* While no tile sends, visits are long: the clocks of tiles differ by at most one visit. */
static void who_computes_is_stayed_with(void **state)
{
    (void)state;
    struct tf_chip *chip = create_relaxed(1);
    uint64_t furthest = 0;
    start(chip, 0, count_some_time);
    for (unsigned tile = 1; tile < TILES; tile++)
        start(chip, tile, count_for_ever);
    assert_int_equal(run_until_done(chip, 0), TF_END_VALUE);
    for (unsigned tile = 1; tile < TILES; tile++) {
        uint64_t difference = distance(cycle_of(chip, tile), BETWEEN);
        furthest = difference > furthest ? difference : furthest;
    }
    assert_in_range(furthest, 4 * SLICE, LONGEST + SLICE);
    tf_chip_destroy(chip);
}

/* About an increment in half a slice, with its answers to a tile. */
static void talk_answered_at(struct code *code, unsigned tile, unsigned answer)
{
    fill(code, 0, &(struct request){BALL, xy(tile + 1), ANSWER, xy(answer), INCREMENT_CTRL, INCREMENT_LENGTH});
    li(code, X_NIU, NIU);
    li(code, X_SEEN, PASSES);
    unsigned loop = code->count;
    send(code, X_NIU);
    count_up(code, 200);
    put(code, rv_i(ADDI, X_SEEN, X_SEEN, -1));
    branch_to(code, BNE, X_SEEN, 0, loop);
    finish(code);
}

static void talk(struct code *code, unsigned tile)
{
    talk_answered_at(code, tile, tile);
}

static void talk_answered_remote(struct code *code, unsigned tile)
{
    talk_answered_at(code, tile, tile + 2);
}

/* A tile that sends gets as much time as tiles that compute. */
static void who_talks_is_not_left_behind(void **state)
{
    (void)state;
    SKIP_WHEN_HOSTILE("slices are short");
    struct tf_chip *chip = create_relaxed(1);
    start(chip, 77, talk);
    for (unsigned tile = 0; tile < TILES; tile++)
        if (tile != 77)
            start(chip, tile, count_for_ever);
    assert_int_equal(run_until_done(chip, 77), TF_END_VALUE);
    for (unsigned tile = 0; tile < TILES; tile++)
        assert_in_range(distance(cycle_of(chip, tile), cycle_of(chip, 77)), 0, 5 * SLICE);
    tf_chip_destroy(chip);
}

#define PACKETS 40u
#define WRITE_CTRL 2u
#define OUTSTANDING (NIU + 0x200 + 4 * (16 + 1)) /* of transaction 1 */

/* A write of so many packets; the NIU takes one at a time, after a while in which visits become long. */
static void write_packets(struct code *code, unsigned tile)
{
    count_up(code, 20000);
    fill(code, 0, &(struct request){0x10000, xy(tile), 0x10000, xy(tile + 1), WRITE_CTRL, 16384 * PACKETS});
    li(code, X_NIU, NIU);
    send(code, X_NIU);
    li(code, X_SEEN, OUTSTANDING);
    unsigned wait = code->count;
    put(code, rv_i(ADDI, X_COUNT, X_COUNT, 1));
    put(code, rv_i(LW, X_VALUE, X_SEEN, 0));
    branch_to(code, BNE, X_VALUE, 0, wait);
    finish(code);
}

/* Packets that had to wait count as talk when they leave: each is gone after a slice, as in deterministic mode. */
static void what_waited_at_the_niu_is_talk(void **state)
{
    (void)state;
    SKIP_WHEN_HOSTILE("slices are short");
    struct chip_wish config;
    chip_wish_init(&config);
    config.mode = TF_MODE_RELAXED;
    config.niu_requests_max = 1;
    struct tf_chip *chip = create(&config, 1);
    start(chip, 0, write_packets);
    assert_int_equal(run_until_done(chip, 0), TF_END_VALUE);
    assert_in_range(cycle_of(chip, 0), 40000 + PACKETS * SLICE, 40000 + LONGEST + (PACKETS + 10) * SLICE);
    tf_chip_destroy(chip);
}

/* Polls for the ball with a register that counts, and then passes it to the partner. */
static void play(struct code *code, unsigned tile)
{
    fill(code, 0, &(struct request){BALL, xy(tile ^ 1), ANSWER, xy(tile), INCREMENT_CTRL, INCREMENT_LENGTH});
    li(code, X_NIU, NIU);
    li(code, X_BALL, BALL);
    li(code, X_SEEN, 0);
    li(code, X_LIMIT, PASSES);
    unsigned loop = code->count;
    if (tile % 2 == 0)
        send(code, X_NIU);
    put(code, rv_i(ADDI, X_SEEN, X_SEEN, 1));
    unsigned poll = code->count;
    put(code, rv_i(ADDI, X_COUNT, X_COUNT, 1));
    put(code, rv_i(LW, X_VALUE, X_BALL, 0));
    branch_to(code, BLT, X_VALUE, X_SEEN, poll);
    if (tile % 2 != 0)
        send(code, X_NIU);
    branch_to(code, BNE, X_SEEN, X_LIMIT, loop);
    finish(code);
}

static uint64_t match(unsigned threads)
{
    struct tf_chip *chip = create_relaxed(threads);
    struct tf_run_options options = {.cycles_max = 1000000000};
    struct tf_stats stats;
    enum tf_end end;
    for (unsigned tile = 0; tile < TILES; tile++)
        start(chip, tile, play);
    assert_int_equal(tf_run(chip, &options, &end), TF_OK);
    assert_int_equal(end, TF_END_QUIET);
    for (unsigned tile = 0; tile < TILES; tile++) {
        uint32_t passed;
        assert_int_equal(tf_read(chip, at(tile), BALL, &passed, 4), TF_OK);
        assert_int_equal(passed, PASSES);
    }
    tf_stats(chip, &stats);
    tf_chip_destroy(chip);
    return stats.cycles;
}

/* A tile that polls does not starve the tile that answers. */
static void who_polls_does_not_starve_others(void **state)
{
    (void)state;
    SKIP_WHEN_HOSTILE("slices are short");
    static const unsigned threads[] = {2, 3, 8};
    assert_in_range(match(1), PASSES * SLICE, 3 * PASSES * SLICE);
    for (unsigned i = 0; i < 3; i++)
        match(threads[i]);
}

/* A run's last cycle is the same for every tile, and that of deterministic mode where ticks and slices end together. */
static void the_limit_holds(void **state)
{
    (void)state;
    static const unsigned threads[] = {1, 3};
    uint64_t last[TILES];
    struct tf_run_options options = {.cycles_max = 2 * TF_SLICE_COMMON};
    enum tf_end end;
    for (unsigned i = 0; i < 3; i++) {
        struct chip_wish config;
        chip_wish_init(&config);
        struct tf_chip *chip = i == 0 ? create(&config, 1) : create_relaxed(threads[i - 1]);
        for (unsigned tile = 0; tile < TILES; tile++)
            start(chip, tile, count_for_ever);
        assert_int_equal(tf_run(chip, &options, &end), TF_OK);
        assert_int_equal(end, TF_END_CYCLES);
        for (unsigned tile = 0; tile < TILES; tile++) {
            if (i == 0)
                last[tile] = cycle_of(chip, tile);
            assert_int_equal(cycle_of(chip, tile), last[tile]);
        }
        tf_chip_destroy(chip);
    }
}

/* Cores that the host starts later start at the chip's time, and need not be brought there. */
static void a_later_start_costs_nothing(void **state)
{
    (void)state;
    SKIP_WHEN_HOSTILE("slices are short");
    struct tf_chip *chip = create_relaxed(1);
    struct tf_worker_stats stats;
    start(chip, 0, count_some_time);
    for (unsigned run = 0; run < 2; run++) {
        if (run != 0)
            start(chip, 1, count_some_time);
        assert_int_equal(run_until_done(chip, run), TF_END_VALUE);
    }
    assert_int_equal(tf_worker_stats(chip, 0, &stats), TF_OK);
    /* A core that is done goes on until it parks. */
    assert_in_range(stats.slices, 2 * BETWEEN / SLICE, 2 * BETWEEN / SLICE + 40);
    tf_chip_destroy(chip);
}

/* An increment in the middle of a long visit. */
static void count_and_talk(struct code *code, unsigned tile)
{
    count_up(code, BETWEEN / 2);
    talk(code, tile);
}

static void stop(void *user, const struct tf_atomic_event *event)
{
    struct tf_chip **chip = user;
    (void)event;
    tf_stop(*chip);
}

/* It does so even if other tiles have not been visited in this round. */
static void a_stop_ends_the_round(void **state)
{
    (void)state;
    SKIP_WHEN_HOSTILE("slices are short");
    struct tf_chip *chip;
    struct chip_wish config;
    enum tf_end end;
    chip_wish_init(&config);
    config.mode = TF_MODE_RELAXED;
    config.on_atomic = stop;
    config.user = &chip;
    chip = create(&config, 1);
    for (unsigned tile = 0; tile < TILES; tile++)
        start(chip, tile, tile == 77 ? count_and_talk : count_for_ever);
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    assert_int_equal(end, TF_END_STOPPED);
    for (unsigned tile = 78; tile < TILES; tile++)
        assert_in_range(cycle_of(chip, tile), (ROUNDS_BEFORE - 1) * SLICE, ROUNDS_BEFORE * SLICE + SLICE / 2);
    tf_chip_destroy(chip);
}

static void expect_next(void *user, const struct tf_atomic_event *event)
{
    uint32_t *count = user;
    assert_int_equal(event->address, BALL);
    assert_true(event->answered);
    assert_int_equal(event->result, *count);
    ++*count;
}

/* The event of each increment has the word that it returns. */
static void atomics_are_told_with_results(void **state)
{
    (void)state;
    for (unsigned remote_answer = 0; remote_answer < 2; remote_answer++) {
        uint32_t count = 0;
        struct chip_wish config;
        enum tf_end end;
        chip_wish_init(&config);
        config.mode = TF_MODE_RELAXED;
        config.on_atomic = expect_next;
        config.user = &count;
        struct tf_chip *chip = create(&config, 1);
        start(chip, 3, remote_answer ? talk_answered_remote : talk);
        assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
        assert_int_equal(count, PASSES);
        tf_chip_destroy(chip);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_computes_is_stayed_with),
        cmocka_unit_test(who_talks_is_not_left_behind),
        cmocka_unit_test(what_waited_at_the_niu_is_talk),
        cmocka_unit_test(who_polls_does_not_starve_others),
        cmocka_unit_test(the_limit_holds),
        cmocka_unit_test(a_later_start_costs_nothing),
        cmocka_unit_test(a_stop_ends_the_round),
        cmocka_unit_test(atomics_are_told_with_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
