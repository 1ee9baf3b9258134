/* SPDX-License-Identifier: Apache-2.0 */
/* A host that refuses threads. The existing threads do all the work, in both modes, with equal outcomes, and they are
   counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "chip_wish.h"
#include "tilefarm/tilefarm_chip.h"

static unsigned granted; /* number of threads that the host still permits */

/* That of clang's sanitizers, which are linked into the program and have no next one. */
int __interceptor_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                                 void *argument) __attribute__((weak));

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = __interceptor_pthread_create;
    void *symbol = dlsym(RTLD_NEXT, "pthread_create");
    if (create == NULL)
        memcpy(&create, &symbol, sizeof create);
    if (granted == 0)
        return EAGAIN;
    granted--;
    return create(thread, attributes, start, argument);
}

/* Counts down from 20000, leaves a word at 0x400, and loops. */
static const uint32_t program[] = {
    0x000052B7, /* lui  x5, 5 */
    0xFFF28293, /* addi x5, x5, -1 */
    0xFE029EE3, /* bne  x5, x0, -4 */
    0x00100313, /* addi x6, x0, 1 */
    0x40602023, /* sw   x6, 0x400(x0) */
    0x0000006F, /* j    . */
};

#define LAST (sizeof program / sizeof program[0] - 1)

/* Replaces the last instruction: the program counts for ever. */
static const uint32_t restless[] = {
    0x00138393, /* addi x7, x7, 1 */
    0xFFDFF06F, /* j    -4 */
};

static void check_workers(struct tf_chip *chip, unsigned threads, unsigned helpers)
{
    struct tf_stats stats;
    struct tf_topology topology;
    tf_stats(chip, &stats);
    tf_topology_get(chip, &topology);
    assert_int_equal(stats.workers, helpers + 1);
    char warning[sizeof topology.warning];
    snprintf(warning, sizeof warning, "%u workers instead of %u: the host refused to start more threads", helpers + 1,
             threads);
    if (threads > helpers + 1)
        assert_string_equal(topology.warning, warning);
}

/* threads: the requested number; helpers: how many of them the host permits beside the calling thread. */
static struct tf_chip *start(enum tf_mode mode, bool rests, unsigned threads, unsigned helpers)
{
    struct chip_wish config;
    struct tf_chip *chip;
    chip_wish_init(&config);
    config.mode = mode;
    config.threads = threads;
    granted = helpers;
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    for (unsigned tile = 0; tile < TF_TENSIX_TILES; tile++) {
        struct tf_coord at;
        assert_int_equal(tf_tile_coord(NULL, tile, &at), TF_OK);
        assert_int_equal(tf_write(chip, at, 0, program, sizeof program), TF_OK);
        if (!rests)
            assert_int_equal(tf_write(chip, at, 4 * LAST, restless, sizeof restless), TF_OK);
        assert_int_equal(tf_core_start(chip, tile, TF_CORE_B), TF_OK);
    }
    return chip;
}

static uint64_t run(enum tf_mode mode, unsigned threads, unsigned helpers)
{
    struct tf_chip *chip = start(mode, true, threads, helpers);
    enum tf_end end = TF_END_FAULT;
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    assert_int_equal(end, TF_END_QUIET);
    for (unsigned tile = 0; tile < TF_TENSIX_TILES; tile++) {
        struct tf_coord at;
        uint32_t word;
        tf_tile_coord(NULL, tile, &at);
        assert_int_equal(tf_read(chip, at, 0x400, &word, 4), TF_OK);
        assert_int_equal(word, 1);
    }
    check_workers(chip, threads, helpers);
    uint64_t hash = tf_state_hash(chip);
    tf_chip_destroy(chip);
    return hash;
}

/* Tiles that never become quiet do not delay tiles whose home worker is missing. */
static void tiles_without_a_worker_are_visited(void **state)
{
    (void)state;
    for (unsigned helpers = 0; helpers < 3; helpers += 2) {
        struct tf_chip *chip = start(TF_MODE_RELAXED, false, 8, helpers);
        for (unsigned tile = 0; tile < TF_TENSIX_TILES; tile += 7) {
            struct tf_run_options options = {.until = true, .until_address = 0x400, .until_value = 1};
            enum tf_end end = TF_END_FAULT;
            assert_int_equal(tf_tile_coord(NULL, tile, &options.until_node), TF_OK);
            options.cycles_max = 10000000;
            assert_int_equal(tf_run(chip, &options, &end), TF_OK);
            assert_int_equal(end, TF_END_VALUE);
        }
        tf_chip_destroy(chip);
    }
}

static void deterministic_runs_do_not_differ(void **state)
{
    (void)state;
    uint64_t one_thread = run(TF_MODE_DETERMINISTIC, 1, 0);
    assert_true(run(TF_MODE_DETERMINISTIC, 8, 0) == one_thread);
    assert_true(run(TF_MODE_DETERMINISTIC, 8, 2) == one_thread);
}

static void relaxed_runs_end(void **state)
{
    (void)state;
    run(TF_MODE_RELAXED, 8, 0);
    run(TF_MODE_RELAXED, 8, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deterministic_runs_do_not_differ),
        cmocka_unit_test(relaxed_runs_end),
        cmocka_unit_test(tiles_without_a_worker_are_visited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
