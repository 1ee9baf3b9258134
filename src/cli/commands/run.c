/* SPDX-License-Identifier: Apache-2.0 */
/* `tilefarm run` */
#include <stdlib.h>
#include <string.h>

#include "cli/commands/run.h"
#include "cli/commands/run_system.h"
#include "cli/commands/systems/spread.h"
#include "cli/explore/schedule.h"
#include "cli/file.h"
#include "cli/interrupt.h"
#include "cli/log.h"
#include "cli/commands/replay.h"
#include "cli/output/critical.h"
#include "cli/output/json.h"
#include "cli/output/junit.h"
#include "cli/output/drawing.h"
#include "cli/output/ranges.h"
#include "cli/output/report.h"
#include "cli/request/command_line.h"
#include "cli/request/files.h"
#include "cli/request/loads.h"
#include "cli/request/outputs.h"
#include "cli/request/request.h"
#include "system/processes/launch.h"
#include "cli/races.h"
#include "cli/save.h"
#include "cli/session.h"
#include "cli/session_state.h"
#include "cli/text.h"
#include "cli/verdict.h"

enum { OUT_DUMP = TF_OUTS, OUT_MAX = OUT_DUMP + TF_DUMPS_MAX };

/* At most one output may go to stdout, because two outputs in one stream cannot be separated. */
static bool one_at_most_to_stdout(const struct tf_request *request)
{
    unsigned count = 0;
    for (unsigned i = 0; i < TF_OUTS; i++)
        count += request->out[i] != NULL && strcmp(request->out[i], "-") == 0;
    for (unsigned i = 0; i < request->dumps; i++)
        count += strcmp(request->dump[i].path, "-") == 0;
    if (count > 1)
        tf_cli_error("run: two outputs go to standard output (-); name a file for one of them");
    return count <= 1;
}

/* Open all files before the run, so that an error does not waste a run. */
static bool open_outputs(const struct tf_request *request, struct tf_interrupt *interrupt, struct tf_output *outputs)
{
    if (!one_at_most_to_stdout(request))
        return false;
    for (unsigned i = 0; i < TF_OUTS; i++)
        if (request->out[i] != NULL && !tf_interrupt_open(interrupt, &outputs[i], request->out[i]))
            return false;
    for (unsigned i = 0; !request->follows && i < request->dumps; i++)
        if (!tf_interrupt_open(interrupt, &outputs[OUT_DUMP + i], request->dump[i].path))
            return false;
    return true;
}

/* Does an output go to stdout? Then nothing else may. */
static bool has_stdout(const struct tf_output *outputs)
{
    bool has = false;
    for (unsigned i = 0; i < OUT_MAX; i++)
        has |= outputs[i].file == stdout;
    return has;
}

/* Say why a timeline is empty: its cycles come after the run. */
static void explain_timeline(const struct tf_session *session, const struct tf_request *request)
{
    const struct tf_look_wish *look = &request->job.look;
    if (look->timeline_to != 0 && session->outcome.stats.cycles <= look->timeline_from)
        tf_cli_error("--timeline-cycles: the run ended before them, at cycle %llu: %s is empty",
                     (unsigned long long)session->outcome.stats.cycles, request->out[TF_OUT_TIMELINE]);
}

static int report(struct tf_session *session, const struct tf_request *request, struct tf_output *outputs)
{
    bool quiet = request->quiet || has_stdout(outputs);
    bool fine = tf_dumps_write(session->chip, 0, request, outputs + OUT_DUMP);
    session->outcome.races = tf_session_count_races(session);
    tf_report(session, quiet);
    tf_races_say(session, tf_report_line, NULL);
    const struct tf_drawing drawing = {.name = tf_job_name(session->job), .outcome = &session->outcome};
    fine &= tf_drawing_print(&drawing, &session->chip, 1, outputs[TF_OUT_SVG].file, quiet ? TF_MAP_NONE : request->map);
    if (outputs[TF_OUT_JSON].file != NULL)
        fine &= tf_report_json(outputs[TF_OUT_JSON].file, session);
    if (outputs[TF_OUT_JUNIT].file != NULL)
        tf_report_junit(outputs[TF_OUT_JUNIT].file, session);
    if (outputs[TF_OUT_CRITICAL].file != NULL)
        fine &= tf_critical_write(outputs[TF_OUT_CRITICAL].file, session, NULL);
    fine &= tf_session_write_looks(session, 1, NULL);
    if (!fine)
        return TF_EXIT_FAILED;
    for (unsigned i = 0; i < OUT_MAX; i++)
        if (outputs[i].file != NULL)
            tf_log_note(request->job.log, "writes %s, %ld bytes", outputs[i].path, ftell(outputs[i].file));
    explain_timeline(session, request);
    fine = tf_interrupt_commit(session->interrupt);
    int code = tf_outcome_exit(&session->outcome);
    fine &= tf_schedule_was_kept(request, &session->outcome) && !session->save_failed;
    return fine || code != TF_EXIT_OK ? code : TF_EXIT_FAILED;
}

