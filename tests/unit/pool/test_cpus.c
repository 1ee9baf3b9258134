/* SPDX-License-Identifier: Apache-2.0 */
/* The CPUs of odd machines, which HWLOC_XMLFILE and HWLOC_SYNTHETIC describe, and those of this host. */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "pool/cpus_hwloc.h"
#include "pool/order.h"
#include "pool/place.h"

/* ---- Machines ---- */

static hwloc_topology_t synthetic(const char *text)
{
    hwloc_topology_t machine;
    assert_int_equal(hwloc_topology_init(&machine), 0);
    assert_int_equal(hwloc_topology_set_synthetic(machine, text), 0);
    assert_int_equal(hwloc_topology_load(machine), 0);
    return machine;
}

/* What hwloc loads from a description of a machine. */
static struct tf_cpus cpus_of(const char *variable, const char *value)
{
    struct tf_cpus cpus;
    assert_int_equal(setenv(variable, value, 1), 0);
    hwloc_topology_t machine = tf_hwloc_load();
    unsetenv(variable);
    assert_non_null(machine);
    assert_int_equal(tf_cpus_find_in(machine, &cpus), 0);
    hwloc_topology_destroy(machine);
    assert_false(cpus.here);
    assert_false(tf_cpus_may_bind(&cpus));
    return cpus;
}

/* The same for a machine that the test has changed. Ends the machine. */
static struct tf_cpus cpus_by_file(hwloc_topology_t machine)
{
    char path[] = "/tmp/test_cpus_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(close(file), 0);
    assert_int_equal(hwloc_topology_export_xml(machine, path, 0), 0);
    hwloc_topology_destroy(machine);
    struct tf_cpus cpus = cpus_of("HWLOC_XMLFILE", path);
    assert_int_equal(unlink(path), 0);
    return cpus;
}

static void expect_order(const struct tf_cpus *cpus, unsigned count, const int *expected)
{
    assert_int_equal(cpus->count, count);
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(cpus->cpu[i].number, expected[i]);
}

#define EXPECT_ORDER(cpus, ...) expect_order(cpus, sizeof(int[]){__VA_ARGS__} / sizeof(int), (const int[]){__VA_ARGS__})

static void set_distances(hwloc_topology_t machine, unsigned nodes, hwloc_uint64_t *values)
{
    hwloc_obj_t node[8];
    for (unsigned i = 0; i < nodes; i++)
        node[i] = hwloc_get_obj_by_type(machine, HWLOC_OBJ_NUMANODE, i);
    hwloc_distances_add_handle_t handle =
        hwloc_distances_add_create(machine, "NUMALatency",
                                   HWLOC_DISTANCES_KIND_FROM_USER | HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0);
    assert_non_null(handle);
    assert_int_equal(hwloc_distances_add_values(machine, handle, nodes, node, values, 0), 0);
    assert_int_equal(hwloc_distances_add_commit(machine, handle, 0), 0);
}

/* ---- Tests ---- */

static void test_one_cpu(void **state)
{
    (void)state;
    struct tf_cpus cpus = cpus_of("HWLOC_SYNTHETIC", "pu:1");
    EXPECT_ORDER(&cpus, 0);
    assert_int_equal(cpus.cores, 1);
    assert_int_equal(cpus.nodes, 1);
    assert_int_equal(cpus.online, 1);
    tf_cpus_free(&cpus);
}

/* All cores come before siblings; within that, one node and one cache after the other. The numbers of the CPUs go
   round: 0 and 8 are one core. */
static void test_siblings(void **state)
{
    (void)state;
    struct tf_cpus cpus = cpus_of("HWLOC_SYNTHETIC", "pack:2 [numa] l3:2 core:2 pu:2(indexes=core:pu)");
    assert_int_equal(cpus.cores, 8);
    assert_int_equal(cpus.packages, 2);
    assert_int_equal(cpus.nodes, 2);
    for (unsigned i = 0; i < 16; i++) {
        assert_int_equal(cpus.cpu[i].rank, i / 8);
        assert_int_equal(cpus.cpu[i].node, i / 4 % 2);
        assert_int_equal(cpus.cpu[i].cache, i / 2 % 4);
        assert_int_equal(cpus.cpu[i].core, i % 8);
    }
    tf_cpus_free(&cpus);
}

