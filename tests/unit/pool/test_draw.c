/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a machine with two NUMA nodes, whose distances are known, and with caches that one core has alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <hwloc.h>
#include <hwloc/distances.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pool/cpus_hwloc.h"
#include "pool/draw.h"

static int worker_of(const void *context, int cpu)
{
    const int *of_worker_0 = context;
    return cpu == *of_worker_0 ? 0 : -1;
}

/* Describe the machine in a file, and let the environment name it. */
static void describe(char *path)
{
    hwloc_uint64_t values[] = {10, 21, 21, 10};
    hwloc_topology_t machine;
    assert_int_equal(hwloc_topology_init(&machine), 0);
    assert_int_equal(hwloc_topology_set_synthetic(machine, "pack:2 [numa(memory=1GB)] l3:1 l2:2 core:1 pu:2"), 0);
    assert_int_equal(hwloc_topology_load(machine), 0);
    hwloc_obj_t node[] = {hwloc_get_obj_by_type(machine, HWLOC_OBJ_NUMANODE, 0),
                          hwloc_get_obj_by_type(machine, HWLOC_OBJ_NUMANODE, 1)};
    hwloc_distances_add_handle_t handle =
        hwloc_distances_add_create(machine, "NUMALatency",
                                   HWLOC_DISTANCES_KIND_FROM_USER | HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0);
    assert_int_equal(hwloc_distances_add_values(machine, handle, 2, node, values, 0), 0);
    assert_int_equal(hwloc_distances_add_commit(machine, handle, 0), 0);
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(close(file), 0);
    assert_int_equal(hwloc_topology_export_xml(machine, path, 0), 0);
    hwloc_topology_destroy(machine);
    assert_int_equal(setenv("HWLOC_XMLFILE", path, 1), 0);
}

static unsigned times(const char *text, const char *part)
{
    unsigned count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++)
        count++;
    return count;
}

static void test_text(void **state)
{
    (void)state;
    char path[] = "/tmp/test_draw_XXXXXX";
    const int cpu = 4;
    describe(path);
    char *text = tf_host_draw(worker_of, &cpu);
    assert_int_equal(unlink(path), 0);
    assert_non_null(text);
    assert_int_equal(times(text, "package "), 2);
    assert_int_equal(times(text, ", distances 10 21\n"), 1);
    assert_int_equal(times(text, ", distances 21 10\n"), 1);
    assert_int_equal(times(text, "L3 cache, "), 2);
    assert_int_equal(times(text, "L2 cache"), 0); /* one core has it alone */
    assert_int_equal(times(text, "core "), 4);
    assert_int_equal(times(text, "  CPU 4 worker 0  CPU 5\n"), 1);
    assert_int_equal(times(text, "worker"), 1);
    free(text);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(test_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
