/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of single workers add up to those of the chip. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <time.h>

#include "chip_wish.h"
#include "cli/workloads/list.h"
#include "cli/workloads/workload.h"

static struct tf_chip *run(enum tf_mode mode, unsigned threads)
{
    const struct tf_workload *fifo = tf_workload_find("fifo");
    const struct tf_workload_options options = {.scale = fifo->scale_test, .seed = 1};
    struct tf_message message = {""};
    struct chip_wish config;
    struct tf_chip *chip;
    void *state;
    chip_wish_init(&config);
    config.mode = mode;
    config.threads = threads;
    config.pin = false;
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    assert_int_equal(fifo->setup(chip, &options, &state, &message), TF_OK);
    assert_int_equal(tf_run(chip, NULL, NULL), TF_OK);
    assert_int_equal(fifo->verify(chip, state, &message), TF_OK);
    fifo->release(state);
    return chip;
}

static struct tf_worker_stats sum_of(struct tf_chip *chip, unsigned workers)
{
    struct tf_worker_stats sum = {0}, one;
    for (unsigned i = 0; i < workers; i++) {
        assert_int_equal(tf_worker_stats(chip, i, &one), TF_OK);
        sum.instructions += one.instructions;
        sum.slices += one.slices;
        sum.pages += one.pages;
        sum.requests += one.requests;
        sum.deliveries += one.deliveries;
        sum.steals += one.steals;
        sum.spins += one.spins;
        sum.blocks += one.blocks;
    }
    return sum;
}

static void test_sums(void **unused)
{
    (void)unused;
    static const struct {
        enum tf_mode mode;
        unsigned threads;
    } ways[] = {{TF_MODE_DETERMINISTIC, 1},
                {TF_MODE_DETERMINISTIC, 2},
                {TF_MODE_DETERMINISTIC, 3},
                {TF_MODE_RELAXED, 2}};
    for (unsigned i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct timespec begin, end;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        struct tf_chip *chip = run(ways[i].mode, ways[i].threads);
        clock_gettime(CLOCK_MONOTONIC, &end);
        struct tf_stats stats;
        tf_stats(chip, &stats);
        struct tf_worker_stats sum = sum_of(chip, stats.workers);
        assert_true(sum.instructions > 0 && sum.slices > 0 && sum.pages > 0 && sum.requests > 0);
        double most = (double)((end.tv_sec - begin.tv_sec + 1) * stats.workers); /* sums over the workers */
        assert_true(stats.wait_s >= 0 && stats.wait_s <= most);
        assert_true(stats.run_s >= 0 && stats.run_s <= most && stats.deliver_s >= 0 && stats.deliver_s <= most);
        assert_int_equal(sum.instructions, stats.instructions_executed);
        assert_int_equal(sum.requests, stats.noc_requests);
        if (ways[i].mode == TF_MODE_DETERMINISTIC)
            assert_int_equal(sum.deliveries, stats.noc_requests); /* none is a multicast */
        assert_int_equal(sum.steals, stats.steals);
        assert_true(sum.steals <= INT64_MAX);
        assert_int_equal(sum.spins, stats.spins);
        assert_int_equal(sum.blocks, stats.blocks);
        tf_chip_destroy(chip);
    }
}

static void test_misuse(void **unused)
{
    (void)unused;
    struct tf_chip *chip = run(TF_MODE_DETERMINISTIC, 2);
    struct tf_worker_stats stats;
    assert_int_equal(tf_worker_stats(NULL, 0, &stats), TF_ERANGE);
    assert_int_equal(tf_worker_stats(chip, 0, NULL), TF_ERANGE);
    assert_int_equal(tf_worker_stats(chip, 2, &stats), TF_ERANGE);
    tf_chip_destroy(chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sums), cmocka_unit_test(test_misuse)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
