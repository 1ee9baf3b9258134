/* SPDX-License-Identifier: Apache-2.0 */
/* Packets of timing mode: when they arrive, and that neither threads nor saves nor forks change it. */
#include <string.h>

#include "chip_wish.h"
#include "one_chip.h"
#include "farm/transit/route.h"
#include "tile/times.h"
#include "tilefarm/tilefarm_files.h"
#include "tilefarm/tilefarm_times.h"
#include "timing/niu_code.h"

enum { CODE_WORDS = 256, RESULT = 0x8000, DATA = 0x20000, LANDING = 0x40000, TILES = 6 };
enum { B = A + 1, CLOCK, BEGAN, LEFT, AT };

static struct chip_wish timed(void)
{
    struct chip_wish wish = one_worker();
    wish.timing = true;
    return wish;
}

/* A read of 64 bytes from another tile, and a poll of the counter of answers. Its cycles are stored at RESULT. */
static void put_read(struct code *code, unsigned from, unsigned to)
{
    li(code, NIU, TF_NIU_BASE(0));
    li(code, CLOCK, TF_DEBUG_BASE + TF_DEBUG_CLOCK_L);
    store(code, TF_NIU_TARG_LO, DATA);
    store(code, TF_NIU_TARG_HI, xy_of(to));
    store(code, TF_NIU_RET_LO, LANDING);
    store(code, TF_NIU_RET_HI, xy_of(from));
    store(code, TF_NIU_CTRL, 1u << 4);
    store(code, TF_NIU_AT_LEN_BE, 64);
    put(code, rv_i(LW, BEGAN, CLOCK, 0));
    put(code, rv_r(ADD, BEGAN, BEGAN, 0));
    store(code, TF_NIU_CMD_CTRL, 1);
    unsigned wait = code->count;
    put(code, rv_i(LW, B, NIU, TF_NIU_COUNTER + 4 * 2));
    branch_to(code, BEQ, B, 0, wait);
    put(code, rv_i(LW, B, CLOCK, 0));
    put(code, rv_r(SUB, B, B, BEGAN));
    li(code, AT, RESULT);
    put(code, rv_s(SW, B, AT, 0));
    jump_to(code, 0, code->count);
}

/* Writes of 4 KiB to the next tile, and one increment of a word there after each. */
static void put_writes(struct code *code, unsigned from, unsigned to)
{
    li(code, NIU, TF_NIU_BASE(0));
    li(code, LEFT, 8);
    unsigned next = code->count;
    store(code, TF_NIU_TARG_LO, DATA);
    store(code, TF_NIU_TARG_HI, xy_of(from));
    store(code, TF_NIU_RET_LO, LANDING);
    store(code, TF_NIU_RET_HI, xy_of(to));
    store(code, TF_NIU_CTRL, 2u | 1u << 4);
    store(code, TF_NIU_AT_LEN_BE, 4096);
    store(code, TF_NIU_CMD_CTRL, 1);
    put_increment(code, from, RESULT + 32, to, RESULT + 16);
    put(code, rv_i(ADDI, LEFT, LEFT, 0xFFF));
    put(code, rv_b(BEQ, LEFT, 0, 8));
    jump_to(code, 0, next);
    jump_to(code, 0, code->count);
}

static void load(struct tf_chip *run, unsigned tile, const struct code *code)
{
    struct tf_coord at;
    assert_true(code->count < code->capacity);
    assert_int_equal(tf_tile_coord(NULL, tile, &at), TF_OK);
    assert_int_equal(tf_write(run, at, 0, code->word, code->count * 4), TF_OK);
    assert_int_equal(tf_core_set_pc(run, tile, TF_CORE_B, 0), TF_OK);
    assert_int_equal(tf_core_start(run, tile, TF_CORE_B), TF_OK);
}

static uint32_t word_at(struct tf_chip *run, unsigned tile, uint32_t address)
{
    struct tf_coord at;
    uint32_t word;
    assert_int_equal(tf_tile_coord(NULL, tile, &at), TF_OK);
    assert_int_equal(tf_read(run, at, address, &word, 4), TF_OK);
    return word;
}

static void finish(struct tf_chip *run)
{
    enum tf_end end;
    assert_int_equal(tf_run(run, NULL, &end), TF_OK);
    assert_int_equal(end, TF_END_QUIET);
}

