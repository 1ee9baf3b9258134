/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>

#include "cli/output/critical.h"
#include "cli/output/report.h"
#include "cli/output/times.h"
#include "cli/races.h"
#include "cli/replay.h"
#include "cli/session.h"
#include "cli/session_state.h"
#include "cli/text.h"
#include "cli/verdict.h"
#include "tile/node_text.h"

#define FAULTS_SHOWN 10u
#define WAITS_SHOWN 20u

void tf_report_line(void *user, const char *line)
{
    (void)user;
    tf_cli_error("%s", line);
}

/* Where lines about a run go: to standard error, or into a file. */
struct sink {
    void (*say)(void *user, const char *line);
    void *user;
};

static void say(const struct sink *sink, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(const struct sink *sink, const char *format, ...)
{
    char line[TF_WAITING_TEXT_BYTES + 2 * TF_PLACE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    sink->say(sink->user, line);
}

static void say_fault(const struct tf_session *session, const struct tf_fault *fault, const struct sink *sink)
{
    const struct tf_arch *arch = tf_chip_arch(session->chip);
    char node[TF_NODE_TEXT_BYTES], core[24] = "", place[TF_PLACE_BYTES] = "", advice[TF_PLACE_BYTES];
    int tile = fault->core == TF_CORE_NONE ? -1 : tf_symbols_tile(arch, fault->tile);
    if (fault->core != TF_CORE_NONE)
        snprintf(core, sizeof core, " core %s", tf_core_name(arch, tf_node_kind(arch, fault->tile), fault->core));
    if (tile >= 0)
        tf_symbols_place(session->symbols, (unsigned)tile, fault->core, fault->pc, place, sizeof place);
    say(sink, "%s: %s%s, cycle %llu, pc 0x%x%s%s, instruction 0x%08x, address 0x%llx: %s: %s",
        fault->hazard ? "hazard" : "fault", tf_node_text(arch, fault->tile, node), core,
        (unsigned long long)fault->cycle, fault->pc, place[0] != '\0' ? " " : "", place, fault->instruction,
        (unsigned long long)fault->address, tf_fault_category_name(fault->category), fault->text);
    if (tile < 0)
        return;
    tf_stack_diagnose(session->chip, session->symbols, fault, advice);
    if (advice[0] != '\0')
        say(sink, "  %s", advice);
    tf_stack_print(session->chip, session->symbols, (unsigned)tile, fault->core, sink->say, sink->user);
}

/* Hazards are only counted in the report: a list of them would hide the faults. */
void tf_faults_say(const struct tf_session *session, void (*to)(void *user, const char *line), void *user)
{
    const struct sink *sink = &(struct sink){to, user};
    struct tf_chip *chip = session->chip;
    size_t count = tf_fault_count(chip), shown = 0, faults = 0;
    for (size_t i = 0; i < count; i++) {
        struct tf_fault fault;
        if (tf_fault_get(chip, i, &fault) != TF_OK || fault.hazard)
            continue;
        faults++;
        if (shown < FAULTS_SHOWN) {
            say_fault(session, &fault, sink);
            shown++;
        }
    }
    if (faults > shown)
        say(sink, "fault: %zu more are not shown; --json lists them", faults - shown);
    if (faults != 0 || session->outcome.interrupted)
        tf_stacks_print(chip, session->symbols, true, sink->say, sink->user);
}

/* The cores that wait, then those that have ended. */
static void say_waits(const struct tf_session *session, const struct sink *sink)
{
    const struct tf_outcome *outcome = &session->outcome;
    unsigned shown = 0, left = 0;
    for (size_t i = 0; i < outcome->waits_count; i++) {
        char line[TF_WAITING_TEXT_BYTES + TF_PLACE_BYTES];
        const struct tf_waiting *wait = &outcome->waits[i];
        if (shown >= WAITS_SHOWN) {
            left += wait->stuck;
            continue;
        }
        char place[TF_PLACE_BYTES] = "";
        int tile = tf_symbols_tile(tf_chip_arch(session->chip), wait->node);
        /* The word after an ebreak may be another function's. */
        uint32_t pc = wait->pc - (tf_waiting_trapped(session->chip, session->symbols, wait) ? 4u : 0u);
        bool known = tile >= 0 && !wait->thread &&
                     tf_symbols_place(session->symbols, (unsigned)tile, wait->core, pc, place, sizeof place);
        tf_waiting_text(tf_chip_arch(session->chip), wait, known ? place : NULL, line, sizeof line);
        say(sink, "%s: %s", wait->stuck ? "waits" : "done", line);
        if (known && wait->stuck)
            tf_stack_print(session->chip, session->symbols, (unsigned)tile, wait->core, sink->say, sink->user);
        char writer[TF_PLACE_BYTES + 200];
        if (tf_session_last_write(session, wait, writer, sizeof writer))
            say(sink, "  written last by: %s", writer);
        shown++;
    }
    if (left > 0)
        say(sink, "waits: %u more groups of cores; --json lists them", left);
}

void tf_waits_say(const struct tf_session *session, void (*to)(void *user, const char *line), void *user)
{
    const struct tf_outcome *outcome = &session->outcome;
    if (outcome->verdict == TF_VERDICT_DEADLOCK || (outcome->verdict == TF_VERDICT_WRONG && !outcome->interrupted))
        say_waits(session, &(struct sink){to, user});
    if (outcome->verdict == TF_VERDICT_LIMIT) /* which loop has no end, or who polls */
        tf_stacks_print(session->chip, session->symbols, true, to, user);
}

void tf_report_replay(const struct tf_replay *replay)
{
    if (replay != NULL)
        printf("  replayed      %llu calls%s; %llu of %llu reads returned the recorded data\n",
               (unsigned long long)replay->calls, replay->recording.cut ? ", the last one incomplete" : "",
               (unsigned long long)(replay->reads - replay->differences), (unsigned long long)replay->reads);
}

static void print_figures(const struct tf_session *session)
{
    const struct tf_outcome *outcome = &session->outcome;
    const struct tf_stats *stats = &outcome->stats;
    char a[TF_GROUPED_BYTES], b[TF_GROUPED_BYTES], c[TF_GROUPED_BYTES];
    const struct tf_replay *replay = session->job->replay;
    tf_report_replay(replay);
    printf("  ended         %s, after %s cycles in %s epoch%s\n",
           replay != NULL ? "with the recording" : tf_end_text(outcome->end), tf_text_grouped(stats->cycles, a),
           tf_text_grouped(stats->epochs, b), stats->epochs == 1 ? "" : "s");
    printf("  mode          %s, %u worker%s\n", tf_job_is_relaxed(session->job) ? "relaxed" : "deterministic",
           stats->workers, stats->workers == 1 ? "" : "s");
    struct tf_topology topology;
    tf_topology_get(session->chip, &topology);
    if (topology.warning[0] != '\0')
        printf("  warning       %s\n", topology.warning);
    printf("  instructions  %s retired, %s executed\n", tf_text_grouped(stats->instructions, a),
           tf_text_grouped(stats->instructions_executed, b));
    printf("  NOC           %s requests, %s bytes, %s atomics\n", tf_text_grouped(stats->noc_requests, a),
           tf_text_grouped(stats->noc_bytes, b), tf_text_grouped(stats->noc_atomics, c));
    if (stats->faults + stats->hazards > 0)
        printf("  faults        %s, and %s hazards\n", tf_text_grouped(stats->faults, a),
               tf_text_grouped(stats->hazards, b));
    uint64_t dropped = tf_races_dropped(session->chip);
    if (dropped > 0)
        printf("  check         forgot %s old accesses of NOC requests; races with them are missed\n",
               tf_text_grouped(dropped, a));
    if (tf_job_is_timed(session->job))
        tf_times_print(session->chip, stats->cycles);
    if (session->job->critical_path)
        tf_critical_print(session, NULL);
    printf("  time          %.2f s, %.2f s of CPU, %.0f MIPS\n", stats->wall_s, stats->cpu_s, tf_outcome_mips(outcome));
    printf("  state hash    %016llx\n", (unsigned long long)outcome->state_hash);
}

void tf_report_problems(const struct tf_session *session)
{
    const struct tf_outcome *outcome = &session->outcome;
    tf_faults_say(session, tf_report_line, NULL);
    if (outcome->message.text[0] != '\0')
        tf_cli_error("%s: %s", tf_job_name(session->job), outcome->message.text);
    tf_waits_say(session, tf_report_line, NULL);
}

void tf_report(const struct tf_session *session, bool brief)
{
    const struct tf_outcome *outcome = &session->outcome;
    const char *name = tf_job_name(session->job), *variant = tf_job_variant(session->job);
    if (!brief) {
        if (variant != NULL)
            printf("%s (%s): %s\n", name, variant, tf_verdict_text(outcome));
        else
            printf("%s: %s\n", name, tf_verdict_text(outcome));
        print_figures(session);
        fflush(stdout);
    }
    tf_report_problems(session);
}
