/* SPDX-License-Identifier: Apache-2.0 */
/* `tilefarm demo`: a few workloads, a table of their figures, and a picture of the chip. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/board.h"
#include "cli/commands/demo.h"
#include "cli/file.h"
#include "cli/interrupt.h"
#include "cli/options/options.h"
#include "cli/output/map.h"
#include "cli/output/picture.h"
#include "cli/output/report.h"
#include "cli/output/svg.h"
#include "cli/session.h"
#include "cli/session_state.h"
#include "cli/text.h"
#include "cli/verdict.h"
#include "cli/workloads/common.h"
#include "cli/workloads/list.h"
#include "tilefarm/tilefarm_config.h"
#include "tile/arch.h"

/* The workloads, and the figure of each tile that is drawn. All of them take a few seconds. */
static const struct {
    const char *workload;
    bool instructions; /* draw instructions; otherwise NOC traffic */
    bool map;          /* draw in the terminal, too */
} program[] = {
    {"mixed", true, false},       {"ring", false, false},    {"allreduce", false, true}, {"atomics", false, false},
    {"semaphores", false, false}, {"cb", false, false},      {"barrier", false, false},  {"fifo", false, false},
    {"locks", false, false},      {"pipeline", true, false}, {"matmul", true, false},    {"softmax", false, false},
};

#define PROGRAM (sizeof program / sizeof program[0])

/* A panel for each workload that ran, then a panel for the sum of all. */
struct show {
    struct tf_panel panel[PROGRAM + 1], sum;
    char title[PROGRAM][48];
    bool map[PROGRAM];
    unsigned panels;
};

struct demo {
    struct tf_config config;
    struct tf_board_options board;
    const char *folder;
};

static const struct tf_option options[] = {
    TF_OPTION_OF_ARCH(struct demo, config.arch),
    TF_OPTIONS_OF_BOARD(struct demo, board),
    TF_OPTION_OF_THREADS(offsetof(struct demo, config.threads)),
    {.name = "out",
     .letter = 'o',
     .argument = "FOLDER",
     .help = "folder for the picture",
     .kind = TF_OPTION_TEXT,
     .offset = offsetof(struct demo, folder)},
};

static const struct tf_usage usage = {
    .examples = "tilefarm demo --out pictures\n",
    .synopsis = "demo [--arch NAME] [--board NAME] [--threads N|auto] [--out FOLDER]",
    .text = "Run twelve workloads on all tiles, check their results, print a table, and draw the chip in the\n"
            "terminal and in FOLDER/tilefarm-demo.svg, or tilefarm-demo-FAMILY.svg. Workloads without programs\n"
            "for the family are left out.\n",
    .option = options,
    .options = sizeof options / sizeof options[0],
};

static void print_row(const struct tf_session *session)
{
    const struct tf_outcome *outcome = &session->outcome;
    const struct tf_stats *stats = &outcome->stats;
    char cycles[TF_GROUPED_BYTES], count[TF_GROUPED_BYTES], requests[TF_GROUPED_BYTES];
    double rate = stats->wall_s > 0 ? (double)stats->noc_bytes / stats->wall_s * 1e-9 : 0;
    printf("%-11s %-8s %9s %12s %7.0f %12s %8.2f %8.2f\n", tf_job_name(session->job),
           outcome->verdict == TF_VERDICT_RIGHT ? "yes" : "NO", tf_cli_short((double)stats->cycles, cycles),
           tf_cli_short((double)stats->instructions, count), tf_outcome_mips(outcome),
           tf_cli_short((double)stats->noc_requests, requests), rate, stats->wall_s);
    fflush(stdout);
}

static void take_panels(struct show *show, unsigned index, struct tf_chip *chip)
{
    struct tf_panel instructions = {.unit = "instructions"}, traffic = {.unit = TF_PANEL_KIB};
    unsigned at = show->panels++;
    tf_panels_add(chip, &instructions, &traffic);
    show->panel[at] = program[index].instructions ? instructions : traffic;
    snprintf(show->title[at], sizeof show->title[at], "%s: %s", program[index].workload,
             program[index].instructions ? "instructions" : "NOC traffic");
    show->panel[at].title = show->title[at];
    show->map[at] = program[index].map;
    show->sum.arch = tf_chip_arch(chip);
    struct tf_shape shape;
    tf_arch_shape(show->sum.arch, &shape);
    for (unsigned i = 0; i < shape.tensix_tiles; i++)
        show->sum.value[i] += instructions.value[i];
}

