/* SPDX-License-Identifier: Apache-2.0 */
/* CPUs by the affinity mask alone, as libttsim.so knows them. */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pool/cpus.h"

static void test_mask(void **state)
{
    (void)state;
    cpu_set_t before, one;
    struct tf_cpus cpus;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    assert_int_equal(tf_cpus_find(&cpus), 0);
    assert_int_equal(cpus.count, CPU_COUNT(&before));
    assert_in_range(cpus.cores, (cpus.count + 1) / 2, cpus.count);
    for (unsigned i = 0; i < cpus.count; i++) {
        assert_true(CPU_ISSET(cpus.cpu[i].number, &before));
        assert_true(i == 0 || cpus.cpu[i - 1].number < cpus.cpu[i].number);
        assert_int_equal(cpus.cpu[i].node, TF_NO_NUMA_NODE);
    }
    int last = cpus.cpu[cpus.count - 1].number;
    tf_cpus_free(&cpus);
    CPU_ZERO(&one);
    CPU_SET(last, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(tf_cpus_find(&cpus), 0);
    assert_int_equal(cpus.count, 1);
    assert_int_equal(cpus.cores, 1);
    assert_int_equal(cpus.cpu[0].number, last);
    assert_true(cpus.online >= 1);
    tf_cpus_free(&cpus);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

/* A thread that was bound to a CPU is where it was before, afterwards. */
static void test_binding(void **state)
{
    (void)state;
    struct tf_cpus cpus;
    cpu_set_t before, now;
    assert_int_equal(tf_cpus_find(&cpus), 0);
    assert_true(tf_cpus_may_bind(&cpus));
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    struct tf_binding *binding = tf_binding_of_caller();
    assert_non_null(binding);
    tf_cpus_bind(pthread_self(), cpus.cpu[cpus.count - 1].number);
    assert_int_equal(sched_getaffinity(0, sizeof now, &now), 0);
    assert_int_equal(CPU_COUNT(&now), 1);
    assert_true(CPU_ISSET(cpus.cpu[cpus.count - 1].number, &now));
    tf_binding_apply(binding, pthread_self());
    tf_binding_free(binding);
    assert_int_equal(sched_getaffinity(0, sizeof now, &now), 0);
    assert_true(CPU_EQUAL(&now, &before));
    tf_cpus_free(&cpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mask), cmocka_unit_test(test_binding)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
