/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tilefarm bench: measure this host. The sides of a row take turns. For each side the table shows the median, the least
 * and the most. Rates count executed instructions: struct tf_stats says which.
 */
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/bench/bench.h"
#include "cli/bench/busy.h"
#include "cli/bench/child.h"
#include "cli/bench/command.h"
#include "cli/bench/family.h"
#include "cli/bench/measure.h"
#include "cli/bench/quiet.h"
#include "cli/bench/report.h"
#include "cli/bench/scale.h"
#include "cli/board.h"
#include "cli/distinct.h"
#include "cli/file.h"
#include "cli/guess.h"
#include "cli/interrupt.h"
#include "cli/options/options.h"
#include "cli/text.h"
#include "cli/options/wrap.h"
#include "host/sort.h"
#include "host/vectors.h"

#define SAMPLE_S 0.2 /* time that a sample aims at, at 100 percent */
#define ROUNDS_MAX (1u << 28)
#define FITS_MAX 8u
#define GROWTH_MAX 30.0

static unsigned allowed_cpus(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    int count = CPU_COUNT(&set);
    return count > 0 ? (unsigned)count : 1;
}

static void add_side(struct bench_side *side, unsigned *count, int kind, enum tf_mode mode, unsigned threads)
{
    struct bench_side *at = &side[(*count)++];
    *at = (struct bench_side){.kind = kind, .mode = mode, .threads = threads};
    snprintf(at->name, sizeof at->name, "%u%s", threads, mode == TF_MODE_RELAXED ? " relaxed" : "");
}

/* Keep the side of this name, and the peer. A row without such a side keeps all sides. */
static unsigned keep_side(struct bench_side *side, unsigned count, const char *name)
{
    unsigned kept = 0;
    bool any = false;
    for (unsigned i = 0; i < count; i++)
        any = any || strcmp(side[i].name, name) == 0;
    for (unsigned i = 0; i < count && any; i++)
        if (strcmp(side[i].name, name) == 0 || side[i].kind == BENCH_PEER)
            side[kept++] = side[i];
    return any ? kept : count;
}

/* List the sides of a row, without what all sides have in common. */
static unsigned list_sides(const struct bench_row *row, const struct bench_options *options, struct bench_side *side)
{
    unsigned count = 0, all = allowed_cpus();
    if (options->scale_threads) /* a row without other sides has only that of one thread */
        return bench_scale_sides(options, side, row->flags & BENCH_WITH_THREADS ? BENCH_SIDES_MAX : 1);
    bool peer = options->peer != NULL && (row->flags & BENCH_WITH_PEER);
    /* Both run through the same interface, if the command has the library of the family built in. */
    int kind = peer && options->arch == tf_arch_find(NULL) ? BENCH_OWN_ABI : BENCH_FARM;
    add_side(side, &count, kind, TF_MODE_DETERMINISTIC, 1);
    if (row->flags & BENCH_WITH_THREADS) {
        for (unsigned threads = 2; threads < all && count < BENCH_SIDES_MAX - 4; threads *= 2)
            add_side(side, &count, kind, TF_MODE_DETERMINISTIC, threads);
        if (all > 1)
            add_side(side, &count, kind, TF_MODE_DETERMINISTIC, all);
    }
    if (row->flags & BENCH_WITH_RELAXED)
        add_side(side, &count, BENCH_FARM, TF_MODE_RELAXED, all);
    if (peer) {
        side[count] = (struct bench_side){.name = "peer", .kind = BENCH_PEER, .threads = 1, .library = options->peer};
        count++;
    }
    return options->side != NULL ? keep_side(side, count, options->side) : count;
}

static unsigned make_sides(const struct bench_row *row, const struct bench_options *options, struct bench_side *side)
{
    unsigned count = list_sides(row, options, side);
    for (unsigned i = 0; i < count; i++) {
        side[i].arch = options->arch;
        side[i].vectors = options->vectors;
        side[i].host_clocks = options->host_clocks;
        side[i].recording = options->recording;
    }
    return count;
}