static uint32_t round_trip(unsigned from, unsigned to)
{
    uint32_t word[CODE_WORDS];
    struct code code = {word, 0, CODE_WORDS};
    struct chip_wish config = timed();
    struct tf_chip *run;
    assert_int_equal(chip_wish_create(&config, &run, NULL), TF_OK);
    put_read(&code, from, to);
    load(run, from, &code);
    finish(run);
    const uint32_t cycles = word_at(run, from, RESULT);
    tf_chip_destroy(run);
    return cycles;
}

/* Whichever tile of its row a core reads from, request and answer pass the whole row once. In a column it is the
   column, elsewhere both. */
static void round_trips_go_around(void **state)
{
    (void)state;
    const unsigned hop = tf_times_blackhole.value[TF_TIME_NOC_HOP];
    const struct tf_arch *arch = tf_arch_find("blackhole");
    const uint32_t in_row = round_trip(0, 1), in_column = round_trip(0, 14), elsewhere = round_trip(0, 15);
    const unsigned poll = 4; /* cycles in which it may see the answer later */
    assert_in_range(round_trip(0, 9), in_row - poll, in_row + poll);
    assert_in_range(elsewhere - in_row, arch->grid_y * hop - poll, arch->grid_y * hop + poll);
    assert_in_range(elsewhere - in_column, arch->grid_x * hop - poll, arch->grid_x * hop + poll);
}

static void routes_turn_once(void **state)
{
    (void)state;
    const struct tf_arch *arch = tf_arch_find("blackhole");
    const unsigned from = 2 * arch->grid_x + 15, to = 4 * arch->grid_x + 1; /* (15,2) to (1,4) */
    struct tf_route route;
    tf_route_find(arch, 0, from, to, NULL, &route);
    assert_int_equal(route.count, 3 + 2);
    assert_int_equal(route.link[0], tf_link_of(from, TF_LINK_X));
    assert_int_equal(route.link[2], tf_link_of(2 * arch->grid_x, TF_LINK_X));
    assert_int_equal(route.link[3], tf_link_of(2 * arch->grid_x + 1, TF_LINK_Y));
    tf_route_find(arch, 1, from, to, NULL, &route);
    assert_int_equal(route.count, 14 + 10);
    assert_int_equal(route.link[0], tf_link_of(from, TF_LINK_Y));
    assert_int_equal(route.link[10], tf_link_of(4 * arch->grid_x + 15, TF_LINK_X));
}

enum { LINKED = 1 << 6, RESERVE = 1 << 8, LAST_OF_ROW = 4 };

/* Cycles of multicasts of 64 bytes from tile 0 to its row up to LAST_OF_ROW, until all are acknowledged. control: in
   NOC_CTRL of each; the last one is not linked. */
static uint32_t multicasts(unsigned packets, uint32_t control)
{
    uint32_t word[CODE_WORDS];
    struct code code = {word, 0, CODE_WORDS};
    struct chip_wish config = timed();
    struct tf_chip *run;
    assert_int_equal(chip_wish_create(&config, &run, NULL), TF_OK);
    li(&code, NIU, TF_NIU_BASE(0));
    li(&code, CLOCK, TF_DEBUG_BASE + TF_DEBUG_CLOCK_L);
    li(&code, LEFT, packets * LAST_OF_ROW);
    store(&code, TF_NIU_TARG_LO, DATA);
    store(&code, TF_NIU_TARG_HI, xy_of(0));
    store(&code, TF_NIU_RET_LO, LANDING);
    store(&code, TF_NIU_RET_HI, xy_of(LAST_OF_ROW) | xy_of(1) << 12);
    store(&code, TF_NIU_AT_LEN_BE, 64);
    put(&code, rv_i(LW, BEGAN, CLOCK, 0));
    put(&code, rv_r(ADD, BEGAN, BEGAN, 0));
    for (unsigned i = 0; i < packets; i++) {
        const uint32_t linked = i + 1 < packets ? control & LINKED : 0;
        store(&code, TF_NIU_CTRL, 2u | 1u << 4 | 1u << 5 | 1u << 7 | 4u << 13 | (control & RESERVE) | linked);
        store(&code, TF_NIU_CMD_CTRL, 1);
    }
    const unsigned wait = code.count;
    put(&code, rv_i(LW, B, NIU, TF_NIU_COUNTER + 4 * 1));
    branch_to(&code, BNE, B, LEFT, wait);
    put(&code, rv_i(LW, B, CLOCK, 0));
    put(&code, rv_r(SUB, B, B, BEGAN));
    li(&code, AT, RESULT);
    put(&code, rv_s(SW, B, AT, 0));
    jump_to(&code, 0, code.count);
    load(run, 0, &code);
    finish(run);
    const uint32_t cycles = word_at(run, 0, RESULT);
    tf_chip_destroy(run);
    return cycles;
}