/* Four nodes in a row: 0 - 2 - 1 - 3. Workers go from each to the nearest. */
static void test_distances(void **state)
{
    (void)state;
    hwloc_uint64_t values[] = {10, 30, 20, 40, 30, 10, 20, 20, 20, 20, 10, 30, 40, 20, 30, 10};
    hwloc_topology_t machine = synthetic("pack:4 [numa] core:2 pu:1");
    set_distances(machine, 4, values);
    struct tf_cpus cpus = cpus_by_file(machine);
    EXPECT_ORDER(&cpus, 0, 1, 4, 5, 2, 3, 6, 7);
    assert_true(tf_cpus_distance(&cpus, 0, 3) > tf_cpus_distance(&cpus, 0, 2));
    assert_true(tf_cpus_distance(&cpus, 3, 1) < tf_cpus_distance(&cpus, 3, 0));
    assert_true(tf_cpus_distance(&cpus, 1, 1) < tf_cpus_distance(&cpus, 1, 2));
    tf_cpus_free(&cpus);
}

static void test_no_distances(void **state)
{
    (void)state;
    struct tf_cpus cpus = cpus_of("HWLOC_SYNTHETIC", "pack:3 [numa] pu:1");
    EXPECT_ORDER(&cpus, 0, 1, 2);
    assert_true(tf_cpus_distance(&cpus, 0, 0) < tf_cpus_distance(&cpus, 0, 2));
    assert_true(tf_cpus_distance(&cpus, 0, 1) >= tf_cpus_distance(&cpus, 0, 2));
    tf_cpus_free(&cpus);
}

/* Fast cores, one of them with two CPUs, are the last of the list of the host. They get workers first; a slow core
   comes before the sibling of a fast one. */
static void test_hybrid(void **state)
{
    (void)state;
    hwloc_topology_t machine = synthetic("core:6 pu:2");
    hwloc_bitmap_t slow = hwloc_bitmap_alloc(), fast = hwloc_bitmap_alloc();
    hwloc_bitmap_set_range(slow, 0, 7);
    hwloc_bitmap_set_range(fast, 8, 11);
    assert_int_equal(hwloc_cpukinds_register(machine, slow, 0, 0, NULL, 0), 0);
    assert_int_equal(hwloc_cpukinds_register(machine, fast, 5, 0, NULL, 0), 0);
    hwloc_bitmap_free(slow);
    hwloc_bitmap_free(fast);
    struct tf_cpus cpus = cpus_by_file(machine);
    assert_int_equal(cpus.kinds, 2);
    EXPECT_ORDER(&cpus, 8, 10, 0, 2, 4, 6, 9, 11, 1, 3, 5, 7);
    tf_cpus_free(&cpus);
}

/* CPUs 0, 3 and 5 are switched off: CPU 4 is the only one of its core, so it is no sibling. */
static void test_offline(void **state)
{
    (void)state;
    hwloc_topology_t machine = synthetic("core:4 pu:2");
    hwloc_bitmap_t online = hwloc_bitmap_alloc();
    hwloc_bitmap_sscanf(online, "0xd6");
    assert_int_equal(hwloc_topology_restrict(machine, online, 0), 0);
    hwloc_bitmap_free(online);
    struct tf_cpus cpus = cpus_by_file(machine);
    EXPECT_ORDER(&cpus, 1, 2, 4, 6, 7);
    assert_int_equal(cpus.online, 5);
    assert_int_equal(cpus.cores, 4);
    tf_cpus_free(&cpus);
}

/* A control group allows CPUs 4 to 6 of a host with eight. */
static void test_allowed(void **state)
{
    (void)state;
    hwloc_topology_t machine;
    hwloc_bitmap_t allowed = hwloc_bitmap_alloc();
    assert_int_equal(hwloc_topology_init(&machine), 0);
    assert_int_equal(hwloc_topology_set_synthetic(machine, "pack:2 [numa] core:2 pu:2"), 0);
    assert_int_equal(hwloc_topology_set_flags(machine, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED), 0);
    assert_int_equal(hwloc_topology_load(machine), 0);
    hwloc_bitmap_set_range(allowed, 4, 6);
    assert_int_equal(hwloc_topology_allow(machine, allowed, NULL, HWLOC_ALLOW_FLAG_CUSTOM), 0);
    hwloc_bitmap_free(allowed);
    struct tf_cpus cpus = cpus_by_file(machine);
    EXPECT_ORDER(&cpus, 4, 6, 5);
    assert_int_equal(cpus.online, 8);
    assert_int_equal(cpus.packages, 1);
    assert_int_equal(cpus.cpu[0].node, 1);
    tf_cpus_free(&cpus);
}

