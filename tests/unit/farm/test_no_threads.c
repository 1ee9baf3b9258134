/* SPDX-License-Identifier: Apache-2.0 */
/* A host that refuses every thread: the calling one does all, in both modes, with the same outcome. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <pthread.h>

#include "tilefarm/tilefarm.h"

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    (void)thread, (void)attributes, (void)start, (void)argument;
    return EAGAIN;
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

static uint64_t run(enum tf_mode mode, unsigned threads)
{
    struct tf_config config;
    struct tf_chip *chip;
    tf_config_init(&config);
    config.mode = mode;
    config.threads = threads;
    assert_int_equal(tf_chip_create(&config, &chip, NULL), TF_OK);
    for (unsigned tile = 0; tile < TF_TENSIX_TILES; tile++) {
        struct tf_coord at;
        assert_int_equal(tf_tile_coord(tile, &at), TF_OK);
        assert_int_equal(tf_write(chip, at, 0, program, sizeof program), TF_OK);
        assert_int_equal(tf_core_start(chip, tile, TF_CORE_B), TF_OK);
    }
    enum tf_end end = TF_END_FAULT;
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    assert_int_equal(end, TF_END_QUIET);
    for (unsigned tile = 0; tile < TF_TENSIX_TILES; tile++) {
        struct tf_coord at;
        uint32_t word;
        tf_tile_coord(tile, &at);
        assert_int_equal(tf_read(chip, at, 0x400, &word, 4), TF_OK);
        assert_int_equal(word, 1);
    }
    uint64_t hash = tf_state_hash(chip);
    tf_chip_destroy(chip);
    return hash;
}

static void deterministic_runs_do_not_differ(void **state)
{
    (void)state;
    assert_true(run(TF_MODE_DETERMINISTIC, 8) == run(TF_MODE_DETERMINISTIC, 1));
}

static void relaxed_runs_end(void **state)
{
    (void)state;
    run(TF_MODE_RELAXED, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deterministic_runs_do_not_differ),
        cmocka_unit_test(relaxed_runs_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