/* A multicast that reserves its path leaves so much later; and the next one, too, unless it is linked to the first. */
static void multicasts_reserve_their_path(void **state)
{
    (void)state;
    const uint16_t *value = tf_times_blackhole.value;
    const unsigned reservation = value[TF_TIME_NOC_RESERVE] + LAST_OF_ROW * value[TF_TIME_NOC_RESERVE_HOP];
    const unsigned poll = 8; /* cycles in which it may see the last answer later */
    const uint32_t one = multicasts(1, 0), four = multicasts(4, LINKED);
    assert_in_range(multicasts(1, RESERVE) - one, reservation - poll, reservation + poll);
    assert_in_range(multicasts(4, LINKED | RESERVE) - four, reservation / 2, reservation + poll);
    assert_in_range(multicasts(4, RESERVE) - multicasts(1, RESERVE), 3 * reservation - poll,
                    3 * reservation + 3 * poll);
}

static struct tf_chip *busy(const struct chip_wish *config)
{
    struct tf_chip *run;
    assert_int_equal(chip_wish_create(config, &run, NULL), TF_OK);
    for (unsigned tile = 0; tile < TILES; tile++) {
        uint32_t word[CODE_WORDS];
        struct code code = {word, 0, CODE_WORDS};
        put_writes(&code, tile, (tile + 1) % TILES);
        load(run, tile, &code);
    }
    return run;
}

static void no_number_of_threads_matters(void **state)
{
    (void)state;
    uint64_t hash = 0;
    for (unsigned threads = 1; threads <= 3; threads++) {
        struct chip_wish config = timed();
        config.threads = threads;
        struct tf_chip *run = busy(&config);
        finish(run);
        assert_int_equal(word_at(run, 0, RESULT + 16), 8);
        assert_true(threads == 1 || tf_state_hash(run) == hash);
        hash = tf_state_hash(run);
        tf_chip_destroy(run);
    }
}

/* Where no packet is under way two ticks are one epoch, unless a run ends between them. */
static void ends_of_runs_change_nothing(void **state)
{
    (void)state;
    struct chip_wish config = timed();
    struct tf_chip *whole = busy(&config), *steps = busy(&config);
    struct tf_stats of_whole, of_steps;
    enum tf_end end;
    finish(whole);
    do
        assert_int_equal(tf_run(steps, &(struct tf_run_options){.cycles_max = 1}, &end), TF_OK);
    while (end == TF_END_CYCLES);
    assert_int_equal(end, TF_END_QUIET);
    tf_stats(whole, &of_whole);
    tf_stats(steps, &of_steps);
    assert_int_equal(of_whole.cycles, of_steps.cycles);
    assert_true(of_whole.epochs < of_steps.epochs);
    assert_true(tf_state_hash(whole) == tf_state_hash(steps));
    tf_chip_destroy(steps);
    tf_chip_destroy(whole);
}

static void expect_equal_files(const char *one, const char *other)
{
    FILE *a = fopen(one, "rb"), *b = fopen(other, "rb");
    assert_non_null(a);
    assert_non_null(b);
    for (int byte = 0; byte != EOF;) {
        byte = fgetc(a);
        assert_int_equal(byte, fgetc(b));
    }
    fclose(a);
    fclose(b);
}

/* Copies are made with packets in queues, on links and before their acknowledgement. */
static void copies_have_packets_in_flight(void **state)
{
    (void)state;
    struct chip_wish config = timed();
    for (uint64_t cycles = 100; cycles <= 1300; cycles += 400) {
        struct tf_chip *run = busy(&config), *restored, *fork;
        tf_run(run, &(struct tf_run_options){.cycles_max = cycles}, NULL);
        assert_int_equal(tf_chip_save(run, "transit.saved", NULL), TF_OK);
        assert_int_equal(chip_wish_create(&config, &restored, NULL), TF_OK);
        assert_int_equal(tf_chip_restore(restored, "transit.saved", NULL), TF_OK);
        assert_int_equal(tf_chip_save(restored, "transit.again", NULL), TF_OK);
        expect_equal_files("transit.saved", "transit.again");
        assert_int_equal(chip_wish_fork(run, &config, &fork, NULL), TF_OK);
        finish(run);
        finish(restored);
        finish(fork);
        assert_int_equal(word_at(restored, 0, RESULT + 16), 8);
        assert_true(tf_state_hash(restored) == tf_state_hash(run));
        assert_true(tf_state_hash(fork) == tf_state_hash(run));
        tf_chip_destroy(fork);
        tf_chip_destroy(restored);
        tf_chip_destroy(run);
    }
    remove("transit.saved");
    remove("transit.again");
}

