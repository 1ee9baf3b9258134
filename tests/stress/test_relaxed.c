/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Relaxed mode with requests of the kinds that have a fast path. Tiles in a ring hand data on in one of several ways,
 * and signal it by an atomic. All count in one word. A lost wake-up ends the run before the last round; data that come
 * after the count show. A core that waits for a counter of its NIU is woken when a worker has moved it. Invariants R3,
 * R4, R5, R8 and R9 of docs/design.md.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chip_wish.h"
#include "host/sanitizer.h"
#include "noc_emit.h"
#include "places.h"
#include "tilefarm/tilefarm_chip.h"

#define TILES_MAX 140u
#define ROUNDS 100u

#define ARRIVED 0x4000u /* the previous tile counts it up */
#define ANSWER 0x4100u
#define ALL 0x4200u          /* of tile 0, counted up by every tile */
#define STALE_ROUNDS 0x4300u /* rounds in which the data were not there yet */
#define DONE 0x4400u
#define OUTGOING 0x6000u
#define INCOMING 0x7000u
#define LAST (256u - 4) /* the data's last word tells the round */
#define COUNTERS 62u    /* of a NIU */
#define OUTSTANDING (NIU + 0x200 + 4 * 17)
#define DRAM_AT(tile) (0x1000000u + (tile)*0x400u)

enum { X_ROUND = 8, X_ROUNDS, X_NEXT, X_DATA, X_ALL, X_STALE_ROUNDS, X_FETCH };

/* The next tile is written to, or it reads. An atomic of a whole line tells it to read from the tile or from DRAM. */
enum way { BY_WRITE, BY_READ, BY_DRAM, WAYS };

static enum way way;
static unsigned tiles; /* of the chip */

/* A port of the first channel. Wormhole has no translated coordinates here. */
static uint32_t dram_xy(void)
{
    return family == NULL ? 17u | 12u << 6 : 0;
}

/* An atomic of a whole line, where the family has one. */
static uint32_t signal_length(void)
{
    return way == BY_READ && family == NULL ? 0x9004 : INCREMENT_LENGTH;
}

static void wait_answered(struct code *code)
{
    li(code, X_BASE, OUTSTANDING);
    unsigned poll = code->count;
    put(code, rv_i(LW, X_VALUE, X_BASE, 0));
    branch_to(code, BNE, X_VALUE, 0, poll);
}

/* Initiator 0 tells the next tile, 1 sends data and 3 fetches them. */
static void fill_ring(struct code *code, unsigned tile)
{
    unsigned before = (tile + tiles - 1) % tiles;
    uint32_t own = xy(tile), next = xy((tile + 1) % tiles);
    fill(code, 0, &(struct request){ARRIVED, next, ANSWER, own, 1, signal_length()});
    fill(code, 2, &(struct request){ALL, xy(0), ANSWER + 4, own, 1, 0x107C});
    if (way == BY_WRITE)
        fill(code, 1, &(struct request){OUTGOING, own, INCOMING, next, 2, LAST + 4});
    if (way == BY_READ)
        fill(code, 3, &(struct request){OUTGOING, xy(before), INCOMING, own, 0, LAST + 4});
    if (way == BY_DRAM) {
        fill(code, 1, &(struct request){OUTGOING, own, DRAM_AT(tile), dram_xy(), 2, LAST + 4});
        fill(code, 3, &(struct request){DRAM_AT(before), dram_xy(), INCOMING, own, 0, LAST + 4});
    }
}

