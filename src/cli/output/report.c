/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "cli/session.h"

#define FAULTS_SHOWN 10u
#define WAITS_SHOWN 20u

static const char *end_text(enum tf_end end)
{
    static const char *const text[] = {
        [TF_END_QUIET] = "quiet",         [TF_END_VALUE] = "the word of --until has its value",
        [TF_END_CYCLES] = "cycle limit",  [TF_END_FAULT] = "stopped by a fault",
        [TF_END_STOPPED] = "interrupted",
    };
    return (unsigned)end < sizeof text / sizeof text[0] ? text[end] : "unknown";
}

static void print_fault(const struct tf_arch *arch, const struct tf_fault *fault)
{
    char core[24] = "";
    if (fault->core != TF_CORE_NONE)
        snprintf(core, sizeof core, " core %s", tf_core_name_at(arch, fault->tile, fault->core));
    tf_cli_error("%s: (%u,%u)%s, cycle %llu, pc 0x%x, instruction 0x%08x, address 0x%llx: %s: %s",
                 fault->hazard ? "hazard" : "fault", fault->tile.x, fault->tile.y, core,
                 (unsigned long long)fault->cycle, fault->pc, fault->instruction, (unsigned long long)fault->address,
                 tf_fault_category_name(fault->category), fault->text);
}

/* Print faults. Hazards are only counted in the report: a list of them would hide the faults. */
static void print_faults(struct tf_chip *chip)
{
    size_t count = tf_fault_count(chip), shown = 0, faults = 0;
    for (size_t i = 0; i < count; i++) {
        struct tf_fault fault;
        if (tf_fault_get(chip, i, &fault) != TF_OK || fault.hazard)
            continue;
        faults++;
        if (shown < FAULTS_SHOWN) {
            print_fault(tf_chip_arch(chip), &fault);
            shown++;
        }
    }
    if (faults > shown)
        tf_cli_error("fault: %zu more; --json lists them", faults - shown);
}

static void print_lines(const char *text)
{
    unsigned lines = 0, shown = 0;
    for (const char *at = text; *at != '\0'; lines++) {
        size_t length = strcspn(at, "\n");
        if (shown < WAITS_SHOWN) {
            tf_cli_error("waits: %.*s", (int)length, at);
            shown++;
        }
        at += length + (at[length] == '\n');
    }
    if (lines > shown)
        tf_cli_error("waits: %u more cores", lines - shown);
}

static void print_waits(struct tf_chip *chip)
{
    size_t bytes = tf_describe_waits(chip, NULL, 0) + 1;
    char *text = malloc(bytes);
    if (text == NULL)
        return;
    tf_describe_waits(chip, text, bytes);
    print_lines(text);
    free(text);
}

/* True when a coprocessor thread of the tile holds an instruction at its wait gate. */
static bool thread_waits(struct tf_chip *chip, unsigned tile)
{
    for (unsigned core = TF_CORE_T0; core <= TF_CORE_T2; core++) {
        struct tf_core_view view;
        if (tf_core_view(chip, tile, (enum tf_core)core, &view) == TF_OK && view.thread_waits)
            return true;
    }
    return false;
}

/* After a quiet end of a program of the user's own: does a core still wait for something? */
static bool load_waits(const struct tf_session *session)
{
    const struct tf_job *job = session->job;
    for (unsigned i = 0; i < job->loads; i++)
        for (unsigned tile = 0; tile < TF_TENSIX_TILES_MAX; tile++) {
            struct tf_core_view view;
            if (!job->load[i].tiles.has[tile] || tf_core_view(session->chip, tile, job->load[i].core, &view) != TF_OK)
                continue;
            if (view.state == TF_CORE_BLOCKED || (view.state == TF_CORE_PARKED && view.wait_address != 0) ||
                thread_waits(session->chip, tile))
                return true;
        }
    return false;
}

static void print_figures(const struct tf_session *session)
{
    const struct tf_outcome *outcome = &session->outcome;
    const struct tf_stats *stats = &outcome->stats;
    char a[TF_GROUPED_BYTES], b[TF_GROUPED_BYTES], c[TF_GROUPED_BYTES];
    printf("  ended         %s, after %s cycles in %s epochs\n", end_text(outcome->end),
           tf_cli_grouped(stats->cycles, a), tf_cli_grouped(stats->epochs, b));
    printf("  mode          %s, %u worker%s\n",
           session->job->config.mode == TF_MODE_RELAXED ? "relaxed" : "deterministic", stats->workers,
           stats->workers == 1 ? "" : "s");
    struct tf_topology topology;
    tf_topology_get(session->chip, &topology);
    if (topology.warning[0] != '\0')
        printf("  warning       %s\n", topology.warning);
    printf("  instructions  %s retired, %s executed\n", tf_cli_grouped(stats->instructions, a),
           tf_cli_grouped(stats->instructions_executed, b));
    printf("  NOC           %s requests, %s bytes, %s atomics\n", tf_cli_grouped(stats->noc_requests, a),
           tf_cli_grouped(stats->noc_bytes, b), tf_cli_grouped(stats->noc_atomics, c));
    if (stats->faults + stats->hazards > 0)
        printf("  faults        %s, and %s hazards\n", tf_cli_grouped(stats->faults, a),
               tf_cli_grouped(stats->hazards, b));
    printf("  time          %.2f s, %.2f s of CPU, %.0f MIPS\n", stats->wall_s, stats->cpu_s, tf_outcome_mips(outcome));
    printf("  state hash    %016llx\n", (unsigned long long)outcome->state_hash);
}

static const char *verdict(const struct tf_outcome *outcome)
{
    if (outcome->interrupted)
        return "interrupted";
    if (outcome->verdict == TF_VERDICT_WRONG)
        return "WRONG";
    if (outcome->stats.faults > 0)
        return "FAULTS";
    return outcome->verdict == TF_VERDICT_RIGHT ? "verified" : "done";
}

void tf_report(const struct tf_session *session, bool brief)
{
    const struct tf_outcome *outcome = &session->outcome;
    const char *name = tf_job_name(session->job), *variant = tf_job_variant(session->job);
    if (!brief) {
        if (variant != NULL)
            printf("%s (%s): %s\n", name, variant, verdict(outcome));
        else
            printf("%s: %s\n", name, verdict(outcome));
        print_figures(session);
        fflush(stdout);
    }
    print_faults(session->chip);
    if (outcome->verdict == TF_VERDICT_WRONG && !outcome->interrupted)
        tf_cli_error("%s: %s", name, outcome->message.text);
    bool stuck = outcome->verdict == TF_VERDICT_WRONG ||
                 (session->job->workload == NULL && outcome->verdict == TF_VERDICT_NONE && load_waits(session));
    if (outcome->end == TF_END_QUIET && stuck)
        print_waits(session->chip);
}