/* The cycles of a core add up, and say what it did. */
static void cycles_add_up(void **state)
{
    (void)state;
    struct chip_wish config = timed();
    struct tf_chip *run = busy(&config);
    struct tf_core_times times;
    struct tf_tile_times tile;
    struct tf_stats stats;
    uint64_t sum = 0, dram;
    finish(run);
    tf_stats(run, &stats);
    assert_int_equal(tf_core_times(run, 0, TF_CORE_B, &times), TF_OK);
    for (unsigned i = 0; i < TF_SPENTS; i++)
        sum += times.spent[i];
    assert_int_equal(times.cycles, sum);
    assert_int_equal(times.spent[TF_SPENT_OTHER], 0);
    assert_in_range(times.ended, 1, stats.cycles - sum);
    assert_true(times.spent[TF_SPENT_ISSUED] > 8 * 16 && times.spent[TF_SPENT_ISSUED] < sum);
    assert_true(times.uncertain < sum);
    assert_int_equal(tf_tile_times(run, 0, &tile), TF_OK);
    assert_in_range(tile.noc_out[0], 8 * 65, 8 * 65 + 64);
    assert_in_range(tile.noc_in[0], 8 * 65, 8 * 65 + 64);
    assert_int_equal(tile.noc_out[1], 0);
    assert_int_equal(tf_dram_times(run, 0, &dram), TF_OK);
    assert_int_equal(dram, 0);
    assert_int_equal(tf_dram_times(run, 8, &dram), TF_ENODEV);
    assert_int_equal(tf_core_times(run, 140, TF_CORE_B, &times), TF_ENODEV);
    assert_int_equal(tf_core_times(run, 0, TF_TILE_CORES, &times), TF_ENODEV);
    tf_chip_destroy(run);
    config.timing = false;
    assert_int_equal(chip_wish_create(&config, &run, NULL), TF_OK);
    assert_int_equal(tf_core_times(run, 0, TF_CORE_B, &times), TF_EINVAL);
    assert_int_equal(tf_tile_times(run, 0, &tile), TF_EINVAL);
    tf_chip_destroy(run);
}

struct events {
    unsigned issued, acted, landed;
    uint64_t issue_cycle[512];
    bool ordered;
};

static void on_noc(void *user, const struct tf_noc_event *event)
{
    struct events *events = user;
    const uint64_t cycle = event->cycle;
    assert_true(event->request < 512);
    if (event->step == TF_NOC_ISSUED)
        events->issue_cycle[event->request] = cycle;
    else
        events->ordered &= cycle >= events->issue_cycle[event->request] + (event->step == TF_NOC_ACTED ? 20 : 60);
    events->issued += event->step == TF_NOC_ISSUED;
    events->acted += event->step == TF_NOC_ACTED;
    events->landed += event->step == TF_NOC_LANDED;
}

/* Observers see each packet in its cycles, and change nothing. */
static void events_have_their_cycles(void **state)
{
    (void)state;
    struct chip_wish config = timed();
    struct tf_chip *run = busy(&config);
    finish(run);
    const uint64_t hash = tf_state_hash(run);
    tf_chip_destroy(run);
    struct events events = {.ordered = true};
    config.on_noc = on_noc;
    config.user = &events;
    config.check = true;
    run = busy(&config);
    finish(run);
    assert_true(tf_state_hash(run) == hash);
    tf_chip_destroy(run);
    assert_int_equal(events.issued, TILES * 16);
    assert_int_equal(events.acted, TILES * 16);
    assert_int_equal(events.landed, TILES * 16);
    assert_true(events.ordered);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trips_go_around),         cmocka_unit_test(routes_turn_once),
        cmocka_unit_test(multicasts_reserve_their_path), cmocka_unit_test(ends_of_runs_change_nothing),
        cmocka_unit_test(no_number_of_threads_matters),  cmocka_unit_test(copies_have_packets_in_flight),
        cmocka_unit_test(events_have_their_cycles),      cmocka_unit_test(cycles_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
