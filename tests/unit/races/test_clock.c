/* SPDX-License-Identifier: Apache-2.0 */
/* Vector clocks against a table of times by actor, and the words that have one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "races/clocks/clock.h"
#include "races/state/state.h"
#include "races/syncs.h"
#include "random.h"

#define ACTORS 24u
#define VIEWS 4u
#define STEPS 20000u

static uint64_t random_state;

static uint32_t below(uint32_t limit)
{
    return test_random_below(&random_state, limit);
}

static uint32_t actor_of(unsigned i)
{
    return TF_ACTOR(i / 3 * 37 % TF_CLOCK_SITES, i % 3 * 40); /* near and far in the tree */
}

static void check(const struct tf_view *view, const uint32_t *table)
{
    for (unsigned i = 0; i < ACTORS; i++) {
        uint32_t time = table[i];
        assert_true(time == 0 || tf_view_knows(view, actor_of(i), time));
        assert_false(tf_view_knows(view, actor_of(i), time + 1));
    }
}

static void test_views(void **unused)
{
    (void)unused;
    struct tf_view view[VIEWS] = {{.clock = NULL}};
    uint32_t table[VIEWS][ACTORS] = {{0}};
    for (unsigned step = 0; step < STEPS; step++) {
        unsigned to = below(VIEWS), from = below(VIEWS), what = below(20);
        if (what == 0) {
            tf_view_clear(&view[to]);
            for (unsigned i = 0; i < ACTORS; i++)
                table[to][i] = 0;
        } else if (what < 12) {
            unsigned i = below(ACTORS);
            uint32_t time = below(step + 1);
            assert_true(tf_view_learn(&view[to], actor_of(i), time));
            table[to][i] = time > table[to][i] ? time : table[to][i];
        } else {
            assert_true(tf_view_join(&view[to], view[from].clock));
            for (unsigned i = 0; i < ACTORS; i++)
                table[to][i] = table[from][i] > table[to][i] ? table[from][i] : table[to][i];
        }
        for (unsigned i = 0; i < VIEWS; i++) /* they share nodes, and nothing else */
            check(&view[i], table[i]);
    }
    for (unsigned i = 0; i < VIEWS; i++)
        tf_view_clear(&view[i]);
}

/* A release stays as it was when its view goes on. */
static void test_release(void **unused)
{
    (void)unused;
    struct tf_view view = {.clock = NULL}, other = {.clock = NULL};
    tf_view_learn(&view, 7, 10);
    struct tf_release release = {.clock = tf_clock_hold(view.clock), .count = 1, .more = {{9, 5}}};
    tf_view_learn(&view, 7, 11);
    assert_true(tf_release_knows(&release, 7, 10));
    assert_false(tf_release_knows(&release, 7, 11));
    assert_true(tf_release_knows(&release, 9, 5));
    assert_false(tf_release_knows(&release, 9, 6));
    struct tf_release copy = tf_release_copy(&release);
    tf_release_drop(&release);
    assert_true(tf_view_acquire(&other, &copy));
    assert_true(tf_view_knows(&other, 7, 10) && tf_view_knows(&other, 9, 5));
    assert_false(tf_view_knows(&other, 7, 11) || tf_view_knows(&other, 9, 6));
    tf_release_drop(&copy);
    tf_view_clear(&view);
    tf_view_clear(&other);
}

/* Each word keeps its view while the table grows: word 0, too. */
static void test_words(void **unused)
{
    enum { WORDS = 200 };
    (void)unused;
    struct syncs syncs = {.room = 0};
    assert_null(sync_find(&syncs, 0));
    for (uint32_t i = 0; i < WORDS; i++)
        assert_true(tf_view_learn(sync_view(&syncs, 4 * i), TF_ACTOR(i, 1), 7));
    for (uint32_t i = 0; i < WORDS; i++) {
        const struct tf_view *view = sync_find(&syncs, 4 * i);
        assert_true(tf_view_knows(view, TF_ACTOR(i, 1), 7));
        assert_false(tf_view_knows(view, TF_ACTOR((i + 1) % WORDS, 1), 7));
    }
    assert_null(sync_find(&syncs, 4 * WORDS));
    syncs_free(&syncs);
}

int main(void)
{
    random_state = test_seed(1);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_views), cmocka_unit_test(test_release),
                                       cmocka_unit_test(test_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
