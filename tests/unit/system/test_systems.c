/* SPDX-License-Identifier: Apache-2.0 */
/* Systems of several chips: what crosses links, in which time, and that no number of threads changes it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/systems/links.h"

static struct tf_system *make(const char *name, unsigned threads, uint32_t latency)
{
    struct tf_cluster cluster;
    struct tf_message message = {""};
    struct tf_system *system = NULL;
    struct tf_system_config config;
    if (tf_cluster_find(name, &cluster, &message) != TF_OK)
        fail_msg("%s", message.text);
    tf_system_config_init(&config);
    config.cluster = &cluster;
    config.chip.threads = threads;
    config.link_latency_cycles = latency;
    if (tf_system_create(&config, &system, &message) != TF_OK)
        fail_msg("%s", message.text);
    return system;
}

/* Run a workload on a system, and return the hash of its end. */
static uint64_t run(const char *name, const struct tf_system_workload *workload, unsigned threads, uint32_t latency)
{
    struct tf_system *system = make(name, threads, latency);
    struct tf_workload_options options = {.scale = workload->scale_test, .seed = 7};
    struct tf_message message = {""};
    void *work = NULL;
    enum tf_end end;
    if (workload->setup(system, &options, &work, &message) != TF_OK)
        fail_msg("%s", message.text);
    assert_int_equal(tf_system_run(system, NULL, &end), TF_OK);
    assert_int_equal(end, TF_END_QUIET);
    if (workload->verify(system, work, &message) != TF_OK)
        fail_msg("%s on %s: %s", workload->name, name, message.text);
    uint64_t hash = tf_system_hash(system);
    workload->release(work);
    tf_system_destroy(system);
    return hash;
}

static void test_same_on_any_threads(void **state)
{
    (void)state;
    static const char *const systems[] = {"n300", "t3000", "p300", "4xp150"};
    for (unsigned i = 0; i < sizeof systems / sizeof systems[0]; i++)
        for (const struct tf_system_workload *const *w = tf_system_workloads; *w != NULL; w++) {
            const uint64_t hash = run(systems[i], *w, 1, 0);
            assert_true(run(systems[i], *w, 2, 0) == hash);
            assert_true(run(systems[i], *w, 3, 0) == hash);
            assert_true(run(systems[i], *w, 1, 3000) != hash);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_on_any_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
