/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <unistd.h>

#include "pool/form.h"
#include "pool/gain.h"
#include "tilefarm/tilefarm_base.h"

struct sum {
    unsigned workers;
    uint64_t unshared[TF_WORKERS_MAX]; /* written by one worker each, read after the run */
    uint64_t shared;                   /* not atomic either: written by a different worker in each run */
    unsigned round;
};

static struct tf_part add(void *context, unsigned worker, double began_s)
{
    struct sum *sum = context;
    sum->unshared[worker]++;
    if (sum->round % sum->workers == worker)
        sum->shared++;
    return (struct tf_part){.ended_s = began_s};
}

static void every_worker_takes_part_once(unsigned count, bool spin, unsigned rounds, unsigned pause_us)
{
    struct tf_team team;
    assert_int_equal(tf_team_init(&team, NULL, &(struct tf_team_request){.count = count, .spin = spin}), TF_OK);
    assert_int_equal(tf_team_form(&team), TF_OK);
    struct sum sum = {.workers = count};
    const struct tf_task task = {.run = add, .context = &sum};
    for (unsigned i = 0; i < rounds; i++) {
        sum.round = i;
        tf_team_share(&team, &task, NULL);
        assert_int_equal(sum.shared, i + 1);
        if (pause_us != 0)
            usleep(pause_us);
    }
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(sum.unshared[i], rounds);
    tf_team_fini(&team);
}

static void runs_in_quick_succession(void **state)
{
    (void)state;
    every_worker_takes_part_once(2, true, 5000, 0);
    every_worker_takes_part_once(3, true, 500, 0);
    every_worker_takes_part_once(8, false, 300, 0);
}

static void runs_after_the_helpers_fell_asleep(void **state)
{
    (void)state;
    every_worker_takes_part_once(4, true, 50, 2000);
    every_worker_takes_part_once(4, false, 50, 2000);
}

static void one_worker_needs_no_thread(void **state)
{
    (void)state;
    every_worker_takes_part_once(1, true, 10, 0);
}

static void helpers_can_be_restarted(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 20; i++)
        every_worker_takes_part_once(1 + i % 5, i % 2 == 0, 3, 0);
}

static void helpers_that_never_started_can_be_ended(void **state)
{
    (void)state;
    struct tf_team team;
    assert_int_equal(tf_team_init(&team, NULL, &(struct tf_team_request){.count = 4, .spin = true}), TF_OK);
    assert_true(tf_team_asleep(&team));
    tf_team_fini(&team);
}

static bool nothing_is_left(void *context)
{
    (void)context;
    return true;
}

/* Where nothing is left to do, a helper that has not begun is left out: it takes part in full, or not at all. */
static void helpers_that_have_not_begun_are_left_out(void **state)
{
    (void)state;
    struct tf_team team;
    assert_int_equal(tf_team_init(&team, NULL, &(struct tf_team_request){.count = 8, .spin = false}), TF_OK);
    assert_int_equal(tf_team_form(&team), TF_OK);
    struct sum sum = {.workers = 8};
    const struct tf_task task = {.run = add, .overdue = nothing_is_left, .context = &sum};
    uint64_t absent = 0, begun = 0;
    for (sum.round = 0; sum.round < 1000 || (begun == 0 && sum.round < 100000); sum.round++) {
        uint64_t before[8];
        memcpy(before, sum.unshared, sizeof before);
        tf_team_share(&team, &task, NULL);
        for (unsigned i = 1; i < 8; i++) {
            bool left_out = tf_part_of(&team, i)->absent;
            assert_int_equal(sum.unshared[i], before[i] + !left_out);
            absent += left_out;
            begun += !left_out;
        }
        if (sum.round % 100 == 0)
            usleep(1000);
    }
    assert_true(absent > 0);
    assert_true(begun > 0);
    tf_team_fini(&team);
}

/* A helper that the host does not let run makes a task longer than the caller alone would need. Then tasks are not
   shared for a while, for longer each time. */
static void sharing_that_gains_nothing_pauses(void **state)
{
    (void)state;
    struct tf_team team = {.count = 2};
    struct tf_gain gain = {.next_s = TF_GAIN_HOLD_S};
    for (unsigned i = 0; i < 100; i++)
        tf_gain_note(&gain, &team, 10e-6, 6e-6);
    assert_false(tf_gain_pauses(&gain, 10e-6));
    unsigned pauses[2] = {0, 0};
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned k = 0; k < 100 && !(gain.hold_s > 0); k++)
            tf_gain_note(&gain, &team, 10e-6, 4e-3);
        while (tf_gain_pauses(&gain, 10e-6))
            pauses[i]++;
    }
    assert_in_range(pauses[0], 190, 210);
    assert_in_range(pauses[1], 390, 410);
    double lost_s = 0;
    tf_gain_note_loss(&gain, &lost_s, 10e-6, 5e-3);
    assert_true(tf_gain_pauses(&gain, 40e-3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_in_quick_succession),
        cmocka_unit_test(runs_after_the_helpers_fell_asleep),
        cmocka_unit_test(one_worker_needs_no_thread),
        cmocka_unit_test(helpers_can_be_restarted),
        cmocka_unit_test(helpers_that_never_started_can_be_ended),
        cmocka_unit_test(helpers_that_have_not_begun_are_left_out),
        cmocka_unit_test(sharing_that_gains_nothing_pauses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
