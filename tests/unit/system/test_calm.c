/* SPDX-License-Identifier: Apache-2.0 */
/* Windows that grow while nothing can be sent on links: no packet comes too soon, and no number of threads shows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "compute.h"

#include "cli/systems/list.h"
#include "cli/systems/workload.h"
#include "cli/workloads/list.h"
#include "farm/chip/chip.h"
#include "system/calm.h"
#include "system/state.h"
#include "system_wish.h"
#include "tilefarm/tilefarm_system_run.h"

#define SAVED "test_calm.tfs"
#define SCALE 2

/* Packets that a system sends. */
struct sent {
    struct tf_system *system;
    unsigned count, soon; /* of them: they arrive before the time that the receiving chip has reached */
};

static void note_packet(void *user, const struct tf_packet_event *event)
{
    struct sent *sent = user;
    sent->count++;
    sent->soon += tf_chip_cycles(tf_system_chip(sent->system, event->to.chip)) > event->arrives;
}

/* A system that runs `halo`: chips compute, and then send. */
struct job {
    struct tf_system *system;
    struct sent sent;
    void *work;
};

static struct job *begin(const char *name, unsigned threads)
{
    struct tf_cluster cluster;
    struct system_wish config;
    struct tf_message message = {""};
    const struct tf_workload_options options = {.scale = SCALE, .seed = 7};
    struct job *job = calloc(1, sizeof *job);
    assert_non_null(job);
    assert_int_equal(tf_cluster_find(name, &cluster, &message), TF_OK);
    system_wish_init(&config);
    config.cluster = &cluster;
    config.chip.threads = threads;
    config.on_packet = note_packet;
    config.user = &job->sent;
    assert_int_equal(system_wish_create(&config, &job->system, &message), TF_OK);
    job->sent.system = job->system;
    if (tf_system_halo.setup(job->system, &options, &job->work, &message) != TF_OK)
        fail_msg("%s", message.text);
    compute_first(job->system);
    return job;
}

static void run_to(struct job *job, uint64_t pause, enum tf_end expected)
{
    const struct tf_system_run_options options = {.run.pause_cycle = pause};
    enum tf_end end;
    assert_int_equal(tf_system_run(job->system, &options, &end), TF_OK);
    assert_int_equal(end, expected);
}

/* Returns the hash of its end. */
static uint64_t finish(struct job *job)
{
    struct tf_message message = {""};
    if (tf_system_halo.verify(job->system, job->work, &message) != TF_OK)
        fail_msg("%s", message.text);
    const uint64_t hash = tf_system_hash(job->system);
    tf_system_halo.release(job->work);
    tf_system_destroy(job->system);
    free(job);
    return hash;
}

static void test_no_packet_comes_too_soon(void **state)
{
    (void)state;
    static const char *const systems[] = {"n300", "p300", "quietbox2"};
    for (unsigned i = 0; i < sizeof systems / sizeof systems[0]; i++) {
        uint64_t hash[2];
        for (unsigned threads = 1; threads <= 2; threads++) {
            struct job *job = begin(systems[i], threads);
            run_to(job, 0, TF_END_QUIET);
            assert_true(job->sent.count >= 2 * SCALE);
            assert_int_equal(job->sent.soon, 0);
            hash[threads - 1] = finish(job);
        }
        assert_true(hash[0] == hash[1]);
    }
}

/* For how long a system has been calm is a part of what is saved. */
static void test_goes_on(void **state)
{
    (void)state;
    struct job *job = begin("quietbox2", 1);
    run_to(job, 0, TF_END_QUIET);
    const uint64_t whole = finish(job);
    for (uint64_t cycle = 20000; cycle <= 320000; cycle += 60000) {
        struct tf_message message = {""};
        struct job *first = begin("quietbox2", 1), *second = begin("quietbox2", 1);
        run_to(first, cycle, TF_END_CYCLES);
        assert_int_equal(tf_system_save(first->system, SAVED, &message), TF_OK);
        if (tf_system_restore(second->system, SAVED, &message) != TF_OK)
            fail_msg("%s", message.text);
        run_to(first, 0, TF_END_QUIET);
        run_to(second, 0, TF_END_QUIET);
        assert_true(finish(first) == whole);
        assert_true(finish(second) == whole);
        assert_int_equal(system("rm -f " SAVED "*"), 0);
    }
}

/* A chip that stops leaves the system no calmer. Ranks hear later of what a chip did last than of nothing. */
static void test_stopped_chips_count(void **state)
{
    (void)state;
    struct tf_news before, after;
    struct job *job = begin("quietbox2", 1);
    run_to(job, 0, TF_END_QUIET);
    tf_calm_note(job->system, &before);
    assert_true(before.stirred != 0);
    for (unsigned i = 0; i < 4; i++)
        job->system->part[i].end = TF_END_FAULT;
    tf_calm_note(job->system, &after);
    assert_true(after.stirred == before.stirred);
    finish(job);
}

/* Epochs of chip 0 of a p300 whose chips compute, by links of a latency. */
static uint64_t epochs_with(uint32_t latency, uint64_t *cycles)
{
    struct tf_cluster cluster;
    struct system_wish config;
    struct tf_system *system;
    struct tf_stats stats;
    struct tf_message message = {""};
    const struct tf_workload *workload = tf_workload_find("mixed");
    const struct tf_workload_options options = {.scale = 1, .seed = 1};
    void *work[2];
    assert_int_equal(tf_cluster_find("p300", &cluster, &message), TF_OK);
    system_wish_init(&config);
    config.cluster = &cluster;
    config.link_latency_cycles = latency;
    assert_int_equal(system_wish_create(&config, &system, &message), TF_OK);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(workload->setup(tf_system_chip(system, i), &options, &work[i], &message), TF_OK);
    assert_int_equal(tf_system_run(system, NULL, NULL), TF_OK);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(workload->verify(tf_system_chip(system, i), work[i], &message), TF_OK);
        workload->release(work[i]);
    }
    tf_stats(tf_system_chip(system, 0), &stats);
    *cycles = tf_system_cycles(system);
    tf_system_destroy(system);
    return stats.epochs;
}

/* Chips whose links have nothing to send have epochs nearly as long as those of links that are slow. */
static void test_windows_grow(void **state)
{
    (void)state;
    uint64_t cycles, slow_cycles;
    const uint64_t epochs = epochs_with(1024, &cycles), slow = epochs_with(16384, &slow_cycles);
    assert_true(cycles / epochs > 6 * 1024);
    assert_true(epochs >= slow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_packet_comes_too_soon),
        cmocka_unit_test(test_goes_on),
        cmocka_unit_test(test_stopped_chips_count),
        cmocka_unit_test(test_windows_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