static void write_program(struct code *code, unsigned tile)
{
    fill_ring(code, tile);
    for (unsigned i = 0; i < 3; i++)
        li(code, X_NEXT + i, initiator_at(i));
    li(code, X_FETCH, initiator_at(3));
    li(code, X_ROUND, 0);
    li(code, X_ROUNDS, ROUNDS);
    li(code, X_STALE_ROUNDS, 0);
    unsigned loop = code->count;
    put(code, rv_i(ADDI, X_ROUND, X_ROUND, 1));
    li(code, X_BASE, OUTGOING);
    put(code, rv_s(SW, X_ROUND, X_BASE, LAST));
    if (way != BY_READ)
        send(code, X_DATA);
    if (way == BY_DRAM)
        wait_answered(code);
    send(code, X_NEXT);
    send(code, X_ALL);
    li(code, X_BASE, ARRIVED);
    unsigned poll = code->count;
    put(code, rv_i(LW, X_VALUE, X_BASE, 0));
    branch_to(code, BLT, X_VALUE, X_ROUND, poll);
    put(code, FENCE);
    if (way != BY_WRITE) {
        send(code, X_FETCH);
        wait_answered(code);
    }
    li(code, X_BASE, INCOMING);
    put(code, rv_i(LW, X_VALUE, X_BASE, LAST));
    unsigned in_time = code->count;
    put(code, 0);
    put(code, rv_i(ADDI, X_STALE_ROUNDS, X_STALE_ROUNDS, 1));
    land_branch(code, in_time, BGE, X_VALUE, X_ROUND);
    branch_to(code, BNE, X_ROUND, X_ROUNDS, loop);
    li(code, X_BASE, STALE_ROUNDS);
    put(code, rv_s(SW, X_STALE_ROUNDS, X_BASE, 0));
    store(code, DONE, 1);
    put(code, rv_j(0, 0));
}

static uint32_t peek(struct tf_chip *chip, unsigned tile, uint32_t address)
{
    uint32_t value;
    assert_int_equal(tf_read(chip, at(tile), address, &value, 4), TF_OK);
    return value;
}

static void check(struct tf_chip *chip, unsigned tile)
{
    assert_int_equal(peek(chip, tile, DONE), 1);
    assert_int_equal(peek(chip, tile, STALE_ROUNDS), 0);
    assert_int_equal(peek(chip, tile, ARRIVED), ROUNDS);
    assert_int_equal(peek(chip, tile, INCOMING + LAST), ROUNDS);
    assert_int_equal(peek(chip, tile, NIU + 0x200 + 4 * 0), 2 * ROUNDS); /* answers to atomics */
    assert_int_equal(peek(chip, tile, OUTSTANDING), 0);
    assert_int_equal(peek(chip, tile, NIU + 0x200 + 4 * 33), 0); /* outgoing */
}

/* The data that go to the next tile, and the requests that act on them. */
static void check_counters(struct tf_chip *chip, unsigned tile)
{
    unsigned atomics = ROUNDS + (tile == 0 ? tiles * ROUNDS : 0);
    assert_int_equal(peek(chip, tile, NIU + 0x200 + 4 * 1), ROUNDS);     /* acknowledgements */
    assert_int_equal(peek(chip, tile, NIU + 0x200 + 4 * 4), 3 * ROUNDS); /* commands */
    assert_int_equal(peek(chip, tile, NIU + 0x200 + 4 * 48), atomics);   /* answered here */
    assert_int_equal(peek(chip, tile, NIU + 0x200 + 4 * 49), ROUNDS);    /* acknowledged here */
}

static struct tf_chip *run(enum tf_mode mode, unsigned threads, bool parking, void (*write)(struct code *, unsigned))
{
    struct chip_wish config;
    struct tf_chip *chip;
    chip_wish_init(&config);
    config.threads = threads;
    config.parking = parking;
    config.pin = false;
    config.mode = mode;
    config.arch = family;
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    for (unsigned tile = 0; tile < tiles; tile++) {
        uint32_t word[512];
        struct code code = {.word = word, .capacity = 512};
        write(&code, tile);
        assert_true(code.count < code.capacity);
        assert_int_equal(tf_write(chip, at(tile), 0x100, word, code.count * 4), TF_OK);
        assert_int_equal(tf_core_set_pc(chip, tile, TF_CORE_B, 0x100), TF_OK);
        assert_int_equal(tf_core_start(chip, tile, TF_CORE_B), TF_OK);
    }
    struct tf_run_options options = {.cycles_max = 100000000};
    enum tf_end end;
    assert_int_equal(tf_run(chip, &options, &end), TF_OK);
    assert_int_equal(end, TF_END_QUIET);
    return chip;
}

static void read_counters(struct tf_chip *chip, uint32_t (*counter)[COUNTERS])
{
    for (unsigned tile = 0; tile < tiles; tile++)
        for (unsigned i = 0; i < COUNTERS; i++)
            counter[tile][i] = peek(chip, tile, NIU + 0x200 + 4 * i);
}

