/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/run_system.h"
#include "cli/interrupt.h"
#include "cli/output/critical.h"
#include "cli/output/drawing.h"
#include "cli/output/json_system.h"
#include "cli/output/junit.h"
#include "cli/output/ranges.h"
#include "cli/output/report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands/systems/spread.h"
#include "cli/commands/systems/look.h"
#include "cli/commands/systems/traces.h"
#include "cli/explore/schedule.h"
#include "cli/several/several.h"
#include "cli/races.h"
#include "cli/session.h"
#include "cli/session_state.h"
#include "cli/text.h"
#include "cli/verdict.h"
#include "cli/commands/systems/texts.h"
#include "host/clock.h"
#include "host/extremes.h"
#include "system/moved.h"
#include "system/ranks.h"
#include "system/system.h"
#include "system/waits.h"
#include "tilefarm/tilefarm_config.h"
#include "tilefarm/tilefarm_system_config.h"
#include "tilefarm/tilefarm_times.h"

/* A run of a system. */
struct run {
    struct tf_several all;
    const struct tf_cluster *cluster;
    struct tf_spread spread;        /* over ranks */
    struct tf_texts texts;          /* that programs on ranks print */
    struct tf_system_traces traces; /* of ranks */
    struct tf_system_look look;     /* files that show all chips */
    double cpu_s;                   /* of this rank */
    unsigned workers;
    struct tf_progress progress;
    uint64_t packets, bytes; /* that links have carried */
    bool save_failed;        /* after an error line */
    bool look_failed;        /* after an error line */
};

static bool is_rank_0(const struct run *run)
{
    return !run->spread.on || run->spread.transport.rank == 0;
}

#define PROGRESS_AFTER_S 2.0

static void show_progress(void *user, uint64_t cycle, uint64_t instructions)
{
    struct run *run = user;
    const double took_s = tf_seconds() - run->progress.began_s;
    if (run->all.session[0].gdb != NULL)
        tf_gdb_poll(run->all.session[0].gdb);
    if (!run->progress.terminal || took_s < PROGRESS_AFTER_S)
        return;
    char cycles[TF_GROUPED_BYTES], count[TF_GROUPED_BYTES];
    tf_cli_progress("%s: %.0f s, %s cycles, %s instructions retired", tf_several_name(&run->all), took_s,
                    tf_cli_short((double)cycle, cycles), tf_cli_short((double)instructions, count));
    run->progress.shown = true;
}

/* ---- Begin ---- */

/* tf_session_see_print() on a rank: rank 0 prints the texts of all. */
static void keep_print(void *user, const struct tf_print_event *event)
{
    const struct tf_session *session = user;
    struct run *run = session->run;
    tf_session_see_print(user, event);
    tf_texts_take(&run->texts, tf_ranks_window(run->all.system), session->job->chip);
}

/* Programs of the user's own may print. */
static void let_print(struct run *run, struct tf_session *session, struct tf_config *config)
{
    char name[24];
    snprintf(name, sizeof name, "chip %u ", session->job->chip);
    session->printed = tf_printed_create(run->spread.on ? run->texts.stream : run->all.request->job.print);
    tf_printed_name_chip(session->printed, name);
    config->on_print = run->spread.on ? keep_print : tf_session_see_print;
}

/* Before a chip is made. The workloads do not print. Unless they are looked at, threads can run chips side by side. */
static void prepare_chip(void *user, unsigned chip, struct tf_config *config)
{
    struct run *run = user;
    struct tf_session *session = &run->all.session[chip];
    struct tf_job *job = &run->all.job[chip];
    tf_several_join(&run->all, chip);
    tf_system_look_choose(&run->look, chip, &job->look);
    tf_system_traces_choose(&run->traces, job);
    if (run->spread.on && !is_rank_0(run) && run->spread.owner[chip] != run->spread.transport.rank)
        config->check = false; /* rank 0 gets what other checkers have found */
    session->run = run;
    const bool prints = job->loads != 0 && job->print != NULL, replays = job->replay != NULL;
    if (prints)
        let_print(run, session, config);
    run->look_failed |= tf_session_open_look(session, config) >= 0;
    tf_system_traces_keep(&run->traces, session, config);
    if (replays)
        tf_session_configure_replay(job->replay, config);
    if (!prints && !replays && config->on_noc == NULL && config->on_epoch == NULL && config->on_riscv == NULL &&
        config->on_tensix == NULL && session->look == NULL)
        return;
    config->user = session;
    if (run->cluster->chips == 1)
        config->on_progress = NULL; /* a chip of several has none, and the system's is for the run */
}

