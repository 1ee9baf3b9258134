/* SPDX-License-Identifier: Apache-2.0 */
/* A tile that dozes has the state of one whose time passes. */
#include "rig.h"

#include "tile/run/slice.h"
#include "tile/run/tile.h"

#define CYCLE 0xB00 /* mcycle */

/*
 * A tile that dozes, and one whose time passes up to the end of each slice, end alike. A word changes now and then,
 * sometimes before a visit that also finds it unchanged. Looking in between lets the time pass. The core stores the
 * cycle in which it sees the change.
 */
static void dozing_changes_nothing(void **state)
{
    (void)state;
    const uint32_t words[] = {LW(8, 7, 0), JAL(0, 4),       BEQ(8, 9, -8), ADDI(9, 8, 0),
                              SW(8, 7, 4), CSRR(10, CYCLE), SW(10, 7, 8),  JAL(0, -28)};
    struct tf_schedule schedule = {.tick_cycles = 32, .slice_ticks = 32};
    struct rig *rig[2] = {rig_new(NULL, true), rig_new(NULL, true)};
    struct tf_core_view view[2];
    uint64_t random = test_seed(45), tick = 0, next[2], dozed = 0;
    for (unsigned i = 0; i < 2; i++) {
        rig[i]->tile.asleep_until = 0; /* the coprocessor has no work */
        rig_start(rig[i], TF_CORE_B, words, sizeof words / sizeof *words);
    }
    for (unsigned visit = 0; visit < 3000; visit++) {
        const uint32_t draw = test_random(&random);
        for (unsigned i = 0; i < 2 && draw % 3 == 0; i++)
            rig_set(rig[i], RIG_DATA, draw >> 8 & 7);
        if (visit != 0)
            tf_schedule_note(&schedule, tick);
        if (!tf_tile_dozes(&rig[0]->tile))
            tf_tile_catch_up(&rig[0]->tile, &schedule, tick);
        bool quiet = tf_tile_visit(&rig[0]->tile, &schedule, tick, tick + 64, &next[0]);
        tf_tile_catch_up(&rig[1]->tile, &schedule, tick);
        assert_int_equal(quiet, tf_tile_run(&rig[1]->tile, &schedule, tick + 64));
        next[1] = rig[1]->tile.slice.tick;
        assert_int_equal(next[0], next[1]);
        dozed += tf_tile_dozes(&rig[0]->tile);
        tick = next[0] + draw % 5;
        for (unsigned i = 0; i < 2; i++) {
            if (draw % 7 == 0)
                tf_tile_catch_up(&rig[i]->tile, &schedule, tick);
            tf_hart_look(&rig[i]->tile, &rig[i]->tile.hart[TF_CORE_B], &view[i]);
        }
        if (draw % 7 == 0)
            assert_memory_equal(&view[0], &view[1], sizeof view[0]);
        for (unsigned at = 4; at <= 8; at += 4)
            assert_int_equal(rig_word(rig[0], RIG_DATA + at), rig_word(rig[1], RIG_DATA + at));
    }
    assert_true(dozed > 1000);
    rig_free(rig[0]);
    rig_free(rig[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dozing_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
