/* SPDX-License-Identifier: Apache-2.0 */
/* The number of workers that a chip takes if it may choose. It leaves CPUs that others want to them. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "chip_wish.h"
#include "pool/place.h"

static void test_arithmetic(void **state)
{
    (void)state;
    assert_int_equal(tf_place_free(8, 8, 0), 8);
    assert_int_equal(tf_place_free(8, 8, 3), 5);
    assert_int_equal(tf_place_free(8, 8, 8), 1);
    assert_int_equal(tf_place_free(1, 1, 1000000000), 1);
    /* Siblings: 16 CPUs on 8 cores. A quarter of a large host: it has a quarter of the others. */
    assert_int_equal(tf_place_free(8, 16, 4), 6);
    assert_int_equal(tf_place_free(16, 64, 20), 11);
}

static double granted = -1; /* by the control groups of the tests; negative: as on this host */

double __real_tf_quota(const char *membership, const char *root);
double __wrap_tf_quota(const char *membership, const char *root);
double __wrap_tf_quota(const char *membership, const char *root)
{
    return granted < 0 ? __real_tf_quota(membership, root) : granted;
}

/* A chip that may choose takes no more workers than the control groups grant CPUs, rounded up. */
static void test_quota(void **state)
{
    (void)state;
    static const double quotas[] = {0, 0.5, 1, 2.5, 8, 100};
    static const unsigned workers[] = {8, 1, 1, 3, 8, 8};
    struct tf_cpu cpu[8] = {{.number = 0}};
    const struct tf_cpus cpus = {
        .online = 8, .count = 8, .cores = 8, .packages = 1, .kinds = 1, .nodes = 1, .cpu = cpu};
    struct tf_place_request request = {.tiles = 140};
    struct tf_topology topology;
    for (unsigned i = 0; i < 6; i++) {
        granted = quotas[i];
        request.threads = 0;
        tf_place_workers(&cpus, &request, &topology);
        assert_int_equal(topology.workers, workers[i]);
        request.threads = 5; /* who asks for workers gets them */
        tf_place_workers(&cpus, &request, &topology);
        assert_int_equal(topology.workers, 5);
    }
    granted = -1;
}

static atomic_bool enough;

static void *be_busy(void *argument)
{
    while (!atomic_load(&enough))
        ;
    return argument;
}

static struct tf_topology topology_of(unsigned threads, bool pin)
{
    struct chip_wish config;
    struct tf_chip *chip;
    struct tf_topology topology;
    chip_wish_init(&config);
    config.threads = threads;
    config.pin = pin;
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    tf_topology_get(chip, &topology);
    tf_chip_destroy(chip);
    return topology;
}

static void test_busy(void **state)
{
    (void)state;
    pthread_t thread[256];
    struct tf_topology topology = topology_of(1, true);
    unsigned count = topology.cpus_online < 120 ? 2 * topology.cpus_online : 240;
    assert_int_equal(topology.others, 0); /* one worker is never pinned, so nothing is measured */
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, be_busy, NULL), 0);
    topology = topology_of(0, true);
    assert_true(topology.others >= topology.cpus_online);
    assert_true(topology.others < 1000000); /* as many as the kernel has threads */
    assert_int_equal(topology.workers, 1);
    assert_false(topology.pinned);
    /* A given number of workers is kept. They are pinned only if all of them and the other threads have CPUs. */
    topology = topology_of(3, true);
    assert_int_equal(topology.workers, 3);
    assert_true(topology.others >= topology.cpus_online);
    assert_false(topology.pinned);
    /* A measurement of the host uses all of the host. */
    tf_place_on_host(&(struct tf_place_request){.tiles = 140, .pin = true}, &topology);
    assert_int_equal(topology.others, 0);
    assert_true(topology.workers >= 1 && topology.workers <= topology.cores);
    atomic_store(&enough, true);
    for (unsigned i = 0; i < count; i++)
        pthread_join(thread[i], NULL);
}

static bool hides_loadavg;

FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode)
{
    return hides_loadavg && strcmp(path, "/proc/loadavg") == 0 ? NULL : __real_fopen(path, mode);
}

/* The kernel does not say how many threads run: then no other one is known. */
static void test_unknown_load(void **state)
{
    (void)state;
    hides_loadavg = true;
    assert_int_equal(topology_of(0, true).others, 0);
    hides_loadavg = false;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_arithmetic), cmocka_unit_test(test_quota),
                                       cmocka_unit_test(test_busy), cmocka_unit_test(test_unknown_load)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