/* Raise the number of rounds until a sample is long enough. This also warms up the process. */
static bool fit(struct bench_child *child, const struct bench_options *options)
{
    double target_s = SAMPLE_S * options->scale_percent / 100;
    child->rounds = child->row->rounds;
    if (child->row->flags & BENCH_FIXED) {
        if (child->row->workload != NULL)
            child->rounds = options->scale_percent;
        return bench_child_sample(child);
    }
    if (options->scale_percent < 100) /* run once in any case, as the first guess */
        child->rounds = (child->rounds * options->scale_percent + 99) / 100;
    for (unsigned i = 0; i < FITS_MAX; i++) {
        if (!bench_child_sample(child))
            return false;
        double factor = target_s / (child->last.seconds > 1e-9 ? child->last.seconds : 1e-9);
        if (factor < 1.5 && factor > 0.5)
            break;
        double rounds = child->rounds * (factor < GROWTH_MAX ? factor : GROWTH_MAX);
        uint32_t next = rounds < 1 ? 1 : rounds > ROUNDS_MAX ? ROUNDS_MAX : (uint32_t)rounds;
        if (next == child->rounds)
            break;
        child->rounds = next;
    }
    return true;
}

/* Start another process and warm it up, because the speed of a process depends on where the host has put its memory. */
static bool renew(struct bench_child *child)
{
    uint32_t rounds = child->rounds;
    if (child->row->flags & BENCH_FRESH)
        return true;
    bench_child_end(child);
    if (child->row->workload != NULL) /* each sample creates a new chip, so there is nothing to warm up */
        return true;
    child->rounds = rounds > 3 ? rounds / 3 : 1;
    bool right = bench_child_sample(child);
    child->rounds = rounds;
    return right;
}

/* The figure of a sample, with processor time in place of wall time. */
static double busy_value(const struct bench_row *row, const struct bench_sample *sample)
{
    struct bench_sample busy = {.work = sample->work, .seconds = sample->stats.cpu_s};
    return sample->has_stats && busy.seconds > 0 ? bench_value(row, &busy) : 0;
}

/* Repeat a sample if its moment was not quiet, while patience lasts. */
static bool take_sample(struct bench_child *child, bool fresh, struct bench_quiet *quiet)
{
    bench_quiet_next(quiet);
    for (;; fresh = false) {
        double began_s = tf_seconds();
        if (!fresh && !renew(child))
            return false;
        double renewed_s = tf_seconds() - began_s;
        bool before = bench_quiet_await(quiet);
        began_s = tf_seconds() - renewed_s;
        if (!bench_child_sample(child))
            return false;
        bool after = bench_quiet_holds(quiet, began_s);
        child->quiet += before && after;
        if ((before && after) || quiet->sample_s <= 0)
            return true;
    }
}

/* On a terminal, show what is being measured. sample: from 1; 0 stands for the first samples, which are not counted. */
static void show_progress(const struct bench_child *child, uint32_t sample, const struct bench_options *options)
{
    if (isatty(STDERR_FILENO) != 1 || options->log != TF_LOG_INFO)
        return;
    if (sample == 0)
        tf_cli_progress("bench: %s, threads %s, first samples", child->row->name, child->side->name);
    else
        tf_cli_progress("bench: %s, threads %s, sample %u of %u", child->row->name, child->side->name, (unsigned)sample,
                        (unsigned)options->runs);
}

static void measure_sides(struct bench_child *child, unsigned sides, const struct bench_options *options,
                          struct bench_quiet *quiet)
{
    bool alive[BENCH_SIDES_MAX];
    for (unsigned i = 0; i < sides; i++) {
        show_progress(&child[i], 0, options);
        alive[i] = fit(&child[i], options);
    }
    for (uint32_t run = 0; run < options->runs; run++)
        for (unsigned i = 0; i < sides; i++) {
            show_progress(&child[i], run + 1, options);
            alive[i] = alive[i] && take_sample(&child[i], run == 0, quiet);
            if (!alive[i])
                continue;
            child[i].busy[child[i].samples] = busy_value(child[i].row, &child[i].last);
            child[i].value[child[i].samples++] = bench_value(child[i].row, &child[i].last);
            tf_log_note(options->log, "bench: %s, threads %s, sample %u of %u: %.4g %s, in %.3f s", child[i].row->name,
                        child[i].side->name, (unsigned)run + 1, (unsigned)options->runs,
                        child[i].value[child[i].samples - 1], child[i].row->unit, child[i].last.seconds);
        }
    for (unsigned i = 0; i < sides; i++)
        bench_child_end(&child[i]);
    if (isatty(STDERR_FILENO) == 1 && options->log == TF_LOG_INFO)
        tf_cli_progress_end();
}

