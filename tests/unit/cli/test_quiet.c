/* SPDX-License-Identifier: Apache-2.0 */
/* Which moments of a shared host count as quiet. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/bench/bench.h"

#define NS 1e-9

static void test_cores(void **state)
{
    (void)state;
    struct bench_quiet quiet = {.cores = 2};
    assert_true(bench_quiet_judge(&quiet, (double[]){100, 50}, 50 * NS)); /* nothing better is known */
    assert_true(bench_quiet_judge(&quiet, (double[]){95, 46}, 50 * NS));
    assert_false(bench_quiet_judge(&quiet, (double[]){95, 41}, 50 * NS)); /* each by itself */
    assert_false(bench_quiet_judge(&quiet, (double[]){82, 50}, 50 * NS));
    assert_true(bench_quiet_judge(&quiet, (double[]){130, 50}, 50 * NS)); /* now it is */
    assert_false(bench_quiet_judge(&quiet, (double[]){100, 50}, 50 * NS));
}

static void test_lines(void **state)
{
    (void)state;
    struct bench_quiet quiet = {.cores = 2};
    assert_true(bench_quiet_judge(&quiet, (double[]){100, 100}, 60 * NS));
    assert_false(bench_quiet_judge(&quiet, (double[]){100, 100}, 200 * NS));
    assert_false(bench_quiet_judge(&quiet, (double[]){60, 60}, 20 * NS)); /* two threads of one core: no measure */
    assert_true(bench_quiet_judge(&quiet, (double[]){100, 100}, 110 * NS));
    assert_true(bench_quiet_judge(&quiet, (double[]){100, 100}, 40 * NS));
    assert_false(bench_quiet_judge(&quiet, (double[]){100, 100}, 110 * NS));
}

static void test_one_core(void **state)
{
    (void)state;
    struct bench_quiet quiet = {.cores = 1};
    assert_true(bench_quiet_judge(&quiet, (double[]){100}, 0));
    assert_false(bench_quiet_judge(&quiet, (double[]){70}, 0));
}

static void test_no_patience(void **state)
{
    (void)state;
    struct bench_quiet quiet;
    bench_quiet_begin(&quiet, 0);
    assert_int_equal(quiet.cores, 0); /* nobody has looked */
    assert_false(bench_quiet_await(&quiet));
    assert_false(bench_quiet_still(&quiet, 0));
    quiet.patience_s = 0.5; /* a host that was never as fast as this one once was */
    quiet.best_rate[0] = 1e30;
    assert_false(bench_quiet_still(&quiet, bench_seconds() - 0.1));
    assert_true(quiet.patience_s < 0.41);
    assert_false(bench_quiet_await(&quiet));
    assert_true(quiet.patience_s <= 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cores),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_one_core),
        cmocka_unit_test(test_no_patience),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
