/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of systems: all chips of a board and of a server, links, and a Galaxy on which a core or two chips work. */
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

enum size { BOARD, SERVER, GALAXY, SIZES };

/* The system of a side's family: two chips, four or eight, 32. */
static int find(const struct bench_side *side, enum size size, struct tf_cluster *cluster)
{
    static const char *const names[][SIZES] = {{"p300", "quietbox2", "bh-galaxy"}, {"n300", "t3000", "wh-galaxy"}};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (tf_cluster_find(names[i][size], cluster, NULL) == TF_OK && cluster->arch == side->arch)
            return TF_OK;
    return TF_ENODEV;
}

static bool fail(struct bench_sample *sample, const char *what, int error)
{
    sample->right = false;
    snprintf(sample->why, sizeof sample->why, "%s: %s", what, tf_strerror(error));
    return false;
}

/* Make a system. epoch_cycles: of the longest epoch; 0: as usual. NULL: the sample says why. */
static struct tf_system *make_of(const struct bench_side *side, enum size size, uint32_t epoch_cycles,
                                 struct bench_sample *sample)
{
    struct tf_cluster cluster;
    struct tf_system_config config;
    struct tf_system *system = NULL;
    int error = find(side, size, &cluster);
    tf_system_config_init(&config);
    config.cluster = &cluster;
    config.chip.threads = side->threads;
    config.chip.vectors = side->vectors;
    if (epoch_cycles != 0)
        config.chip.epoch_cycles_max = epoch_cycles;
    if (error == TF_OK)
        error = tf_system_create(&config, &system, NULL);
    if (error != TF_OK)
        fail(sample, "the system cannot be made", error);
    return system;
}

static struct tf_system *make(const struct bench_side *side, enum size size, struct bench_sample *sample)
{
    return make_of(side, size, 0, sample);
}

/* The instructions that chips have executed. */
static double executed(struct tf_system *system, unsigned chips)
{
    double instructions = 0;
    for (unsigned i = 0; i < chips; i++) {
        struct tf_stats stats;
        tf_stats(tf_system_chip(system, i), &stats);
        instructions += (double)stats.instructions_executed;
    }
    return instructions;
}

/* Run a workload of one chip on the first chips. Returns the CPU time of the run; below 0: the sample says why. */
static double run_on(struct tf_system *system, unsigned chips, const struct bench_row *row, struct bench_sample *sample)
{
    const struct tf_workload *workload = tf_workload_find(row->workload);
    const struct tf_workload_options options = {.scale = row->scale_full, .seed = 1};
    struct tf_message message;
    void *state[TF_CLUSTER_CHIPS_MAX] = {NULL};
    int error = TF_OK;
    for (unsigned i = 0; i < chips && error == TF_OK; i++)
        error = workload->setup(tf_system_chip(system, i), &options, &state[i], &message);
    const double cpu_s = tf_processor_seconds(), began_s = tf_seconds();
    if (error == TF_OK)
        error = tf_system_run(system, NULL, NULL);
    sample->seconds = tf_seconds() - began_s;
    const double took_s = tf_processor_seconds() - cpu_s;
    for (unsigned i = 0; i < chips && error == TF_OK; i++)
        error = workload->verify(tf_system_chip(system, i), state[i], &message);
    for (unsigned i = 0; i < chips; i++)
        workload->release(state[i]);
    sample->right = error == TF_OK || fail(sample, row->workload, error);
    return sample->right ? took_s : -1;
}

/* A workload on all chips of a system. */
static void run_all(const struct bench_row *row, const struct bench_engine *engine, enum size size,
                    struct bench_sample *sample)
{
    struct tf_system *system = make(engine->side, size, sample);
    unsigned chips = 0;
    while (system != NULL && tf_system_chip(system, chips) != NULL)
        chips++;
    if (system != NULL && run_on(system, chips, row, sample) >= 0)
        sample->work = executed(system, chips);
    tf_system_destroy(system);
}

void bench_board(const struct bench_row *row, struct bench_engine *engine, uint32_t rounds, struct bench_sample *sample)
{
    (void)rounds;
    run_all(row, engine, BOARD, sample);
}

void bench_server(const struct bench_row *row, struct bench_engine *engine, uint32_t rounds,
                  struct bench_sample *sample)
{
    (void)rounds;
    run_all(row, engine, SERVER, sample);
}

void bench_links(const struct bench_row *row, struct bench_engine *engine, uint32_t rounds, struct bench_sample *sample)
{
    const struct tf_system_workload *workload = tf_system_workload_find(row->workload);
    const struct tf_workload_options options = {.scale = row->scale_full, .seed = 1};
    struct tf_system *system = make(engine->side, BOARD, sample);
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
    struct tf_system *system = make(engine->side, GALAXY, sample);
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
    struct tf_system *system = make(engine->side, GALAXY, sample);
    sample->right = system != NULL;
    sample->work = 1;
    sample->seconds = bench_resident_mb(); /* an amount, reported as a cost */
    tf_system_destroy(system);
}

/* The CPU time of an instruction on two chips of a Galaxy by that on two chips of a board. Chips of a Galaxy have more
   tiles than those of a board. */
void bench_galaxy_idle(const struct bench_row *row, struct bench_engine *engine, uint32_t rounds,
                       struct bench_sample *sample)
{
    double took_s[2] = {-1, -1};
    (void)rounds;
    for (unsigned i = 0; i < 2; i++) {
        struct tf_system *system = make(engine->side, i == 0 ? BOARD : GALAXY, sample);
        if (system != NULL)
            took_s[i] = run_on(system, TWO, row, sample);
        if (took_s[i] >= 0)
            took_s[i] /= executed(system, TWO);
        tf_system_destroy(system);
        if (took_s[i] < 0)
            return;
    }
    sample->work = 1;
    sample->seconds = took_s[1] / took_s[0];
}

#define WINDOW_CYCLES 1024u

/* Wall time of a window of 1,024 cycles in which one core of a Galaxy counts. All other cores are in reset. Windows are
   as long as the longest epoch at most. */
void bench_windows(const struct bench_row *row, struct bench_engine *engine, uint32_t rounds,
                   struct bench_sample *sample)
{
    const uint32_t count[] = {
        rounds << 12 | 0x2B7, /* lui t0, rounds */
        0xFFF28293,           /* addi t0, t0, -1 */
        0xFE029EE3,           /* bnez t0, the last one */
        0x0000006F,           /* j to itself */
    };
    struct tf_system *system = make_of(engine->side, GALAXY, WINDOW_CYCLES, sample);
    struct tf_coord tile;
    (void)row;
    if (system == NULL)
        return;
    struct tf_chip *chip = tf_system_chip(system, 0);
    int error = tf_tile_coord(engine->side->arch, 0, &tile);
    if (error == TF_OK)
        error = tf_write(chip, tile, 0, count, sizeof count);
    if (error == TF_OK)
        error = tf_core_set_pc(chip, 0, TF_CORE_B, 0);
    if (error == TF_OK)
        error = tf_core_start(chip, 0, TF_CORE_B);
    const double began_s = tf_seconds();
    if (error == TF_OK)
        error = tf_system_run(system, NULL, NULL);
    sample->seconds = tf_seconds() - began_s;
    tf_stats(chip, &sample->stats);
    sample->work = (double)sample->stats.epochs;
    sample->right = error == TF_OK || fail(sample, "the run fails", error);
    tf_system_destroy(system);
}
