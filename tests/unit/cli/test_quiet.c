/* SPDX-License-Identifier: Apache-2.0 */
/* Which moments of a shared host count as quiet. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/bench/bench.h"
#include "cli/bench/quiet.h"
#include "cli/bench/quiet_limits.h"

#define NS 1e-9

static void test_cores(void **state)
{
    (void)state;
    struct bench_quiet quiet = {.cores = 2};
    assert_true(bench_quiet_rates(&quiet, (double[]){100, 50})); /* no better value is known */
    assert_true(bench_quiet_rates(&quiet, (double[]){95, 46}));
    assert_false(bench_quiet_rates(&quiet, (double[]){95, 41})); /* each by itself */
    assert_false(bench_quiet_rates(&quiet, (double[]){82, 50}));
    assert_true(bench_quiet_rates(&quiet, (double[]){130, 50})); /* now it is */
    assert_false(bench_quiet_rates(&quiet, (double[]){100, 50}));
    quiet.cores = 1;
    assert_true(bench_quiet_rates(&quiet, (double[]){130}));
    assert_false(bench_quiet_rates(&quiet, (double[]){100}));
}

static void test_lines(void **state)
{
    (void)state;
    struct bench_quiet quiet = {.cores = 2};
    assert_true(bench_quiet_line(&quiet, 60 * NS));
    assert_false(bench_quiet_line(&quiet, 200 * NS));
    assert_true(bench_quiet_line(&quiet, 110 * NS));
    assert_true(bench_quiet_line(&quiet, 40 * NS));
    assert_false(bench_quiet_line(&quiet, 110 * NS));
}

/* The measurement of this host is complete: all cores were tested at the same time. */
static void test_looks(void **state)
{
    (void)state;
    struct bench_quiet quiet;
    bench_quiet_begin(&quiet, 140, 1, 5);
    assert_true(quiet.looks > 0 && quiet.cores > 0);
    bool found = false;
    for (unsigned i = 0; i < 5; i++) {
        quiet.patience_s = quiet.sample_s = 0.5;
        found = bench_quiet_await(&quiet) || found;
    }
    for (unsigned i = 0; i < quiet.cores; i++)
        assert_true(quiet.best_rate[i] > 0);
    if (found && quiet.cores > 1)
        assert_true(quiet.best_line_s > 1 * NS && quiet.best_line_s < 1000000 * NS);
}

static void test_no_patience(void **state)
{
    (void)state;
    struct bench_quiet quiet;
    bench_quiet_begin(&quiet, 140, 0, 1);
    bench_quiet_next(&quiet);
    assert_int_equal(quiet.cores, 0); /* no measurement yet */
    assert_false(bench_quiet_await(&quiet));
    assert_false(bench_quiet_holds(&quiet, 0));
}

/* A host that was never as fast as this one once was. Each sample has its share, and more if it needs it. */
static void test_shares(void **state)
{
    (void)state;
    struct bench_quiet quiet = {.cores = 1, .cpu = {-1}, .best_rate = {1e30}, .patience_s = 2, .samples = 20};
    bench_quiet_next(&quiet);
    assert_int_equal(quiet.samples, 19);
    assert_true(quiet.sample_s > 0.199 && quiet.sample_s < 0.201);
    assert_false(bench_quiet_holds(&quiet, tf_seconds() - 0.15));
    assert_true(quiet.sample_s < 0.05 && quiet.patience_s < 1.85);
    assert_false(bench_quiet_await(&quiet));
    assert_true(quiet.sample_s <= 0 && quiet.patience_s > 1);
    assert_false(bench_quiet_holds(&quiet, tf_seconds() - 100)); /* no further request */
    assert_true(quiet.patience_s > 1);
    bench_quiet_next(&quiet);
    assert_true(quiet.sample_s > 0.1);
    quiet.samples = 1;
    bench_quiet_next(&quiet);
    assert_true(quiet.sample_s >= quiet.patience_s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cores),       cmocka_unit_test(test_lines),  cmocka_unit_test(test_looks),
        cmocka_unit_test(test_no_patience), cmocka_unit_test(test_shares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