static void see_packet(void *user, const struct tf_packet_event *event)
{
    struct run *run = user;
    tf_system_look_packet(&run->look, event);
}

/* Begin the files that show all chips. Returns -1, or an exit code after an error line. */
static int begin_files(struct run *run)
{
    const struct tf_job *asked = &run->all.request->job;
    const char *alone = asked->replay != NULL                ? "replay"
                        : run->all.request->schedule != NULL ? "--schedule"
                        : tf_job_is_relaxed(asked)           ? "--relaxed"
                        : asked->critical_path               ? "--critical-path"
                                                             : tf_job_debugger(asked);
    if (run->spread.on && alone != NULL) {
        tf_cli_error("%s needs one process: start the run without mpirun", alone);
        return TF_EXIT_USAGE;
    }
    if (run->spread.on)
        tf_system_traces_begin(&run->traces, asked, &run->all.system);
    run->all.job = calloc(run->cluster->chips, sizeof *run->all.job);
    run->all.session = calloc(run->cluster->chips, sizeof *run->all.session);
    if (run->all.job != NULL && run->all.session != NULL &&
        tf_system_look_begin(&run->look, asked, run->cluster, &run->spread, run->all.session, &run->all.system))
        return -1;
    tf_cli_error("too little memory");
    return TF_EXIT_FAILED;
}

static void stop(void *user, bool stop)
{
    if (stop)
        tf_system_stop(user);
    else
        tf_system_go_on(user);
}

static int save_debugged(void *user, const char *path, struct tf_message *message)
{
    return tf_system_save(user, path, message);
}

/* Let a debugger drive the system. */
static void attach_debugger(struct run *run)
{
    const struct tf_gdb_driver driver = {.stop = stop, .save = save_debugged, .user = run->all.system};
    if (run->all.session[0].gdb == NULL)
        return;
    tf_gdb_drive(run->all.session[0].gdb, &driver);
    tf_session_attach_gdb(run->all.session, run->cluster->chips);
}

/* Returns -1, or an exit code after an error line. */
static int create(struct run *run)
{
    struct tf_system_config config;
    tf_system_config_init(&config);
    config.on_chip = prepare_chip;
    config.on_packet = tf_system_look_wants_packets(&run->look) ? see_packet : NULL;
    config.user = run;
    config.chip = *tf_job_config(&run->all.request->job);
    config.chip.on_progress = show_progress;
    config.chip.user = run;
    config.chip.threads = tf_spread_threads(&run->spread, config.chip.threads);
    if (!is_rank_0(run))
        config.chip.on_progress = NULL;
    run->all.session[0] =
        (struct tf_session){.job = &run->all.request->job, .interrupt = run->all.interrupt, .run = run};
    int code = tf_session_open_gdb(&run->all.session[0], &config.chip);
    if (code < 0)
        code = tf_several_create(&run->all, &config);
    if (code < 0 && run->spread.on) {
        int error = tf_ranks_join(run->all.system, &run->spread.transport, run->spread.owner);
        if (error != TF_OK)
            tf_cli_error("%s", tf_strerror(error));
        code = error == TF_OK ? -1 : error == TF_EINVAL ? TF_EXIT_USAGE : TF_EXIT_FAILED;
    }
    return code < 0 && run->look_failed ? TF_EXIT_FAILED : code;
}

static int begin_chip(struct run *run, unsigned chip)
{
    struct tf_session *session = &run->all.session[chip];
    /* rank 0 checks the results of all chips */
    int code = tf_several_load(&run->all, chip, is_rank_0(run) || !tf_ranks_elsewhere(run->all.system, chip));
    if (code < 0 && !tf_look_attach(session->look, session->chip, session->symbols)) {
        tf_cli_error("%s", tf_strerror(TF_ENOMEM));
        code = TF_EXIT_FAILED;
    }
    return code;
}

