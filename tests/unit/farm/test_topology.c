/* SPDX-License-Identifier: Apache-2.0 */
/* The number of workers that a chip takes if it may choose. It leaves CPUs that others want to them. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "farm/host/cpus.h"
#include "farm/host/topology.h"

static void test_arithmetic(void **state)
{
    (void)state;
    assert_int_equal(tf_topology_free(8, 8, 0), 8);
    assert_int_equal(tf_topology_free(8, 8, 3), 5);
    assert_int_equal(tf_topology_free(8, 8, 8), 1);
    assert_int_equal(tf_topology_free(1, 1, 1000000000), 1);
    /* Siblings: 16 CPUs on 8 cores. A quarter of a large host: it has a quarter of the others. */
    assert_int_equal(tf_topology_free(8, 16, 4), 6);
    assert_int_equal(tf_topology_free(16, 64, 20), 11);
}

static void test_whole(void **state)
{
    (void)state;
    assert_int_equal(tf_cpus_whole(0.1), 1);
    assert_int_equal(tf_cpus_whole(1), 1);
    assert_int_equal(tf_cpus_whole(1.5), 2);
    assert_int_equal(tf_cpus_whole(2), 2);
    assert_int_equal(tf_cpus_whole(63.01), 64);
}

/* A file of a group, below the folder that the test is in. */
static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void expect_quota(double quota)
{
    assert_int_equal(100 * tf_cpus_quota("membership", "root"), 100 * quota);
}

/* The least quota of a process's groups and of the groups around them, in both versions of control groups. */
static void test_quota(void **state)
{
    char folder[] = "/tmp/test_topology_XXXXXX";
    static const char *const folders[] = {"root", "root/a", "root/a/b", "root/cpu", "root/cpu/c"};
    static const char *const files[] = {"root/cpu.max",
                                        "root/a/cpu.max",
                                        "root/a/b/cpu.max",
                                        "root/cpu/c/cpu.cfs_quota_us",
                                        "root/cpu/c/cpu.cfs_period_us",
                                        "membership"};
    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(mkdir(folders[i], 0700), 0);
    expect_quota(0); /* no membership */
    put("membership", "0::/a/b\n");
    expect_quota(0); /* no quota */
    put("root/a/b/cpu.max", "max 100000\n");
    expect_quota(0);
    put("root/a/b/cpu.max", "150000 100000\n");
    expect_quota(1.5);
    put("root/a/cpu.max", "50000 100000\n");
    expect_quota(0.5);
    put("root/cpu.max", "20000 100000\n"); /* of the root of a namespace */
    expect_quota(0.2);
    put("root/cpu/c/cpu.cfs_quota_us", "300000\n");
    put("root/cpu/c/cpu.cfs_period_us", "100000\n");
    put("membership", "4:memory:/x\n3:cpu,cpuacct:/c\n");
    expect_quota(3);
    put("membership", "4:cpuacct:/c\n3:cpuset,cpu,x:/c\n");
    expect_quota(3);
    put("membership", "4:cpuacct:/c\n3:cpuset:/c\n"); /* other controllers, whose groups are not those of cpu */
    expect_quota(0);
    put("membership", "3:cpu:/c\n");
    expect_quota(3);
    put("root/cpu/c/cpu.cfs_quota_us", "-1\n");
    expect_quota(0);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(unlink(files[i]), 0);
    for (unsigned i = 5; i-- > 0;)
        assert_int_equal(rmdir(folders[i]), 0);
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* Lists of the kernel: single numbers and ranges. */
static void test_list(void **state)
{
    char path[] = "/tmp/test_topology_XXXXXX";
    static const struct {
        const char *text, *expected;
    } lists[] = {{"0\n", "x.........."}, {"0-3,8\n", "xxxx....x.."}, {"1,4,9-10\n", ".x..x....xx"},
                 {"7\n", ".......x..."}, {"\n", "..........."},      {"2-2,5 8\n", "..x..x....."}};
    int file = mkstemp(path);
    (void)state;
    assert_true(file >= 0);
    assert_int_equal(close(file), 0);
    for (unsigned i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        bool listed[11];
        put(path, lists[i].text);
        assert_true(tf_cpus_listed(path, listed, 11));
        for (unsigned k = 0; k < 11; k++)
            assert_int_equal(listed[k], lists[i].expected[k] == 'x');
    }
    assert_int_equal(unlink(path), 0);
    bool listed[2] = {true, true};
    assert_false(tf_cpus_listed(path, listed, 2));
    assert_false(listed[0] || listed[1]);
}

/* All cores get a worker before a core gets a second one. Within that, a NUMA node is filled before the next one. */
static void test_order(void **state)
{
    /* Two nodes, whose CPUs have numbers in turns, and two CPUs a core. */
    struct tf_cpu_place place[] = {{0, 0, 0}, {1, 1, 0}, {2, 0, 0}, {3, 1, 0},
                                   {4, 0, 1}, {5, 1, 1}, {6, 0, 1}, {7, 1, 1}};
    static const int expected[] = {0, 2, 1, 3, 4, 6, 5, 7};
    (void)state;
    tf_cpus_order(place, 8);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(place[i].cpu, expected[i]);
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
    struct tf_config config;
    struct tf_chip *chip;
    struct tf_topology topology;
    tf_config_init(&config);
    config.threads = threads;
    config.pin = pin;
    assert_int_equal(tf_chip_create(&config, &chip, NULL), TF_OK);
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
    tf_topology_find(0, true, false, 140, &topology);
    assert_int_equal(topology.others, 0);
    assert_true(topology.workers >= 1 && topology.workers <= topology.cores);
    atomic_store(&enough, true);
    for (unsigned i = 0; i < count; i++)
        pthread_join(thread[i], NULL);
}

/* The node of each worker, pinned or not: that of its CPU, by the lists of the kernel. Without lists, or with one node,
   it is the one node. */
static void test_nodes(void **state)
{
    (void)state;
    struct tf_topology topology;
    tf_topology_find(0, true, false, 140, &topology);
    for (unsigned i = 0; i < topology.workers; i++) {
        char path[64];
        bool cpus[4096];
        int node = topology.worker[i].numa_node, cpu = topology.worker[i].cpu;
        assert_in_range(node, 0, 1023);
        snprintf(path, sizeof path, "/sys/devices/system/node/node%d/cpulist", node);
        if (cpu >= 0 && cpu < 4096 && tf_cpus_listed(path, cpus, 4096))
            assert_true(cpus[cpu]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_arithmetic), cmocka_unit_test(test_whole),
                                       cmocka_unit_test(test_quota),      cmocka_unit_test(test_list),
                                       cmocka_unit_test(test_order),      cmocka_unit_test(test_nodes),
                                       cmocka_unit_test(test_busy)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
