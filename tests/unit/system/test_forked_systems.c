/* SPDX-License-Identifier: Apache-2.0 */
/* Forks of systems: with what is on the links, they continue as the system would, whichever of the two runs or ends
   first, on any number of threads. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cli/systems/workload.h"
#include "system_wish.h"
#include "tilefarm/tilefarm_explore.h"
#include "tilefarm/tilefarm_system_run.h"

#define N300_LOSES "0:8 lose 3% 7, 1:1 slow 3"

struct plan {
    const char *system, *faults;
    const struct tf_system_workload *workload;
    uint64_t step; /* between pauses, until packets are under way */
};

static const struct plan plans[] = {
    {"n300", NULL, &tf_system_ring, 4000},
    {"n300", N300_LOSES, &tf_system_ring, 4000},
    {"4xp150", NULL, &tf_system_reduce, 4000},
    {"p300", NULL, &tf_system_router, 4000},
};

#define PLANS (sizeof plans / sizeof plans[0])

/* The configuration of a plan. It points to static memory. */
static void configure(const struct plan *plan, unsigned threads, struct system_wish *config)
{
    static struct tf_cluster cluster;
    static struct tf_link_fault fault[TF_LINK_FAULTS_MAX];
    struct tf_message message = {""};
    assert_int_equal(tf_cluster_find(plan->system, &cluster, NULL), TF_OK);
    system_wish_init(config);
    config->cluster = &cluster;
    config->chip.threads = threads;
    config->link_fault = fault;
    if (plan->faults != NULL &&
        tf_link_fault_parse(&cluster, plan->faults, fault, &config->link_faults, &message) != TF_OK)
        fail_msg("%s", message.text);
}

static struct tf_system *make(const struct plan *plan, unsigned threads)
{
    struct system_wish config;
    struct tf_system *system = NULL;
    struct tf_message message = {""};
    configure(plan, threads, &config);
    if (system_wish_create(&config, &system, &message) != TF_OK)
        fail_msg("%s", message.text);
    return system;
}

static void *begin(const struct plan *plan, struct tf_system *system)
{
    const struct tf_workload_options options = {.scale = 2, .seed = 7};
    struct tf_message message = {""};
    void *work = NULL;
    if (plan->workload->setup(system, &options, &work, &message) != TF_OK)
        fail_msg("%s", message.text);
    return work;
}

static struct tf_system *fork_with(struct tf_system *system, const struct system_wish *config)
{
    struct tf_message message = {""};
    struct tf_system *fork = NULL;
    if (system_wish_fork(system, config, &fork, &message) != TF_OK)
        fail_msg("%s", message.text);
    return fork;
}

static uint64_t waiting(const struct tf_system *system)
{
    uint64_t sum = 0;
    struct tf_link_stats stats;
    for (unsigned i = 0; tf_link_stats(system, i, &stats) == TF_OK; i++)
        sum += stats.waiting;
    return sum;
}

static void run_until_packets(const struct plan *plan, struct tf_system *system)
{
    for (uint64_t cycle = plan->step; waiting(system) == 0; cycle += plan->step) {
        const struct tf_system_run_options options = {.run.pause_cycle = cycle};
        enum tf_end end;
        assert_int_equal(tf_system_run(system, &options, &end), TF_OK);
        assert_int_equal(end, TF_END_CYCLES);
    }
}

static void *run(void *system)
{
    enum tf_end end = TF_END_FAULT;
    if (tf_system_run(system, NULL, &end) != TF_OK || end != TF_END_QUIET)
        fprintf(stderr, "a run ended by reason %d\n", (int)end);
    return NULL;
}

static uint64_t hash_of(struct tf_system *system)
{
    const uint64_t hash = tf_system_hash(system);
    tf_system_destroy(system);
    return hash;
}

/* The end of a system that has no forks. */
static uint64_t end_of(const struct plan *plan)
{
    struct tf_system *system = make(plan, 1);
    plan->workload->release(begin(plan, system));
    run(system);
    return hash_of(system);
}

