/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of systems: a board of two chips against one chip, links, and a Galaxy on which two chips work. */
#include <stdio.h>

#include "cli/bench/bench.h"
#include "cli/bench/measure.h"
#include "cli/systems/list.h"
#include "cli/systems/workload.h"
#include "cli/workloads/list.h"
#include "tilefarm/tilefarm_links.h"
#include "tilefarm/tilefarm_system_config.h"
#include "tilefarm/tilefarm_system_run.h"

#define TWO 2u /* chips that work */

/* The system of a side's family. */
static int find(const struct bench_side *side, bool galaxy, struct tf_cluster *cluster)
{
    static const char *const names[][2] = {{"p300", "bh-galaxy"}, {"n300", "wh-galaxy"}};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (tf_cluster_find(names[i][galaxy], cluster, NULL) == TF_OK && cluster->arch == side->arch)
            return TF_OK;
    return TF_ENODEV;
}

static bool fail(struct bench_sample *sample, const char *what, int error)
{
    sample->right = false;
    snprintf(sample->why, sizeof sample->why, "%s: %s", what, tf_strerror(error));
    return false;
}

/* Make a system. NULL: the sample says why. */
static struct tf_system *make(const struct bench_side *side, bool galaxy, struct bench_sample *sample)
{
    struct tf_cluster cluster;
    struct tf_system_config config;
    struct tf_system *system = NULL;
    int error = find(side, galaxy, &cluster);
    tf_system_config_init(&config);
    config.cluster = &cluster;
    config.chip.threads = side->threads;
    config.chip.vectors = side->vectors;
    if (error == TF_OK)
        error = tf_system_create(&config, &system, NULL);
    if (error != TF_OK)
        fail(sample, "the system cannot be made", error);
    return system;
}

/* Run a workload of one chip on the first two chips. Returns the CPU time of the run; below 0: the sample says why. */
static double run_two(struct tf_system *system, const struct bench_row *row, struct bench_sample *sample)
{
    const struct tf_workload *workload = tf_workload_find(row->workload);
    const struct tf_workload_options options = {.scale = row->scale_full, .seed = 1};
    struct tf_message message;
    void *state[TWO] = {NULL, NULL};
    int error = TF_OK;
    for (unsigned i = 0; i < TWO && error == TF_OK; i++)
        error = workload->setup(tf_system_chip(system, i), &options, &state[i], &message);
    const double cpu_s = tf_processor_seconds(), began_s = tf_seconds();
    if (error == TF_OK)
        error = tf_system_run(system, NULL, NULL);
    sample->seconds = tf_seconds() - began_s;
    const double took_s = tf_processor_seconds() - cpu_s;
    for (unsigned i = 0; i < TWO && error == TF_OK; i++)
        error = workload->verify(tf_system_chip(system, i), state[i], &message);
    for (unsigned i = 0; i < TWO; i++)
        workload->release(state[i]);
    sample->right = error == TF_OK || fail(sample, row->workload, error);
    return sample->right ? took_s : -1;
}

void bench_board(const struct bench_row *row, struct bench_engine *engine, uint32_t rounds, struct bench_sample *sample)
{
    struct tf_system *system = make(engine->side, false, sample);
    (void)rounds;
    if (system == NULL || run_two(system, row, sample) < 0) {
        tf_system_destroy(system);
        return;
    }
    for (unsigned i = 0; i < TWO; i++) {
        struct tf_stats stats;
        tf_stats(tf_system_chip(system, i), &stats);
        sample->work += (double)stats.instructions_executed;
    }
    tf_system_destroy(system);
}

void bench_links(const struct bench_row *row, struct bench_engine *engine, uint32_t rounds, struct bench_sample *sample)
{
    const struct tf_system_workload *workload = tf_system_workload_find(row->workload);
    const struct tf_workload_options options = {.scale = row->scale_full, .seed = 1};
    struct tf_system *system = make(engine->side, false, sample);
    struct tf_message message;
    void *state = NULL;
    struct tf_link_stats stats;
    (void)rounds;
    if (system == NULL)
        return;
    int error = workload->setup(system, &options, &state, &message);
    const double began_s = tf_seconds();
    if (error == TF_OK)
        error = tf_system_run(system, NULL, NULL);
    sample->seconds = tf_seconds() - began_s;
    if (error == TF_OK)
        error = workload->verify(system, state, &message);
    for (unsigned i = 0; tf_link_stats(system, i, &stats) == TF_OK; i++)
        sample->work += (double)stats.bytes;
    sample->right = error == TF_OK || fail(sample, row->workload, error);
    workload->release(state);
    tf_system_destroy(system);
}

void bench_galaxy(const struct bench_row *row, struct bench_engine *engine, uint32_t rounds,
                  struct bench_sample *sample)
{
    const double began_s = tf_seconds();
    struct tf_system *system = make(engine->side, true, sample);
    (void)row;
    (void)rounds;
    sample->seconds = tf_seconds() - began_s;
    sample->work = 1;
    sample->right = system != NULL;
    tf_system_destroy(system);
}

void bench_galaxy_memory(const struct bench_row *row, struct bench_engine *engine, uint32_t rounds,
                         struct bench_sample *sample)
{
    (void)row;
    (void)rounds;
    engine->ops->close(engine);
    engine->closed = true;
    struct tf_system *system = make(engine->side, true, sample);
    sample->right = system != NULL;
    sample->work = 1;
    sample->seconds = bench_resident_mb(); /* an amount, reported as a cost */
    tf_system_destroy(system);
}

/* The CPU time of two chips of a Galaxy by that of two chips of a board. */
void bench_galaxy_idle(const struct bench_row *row, struct bench_engine *engine, uint32_t rounds,
                       struct bench_sample *sample)
{
    double took_s[2] = {-1, -1};
    (void)rounds;
    for (unsigned i = 0; i < 2; i++) {
        struct tf_system *system = make(engine->side, i == 1, sample);
        if (system != NULL)
            took_s[i] = run_two(system, row, sample);
        tf_system_destroy(system);
        if (took_s[i] < 0)
            return;
    }
    sample->work = 1;
    sample->seconds = took_s[1] / took_s[0];
}