static int run(const struct tf_request *request, struct tf_interrupt *interrupt, struct tf_output *outputs)
{
    if (request->system != NULL)
        return tf_run_system(request, interrupt, outputs, request->quiet || has_stdout(outputs));
    struct tf_session session;
    int code = tf_session_begin(&session, &request->job, interrupt);
    if (code >= 0)
        return code;
    if (!tf_dumps_check(session.chip, 0, request) || !tf_request_inputs(session.chip, 0, request))
        code = TF_EXIT_USAGE;
    if (code < 0)
        code = tf_session_run(&session);
    if (code < 0)
        code = report(&session, request, outputs);
    tf_session_end(&session);
    return code;
}

/* Does the report, a file or a schedule show the hash of the state at the end? */
static bool shows_hash(const struct tf_request *request)
{
    bool shows = !request->quiet || request->recorded_hash != 0;
    for (unsigned i = 0; i < TF_OUTS; i++)
        shows |= request->out[i] != NULL;
    return shows;
}

/* Rank 0 writes all files. Other ranks write none, but see what goes into some. */
static void leave_to_rank_0(struct tf_request *request)
{
    for (unsigned i = 0; i < TF_OUTS; i++)
        request->out[i] = request->out[i] != NULL && tf_out_is_seen((enum tf_out)i) ? "/dev/null" : NULL;
    request->quiet = request->follows = true;
}

static int read_and_run(int argc, char **argv, int (*read)(int argc, char **argv, struct tf_request *request))
{
    struct tf_request *request = calloc(1, sizeof *request);
    struct tf_output *outputs = calloc(OUT_MAX, sizeof *outputs);
    char **words = calloc((size_t)argc, sizeof *words);
    struct tf_interrupt interrupt = {.on = false};
    struct tf_distinct files = {.count = 0};
    int code = TF_EXIT_FAILED;
    if (request == NULL || outputs == NULL || words == NULL) {
        tf_cli_error("too little memory");
        free(request);
        free(outputs);
        free(words);
        return code;
    }
    memcpy(words, argv, (size_t)argc * sizeof *words); /* in their order: reading changes it */
    code = read(argc, argv, request);
    request->job.word = words;
    request->job.words = argc;
    if (code < 0 && request->system == NULL && !tf_spread_is_alone("a chip without --system runs in one process"))
        code = TF_EXIT_USAGE;
    if (code < 0 && (!tf_request_distinct(request, &files) || !tf_request_open_suppressions(request)))
        code = TF_EXIT_USAGE;
    if (code < 0)
        code = tf_request_load(request);
    if (code < 0 && request->schedule != NULL)
        code = tf_schedule_read(request);
    request->job.unhashed = !shows_hash(request);
    if (code < 0 && request->system != NULL && tf_launch_rank() != 0)
        leave_to_rank_0(request);
    const bool forks = request->job.gdb != NULL; /* from a process that has no thread for signals */
    if (code < 0 && !tf_interrupt_start(&interrupt, outputs, OUT_MAX))
        code = TF_EXIT_FAILED;
    if (code < 0 && (!tf_saves_check(&request->job) || !open_outputs(request, &interrupt, outputs)))
        code = TF_EXIT_USAGE;
    if (code < 0 && forks && tf_interrupt_guard(&interrupt))
        tf_interrupt_none(&interrupt, outputs, OUT_MAX);
    else if (code < 0 && forks)
        code = TF_EXIT_FAILED;
    request->job.print = has_stdout(outputs) ? stderr : stdout; /* text of programs */
    request->job.trace = outputs[TF_OUT_TRACE].file;
    request->job.riscv_trace = outputs[TF_OUT_RISCV].file;
    request->job.look.noc_trace = outputs[TF_OUT_NOC_TRACE].file;
    request->job.look.profile = outputs[TF_OUT_PROFILE].file;
    request->job.look.timeline = outputs[TF_OUT_TIMELINE].file;
    request->job.look.page = outputs[TF_OUT_REPORT].file;
    request->job.look.coverage = outputs[TF_OUT_COVERAGE].file;
    request->job.critical_path = outputs[TF_OUT_CRITICAL].file != NULL;
    if (code < 0)
        code = run(request, &interrupt, outputs);
    code = tf_interrupt_end(&interrupt, code);
    for (unsigned i = 0; i < OUT_MAX; i++)
        tf_output_discard(&outputs[i]);
    tf_request_free(request);
    free(request);
    free(outputs);
    free(words);
    return tf_cli_finish(code);
}

int tf_cli_run(int argc, char **argv)
{
    return read_and_run(argc, argv, tf_request_read);
}

int tf_cli_replay(int argc, char **argv)
{
    return read_and_run(argc, argv, tf_replay_read);
}