/* How many times faster one side is than another; 0 if this is not known. Each ratio compares samples of one turn,
   because the load of the host changes. */
static double ratio(const struct bench_child *child, const struct bench_child *other, uint32_t runs)
{
    double each[BENCH_RUNS_MAX];
    bool cost = child->row->flags & BENCH_COST;
    if (child == other || child->samples != runs || other->samples != runs)
        return 0;
    for (uint32_t i = 0; i < runs; i++)
        each[i] = cost ? other->value[i] / child->value[i] : child->value[i] / other->value[i];
    return tf_median(each, runs);
}

/* first, last: the range of the row's sides. The last side is the peer. */
static bool to_line(const struct bench_child *child, const struct bench_child *first, const struct bench_child *last,
                    const struct bench_options *options, struct bench_report *report)
{
    double value[BENCH_RUNS_MAX], busy[BENCH_RUNS_MAX];
    struct bench_line *line = bench_report_add(report);
    if (line == NULL)
        return false;
    *line = (struct bench_line){.row = child->row,
                                .side = *child->side,
                                .rounds = child->rounds,
                                .last = child->last,
                                .right = child->samples == options->runs};
    memcpy(line->why, child->last.why, sizeof line->why);
    if (!line->right)
        return true;
    memcpy(value, child->value, sizeof value);
    memcpy(busy, child->busy, sizeof busy);
    line->busy = tf_median(busy, options->runs);
    line->median = tf_median(value, options->runs);
    line->least = value[0];
    line->most = value[options->runs - 1];
    memcpy(line->sample, child->value, sizeof line->sample);
    line->samples = child->samples;
    line->quiet = child->quiet;
    if (last->side->kind == BENCH_PEER)
        line->ratio = ratio(child, last, options->runs);
    if (first->side->threads == 1 && child->side->kind != BENCH_PEER)
        line->speed_up = ratio(child, first, options->runs);
    return true;
}

static int run_row(const struct bench_row *row, const struct bench_options *options, bool print,
                   struct bench_quiet *quiet, struct bench_report *report)
{
    struct bench_side side[BENCH_SIDES_MAX];
    struct bench_child *child = calloc(BENCH_SIDES_MAX, sizeof *child);
    unsigned sides = make_sides(row, options, side);
    bool right = child != NULL;
    if (!right)
        tf_cli_error("bench: too little memory");
    for (unsigned i = 0; i < sides && right; i++)
        child[i] = (struct bench_child){.row = row, .side = &side[i]};
    if (right)
        measure_sides(child, sides, options, quiet);
    for (unsigned i = 0; i < sides && right; i++)
        right = to_line(&child[i], child, &child[sides - 1], options, report);
    free(child);
    if (!right)
        return TF_EXIT_FAILED;
    struct bench_line *line = &report->line[report->lines - sides];
    if (print)
        (options->scale_threads ? bench_scale_print : bench_report_print)(line, sides);
    for (unsigned i = 0; i < sides; i++) {
        if (line[i].right || line[i].side.kind == BENCH_PEER)
            continue;
        tf_cli_error("bench: %s, %s threads: %s", row->name, side[i].name, line[i].why);
        return TF_EXIT_FAILED;
    }
    return TF_EXIT_OK;
}

