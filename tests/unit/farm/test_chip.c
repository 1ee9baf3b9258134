/* SPDX-License-Identifier: Apache-2.0 */
/* The public interface refuses wrong calls, and a refused call changes nothing. */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "unless_hostile.h"
#include "tilefarm/tilefarm.h"
#include "addresses.h"

static int create(void **state)
{
    struct tf_config config;
    tf_config_init(&config);
    config.threads = 2;
    struct tf_chip *chip;
    if (tf_chip_create(&config, &chip, NULL) != TF_OK)
        return -1;
    *state = chip;
    return 0;
}

static int destroy(void **state)
{
    tf_chip_destroy(*state);
    return 0;
}

static void configurations_out_of_range_are_refused(void **state)
{
    (void)state;
    SKIP_WHEN_HOSTILE("slices may be shorter");
    const struct {
        size_t offset;
        uint32_t value;
        const char *names;
    } bad[] = {
        {offsetof(struct tf_config, mode), 7, "mode"},
        {offsetof(struct tf_config, atomics), 9, "atomics"},
        {offsetof(struct tf_config, slice_cycles), 15, "slice_cycles"},
        {offsetof(struct tf_config, slice_cycles), 65537, "slice_cycles"},
        {offsetof(struct tf_config, epoch_cycles_min), 1023, "epoch_cycles_min"},
        {offsetof(struct tf_config, epoch_cycles_max), 1023, "epoch_cycles_max"},
        {offsetof(struct tf_config, niu_requests_max), 0, "niu_requests_max"},
        {offsetof(struct tf_config, threads), 257, "threads"},
        {offsetof(struct tf_config, vectors), 4, "vectors"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct tf_config config;
        tf_config_init(&config);
        memcpy((char *)&config + bad[i].offset, &bad[i].value, sizeof bad[i].value);
        struct tf_chip *chip = NULL;
        struct tf_message message = {""};
        assert_int_equal(tf_chip_create(&config, &chip, &message), TF_EINVAL);
        assert_null(chip);
        assert_non_null(strstr(message.text, bad[i].names));
    }
    struct tf_config raw = {0}, ordered;
    struct tf_chip *chip = NULL;
    struct tf_message message;
    tf_config_init(&ordered);
    ordered.ordered_memory = true;
    ordered.mode = TF_MODE_RELAXED;
    assert_int_equal(tf_chip_create(&ordered, &chip, &message), TF_EINVAL);
    assert_non_null(strstr(message.text, "ordered_memory needs"));
    assert_int_equal(tf_chip_create(&raw, &chip, NULL), TF_EINVAL);
    assert_int_equal(tf_chip_create(NULL, NULL, NULL), TF_EINVAL);
}

static void tiles_are_named_both_ways(void **state)
{
    (void)state;
    for (unsigned tile = 0; tile < TF_TENSIX_TILES; tile++) {
        struct tf_coord coord;
        assert_int_equal(tf_tile_coord(NULL, tile, &coord), TF_OK);
        assert_int_equal(tf_node_kind(NULL, coord), TF_NODE_TENSIX);
        assert_int_equal(tf_tile_index(NULL, coord), tile);
    }
    struct tf_coord first, last;
    tf_tile_coord(NULL, 0, &first);
    tf_tile_coord(NULL, 139, &last);
    assert_int_equal(first.x, 1);
    assert_int_equal(first.y, 2);
    assert_int_equal(last.x, 16);
    assert_int_equal(last.y, 11);
    assert_int_equal(tf_tile_coord(NULL, 140, &first), TF_ENODEV);
    assert_int_equal(tf_tile_index(NULL, (struct tf_coord){0, 0}), TF_ENODEV);
    assert_int_equal(tf_node_kind(NULL, (struct tf_coord){17, 0}), TF_NODE_EMPTY);
}

static void memory_is_read_back_and_bounded(void **state)
{
    struct tf_chip *chip = *state;
    struct tf_coord tile;
    tf_tile_coord(NULL, 77, &tile);
    uint8_t out[5000], in[5000];
    for (unsigned i = 0; i < sizeof out; i++)
        out[i] = (uint8_t)(i * 31 + 7);
    assert_int_equal(tf_write(chip, tile, TF_L1_BYTES - sizeof out, out, sizeof out), TF_OK);
    assert_int_equal(tf_read(chip, tile, TF_L1_BYTES - sizeof in, in, sizeof in), TF_OK);
    assert_memory_equal(in, out, sizeof out);
    uint64_t hash = tf_state_hash(chip);
    assert_int_equal(tf_write(chip, tile, TF_L1_BYTES - 100, out, 101), TF_ERANGE);
    assert_int_equal(tf_write(chip, tile, UINT64_MAX - 3, out, 16), TF_ERANGE);
    assert_int_not_equal(tf_write(chip, tile, NIU_COUNTER(0, 0) + 1, out, 4), TF_OK);
    assert_int_not_equal(tf_write(chip, tile, 0x800000, out, 4), TF_OK);
    assert_int_equal(tf_write(chip, (struct tf_coord){17, 0}, 0, out, 4), TF_ENODEV);
    assert_int_equal(tf_write(chip, tile, 0, NULL, 4), TF_EINVAL);
    assert_int_equal(tf_write(NULL, tile, 0, out, 4), TF_EINVAL);
    assert_true(tf_state_hash(chip) == hash);
    out[0]++;
    assert_int_equal(tf_write(chip, tile, 0, out, 1), TF_OK);
    assert_false(tf_state_hash(chip) == hash);
}

static void dram_is_sparse_and_bounded(void **state)
{
    struct tf_chip *chip = *state;
    uint64_t word = 0x0123456789abcdef, got = 1;
    for (unsigned channel = 0; channel < TF_DRAM_CHANNELS; channel++) {
        uint64_t address = TF_DRAM_CHANNEL_BYTES - 8;
        assert_int_equal(tf_dram_read(chip, channel, address, &got, 8), TF_OK);
        assert_true(got == 0);
        word += channel;
        assert_int_equal(tf_dram_write(chip, channel, address, &word, 8), TF_OK);
        assert_int_equal(tf_dram_read(chip, channel, address, &got, 8), TF_OK);
        assert_true(got == word);
        assert_int_equal(tf_dram_write(chip, channel, address + 1, &word, 8), TF_ERANGE);
        assert_int_equal(tf_dram_read(chip, channel, UINT64_MAX, &got, 8), TF_ERANGE);
    }
    assert_int_equal(tf_dram_read(chip, 8, 0, &got, 8), TF_ENODEV);
    assert_int_equal(tf_dram_write(chip, 0, 0, NULL, 8), TF_EINVAL);
    assert_int_equal(tf_dram_write(chip, 0, 0, NULL, 0), TF_OK);
}

/* The nodes by which hosts and tiles reach each DRAM channel (BlackholeA0/DRAMTile, and tt-umd's architecture file). */
static void each_channel_has_three_nodes(void **state)
{
    static const struct tf_coord node[TF_DRAM_CHANNELS][3] = {
        {{0, 0}, {0, 1}, {0, 11}}, {{0, 2}, {0, 10}, {0, 3}}, {{0, 9}, {0, 4}, {0, 8}}, {{0, 5}, {0, 7}, {0, 6}},
        {{9, 0}, {9, 1}, {9, 11}}, {{9, 2}, {9, 10}, {9, 3}}, {{9, 9}, {9, 4}, {9, 8}}, {{9, 5}, {9, 7}, {9, 6}},
    };
    struct tf_chip *chip = *state;
    for (uint32_t channel = 0; channel < TF_DRAM_CHANNELS; channel++)
        assert_int_equal(tf_dram_write(chip, channel, 0x1000, &channel, sizeof channel), TF_OK);
    for (uint32_t channel = 0; channel < TF_DRAM_CHANNELS; channel++)
        for (unsigned i = 0; i < 3; i++) {
            uint32_t got = TF_DRAM_CHANNELS;
            assert_int_equal(tf_read(chip, node[channel][i], 0x1000, &got, sizeof got), TF_OK);
            assert_int_equal(got, channel);
        }
}

static void an_untouched_chip_is_quiet(void **state)
{
    struct tf_chip *chip = *state;
    enum tf_end end;
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    assert_int_equal(end, TF_END_QUIET);
    assert_int_equal(tf_fault_count(chip), 0);
    struct tf_fault fault;
    assert_int_equal(tf_fault_get(chip, 0, &fault), TF_ERANGE);
}

static void run_options_are_checked(void **state)
{
    struct tf_chip *chip = *state;
    struct tf_run_options options = {.until = true, .until_node = {40, 0}};
    assert_int_equal(tf_run(chip, &options, NULL), TF_ENODEV);
    options.until_node = (struct tf_coord){1, 2};
    options.until_address = 2;
    assert_int_equal(tf_run(chip, &options, NULL), TF_EINVAL);
    options.until_address = TF_L1_BYTES;
    assert_int_equal(tf_run(chip, &options, NULL), TF_EINVAL);
    assert_int_equal(tf_run(NULL, NULL, NULL), TF_EINVAL);
}

/* 0: addi x1, x1, 1; sw x1, 256(x0); j 0 */
static const uint32_t counting[] = {0x00108093, 0x10102023, 0xff9ff06f};

static void start_counting(struct tf_chip *chip, unsigned tile)
{
    struct tf_coord coord;
    tf_tile_coord(NULL, tile, &coord);
    assert_int_equal(tf_write(chip, coord, 0, counting, sizeof counting), TF_OK);
    assert_int_equal(tf_core_start(chip, tile, TF_CORE_B), TF_OK);
}

static void a_run_ends_at_a_value_a_limit_or_a_stop(void **state)
{
    struct tf_chip *chip = *state;
    start_counting(chip, 3);
    struct tf_coord coord;
    tf_tile_coord(NULL, 3, &coord);
    enum tf_end end;
    struct tf_run_options limit = {.cycles_max = 100000};
    assert_int_equal(tf_run(chip, &limit, &end), TF_OK);
    assert_int_equal(end, TF_END_CYCLES);
    struct tf_stats stats;
    tf_stats(chip, &stats);
    assert_in_range(stats.cycles, 100000, 103000);
    assert_in_range(stats.instructions, 99000, 103000);
    assert_true(stats.wall_s > 0 && stats.cpu_s >= 0);
    uint32_t count;
    assert_int_equal(tf_read(chip, coord, 256, &count, 4), TF_OK);
    assert_in_range(count, 33000, 35000);

    struct tf_run_options until = {.until = true, .until_node = coord, .until_address = 256, .until_value = count};
    assert_int_equal(tf_run(chip, &until, &end), TF_OK);
    assert_int_equal(end, TF_END_VALUE);

    tf_stop(chip);
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    assert_int_equal(end, TF_END_STOPPED);

    struct tf_core_view view;
    assert_int_equal(tf_core_view(chip, 3, TF_CORE_B, &view), TF_OK);
    assert_int_equal(view.state, TF_CORE_RUNNING);
    assert_int_equal(tf_core_stop(chip, 3, TF_CORE_B), TF_OK);
    assert_int_equal(tf_core_view(chip, 3, TF_CORE_B, &view), TF_OK);
    assert_int_equal(view.state, TF_CORE_RESET);
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    assert_int_equal(end, TF_END_QUIET);
}

static void a_fault_ends_the_run_and_is_told(void **state)
{
    struct tf_chip *chip = *state;
    const uint32_t bad[] = {0x00000013, 0xffffffff};
    struct tf_coord coord;
    tf_tile_coord(NULL, 9, &coord);
    assert_int_equal(tf_write(chip, coord, 0, bad, sizeof bad), TF_OK);
    assert_int_equal(tf_core_start(chip, 9, TF_CORE_B), TF_OK);
    enum tf_end end;
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    assert_int_equal(end, TF_END_FAULT);
    assert_int_equal(tf_fault_count(chip), 1);
    struct tf_fault fault;
    assert_int_equal(tf_fault_get(chip, 0, &fault), TF_OK);
    assert_int_equal(fault.core, TF_CORE_B);
    assert_int_equal(fault.pc, 4);
    assert_true(fault.instruction == 0xffffffff);
    assert_int_equal(fault.tile.x, coord.x);
    assert_int_equal(fault.tile.y, coord.y);
    assert_false(fault.hazard);
    struct tf_core_view view;
    tf_core_view(chip, 9, TF_CORE_B, &view);
    assert_int_equal(view.state, TF_CORE_FAULTED);
}

/* Faults of one cycle are reported by row, by column, then by core. The worker that ran a tile has no influence. */
static void faults_of_a_cycle_have_an_order(void **state)
{
    static const unsigned tiles[] = {139, 14, 0, 1, 13, 70, 126};
    struct tf_chip *chip = *state;
    const uint32_t bad = 0xffffffff;
    unsigned last = 0;
    for (unsigned i = 0; i < sizeof tiles / sizeof tiles[0]; i++) {
        struct tf_coord coord;
        tf_tile_coord(NULL, tiles[i], &coord);
        assert_int_equal(tf_write(chip, coord, 0x1000, &bad, sizeof bad), TF_OK);
        for (unsigned core = TF_CORE_B; core <= TF_CORE_T2; core += TF_CORE_T2) {
            assert_int_equal(tf_core_set_pc(chip, tiles[i], (enum tf_core)core, 0x1000), TF_OK);
            assert_int_equal(tf_core_start(chip, tiles[i], (enum tf_core)core), TF_OK);
        }
    }
    assert_int_equal(tf_run(chip, NULL, NULL), TF_OK);
    assert_int_equal(tf_fault_count(chip), 2 * sizeof tiles / sizeof tiles[0]);
    for (unsigned i = 0; i < tf_fault_count(chip); i++) {
        struct tf_fault fault;
        assert_int_equal(tf_fault_get(chip, i, &fault), TF_OK);
        unsigned place = fault.tile.y << 16 | (unsigned)fault.tile.x << 8 | fault.core;
        assert_true(i == 0 || place > last);
        last = place;
    }
}

static void two_chips_do_not_meet(void **state)
{
    struct tf_chip *one = *state;
    void *other_state = NULL;
    assert_int_equal(create(&other_state), 0);
    struct tf_chip *other = other_state;
    start_counting(one, 0);
    struct tf_run_options limit = {.cycles_max = 5000};
    assert_int_equal(tf_run(one, &limit, NULL), TF_OK);
    assert_int_equal(tf_run(other, &limit, NULL), TF_OK);
    struct tf_stats stats;
    tf_stats(other, &stats);
    assert_true(stats.instructions == 0);
    start_counting(other, 0);
    uint64_t hash = tf_state_hash(one);
    assert_int_equal(tf_run(other, &limit, NULL), TF_OK);
    assert_true(tf_state_hash(one) == hash);
    tf_chip_destroy(other);
}

/* A run ends by the limit of its time, and goes on later. */
static void time_limits_a_run(void **state)
{
    struct tf_chip *chip = *state;
    enum tf_end end = TF_END_QUIET;
    start_counting(chip, 0);
    const double bad[] = {-1, NAN};
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(tf_run(chip, &(struct tf_run_options){.wall_s_max = bad[i]}, &end), TF_EINVAL);
    struct tf_stats before, after;
    tf_stats(chip, &before);
    assert_int_equal(tf_run(chip, &(struct tf_run_options){.wall_s_max = 0.05}, &end), TF_OK);
    assert_int_equal(end, TF_END_TIME);
    tf_stats(chip, &after);
    assert_true(after.cycles > before.cycles && after.wall_s - before.wall_s >= 0.05);
    assert_int_equal(tf_run(chip, &(struct tf_run_options){.wall_s_max = 60, .cycles_max = 5000}, &end), TF_OK);
    assert_int_equal(end, TF_END_CYCLES);
}

static void cores_and_tiles_off_the_chip_are_refused(void **state)
{
    struct tf_chip *chip = *state;
    struct tf_core_view view;
    struct tf_tile_stats stats;
    const unsigned tiles = 140 + 14 + 24; /* Tensix, Ethernet, cores of DRAM */
    assert_int_equal(tf_core_start(chip, tiles, TF_CORE_B), TF_ENODEV);
    assert_int_equal(tf_core_start(chip, 0, (enum tf_core)5), TF_ENODEV);
    assert_int_equal(tf_core_stop(chip, tiles, TF_CORE_B), TF_ENODEV);
    assert_int_equal(tf_core_set_pc(chip, 0, TF_CORE_T1, 2), TF_EINVAL);
    assert_int_equal(tf_core_set_pc(chip, 0, TF_CORE_T1, TF_L1_BYTES), TF_EINVAL);
    assert_int_equal(tf_core_view(chip, 0, (enum tf_core)9, &view), TF_ENODEV);
    assert_int_equal(tf_tile_stats(chip, 140, &stats), TF_ENODEV);
}

/* Workers beyond the allowed CPUs are not pinned, and no error is reported. */
static void workers_are_where_they_are_said_to_be(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 256; threads += 255) {
        struct tf_config config;
        tf_config_init(&config);
        config.threads = threads;
        struct tf_chip *chip;
        assert_int_equal(tf_chip_create(&config, &chip, NULL), TF_OK);
        struct tf_topology topology;
        tf_topology_get(chip, &topology);
        tf_chip_destroy(chip);
        assert_int_equal(topology.workers, threads);
        assert_true(!topology.pinned || threads <= topology.cpus_allowed);
        for (unsigned i = 0; i < threads; i++)
            assert_int_equal(topology.worker[i].cpu >= 0, topology.pinned);
        assert_true(threads <= topology.cpus_allowed || strstr(topology.warning, "take turns") != NULL);
    }
}