/* The CPUs of node 1 take memory from node 2, which is nearer than node 0. A node of memory alone has no CPU. */
static void test_memory(void **state)
{
    (void)state;
    hwloc_uint64_t values[] = {10, 30, 40, 30, 10, 20, 40, 20, 10};
    hwloc_topology_t machine = synthetic("pack:3 [numa(memory=2GB)] core:1 pu:1");
    hwloc_get_obj_by_type(machine, HWLOC_OBJ_NUMANODE, 1)->attr->numanode.local_memory = 0;
    set_distances(machine, 3, values);
    struct tf_cpus cpus = cpus_by_file(machine);
    assert_int_equal(cpus.nodes, 3);
    EXPECT_ORDER(&cpus, 0, 1, 2);
    assert_int_equal(cpus.cpu[0].node, 0);
    assert_int_equal(cpus.cpu[1].node, 2);
    assert_int_equal(cpus.cpu[2].node, 2);
    tf_cpus_free(&cpus);
    cpus = cpus_of("HWLOC_SYNTHETIC", "[numa(memory=100GB)] pack:2 [numa(memory=8GB)] pu:2");
    assert_int_equal(cpus.nodes, 3);
    assert_int_equal(cpus.count, 4);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(cpus.cpu[i].node, cpus.cpu[0].node); /* the largest */
    tf_cpus_free(&cpus);
}

/* Workers go round the CPUs where there are more of them, and are pinned to none. */
static void test_more_workers(void **state)
{
    (void)state;
    struct tf_topology topology;
    struct tf_cpus cpus = cpus_of("HWLOC_SYNTHETIC", "pack:2 [numa] pu:1");
    tf_place_workers(&cpus, &(struct tf_place_request){.threads = 5, .tiles = 140, .pin = true}, &topology);
    assert_int_equal(topology.workers, 5);
    assert_false(topology.pinned);
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(topology.worker[i].cpu, -1);
        assert_int_equal(topology.worker[i].numa_node, i % 2);
        assert_int_equal(topology.worker[i].tile_first, 28 * i);
        assert_int_equal(topology.worker[i].tile_count, 28);
    }
    assert_non_null(strstr(topology.warning, "5 workers on 2 allowed CPUs"));
    tf_place_workers(&cpus, &(struct tf_place_request){.threads = 2, .tiles = 140, .pin = true}, &topology);
    assert_false(topology.pinned);
    assert_non_null(strstr(topology.warning, "another machine"));
    tf_cpus_free(&cpus);
    cpus = cpus_of("HWLOC_SYNTHETIC", "core:300 pu:2");
    tf_place_workers(&cpus, &(struct tf_place_request){.tiles = 1000}, &topology);
    assert_int_equal(topology.cpus_allowed, 600);
    if (topology.cpu_quota <= 0)
        assert_int_equal(topology.workers, TF_WORKERS_MAX);
    tf_place_workers(&cpus, &(struct tf_place_request){.tiles = 140}, &topology);
    assert_true(topology.workers <= 140);
    tf_cpus_free(&cpus);
}

/* The mask of the process limits the CPUs of this host. */
static void test_here(void **state)
{
    (void)state;
    cpu_set_t before, one;
    struct tf_cpus cpus;
    assert_int_equal(tf_cpus_find(&cpus), 0);
    assert_true(cpus.here);
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    assert_true((int)cpus.count <= CPU_COUNT(&before));
    assert_true(cpus.count <= cpus.online && cpus.cores <= cpus.count);
    for (unsigned i = 0; i < cpus.count; i++) {
        assert_true(CPU_ISSET(cpus.cpu[i].number, &before));
        assert_true(cpus.cpu[i].node >= 0);
    }
    int last = cpus.cpu[cpus.count - 1].number;
    assert_true(tf_cpus_may_bind(&cpus));
    struct tf_binding *binding = tf_binding_of_caller();
    assert_non_null(binding);
    tf_cpus_free(&cpus);
    tf_cpus_bind(pthread_self(), last);
    assert_int_equal(sched_getaffinity(0, sizeof one, &one), 0);
    assert_int_equal(CPU_COUNT(&one), 1);
    assert_int_equal(tf_cpus_find(&cpus), 0); /* the topology is not loaded again, but the mask is asked */
    EXPECT_ORDER(&cpus, last);
    tf_cpus_free(&cpus);
    tf_binding_apply(binding, pthread_self());
    tf_binding_free(binding);
    assert_int_equal(sched_getaffinity(0, sizeof one, &one), 0);
    assert_true(CPU_EQUAL(&one, &before));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_cpu),      cmocka_unit_test(test_siblings), cmocka_unit_test(test_distances),
        cmocka_unit_test(test_no_distances), cmocka_unit_test(test_hybrid),   cmocka_unit_test(test_offline),
        cmocka_unit_test(test_allowed),      cmocka_unit_test(test_memory),   cmocka_unit_test(test_more_workers),
        cmocka_unit_test(test_here),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