/* A rank has failed. Returns an exit code after an error line. */
static int leave(struct run *run)
{
    tf_spread_abandon(&run->spread, tf_ranks_why(run->all.system));
    return TF_EXIT_FAILED;
}

/* Let all ranks have bytes of rank 0. Returns false if a rank has failed. */
static bool tell_all(const struct run *run, void *data, size_t bytes)
{
    if (!run->spread.on)
        return true;
    if (!is_rank_0(run))
        return tf_ranks_receive(run->all.system, 0, data, bytes);
    bool fine = true;
    for (unsigned i = 1; i < run->spread.transport.ranks && fine; i++)
        fine = tf_ranks_send(run->all.system, i, data, bytes);
    return fine;
}

/* Give the system the state of --restore: rank 0 reads it. Returns -1, or an exit code after an error line. */
static int restore(struct run *run)
{
    struct tf_message message = {.text = ""};
    const char *path = run->all.request->job.restore;
    int error = path != NULL && is_rank_0(run) ? tf_system_restore(run->all.system, path, &message) : TF_OK;
    if (path != NULL && !tell_all(run, &error, sizeof error))
        return leave(run);
    if (path != NULL && error == TF_OK && run->spread.on && tf_ranks_scatter(run->all.system) != TF_OK)
        return leave(run);
    for (unsigned i = 0; path != NULL && error == TF_OK && i < run->cluster->chips; i++)
        tf_session_find_named(&run->all.session[i]);
    if (error == TF_OK)
        return -1;
    if (is_rank_0(run))
        tf_cli_error("--restore: %s", message.text);
    const bool usage = error == TF_EINVAL || error == TF_EFORMAT || error == TF_EIO;
    return usage ? TF_EXIT_USAGE : TF_EXIT_FAILED;
}

static int begin(struct run *run)
{
    int code = -1;
    for (unsigned i = 0; i < run->cluster->chips && code < 0; i++)
        code = begin_chip(run, i);
    if (code < 0)
        attach_debugger(run);
    if (code < 0)
        code = tf_several_setup(&run->all);
    return code < 0 ? restore(run) : code;
}

static void end(struct run *run)
{
    tf_several_release(&run->all);
    for (unsigned i = 0; run->all.session != NULL && i < run->cluster->chips; i++)
        tf_printed_end(run->all.session[i].printed);
    if (run->texts.stream != NULL && is_rank_0(run))
        tf_texts_print(&run->texts, true, run->all.request->job.print);
    tf_texts_end(&run->texts);
    tf_system_destroy(run->all.system);
    if (run->all.session != NULL)
        tf_gdb_close(run->all.session[0].gdb);
    for (unsigned i = 0; run->all.session != NULL && i < run->cluster->chips; i++) {
        tf_look_destroy(run->all.session[i].look);
        tf_symbols_destroy(run->all.session[i].symbols);
    }
    tf_system_look_end(&run->look);
    tf_system_traces_end(&run->traces);
    free(run->all.session);
    free(run->all.job);
}

/* ---- Run ---- */

static void count_traffic(struct run *run)
{
    struct tf_link_stats stats;
    for (unsigned i = 0; tf_link_stats(run->all.system, i, &stats) == TF_OK; i++) {
        run->packets += stats.packets;
        run->bytes += stats.bytes;
    }
}

/* A time of a limit, less what has passed; at least something, since 0 is no limit. */
static double less(double limit, double passed)
{
    return limit - passed > 1e-9 ? limit - passed : 1e-9;
}

/* The options of the run up to the next save, or up to its end. */
static struct tf_system_run_options options_of(const struct run *run, uint64_t began, uint64_t pause)
{
    const struct tf_job *job = &run->all.request->job;
    struct tf_system_run_options options = {.run = job->run, .until_chip = run->all.request->until_chip};
    const uint64_t passed = tf_system_cycles(run->all.system) - began;
    options.run.pause_cycle = pause;
    if (job->run.cycles_max != 0)
        options.run.cycles_max = passed < job->run.cycles_max ? job->run.cycles_max - passed : 1;
    if (job->limit_s != 0)
        options.run.wall_s_max = less(job->limit_s, tf_seconds() - run->progress.began_s);
    return options;
}

