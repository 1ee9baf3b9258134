/* SPDX-License-Identifier: Apache-2.0 */
/* The options --save-at and --restore. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "cli/job.h"
#include "cli/log.h"
#include "cli/save.h"
#include "cli/session_state.h"
#include "cli/text.h"
#include "host/clock.h"

static bool can_write(const char *path)
{
    struct stat status;
    char folder[4096] = ".";
    const char *slash = strrchr(path, '/');
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return false;
    }
    if (slash != NULL)
        snprintf(folder, sizeof folder, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    return access(folder, W_OK) == 0;
}

bool tf_saves_check(const struct tf_job *job)
{
    if (job->save_every.path != NULL && !can_write(job->save_every.path)) {
        tf_cli_error("--save-every: %s: cannot be written: %s", job->save_every.path, strerror(errno));
        return false;
    }
    for (unsigned i = 0; i < job->saves; i++)
        if (!can_write(job->save[i].path)) {
            tf_cli_error("--save-at: %s: cannot be written: %s", job->save[i].path, strerror(errno));
            return false;
        }
    return true;
}

int tf_session_restore(struct tf_session *session)
{
    struct tf_message message = {.text = ""};
    int error = tf_chip_restore(session->chip, session->job->restore, &message);
    if (error == TF_OK)
        return -1;
    tf_cli_error("--restore: %s", message.text);
    return error == TF_ENOMEM ? TF_EXIT_FAILED : TF_EXIT_USAGE;
}

/* The cycle that the chip has reached. Unlike tf_chip_cycles(), tf_stats() lets quiet tiles catch up: files of equal
   states are equal then. */
static uint64_t caught_up(struct tf_chip *chip)
{
    struct tf_stats stats;
    tf_stats(chip, &stats);
    return stats.cycles;
}

/* Save the files that are due. */
static void save_due(struct tf_session *session, uint64_t cycle)
{
    const struct tf_job *job = session->job;
    for (; session->saved < job->saves && job->save[session->saved].cycle <= cycle; session->saved++) {
        struct tf_message message = {.text = ""};
        if (tf_chip_save(session->chip, job->save[session->saved].path, &message) == TF_OK) {
            tf_log_note(job->log, "saved %s in cycle %llu", job->save[session->saved].path, (unsigned long long)cycle);
            continue;
        }
        tf_cli_error("--save-at: %s", message.text);
        session->save_failed = true;
    }
}

/* The time to a moment, at least a little: 0 would be no limit. */
static double left_s(double until_s)
{
    double left = until_s - tf_seconds();
    return left > 1e-6 ? left : 1e-6;
}

int tf_session_run_saving(struct tf_session *session, enum tf_end *end)
{
    const struct tf_job *job = session->job;
    struct tf_run_options options = job->run;
    double began_s = tf_seconds();
    options.wall_s_max = job->limit_s;
    if (job->saves == 0)
        return tf_run(session->chip, &options, end);
    uint64_t cycle = caught_up(session->chip);
    uint64_t limit = options.cycles_max != 0 && options.cycles_max < UINT64_MAX - cycle ? cycle + options.cycles_max
                                                                                        : 0;
    bool paused;
    int error;
    tf_interrupt_saves(session->interrupt, job->save, job->saves);
    save_due(session, cycle);
    do {
        options.pause_cycle = session->saved < job->saves ? job->save[session->saved].cycle : 0;
        if (limit != 0)
            options.cycles_max = limit - cycle;
        if (job->limit_s != 0)
            options.wall_s_max = left_s(began_s + job->limit_s);
        error = tf_run(session->chip, &options, end);
        if (error != TF_OK)
            return error;
        cycle = caught_up(session->chip);
        paused = *end == TF_END_CYCLES && options.pause_cycle != 0 && cycle >= options.pause_cycle;
        save_due(session, cycle);
    } while (paused && (limit == 0 || cycle < limit));
    for (unsigned i = session->saved; i < job->saves; i++) {
        tf_cli_error("--save-at: %s is not written: the run ended before, at cycle %llu", job->save[i].path,
                     (unsigned long long)cycle);
        session->save_failed = true;
    }
    return error;
}