/* A name selects the row with this name. If there is none, it selects the rows that begin with the name and a '-'. */
static bool choose(const struct bench_options *options, const char *name, bool *chosen)
{
    size_t length = strlen(name);
    bool exact = false, any = false;
    struct tf_guess guess = {.given = name, .prefix = ""};
    char meant[TF_GUESS_BYTES];
    for (unsigned i = 0; i < options->rows; i++) {
        exact = exact || strcmp(options->row[i].name, name) == 0;
        tf_guess_offer(&guess, options->row[i].name);
    }
    for (unsigned i = 0; i < options->rows; i++) {
        const char *row = options->row[i].name;
        bool takes = exact ? strcmp(row, name) == 0 : strncmp(row, name, length) == 0 && row[length] == '-';
        chosen[i] = chosen[i] || takes;
        any = any || takes;
    }
    if (!any)
        tf_cli_error("bench: no row '%s' of %s%s; see 'tilefarm bench --list'", name, options->arch->title,
                     tf_guess_text(&guess, meant));
    return any;
}

/* If a peer cannot be loaded, or ends its process at start-up, that is an error of usage. */
static bool try_peer(const struct bench_options *options)
{
    const char *path = options->peer;
    static const struct bench_row row = {.name = "start-up", .measure = bench_start_up, .flags = BENCH_FRESH};
    const struct bench_side side = {
        .name = "peer", .kind = BENCH_PEER, .threads = 1, .library = path, .arch = options->arch};
    struct bench_child child = {.row = &row, .side = &side, .rounds = 1};
    if (bench_child_sample(&child))
        return true;
    tf_cli_error("bench: --peer: %s", child.last.why[0] != '\0' ? child.last.why : path);
    return false;
}

static int measure_rows(const struct bench_options *options, const bool *chosen, bool print,
                        struct bench_report *report)
{
    int code = TF_EXIT_OK;
    struct bench_quiet quiet;
    struct bench_busy busy;
    struct bench_side side[BENCH_SIDES_MAX];
    unsigned samples = 0;
    for (unsigned i = 0; i < options->rows; i++)
        samples += chosen[i] ? options->runs * make_sides(&options->row[i], options, side) : 0;
    if (!bench_busy_begin(&busy, options->busy))
        return TF_EXIT_FAILED;
    if (print)
        (options->scale_threads ? bench_scale_head : bench_report_head)();
    bench_quiet_begin(&quiet, options->arch->tile[TF_TILE_TENSIX].tiles, options->patience_s, samples);
    for (unsigned i = 0; i < options->rows; i++)
        if (chosen[i]) {
            int result = run_row(&options->row[i], options, print, &quiet, report);
            code = result != TF_EXIT_OK ? result : code;
            if (print && fflush(stdout) != 0) /* the disk is full: tf_cli_finish() says so */
                break;
        }
    bench_busy_end(&busy);
    if (print && options->patience_s != 0)
        bench_report_quiet(report);
    return code;
}

