/* SPDX-License-Identifier: Apache-2.0 */
/* The time to save, restore and fork a chip in the middle of a workload. */
#include <stdlib.h>
#include <unistd.h>

#include "cli/bench/bench.h"
#include "cli/bench/engine.h"
#include "cli/bench/refuse.h"
#include "cli/session.h"
#include "cli/session_state.h"
#include "cli/workloads/list.h"

#define MIDDLE_CYCLES 20000u /* `matmul` takes 55,263 cycles */

enum act { ACT_SAVE, ACT_RESTORE, ACT_FORK };

/* Returns the seconds that the action takes; below 0 after an error. */
static double act_on(struct tf_chip *chip, enum act act, const char *path, struct tf_message *message)
{
    struct tf_chip *fork = NULL;
    double began = tf_seconds();
    int error = act == ACT_SAVE      ? tf_chip_save(chip, path, message)
                : act == ACT_RESTORE ? tf_chip_restore(chip, path, message)
                                     : tf_chip_fork(chip, NULL, &fork, message);
    double took = tf_seconds() - began;
    if (fork != NULL)
        tf_chip_destroy(fork);
    return error == TF_OK ? took : -1;
}

/* The chip of the session is midway in the workload when it is saved for the first time. */
static void repeat(struct bench_engine *engine, struct tf_session *session, enum act act, const char *path,
                   uint32_t rounds, struct bench_sample *sample)
{
    const struct tf_run_options options = {.pause_cycle = MIDDLE_CYCLES};
    struct tf_message message = {""};
    enum tf_end end = TF_END_QUIET;
    sample->right = tf_run(session->chip, &options, &end) == TF_OK && end == TF_END_CYCLES &&
                    act_on(session->chip, ACT_SAVE, path, &message) >= 0;
    for (uint32_t i = 0; i < rounds && sample->right; i++) {
        double took = act_on(session->chip, act, path, &message);
        sample->right = took >= 0;
        sample->seconds += took;
    }
    sample->work = rounds;
    if (!sample->right)
        bench_refuse(engine, "%s",
                     message.text[0] != '\0' ? message.text : "the workload is too short to be saved in the middle");
}

static void measure(const struct bench_row *row, struct bench_engine *engine, enum act act, uint32_t rounds,
                    struct bench_sample *sample)
{
    struct tf_job job = {.workload = tf_workload_find(row->workload)};
    struct tf_session session = {0};
    char path[4096];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/tilefarm-bench-XXXXXX", folder != NULL ? folder : "/tmp");
    int file = mkstemp(path);
    bench_configure(engine->side, tf_job_config(&job));
    job.options = (struct tf_workload_options){.scale = row->scale_full, .seed = 1};
    if (file < 0) {
        bench_refuse(engine, "no temporary file can be created");
    } else if (tf_session_begin(&session, &job, NULL) >= 0) {
        bench_refuse(engine, "the workload cannot be set up");
    } else {
        repeat(engine, &session, act, path, rounds, sample);
        tf_session_end(&session);
    }
    if (file >= 0) {
        close(file);
        unlink(path);
    }
    if (!sample->right)
        snprintf(sample->why, sizeof sample->why, "%s", engine->why);
}

void bench_save(const struct bench_row *row, struct bench_engine *engine, uint32_t rounds, struct bench_sample *sample)
{
    measure(row, engine, ACT_SAVE, rounds, sample);
}

void bench_restore(const struct bench_row *row, struct bench_engine *engine, uint32_t rounds,
                   struct bench_sample *sample)
{
    measure(row, engine, ACT_RESTORE, rounds, sample);
}

void bench_fork(const struct bench_row *row, struct bench_engine *engine, uint32_t rounds, struct bench_sample *sample)
{
    measure(row, engine, ACT_FORK, rounds, sample);
}