/* Save all ranks' chips. Returns an enum tf_error after an error line. */
static int save(struct run *run, const char *option, const char *path)
{
    struct tf_message message = {.text = ""};
    if (run->spread.on && tf_ranks_gather(run->all.system) != TF_OK)
        return TF_EIO;
    tf_interrupt_system_save(run->all.interrupt, is_rank_0(run) ? path : NULL);
    int error = is_rank_0(run) ? tf_system_save(run->all.system, path, &message) : TF_OK;
    tf_interrupt_system_save(run->all.interrupt, NULL);
    if (error != TF_OK)
        tf_cli_error("%s: %s", option, message.text);
    return tell_all(run, &error, sizeof error) ? error : TF_EIO;
}

/* The next cycle at which the system is saved once in a while; 0: never. */
static uint64_t next_regular(const struct run *run)
{
    const uint64_t every = run->all.request->job.save_every.cycle;
    return every != 0 ? (tf_system_cycles(run->all.system) / every + 1) * every : 0;
}

static void tell_unwritten(struct run *run, unsigned next)
{
    const struct tf_job *job = &run->all.request->job;
    for (; next < job->saves; next++) {
        if (is_rank_0(run))
            tf_cli_error("--save-at: %s is not written: the run ended before, at cycle %llu", job->save[next].path,
                         (unsigned long long)tf_system_cycles(run->all.system));
        run->save_failed = true;
    }
}

/* Run, and save where it is asked for. Returns an enum tf_error after an error line. */
static int run_saving(struct run *run, enum tf_end *end)
{
    const struct tf_job *job = &run->all.request->job;
    const uint64_t began = tf_system_cycles(run->all.system);
    for (unsigned next = 0;;) {
        const uint64_t at = next < job->saves ? job->save[next].cycle : 0, regular = next_regular(run);
        const uint64_t pause = at == 0 || regular == 0 ? at | regular : tf_min(at, regular);
        const struct tf_system_run_options options = options_of(run, began, pause);
        int error = tf_system_run(run->all.system, &options, end);
        if (error != TF_OK && tf_ranks_why(run->all.system)[0] == '\0')
            tf_cli_error("%s: %s", tf_several_name(&run->all), tf_strerror(error));
        const uint64_t now = tf_system_cycles(run->all.system);
        if (error != TF_OK || *end != TF_END_CYCLES || pause == 0 || now < pause) {
            if (error == TF_OK)
                tell_unwritten(run, next);
            return error;
        }
        if (regular != 0 && now >= regular)
            error = save(run, "--save-every", job->save_every.path);
        for (; error == TF_OK && next < job->saves && job->save[next].cycle <= now; next++)
            error = save(run, "--save-at", job->save[next].path);
        if (error != TF_OK)
            return error;
        if (job->run.cycles_max != 0 && now - began >= job->run.cycles_max)
            return TF_OK;
    }
}

/* What a rank tells rank 0 about its part of the run. */
struct part {
    double cpu_s;
    uint64_t workers;
};

static bool collect_texts(struct run *run)
{
    for (unsigned i = 0; i < run->cluster->chips; i++) {
        tf_printed_end(run->all.session[i].printed);
        run->all.session[i].printed = NULL;
        tf_texts_take(&run->texts, TF_TEXT_LAST, i);
    }
    if (!tf_texts_collect(&run->texts, run->all.system, run->spread.transport.rank, run->spread.transport.ranks))
        return false;
    if (is_rank_0(run))
        tf_texts_print(&run->texts, false, run->all.request->job.print);
    if (run->texts.lost)
        tf_cli_error("too little memory: texts of programs are incomplete");
    return true;
}