/* Run one workload. Returns an enum tf_exit. */
static int run_one(const struct demo *demo, unsigned index, struct tf_interrupt *interrupt, struct show *show)
{
    struct tf_job job = {.workload = tf_workload_find(program[index].workload)};
    *tf_job_config(&job) = demo->config;
    if (job.workload == NULL) {
        tf_cli_error("demo: no workload '%s'", program[index].workload);
        return TF_EXIT_FAILED;
    }
    job.options =
        (struct tf_workload_options){.scale = job.workload->scale_default, .seed = 1, .atomics = demo->config.atomics};
    struct tf_session session;
    int code = tf_session_begin(&session, &job, interrupt);
    if (code >= 0)
        return code;
    code = tf_session_run(&session);
    if (code < 0) {
        code = tf_outcome_exit(&session.outcome);
        if (code != TF_EXIT_INTERRUPTED)
            print_row(&session);
        if (code == TF_EXIT_FAILED)
            tf_report(&session, true);
        take_panels(show, index, session.chip);
    }
    tf_session_end(&session);
    return code;
}

/* Run the workloads that the family has programs for. */
static int run_workloads(const struct demo *demo, struct tf_interrupt *interrupt, struct show *show)
{
    int result = TF_EXIT_OK;
    for (unsigned i = 0; i < PROGRAM; i++) {
        const struct tf_workload *workload = tf_workload_find(program[i].workload);
        if (workload != NULL && !tf_workload_exists(demo->config.arch, workload))
            continue;
        int code = run_one(demo, i, interrupt, show);
        if (code == TF_EXIT_INTERRUPTED) {
            tf_cli_error("demo: interrupted");
            return code;
        }
        if (code != TF_EXIT_OK)
            result = code;
    }
    return result;
}

static void draw(struct show *show, FILE *svg)
{
    char title[64], subtitle[400], others[200];
    struct tf_shape shape;
    tf_arch_shape(show->sum.arch, &shape);
    snprintf(title, sizeof title, "tilefarm: the demo on %u tiles", shape.tensix_tiles);
    show->panel[show->panels] = show->sum;
    unsigned kept = tf_panels_that_differ(show->panel, show->panels + 1, others, sizeof others);
    snprintf(subtitle, sizeof subtitle, "Each workload's work, tile by tile, on a %s chip. %s%s", shape.title,
             others[0] == '\0' ? "" : "Equal on all tiles, and not drawn: ", others);
    tf_svg_print(svg, title, subtitle, show->panel, kept);
}

static int run_all(const struct demo *demo, struct tf_interrupt *interrupt, struct tf_output *svg)
{
    struct show show = {.sum = {.title = "the sum of all: instructions", .unit = "instructions"}};
    printf("%-11s %-8s %9s %12s %7s %12s %8s %8s\n", "workload", "verified", "cycles", "instructions", "MIPS",
           "NOC requests", "GB/s", "wall s");
    int result = run_workloads(demo, interrupt, &show);
    if (result == TF_EXIT_INTERRUPTED)
        return result;
    for (unsigned i = 0; i < show.panels; i++)
        if (show.map[i]) {
            printf("\n");
            tf_map_print(stdout, &show.panel[i], tf_depth_of(stdout));
        }
    if (result != TF_EXIT_OK)
        return result;
    draw(&show, svg->file);
    return tf_interrupt_commit(interrupt) ? TF_EXIT_OK : TF_EXIT_FAILED;
}

static int show_demo(const struct demo *demo)
{
    char path[4096];
    struct tf_shape shape;
    tf_arch_shape(demo->config.arch, &shape);
    bool other = tf_arch_find(shape.name) != tf_arch_find(NULL);
    if (snprintf(path, sizeof path, "%s/tilefarm-demo%s%s.svg", demo->folder, other ? "-" : "",
                 other ? shape.name : "") >= (int)sizeof path) {
        tf_cli_error("--out: the name is too long");
        return TF_EXIT_USAGE;
    }
    if (mkdir(demo->folder, 0777) != 0 && errno != EEXIST) {
        tf_cli_error("%s: cannot be created: %s", demo->folder, strerror(errno));
        return TF_EXIT_USAGE;
    }
    struct tf_output svg = {.file = NULL};
    struct tf_interrupt interrupt;
    int code = TF_EXIT_FAILED;
    if (tf_interrupt_start(&interrupt, &svg, 1)) {
        code = tf_interrupt_open(&interrupt, &svg, path) ? run_all(demo, &interrupt, &svg) : TF_EXIT_USAGE;
        code = tf_interrupt_end(&interrupt, code);
    }
    tf_output_discard(&svg);
    if (code == TF_EXIT_OK)
        printf("\nThe picture is in %s\n", path);
    return tf_cli_finish(code);
}

int tf_cli_demo(int argc, char **argv)
{
    struct demo demo = {.folder = "out"};
    tf_config_init(&demo.config);
    int first, code = tf_cli_options(argc, argv, &usage, &demo, &first);
    if (code >= 0)
        return code;
    code = tf_board_settle(&demo.board, &demo.config.arch) ? show_demo(&demo) : TF_EXIT_USAGE;
    tf_board_free(&demo.board);
    return code;
}
