/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a machine with two NUMA nodes, whose distances may be known, and with caches that one core has alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <hwloc.h>
#include <hwloc/cpukinds.h>
#include <hwloc/distances.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pool/cpus_hwloc.h"
#include "pool/draw.h"

static int worker_of(const void *context, int cpu)
{
    const int *of_worker_0 = context;
    return cpu == *of_worker_0 ? 0 : -1;
}

/* The cores of one package are of a slower kind. */
static void add_kinds(hwloc_topology_t machine)
{
    for (int kind = 0; kind < 2; kind++) {
        hwloc_obj_t package = hwloc_get_obj_by_type(machine, HWLOC_OBJ_PACKAGE, 1 - (unsigned)kind);
        assert_int_equal(hwloc_cpukinds_register(machine, package->cpuset, kind, 0, NULL, 0), 0);
    }
}

static void add_distances(hwloc_topology_t machine)
{
    hwloc_uint64_t values[] = {10, 21, 21, 10};
    hwloc_obj_t node[] = {hwloc_get_obj_by_type(machine, HWLOC_OBJ_NUMANODE, 0),
                          hwloc_get_obj_by_type(machine, HWLOC_OBJ_NUMANODE, 1)};
    hwloc_distances_add_handle_t handle =
        hwloc_distances_add_create(machine, "NUMALatency",
                                   HWLOC_DISTANCES_KIND_FROM_USER | HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0);
    assert_int_equal(hwloc_distances_add_values(machine, handle, 2, node, values, 0), 0);
    assert_int_equal(hwloc_distances_add_commit(machine, handle, 0), 0);
}

enum machine { PLAIN, WITH_KINDS, WITHOUT_DISTANCES };

/* Describe the machine in a file, and let the environment name it. */
static void describe(char *path, enum machine which)
{
    hwloc_topology_t machine;
    assert_int_equal(hwloc_topology_init(&machine), 0);
    assert_int_equal(hwloc_topology_set_synthetic(machine, "pack:2 [numa(memory=1GB)] l3:1 l2:2 core:1 pu:2"), 0);
    assert_int_equal(hwloc_topology_load(machine), 0);
    if (which != WITHOUT_DISTANCES)
        add_distances(machine);
    if (which == WITH_KINDS)
        add_kinds(machine);
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

/* The text of the machine, in which worker 0 is on CPU 4. A process looks at its machine once, so a child draws. */
static char *text_of(enum machine which)
{
    static char text[4096];
    char path[] = "/tmp/test_draw_XXXXXX";
    int ends[2], status;
    size_t length = 0;
    ssize_t bytes;
    describe(path, which);
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const int cpu = 4;
        char *drawn = tf_host_draw(worker_of, &cpu);
        const bool written = drawn != NULL && write(ends[1], drawn, strlen(drawn)) == (ssize_t)strlen(drawn);
        _exit(written ? 0 : 1);
    }
    assert_int_equal(close(ends[1]), 0);
    while ((bytes = read(ends[0], text + length, sizeof text - 1 - length)) > 0)
        length += (size_t)bytes;
    text[length] = '\0';
    assert_int_equal(close(ends[0]), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(unlink(path), 0);
    return text;
}

static void test_text(void **state)
{
    (void)state;
    const char *text = text_of(PLAIN);
    assert_int_equal(times(text, "package "), 2);
    assert_int_equal(times(text, ", distances 10 21\n"), 1);
    assert_int_equal(times(text, ", distances 21 10\n"), 1);
    assert_int_equal(times(text, "L3 cache, "), 2);
    assert_int_equal(times(text, "L2 cache"), 0); /* one core has it alone */
    assert_int_equal(times(text, "core "), 4);
    assert_int_equal(times(text, "  CPU 4 worker 0  CPU 5\n"), 1);
    assert_int_equal(times(text, "worker"), 1);
    assert_int_equal(times(text, "of kind"), 0);
}

/* Cores of several kinds tell theirs; kind 0 is the fastest. */
static void test_kinds(void **state)
{
    (void)state;
    const char *text = text_of(WITH_KINDS);
    assert_int_equal(times(text, "core 0 of kind 0  CPU 0  CPU 1\n"), 1);
    assert_int_equal(times(text, "core 1 of kind 0  CPU 2  CPU 3\n"), 1);
    assert_int_equal(times(text, "core 2 of kind 1  CPU 4 worker 0  CPU 5\n"), 1);
    assert_int_equal(times(text, "core 3 of kind 1  CPU 6  CPU 7\n"), 1);
}

static void test_unknown_distances(void **state)
{
    (void)state;
    const char *text = text_of(WITHOUT_DISTANCES);
    assert_int_equal(times(text, "NUMA node "), 2);
    assert_int_equal(times(text, "distances"), 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(test_text), cmocka_unit_test(test_kinds),
                                              cmocka_unit_test(test_unknown_distances)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