struct progress {
    struct tf_chip *chip;
    pthread_t runs;
    unsigned calls;
    uint64_t cycle, instructions;
};

static void take_progress(void *user, uint64_t cycle, uint64_t instructions)
{
    struct progress *progress = user;
    assert_true(pthread_equal(pthread_self(), progress->runs));
    assert_true(cycle >= progress->cycle && instructions >= progress->instructions);
    progress->cycle = cycle;
    progress->instructions = instructions;
    if (++progress->calls == 3)
        tf_stop(progress->chip);
}

static double seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* In both modes, in long epochs, and if the tile belongs to another worker. At most ten calls a second. */
static void progress_is_told(void **state)
{
    (void)state;
    static const struct {
        enum tf_mode mode;
        unsigned tile;
        uint32_t epoch_cycles_max;
    } cases[] = {
        {TF_MODE_DETERMINISTIC, 0, 16384},
        {TF_MODE_DETERMINISTIC, 139, 1u << 20},
        {TF_MODE_RELAXED, 0, 16384},
        {TF_MODE_RELAXED, 139, 16384},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct progress progress = {.runs = pthread_self()};
        struct tf_config config;
        tf_config_init(&config);
        config.threads = 2;
        config.mode = cases[i].mode;
        config.epoch_cycles_max = cases[i].epoch_cycles_max;
        config.on_progress = take_progress;
        config.user = &progress;
        assert_int_equal(tf_chip_create(&config, &progress.chip, NULL), TF_OK);
        start_counting(progress.chip, cases[i].tile);
        struct tf_run_options limit = {.cycles_max = 1ull << 32};
        enum tf_end end;
        double began_s = seconds();
        assert_int_equal(tf_run(progress.chip, &limit, &end), TF_OK);
        assert_int_equal(end, TF_END_STOPPED);
        assert_true(seconds() - began_s > (progress.calls - 1) * 0.099);
        assert_true(progress.calls >= 3 && progress.cycle > 0 && progress.instructions > 0);
        tf_chip_destroy(progress.chip);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(configurations_out_of_range_are_refused),
        cmocka_unit_test(tiles_are_named_both_ways),
        cmocka_unit_test(workers_are_where_they_are_said_to_be),
        cmocka_unit_test(progress_is_told),
        cmocka_unit_test_setup_teardown(memory_is_read_back_and_bounded, create, destroy),
        cmocka_unit_test_setup_teardown(dram_is_sparse_and_bounded, create, destroy),
        cmocka_unit_test_setup_teardown(each_channel_has_three_nodes, create, destroy),
        cmocka_unit_test_setup_teardown(an_untouched_chip_is_quiet, create, destroy),
        cmocka_unit_test_setup_teardown(run_options_are_checked, create, destroy),
        cmocka_unit_test_setup_teardown(a_run_ends_at_a_value_a_limit_or_a_stop, create, destroy),
        cmocka_unit_test_setup_teardown(time_limits_a_run, create, destroy),
        cmocka_unit_test_setup_teardown(a_fault_ends_the_run_and_is_told, create, destroy),
        cmocka_unit_test_setup_teardown(faults_of_a_cycle_have_an_order, create, destroy),
        cmocka_unit_test_setup_teardown(two_chips_do_not_meet, create, destroy),
        cmocka_unit_test_setup_teardown(cores_and_tiles_off_the_chip_are_refused, create, destroy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