static void assert_equal_links(struct tf_system *a, struct tf_system *b)
{
    struct tf_link_stats of_a, of_b;
    for (unsigned i = 0; tf_link_stats(a, i, &of_a) == TF_OK; i++) {
        assert_int_equal(tf_link_stats(b, i, &of_b), TF_OK);
        assert_memory_equal(&of_a, &of_b, sizeof of_a);
    }
    assert_true(tf_system_cycles(a) == tf_system_cycles(b));
}

/* Forks on one and on two threads: one runs before the system, one after it, and one is itself a fork of a fork. */
static void test_goes_on(void **state)
{
    (void)state;
    for (unsigned i = 0; i < PLANS; i++) {
        const struct plan *plan = &plans[i];
        const uint64_t expected = end_of(plan);
        struct system_wish config;
        struct tf_message message = {""};
        struct tf_system *system = make(plan, 1 + i % 2);
        void *work = begin(plan, system);
        run_until_packets(plan, system);
        struct tf_system *before = fork_with(system, NULL);
        configure(plan, 2, &config);
        struct tf_system *after = fork_with(system, &config), *second = fork_with(before, NULL);
        struct tf_system *look = fork_with(system, NULL);
        assert_equal_links(look, system);
        assert_true(waiting(look) != 0);
        assert_true(tf_system_hash(look) == tf_system_hash(system));
        tf_system_destroy(look);
        run(before);
        run(system);
        run(after);
        assert_equal_links(before, system);
        assert_equal_links(after, system);
        if (plan->workload->verify(after, work, &message) != TF_OK)
            fail_msg("%s", message.text);
        assert_true(hash_of(system) == expected);
        assert_true(hash_of(before) == expected);
        run(second);
        assert_true(hash_of(second) == expected);
        assert_true(hash_of(after) == expected);
        plan->workload->release(work);
    }
}

/* A system and its forks run side by side. */
static void test_side_by_side(void **state)
{
    (void)state;
    for (unsigned i = 0; i < PLANS; i++) {
        const struct plan *plan = &plans[i];
        const uint64_t expected = end_of(plan);
        struct tf_system *system[3] = {make(plan, 2)};
        pthread_t thread[3];
        plan->workload->release(begin(plan, system[0]));
        run_until_packets(plan, system[0]);
        for (unsigned k = 1; k < 3; k++)
            system[k] = fork_with(system[0], NULL);
        for (unsigned k = 0; k < 3; k++)
            assert_int_equal(pthread_create(&thread[k], NULL, run, system[k]), 0);
        for (unsigned k = 0; k < 3; k++)
            pthread_join(thread[k], NULL);
        for (unsigned k = 0; k < 3; k++)
            assert_true(hash_of(system[k]) == expected);
    }
}

/* A fork outlives its system, and does not see what is done to the system later. Nor the other way round. */
static void test_apart(void **state)
{
    (void)state;
    const struct plan *plan = &plans[0];
    const uint64_t expected = end_of(plan);
    const struct tf_coord tile = {1, 2};
    const uint32_t seven = 7;
    struct tf_system *system = make(plan, 1);
    plan->workload->release(begin(plan, system));
    run_until_packets(plan, system);
    struct tf_system *fork = fork_with(system, NULL), *other = fork_with(system, NULL);
    assert_int_equal(tf_write(tf_system_chip(system, 1), tile, 0x2000, &seven, sizeof seven), TF_OK);
    assert_int_equal(tf_write(tf_system_chip(other, 0), tile, 0x2000, &seven, sizeof seven), TF_OK);
    struct tf_system *late = fork_with(system, NULL);
    uint32_t found = 0;
    assert_int_equal(tf_read(tf_system_chip(late, 1), tile, 0x2000, &found, sizeof found), TF_OK);
    assert_int_equal(found, seven);
    run(system);
    assert_true(hash_of(system) != expected);
    run(fork);
    assert_true(hash_of(fork) == expected);
    run(other);
    assert_true(hash_of(other) != expected);
    tf_system_destroy(late);
}

/* ---- Memory of the host ---- */

static uint32_t of_host[2];

static void reads(void *user, uint64_t address, void *data, uint32_t bytes)
{
    (void)address;
    memset(data, 0, bytes);
    memcpy(data, user, bytes < sizeof(uint32_t) ? bytes : sizeof(uint32_t));
}

static void writes(void *user, uint64_t address, const void *data, uint32_t bytes)
{
    (void)user, (void)address, (void)data, (void)bytes;
}