/* Let rank 0 have all chips and figures. Returns false if a rank has failed. */
static bool collect(struct run *run)
{
    struct part part = {.cpu_s = run->cpu_s, .workers = tf_system_workers(run->all.system)};
    run->workers = (unsigned)part.workers;
    if (!run->spread.on)
        return true;
    if (tf_ranks_gather(run->all.system) != TF_OK || !collect_texts(run) ||
        !tf_system_traces_collect(&run->traces, &run->spread) || !tf_system_look_collect(&run->look))
        return false;
    if (!is_rank_0(run))
        return tf_ranks_send(run->all.system, 0, &part, sizeof part);
    for (unsigned i = 1; i < run->spread.transport.ranks; i++) {
        if (!tf_ranks_receive(run->all.system, i, &part, sizeof part))
            return false;
        run->cpu_s += part.cpu_s;
        run->workers += (unsigned)part.workers;
    }
    return true;
}

/* As tf_debugged.run. */
static int run_debugged(void *user, const struct tf_run_options *options, enum tf_end *end, uint64_t *ran)
{
    struct run *run = user;
    const struct tf_system_run_options all = {.run = *options, .until_chip = run->all.request->until_chip};
    const uint64_t began = tf_system_cycles(run->all.system);
    int error = tf_system_run(run->all.system, &all, end);
    *ran = tf_system_cycles(run->all.system) - began;
    return error;
}

/* Play the calls of a recording. */
static int replay(struct run *run)
{
    run->all.outcome.end = TF_END_QUIET;
    return tf_replay_run_system(run->all.request->job.replay, run->all.system, run->all.interrupt);
}

static int run_all(struct run *run)
{
    struct tf_stats *stats = &run->all.outcome.stats;
    const bool asked_path = run->all.request->job.critical_path;
    run->progress.began_s = tf_seconds();
    const double cpu_s = tf_processor_seconds();
    tf_interrupt_system(run->all.interrupt, run->all.system);
    int error = asked_path ? tf_system_path_record(run->all.system) : TF_OK;
    if (error != TF_OK)
        tf_cli_error("--critical-path: %s", tf_strerror(error));
    else
        error = run->all.request->job.replay != NULL ? replay(run)
                : run->all.session[0].gdb == NULL
                    ? run_saving(run, &run->all.outcome.end)
                    : tf_session_debug(&run->all.session[0], &(struct tf_debugged){run_debugged, run},
                                       &run->all.outcome.end);
    tf_interrupt_system(run->all.interrupt, NULL);
    const double wall_s = tf_seconds() - run->progress.began_s;
    run->cpu_s = tf_processor_seconds() - cpu_s;
    if (run->progress.shown)
        tf_cli_progress_end();
    run->all.outcome.interrupted = tf_interrupt_received(run->all.interrupt) ||
                                   (run->all.outcome.end == TF_END_STOPPED && tf_gdb_ends(run->all.session[0].gdb));
    if (run->spread.on && run->all.outcome.end == TF_END_STOPPED)
        run->all.outcome.interrupted = true;
    if (tf_ranks_why(run->all.system)[0] != '\0')
        return leave(run);
    if (error != TF_OK)
        return TF_EXIT_FAILED;
    if (!collect(run))
        return leave(run);
    if (!is_rank_0(run))
        return -1;
    int code = tf_several_judge(&run->all);
    tf_verdict_signal(&run->all.outcome, run->all.interrupt);
    stats->wall_s = wall_s;
    stats->cpu_s = run->cpu_s;
    stats->cycles = tf_system_cycles(run->all.system);
    stats->workers = run->workers;
    run->all.outcome.state_hash = run->all.request->job.unhashed ? 0 : tf_system_hash(run->all.system);
    count_traffic(run);
    return code;
}

/* ---- Report ---- */