static bool write_json(const struct bench_report *report, const struct bench_options *options, struct tf_output *output)
{
    json_t *object = bench_report_json(report, options);
    bool right = object != NULL;
    if (right) {
        json_dumpf(object, output->file, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
        fputc('\n', output->file);
        right = tf_output_commit(output);
    }
    json_decref(object);
    return right;
}

static int run(const struct bench_options *options, const bool *chosen, struct tf_output *json)
{
    struct bench_report report = {0};
    bool print = (options->json == NULL || strcmp(options->json, "-") != 0) && options->log != TF_LOG_ERROR;
    int code = measure_rows(options, chosen, print, &report);
    if (options->json != NULL && !write_json(&report, options, json))
        code = TF_EXIT_FAILED;
    free(report.line);
    return code;
}

/* Check before a long run that its files can be written. */
/* Does the report overwrite no input? */
static bool are_distinct(const struct bench_options *options)
{
    struct tf_distinct files = {.count = 0};
    tf_distinct_input(&files, "--peer", options->peer);
    tf_distinct_input(&files, "--recording", options->recording);
    tf_distinct_output(&files, "--json", options->json);
    return tf_distinct_end(&files);
}

static bool open_output(const struct bench_options *options, struct tf_interrupt *interrupt, struct tf_output *json)
{
    return tf_interrupt_start(interrupt, json, 1) &&
           (options->json == NULL || tf_interrupt_open(interrupt, json, options->json));
}

struct arguments {
    struct bench_options options;
    struct tf_board_options board;
    bool list;
};

/* clang-format off */
static const struct tf_option option_list[] = {
    TF_OPTION_OF_ARCH(struct arguments, options.arch),
    TF_OPTIONS_OF_BOARD(struct arguments, board),
    {.name = "runs", .argument = "N", .help = "number of samples for each side of a row, after a warm-up",
     .kind = TF_OPTION_U32, .offset = offsetof(struct arguments, options.runs), .least = 1, .most = BENCH_RUNS_MAX},
    {.name = "scale", .argument = "PERCENT", .help = "duration of a sample, as a percentage of 0.2 s",
     .kind = TF_OPTION_U32, .offset = offsetof(struct arguments, options.scale_percent), .least = 1, .most = 10000},
    {.name = "patience", .argument = "SECONDS",
     .help = "on a shared host, wait for quiet moments, up to this long in all",
     .kind = TF_OPTION_U32, .offset = offsetof(struct arguments, options.patience_s), .most = 1000000},
    {.name = "busy", .argument = "N", .help = "run this many busy processes meanwhile, as on a shared host",
     .kind = TF_OPTION_U32, .offset = offsetof(struct arguments, options.busy), .most = BENCH_BUSY_MAX},
    {.name = "host-clocks", .argument = "N",
     .help = "drive device programs as hosts do: calls of this many cycles, with a look at a tile after each",
     .kind = TF_OPTION_U32, .offset = offsetof(struct arguments, options.host_clocks), .least = 1, .most = 1000000000},
    {.name = "recording", .argument = "FILE", .help = "measure row recorded-calls, by a file of TILEFARM_RECORD",
     .kind = TF_OPTION_TEXT, .offset = offsetof(struct arguments, options.recording)},
    {.name = "peer", .argument = "LIBRARY", .help = "also run each row on this library with the libttsim interface",
     .kind = TF_OPTION_TEXT, .offset = offsetof(struct arguments, options.peer)},
    TF_OPTION_OF_VECTORS(offsetof(struct arguments, options.vectors)),
    {.name = "scale-threads",
     .help = "measure speed-up and efficiency for one thread to all CPUs, by cores and NUMA nodes",
     .kind = TF_OPTION_SET, .offset = offsetof(struct arguments, options.scale_threads)},
    {.name = "side", .argument = "NAME", .help = "measure one side only, by its name in the column 'threads'",
     .kind = TF_OPTION_TEXT, .offset = offsetof(struct arguments, options.side)},
    {.name = "json", .argument = "FILE|-", .help = "write the measurements as JSON",
     .kind = TF_OPTION_TEXT, .offset = offsetof(struct arguments, options.json)},
    TF_OPTIONS_OF_LOG(offsetof(struct arguments, options.log)),
    {.name = "list", .help = "list the rows and end", .kind = TF_OPTION_SET,
     .offset = offsetof(struct arguments, list)},
};
/* clang-format on */

static const struct tf_usage usage = {
    .examples = "tilefarm bench alu mixed\n",
    .synopsis = "bench [options] [NAME...]",
    .text = "Measure this host. For each row (default: all) print the median, the minimum and the maximum of its "
            "samples.\n"
            "A name like 'alu' stands for alu-1x1, alu-5x1 and so on. With --peer, a ratio above 1 means that the\n"
            "peer is slower. With --scale-threads and no names, the rows are mixed, matmul-bf16-hifi4,\n"
            "allreduce-66k, reader-writer and small-runs.\n",
    .option = option_list,
    .options = sizeof option_list / sizeof option_list[0],
    .operands_most = 200,
};

static int list_rows(const struct bench_options *options)
{
    for (unsigned i = 0; i < options->rows; i++) {
        const int length = printf("%-26s %-5s ", options->row[i].name, options->row[i].unit);
        tf_wrap_line((unsigned)length, 2, options->row[i].what);
    }
    return tf_cli_finish(TF_EXIT_OK);
}

/* Do other options go with --scale-threads? */
static bool scales(const struct bench_options *options)
{
    bool right = options->peer == NULL && options->side == NULL;
    if (!right)
        tf_cli_error("bench: --scale-threads compares numbers of threads; it excludes --peer and --side");
    return right;
}

/* Has a chosen row the side of --side? Rows without it are measured as a whole, beside those that have it. */
static bool has_side(const struct bench_options *options, const bool *chosen)
{
    struct bench_options any = *options;
    struct bench_side side[BENCH_SIDES_MAX];
    any.side = NULL;
    for (unsigned i = 0; i < options->rows; i++) {
        unsigned count = chosen[i] ? list_sides(&options->row[i], &any, side) : 0;
        for (unsigned at = 0; at < count; at++)
            if (strcmp(side[at].name, options->side) == 0)
                return true;
    }
    tf_cli_error("bench: --side: no chosen row has a side '%s'; the column 'threads' of the table names them",
                 options->side);
    return false;
}

/* Without names: row recorded-calls if there is a recording, else all rows but this one. */
static void choose_usual(const struct bench_options *options, bool *chosen)
{
    for (unsigned i = 0; i < options->rows; i++)
        chosen[i] = (options->row[i].measure == bench_recorded_calls) == (options->recording != NULL);
}

static bool has_recording(const struct bench_options *options, const bool *chosen)
{
    for (unsigned i = 0; i < options->rows && options->recording == NULL; i++)
        if (chosen[i] && options->row[i].measure == bench_recorded_calls) {
            tf_cli_error("bench: row %s needs --recording FILE; TILEFARM_RECORD=FILE makes one", options->row[i].name);
            return false;
        }
    return true;
}

static int bench(struct arguments *arguments, int argc, char **argv, int first)
{
    struct bench_options *options = &arguments->options;
    if (arguments->list)
        return list_rows(options);
    bool *chosen = calloc(options->rows, sizeof *chosen);
    if (chosen == NULL)
        return TF_EXIT_FAILED;
    bool right = !options->scale_threads || scales(options);
    for (int i = first; i < argc && right; i++)
        right = choose(options, argv[i], chosen);
    if (first == argc && options->scale_threads)
        bench_scale_rows(options, chosen);
    else if (first == argc)
        choose_usual(options, chosen);
    right = right && has_recording(options, chosen) && (options->side == NULL || has_side(options, chosen));
    void (*pipe_before)(int) = signal(SIGPIPE, SIG_IGN); /* a measured process may end at any time */
    struct tf_output json = {0};
    struct tf_interrupt interrupt = {.on = false};
    right = right && are_distinct(options) && (options->peer == NULL || try_peer(options)) &&
            open_output(options, &interrupt, &json);
    int code = TF_EXIT_USAGE;
    if (right)
        code = tf_interrupt_guard(&interrupt) ? run(options, chosen, &json) : TF_EXIT_FAILED;
    code = tf_interrupt_end(&interrupt, code);
    tf_output_discard(&json);
    free(chosen);
    signal(SIGPIPE, pipe_before);
    return tf_cli_finish(code);
}

static int bench_chip(struct arguments *arguments, int argc, char **argv, int first)
{
    struct bench_options *options = &arguments->options;
    if (!tf_vectors_exist(options->vectors)) {
        tf_cli_error("bench: --vectors: this host has no %s", tf_vectors_name(options->vectors));
        return TF_EXIT_USAGE;
    }
    if (options->peer != NULL && options->arch != tf_arch_find(options->arch->name)) {
        tf_cli_error("bench: --peer needs a chip without fused-off nodes; board %s has some",
                     options->arch->board.name);
        return TF_EXIT_USAGE;
    }
    struct bench_row *rows = bench_family_rows(options->arch, &options->rows);
    if (rows == NULL) {
        tf_cli_error("bench: too little memory");
        return TF_EXIT_FAILED;
    }
    options->row = rows;
    int code = bench(arguments, argc, argv, first);
    free(rows);
    return code;
}

int tf_cli_bench(int argc, char **argv)
{
    struct arguments arguments = {
        .options = {.arch = tf_arch_find(NULL), .runs = 5, .scale_percent = 100, .log = TF_LOG_INFO}};
    int first;
    int code = tf_cli_options(argc, argv, &usage, &arguments, &first);
    if (code >= 0)
        return code;
    if (!tf_board_settle(&arguments.board, &arguments.options.arch))
        code = TF_EXIT_USAGE;
    else
        code = bench_chip(&arguments, argc, argv, first);
    tf_board_free(&arguments.board);
    return code;
}