static void reach_host(void *user, unsigned chip, struct chip_wish *config)
{
    (void)user;
    config->on_host_read = reads;
    config->on_host_write = writes;
    config->user = &of_host[chip];
}

/* Each chip of a fork reaches what its chip reaches. */
static void test_host(void **state)
{
    (void)state;
    struct system_wish config;
    struct tf_system *system = NULL;
    configure(&plans[3], 1, &config); /* both chips have PCIe */
    config.on_chip = reach_host;
    assert_int_equal(system_wish_create(&config, &system, NULL), TF_OK);
    struct tf_system *fork = fork_with(system, NULL);
    tf_system_destroy(system);
    for (unsigned i = 0; i < 2; i++) {
        const struct tf_coord pcie = {2, 0};
        uint32_t found = 0;
        of_host[i] = 0x1234 + i;
        assert_int_equal(tf_read(tf_system_chip(fork, i), pcie, 1ull << 60, &found, sizeof found), TF_OK);
        assert_int_equal(found, 0x1234 + i);
    }
    tf_system_destroy(fork);
}

/* ---- Errors ---- */

static void refuses(struct tf_system *system, const struct system_wish *config, const char *why)
{
    struct tf_message message = {""};
    struct tf_system *fork = NULL;
    const uint64_t hash = tf_system_hash(system);
    assert_int_equal(system_wish_fork(system, config, &fork, &message), TF_EINVAL);
    assert_null(fork);
    if (strstr(message.text, why) == NULL)
        fail_msg("%s", message.text);
    assert_true(tf_system_hash(system) == hash);
}

static void test_errors(void **state)
{
    (void)state;
    const struct plan *plan = &plans[1];
    struct tf_system *system = make(plan, 1), *fork = NULL;
    struct system_wish config;
    struct tf_explore explore;
    assert_int_equal(system_wish_fork(NULL, NULL, &fork, NULL), TF_EINVAL);
    assert_int_equal(system_wish_fork(system, NULL, NULL, NULL), TF_EINVAL);
    configure(plan, 1, &config);
    config.link_latency_cycles = 2000;
    refuses(system, &config, "the saved system has link_latency 1024, and this one has 2000");
    configure(plan, 1, &config);
    config.link_gbps = 50;
    refuses(system, &config, "the saved system has link_gbps 100, and this one has 50");
    configure(plan, 1, &config);
    config.link_faults = 1;
    refuses(system, &config, "the saved system has other link faults than this one");
    configure(&plans[2], 1, &config);
    refuses(system, &config, "it is that of another system: other chips, or other links");
    configure(plan, 1, &config);
    config.chip.slice_cycles = 512;
    refuses(system, &config, "the saved chip has slice_cycles 1024, and this one has 512");
    configure(plan, 1, &config);
    config.chip.check = true;
    refuses(system, &config, "accesses before it are unknown");
    configure(plan, 1, &config);
    config.chip.mode = TF_MODE_RELAXED;
    refuses(system, &config, "a fork cannot be in relaxed mode");
    configure(plan, 1, &config);
    tf_explore_random(&explore, 1);
    config.chip.explore = &explore;
    refuses(system, &config, "a fork cannot explore other orders");
    assert_int_equal(chip_wish_fork(tf_system_chip(system, 0), NULL, NULL, NULL), TF_EINVAL);
    configure(&plans[0], 1, &config);
    config.chip.explore = &explore;
    struct tf_system *exploring = NULL, *relaxed = NULL;
    assert_int_equal(system_wish_create(&config, &exploring, NULL), TF_OK);
    refuses(exploring, NULL, "a system that explores other orders cannot be forked");
    configure(&plans[0], 1, &config);
    config.chip.mode = TF_MODE_RELAXED;
    assert_int_equal(system_wish_create(&config, &relaxed, NULL), TF_OK);
    refuses(relaxed, NULL, "a system in relaxed mode cannot be forked");
    tf_system_destroy(exploring);
    tf_system_destroy(relaxed);
    tf_system_destroy(system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goes_on), cmocka_unit_test(test_side_by_side), cmocka_unit_test(test_apart),
        cmocka_unit_test(test_host),    cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