static void print_figures(struct run *run)
{
    const struct tf_stats *stats = &run->all.outcome.stats;
    const struct tf_system_workload *workload = run->all.request->system_workload;
    char a[TF_GROUPED_BYTES], b[TF_GROUPED_BYTES], c[TF_GROUPED_BYTES];
    printf("%s on %s: %s\n", tf_several_name(&run->all), run->all.request->system, tf_verdict_text(&run->all.outcome));
    tf_report_replay(run->all.request->job.replay);
    printf("  ended         %s, after %s cycles\n",
           run->all.request->job.replay != NULL ? "with the recording" : tf_end_text(run->all.outcome.end),
           tf_text_grouped(stats->cycles, a));
    printf("  system        %u %s chip%s, %u links; %u worker%s\n", run->cluster->chips,
           tf_cli_title(run->cluster->arch), run->cluster->chips == 1 ? "" : "s", run->cluster->links, stats->workers,
           stats->workers == 1 ? "" : "s");
    printf("  instructions  %s retired, %s executed\n", tf_text_grouped(stats->instructions, a),
           tf_text_grouped(stats->instructions_executed, b));
    printf("  NOC           %s requests, %s bytes, %s atomics\n", tf_text_grouped(stats->noc_requests, a),
           tf_text_grouped(stats->noc_bytes, b), tf_text_grouped(stats->noc_atomics, c));
    printf("  links         %s packets, %s bytes\n", tf_text_grouped(run->packets, a), tf_text_grouped(run->bytes, b));
    if (tf_job_checks(&run->all.request->job))
        printf("  races         %zu\n", run->all.outcome.races);
    if (stats->faults + stats->hazards > 0)
        printf("  faults        %s, and %s hazards\n", tf_text_grouped(stats->faults, a),
               tf_text_grouped(stats->hazards, b));
    printf("  time          %.2f s, %.2f s of CPU, %.0f MIPS\n", stats->wall_s, stats->cpu_s,
           tf_outcome_mips(&run->all.outcome));
    printf("  state hash    %016llx\n", (unsigned long long)run->all.outcome.state_hash);
    if (run->all.request->job.critical_path)
        tf_critical_print(run->all.session, run->all.system);
    if (workload != NULL && workload->figures != NULL && run->all.outcome.verdict == TF_VERDICT_RIGHT)
        workload->figures(run->all.system, run->all.state, stdout);
}

static bool is_good(const struct tf_outcome *outcome)
{
    return tf_outcome_exit(outcome) == TF_EXIT_OK;
}

/* After the waits of a chip: those of its links. */
static void say_links(const struct run *run, unsigned chip, void (*to)(void *user, const char *line), void *user)
{
    const struct tf_outcome *outcome = &run->all.session[chip].outcome;
    if (outcome->waits_count != 0 && !outcome->interrupted)
        tf_system_say_links(run->all.system, chip, to, user);
}

static void print_problems(const struct run *run)
{
    if (run->all.outcome.message.text[0] != '\0')
        tf_cli_error("%s: %s", tf_several_name(&run->all), run->all.outcome.message.text);
    for (unsigned i = 0; i < run->cluster->chips; i++) {
        const struct tf_session *session = &run->all.session[i];
        if (is_good(&session->outcome))
            continue;
        tf_cli_error("chip %u:", i);
        tf_report_problems(session);
        say_links(run, i, tf_report_line, NULL);
        tf_races_say(session, tf_report_line, NULL);
    }
}

static bool write_json(const struct run *run, FILE *file)
{
    const struct tf_json_system facts = {
        .name = tf_several_name(&run->all),
        .description = run->all.request->system,
        .job = &run->all.request->job,
        .workload = run->all.request->system_workload,
        .system = run->all.system,
        .session = run->all.session,
        .chips = run->cluster->chips,
        .packets = run->packets,
        .bytes = run->bytes,
        .outcome = &run->all.outcome,
    };
    return tf_json_system(file, &facts);
}

/* What went wrong on each chip. */
static void print_details(FILE *out, const void *failed)
{
    const struct run *run = failed;
    for (unsigned i = 0; i < run->cluster->chips; i++) {
        const struct tf_session *session = &run->all.session[i];
        char line[sizeof session->outcome.message.text + 80];
        if (session->chip == NULL || is_good(&session->outcome)) /* a chip of another rank has told the verdict alone */
            continue;
        snprintf(line, sizeof line, "chip %u: %s %s", i, tf_verdict_text(&session->outcome),
                 session->outcome.message.text);
        tf_junit_line(out, line);
        tf_junit_session(out, session);
        say_links(run, i, tf_junit_line, out);
    }
}

static void write_junit(const struct run *run, FILE *file)
{
    const struct tf_outcome *outcome = &run->all.outcome;
    const char *verdict = tf_verdict_text(outcome);
    tf_junit_print(file,
                   &(struct tf_junit){.command = "run",
                                      .name = tf_several_name(&run->all),
                                      .more = run->all.request->system,
                                      .failure = is_good(outcome) ? NULL : verdict,
                                      .message = outcome->message.text[0] != '\0' ? outcome->message.text : verdict,
                                      .details = print_details,
                                      .failed = run,
                                      .wall_s = outcome->stats.wall_s});
}