static void ring(enum tf_mode mode, unsigned threads, bool parking, uint32_t (*counter)[COUNTERS])
{
    struct tf_chip *chip = run(mode, threads, parking, write_program);
    for (unsigned tile = 0; tile < tiles; tile++) {
        check(chip, tile);
        if (way == BY_WRITE)
            check_counters(chip, tile);
    }
    assert_int_equal(peek(chip, 0, ALL), tiles * ROUNDS);
    read_counters(chip, counter);
    tf_chip_destroy(chip);
}

static void all_arrives(void **state)
{
    (void)state;
    static const unsigned threads[] = {1, 2, 3, 8};
    static uint32_t wanted[TILES_MAX][COUNTERS], got[TILES_MAX][COUNTERS];
    for (way = 0; way < WAYS; way++) {
        ring(TF_MODE_DETERMINISTIC, 1, true, wanted);
        for (unsigned i = TF_WITH_TSAN; i < 4; i++) { /* one thread has no race to find */
            ring(TF_MODE_RELAXED, threads[i], true, got);
            for (unsigned tile = 0; tile < tiles; tile++)
                assert_memory_equal(got[tile], wanted[tile], sizeof wanted[tile]);
        }
    }
}

/* Cores that do not park keep their tiles from becoming quiet until all is done. */
static void all_arrives_without_parking(void **state)
{
    (void)state;
    static uint32_t counter[TILES_MAX][COUNTERS];
    way = BY_WRITE;
    ring(TF_MODE_RELAXED, 3, false, counter);
}

/* Every third tile waits for a counter of its NIU; the next two send to it, and are done. */
static void write_counted(struct code *code, unsigned tile)
{
    static const uint8_t counter[] = {52, 54, 60, 56, 48, 49, 53, 50, 51}; /* all of a kind, or answers */
    static const unsigned each[] = {2, 1, 1, 4, 1, 1, 1, 1, 4};
    unsigned which = tile / 3 % 9, waits = tile - tile % 3;
    if (tile % 3 == 0) {
        li(code, X_ROUNDS, 2 * ROUNDS * each[which]);
        li(code, X_BASE, NIU + 0x200 + 4 * counter[which]);
        unsigned poll = code->count;
        put(code, rv_i(LW, X_VALUE, X_BASE, 0));
        branch_to(code, BLT, X_VALUE, X_ROUNDS, poll);
    } else {
        fill(code, 0, &(struct request){ARRIVED, xy(waits), ANSWER, xy(tile), 1, 0x107C});
        fill(code, 1, &(struct request){OUTGOING, xy(tile), INCOMING, xy(waits), 2, LAST + 4});
        fill(code, 3, &(struct request){OUTGOING, xy(waits), ANSWER, xy(tile), 0, LAST + 4});
        li(code, X_NEXT, NIU);
        li(code, X_DATA, initiator_at(1));
        li(code, X_FETCH, initiator_at(3));
        li(code, X_ROUND, ROUNDS);
        unsigned loop = code->count;
        send(code, X_NEXT);
        send(code, X_DATA);
        send(code, X_FETCH);
        put(code, rv_i(ADDI, X_ROUND, X_ROUND, -1));
        branch_to(code, BNE, X_ROUND, 0, loop);
    }
    store(code, DONE, 1);
    put(code, rv_j(0, 0));
}

static void counters_wake(void **state)
{
    (void)state;
    static const unsigned threads[] = {1, 2, 8};
    for (unsigned i = TF_WITH_TSAN; i < 3; i++) {
        struct tf_chip *chip = run(TF_MODE_RELAXED, threads[i], true, write_counted);
        for (unsigned tile = 0; tile < tiles / 3 * 3; tile++)
            assert_int_equal(peek(chip, tile, DONE), 1);
        tf_chip_destroy(chip);
    }
}

int main(int count, char **argument)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_arrives),
        cmocka_unit_test(all_arrives_without_parking),
        cmocka_unit_test(counters_wake),
    };
    struct tf_shape shape;
    choose_family(count, argument);
    niu_words = family == NULL ? &niu_blackhole : &niu_wormhole;
    tf_arch_shape(family, &shape);
    tiles = shape.tensix_tiles;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
