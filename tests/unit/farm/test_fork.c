/* SPDX-License-Identifier: Apache-2.0 */
/* The farm's promises to a program that forks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "chip_wish.h"
#include "fresh_stacks.h"
#include "tilefarm/tilefarm_chip.h"

/* A child has the chip in the parent's state, and helpers of its own. */
static void test_fork(void **state)
{
    (void)state;
    struct chip_wish config;
    struct tf_chip *chip;
    chip_wish_init(&config);
    config.threads = 3;
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    const uint32_t spin[] = {0x00128293, 0xFFDFF06F}; /* addi t0, t0, 1; j -4 */
    for (unsigned i = 0; i < TF_TENSIX_TILES; i++) {
        struct tf_coord tile;
        tf_tile_coord(NULL, i, &tile);
        tf_write(chip, tile, 0, spin, sizeof spin);
        tf_core_start(chip, i, TF_CORE_B);
    }
    const struct tf_run_options options = {.cycles_max = 200000};
    tf_run(chip, &options, NULL);
    uint64_t before = tf_state_hash(chip);
    int channel[2];
    assert_int_equal(pipe(channel), 0);
    pid_t child = fork();
    if (child == 0) {
        use_fresh_stacks();
        bool same = tf_state_hash(chip) == before;
        tf_run(chip, &options, NULL);
        uint64_t after = same ? tf_state_hash(chip) : 0;
        bool written = write(channel[1], &after, sizeof after) == sizeof after;
        tf_chip_destroy(chip);
        _exit(written ? 0 : 1);
    }
    uint64_t childs = 0;
    int status;
    assert_int_equal(read(channel[0], &childs, sizeof childs), sizeof childs);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_true(tf_state_hash(chip) == before);
    tf_run(chip, &options, NULL);
    assert_true(tf_state_hash(chip) == childs);
    tf_chip_destroy(chip);
    close(channel[0]);
    close(channel[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fork),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