static bool draw(const struct run *run, const struct tf_output *outputs, bool quiet)
{
    struct tf_chip *chip[TF_CLUSTER_CHIPS_MAX];
    const struct tf_drawing drawing = {.name = tf_several_name(&run->all),
                                       .system = run->all.request->system,
                                       .outcome = &run->all.outcome};
    bool fine = true;
    for (unsigned i = 0; i < run->cluster->chips; i++) {
        chip[i] = run->all.session[i].chip;
        fine &= tf_dumps_write(chip[i], i, run->all.request, outputs + TF_OUTS);
    }
    return fine & tf_drawing_print(&drawing, chip, run->cluster->chips, outputs[TF_OUT_SVG].file,
                                   quiet ? TF_MAP_NONE : run->all.request->map);
}

static int report(struct run *run, const struct tf_output *outputs, bool quiet)
{
    FILE *json = outputs[TF_OUT_JSON].file, *junit = outputs[TF_OUT_JUNIT].file;
    if (!quiet) {
        print_figures(run);
        fflush(stdout);
    }
    print_problems(run);
    if (junit != NULL)
        write_junit(run, junit);
    FILE *path = outputs[TF_OUT_CRITICAL].file;
    if (!draw(run, outputs, quiet) || (path != NULL && !tf_critical_write(path, run->all.session, run->all.system)) ||
        (json != NULL && !write_json(run, json)) ||
        !tf_system_look_write(&run->look, run->all.system, tf_several_name(&run->all), &run->all.outcome))
        return TF_EXIT_FAILED;
    bool fine = tf_interrupt_commit(run->all.interrupt) && !run->save_failed &&
                tf_schedule_was_kept(run->all.request, &run->all.outcome);
    int code = tf_outcome_exit(&run->all.outcome);
    return fine || code != TF_EXIT_OK ? code : TF_EXIT_FAILED;
}

/* Ranks begin all or none. own: the exit code of this rank, or -1. *all: that of all. */
static bool settle(struct run *run, int own, int *all)
{
    *all = own;
    if (run->spread.on && !is_rank_0(run) && !tf_ranks_send(run->all.system, 0, &own, sizeof own))
        return false;
    for (unsigned i = 1; is_rank_0(run) && run->spread.on && i < run->spread.transport.ranks; i++) {
        if (!tf_ranks_receive(run->all.system, i, &own, sizeof own))
            return false;
        *all = own > *all ? own : *all;
    }
    return tell_all(run, all, sizeof *all);
}

/* Run this rank's part. Rank 0 decides how all ranks end. */
static int run_here(struct run *run, const struct tf_output *outputs, bool quiet)
{
    if (run->spread.on)
        tf_texts_begin(&run->texts);
    int code = begin_files(run);
    if (code < 0)
        code = create(run);
    if (code >= 0 && run->spread.on)
        tf_spread_abandon(&run->spread, "");
    if (code < 0 && !settle(run, begin(run), &code))
        code = leave(run);
    if (code < 0)
        code = run_all(run);
    if (code < 0 && is_rank_0(run))
        code = report(run, outputs, quiet);
    if (run->spread.on && !run->spread.abandoned && !tell_all(run, &code, sizeof code))
        code = leave(run);
    return code;
}

int tf_run_system(const struct tf_request *request, struct tf_interrupt *interrupt, const struct tf_output *outputs,
                  bool quiet)
{
    struct run *run = calloc(1, sizeof *run);
    if (run == NULL) {
        tf_cli_error("too little memory");
        return TF_EXIT_FAILED;
    }
    run->all.request = request;
    run->all.base = &request->job;
    run->cluster = &request->cluster;
    run->all.interrupt = interrupt;
    run->progress.terminal = isatty(STDERR_FILENO) == 1;
    int code = tf_spread_begin(&run->spread, request);
    if (code < 0)
        code = run_here(run, outputs, quiet);
    end(run);
    tf_spread_end(&run->spread, code);
    free(run);
    return code;
}
