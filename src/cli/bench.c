/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tilefarm bench: what this host does with the farm. Each row is run warm a few times; the median is told with the
 * least and the most. Rates count what was executed, not what was credited to parked cores.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/session.h"

#define RUNS_MAX 99u

struct options {
    uint32_t runs;
    uint32_t scale_percent;
    const char *json;
};

/* One measurement of a row; negative when it failed, after an error line. threads: 1, or 0 for all. */
typedef double measure(const struct options *options, unsigned threads);

struct row {
    const char *name, *unit, *what;
    measure *measure;
    bool with_threads; /* again with all threads, and the ratio */
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Run a workload and hand out its figures. False after an error line. */
static bool run_workload(const char *name, const char *variant, const struct options *options, unsigned threads,
                         struct tf_stats *stats)
{
    struct tf_job job = {.workload = tf_workload_find(name)};
    if (job.workload == NULL) {
        tf_cli_error("bench: no workload '%s'", name);
        return false;
    }
    tf_config_init(&job.config);
    job.config.threads = threads;
    uint32_t scale = job.workload->scale_default * options->scale_percent / 100;
    job.options = (struct tf_workload_options){.scale = scale != 0 ? scale : 1, .seed = 1};
    if (variant != NULL)
        job.options.variant = (uint32_t)tf_workload_variant(job.workload, variant);
    struct tf_session session = {0};
    struct tf_interrupt interrupt;
    if (!tf_interrupt_start(&interrupt, NULL, 0))
        return false;
    bool right = tf_session_begin(&session, &job, &interrupt) < 0;
    if (right) {
        right = tf_session_run(&session) < 0 && session.outcome.verdict == TF_VERDICT_RIGHT;
        *stats = session.outcome.stats;
        if (!right)
            tf_cli_error("bench: %s: %s", name,
                         session.outcome.interrupted ? "interrupted" : session.outcome.message.text);
        tf_session_end(&session);
    }
    tf_interrupt_end(&interrupt);
    return right;
}

static double mixed(const struct options *options, unsigned threads)
{
    struct tf_stats stats;
    return run_workload("mixed", NULL, options, threads, &stats)
               ? (double)stats.instructions_executed / stats.wall_s * 1e-6 : -1;
}

static double ring(const struct options *options, unsigned threads)
{
    struct tf_stats stats;
    return run_workload("ring", "both", options, threads, &stats) ? (double)stats.noc_bytes / stats.wall_s * 1e-9 : -1;
}

static double atomics(const struct options *options, unsigned threads)
{
    struct tf_stats stats;
    return run_workload("atomics", "all", options, threads, &stats)
               ? (double)stats.noc_atomics / stats.wall_s * 1e-6 : -1;
}

static double barrier(const struct options *options, unsigned threads)
{
    struct tf_stats stats;
    return run_workload("barrier", "central", options, threads, &stats)
               ? (double)stats.noc_requests / stats.wall_s * 1e-6 : -1;
}

static double cb(const struct options *options, unsigned threads)
{
    struct tf_stats stats;
    return run_workload("cb", NULL, options, threads, &stats) ? (double)stats.noc_requests / stats.wall_s * 1e-6 : -1;
}

/* x5 rounds of a generator, a table in L1 and a branch that goes either way. */
static const uint32_t one_hart[] = {
    0x013132b7, /* lui  x5, 0x1313      10 million rounds */
    0x00010337, /* lui  x6, 0x10 */
    0x00100393, /* addi x7, x0, 1 */
    0x00d39e13, /* slli x28, x7, 13 */
    0x01c3c3b3, /* xor  x7, x7, x28 */
    0x0113de13, /* srli x28, x7, 17 */
    0x01c3c3b3, /* xor  x7, x7, x28 */
    0x00539e13, /* slli x28, x7, 5 */
    0x01c3c3b3, /* xor  x7, x7, x28 */
    0x3fc3fe13, /* andi x28, x7, 0x3fc */
    0x01c30e33, /* add  x28, x6, x28 */
    0x000e2e83, /* lw   x29, 0(x28) */
    0x007e8eb3, /* add  x29, x29, x7 */
    0x01de2023, /* sw   x29, 0(x28) */
    0x001eff13, /* andi x30, x29, 1 */
    0x000f0463, /* beq  x30, x0, +8 */
    0x001f8f93, /* addi x31, x31, 1 */
    0xffe28293, /* addi x5, x5, -2 */
    0xfc0292e3, /* bne  x5, x0, -60 */
    0x0000006f, /* j    . */
};

static struct tf_chip *create(unsigned threads)
{
    struct tf_config config;
    tf_config_init(&config);
    config.threads = threads;
    struct tf_chip *chip;
    struct tf_message message;
    if (tf_chip_create(&config, &chip, &message) == TF_OK)
        return chip;
    tf_cli_error("%s", message.text);
    return NULL;
}

static double single(const struct options *options, unsigned threads)
{
    (void)options;
    struct tf_chip *chip = create(threads);
    if (chip == NULL)
        return -1;
    struct tf_coord coord;
    struct tf_stats stats;
    enum tf_end end;
    bool right = tf_tile_coord(0, &coord) == TF_OK &&
                 tf_write(chip, coord, 0, one_hart, sizeof one_hart) == TF_OK &&
                 tf_core_start(chip, 0, TF_CORE_B) == TF_OK && tf_run(chip, NULL, &end) == TF_OK &&
                 end == TF_END_QUIET;
    tf_stats(chip, &stats);
    tf_chip_destroy(chip);
    if (!right) {
        tf_cli_error("bench: one hart: the program did not end");
        return -1;
    }
    return (double)stats.instructions_executed / stats.wall_s * 1e-6;
}

static double start_up(const struct options *options, unsigned threads)
{
    (void)options;
    double began = seconds();
    struct tf_chip *chip = create(threads);
    if (chip == NULL)
        return -1;
    tf_chip_destroy(chip);
    return (seconds() - began) * 1e3;
}

/* Calls of tf_run() on a chip whose cores all wait. */
static double idle(const struct options *options, unsigned threads)
{
    (void)options;
    enum { CALLS = 100000 };
    static const uint32_t wait[] = {0x10002283 /* lw x5, 256(x0) */, 0xfe028ee3 /* beq x5, x0, -4 */};
    struct tf_chip *chip = create(threads);
    if (chip == NULL)
        return -1;
    for (unsigned tile = 0; tile < TF_TENSIX_TILES; tile++) {
        struct tf_coord coord;
        tf_tile_coord(tile, &coord);
        tf_write(chip, coord, 0, wait, sizeof wait);
        tf_core_start(chip, tile, TF_CORE_B);
    }
    tf_run(chip, NULL, NULL);
    double began = seconds();
    for (unsigned i = 0; i < CALLS; i++)
        tf_run(chip, NULL, NULL);
    double ns = (seconds() - began) / CALLS * 1e9;
    tf_chip_destroy(chip);
    return ns;
}

/* What a chip with small programs on all cores adds to the process. */
static double memory(const struct options *options, unsigned threads)
{
    struct tf_stats stats;
    if (!run_workload("semaphores", NULL, options, threads, &stats))
        return -1;
    long pages = 0;
    FILE *status = fopen("/proc/self/statm", "r");
    if (status != NULL) {
        if (fscanf(status, "%*d %ld", &pages) != 1)
            pages = 0;
        fclose(status);
    }
    return (double)pages * (double)sysconf(_SC_PAGESIZE) * 1e-6;
}

static const struct row rows[] = {
    {"mixed", "MIPS", "integer work on 700 harts", mixed, true},
    {"single", "MIPS", "one active hart", single, false},
    {"ring", "GB/s", "copies of 16 KiB between tiles, and shorter ones", ring, true},
    {"atomics", "M/s", "NOC atomics of all kinds, contended", atomics, true},
    {"barrier", "M/s", "NOC requests of barriers of 700 harts", barrier, true},
    {"cb", "M/s", "NOC requests of circular-buffer pipelines", cb, true},
    {"startup", "ms", "create and destroy a chip", start_up, false},
    {"idle", "ns", "a call of tf_run() while all cores wait", idle, false},
    {"memory", "MB", "resident, after a run of small programs on 700 harts", memory, false},
};

#define ROWS (sizeof rows / sizeof rows[0])

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Sorted results of some runs after one that warms up. False when one failed. */
static bool measure_row(const struct row *row, const struct options *options, unsigned threads, double *result)
{
    for (uint32_t i = 0; i <= options->runs; i++) {
        double value = row->measure(options, threads);
        if (value < 0)
            return false;
        if (i != 0)
            result[i - 1] = value;
    }
    qsort(result, options->runs, sizeof *result, ascending);
    return true;
}

static json_t *tell(const struct row *row, const struct options *options, const char *threads, const double *result,
                    bool print)
{
    double median = result[options->runs / 2];
    if (print)
        printf("%-9s %-7s %10.1f %10.1f %10.1f  %-5s", row->name, threads, median, result[0],
               result[options->runs - 1], row->unit);
    return json_pack("{s:s,s:s,s:s,s:f,s:f,s:f}", "name", row->name, "unit", row->unit, "threads", threads, "median",
                     median, "least", result[0], "most", result[options->runs - 1]);
}

static bool run_row(const struct row *row, const struct options *options, bool print, json_t *all)
{
    double one[RUNS_MAX], many[RUNS_MAX];
    if (!measure_row(row, options, row->with_threads ? 1 : 0, one))
        return false;
    json_array_append_new(all, tell(row, options, row->with_threads ? "1" : "-", one, print));
    if (print) {
        printf("  %s\n", row->what);
        fflush(stdout);
    }
    if (!row->with_threads)
        return true;
    if (!measure_row(row, options, 0, many))
        return false;
    json_array_append_new(all, tell(row, options, "all", many, print));
    if (print) {
        printf("  %.2f times one thread\n", many[options->runs / 2] / one[options->runs / 2]);
        fflush(stdout);
    }
    return true;
}

static const struct tf_option option_list[] = {
    {.name = "runs", .argument = "N", .help = "runs of each row, after one that warms up (default 5)",
     .kind = TF_OPTION_U32, .offset = offsetof(struct options, runs), .least = 1, .most = RUNS_MAX},
    {.name = "scale", .argument = "PERCENT", .help = "of the workloads' default amount of work (default 100)",
     .kind = TF_OPTION_U32, .offset = offsetof(struct options, scale_percent), .least = 1, .most = 10000},
    {.name = "json", .argument = "FILE", .help = "write the figures as JSON (- for standard output)",
     .kind = TF_OPTION_TEXT, .offset = offsetof(struct options, json)},
};

static const struct tf_usage usage = {
    .synopsis = "bench [options] [NAME...]",
    .text = "Measure this host: each row named (default: all) with its median, least and most.\n"
            "Rows: mixed single ring atomics barrier cb startup idle memory\n",
    .option = option_list,
    .options = sizeof option_list / sizeof option_list[0],
    .operands_most = ROWS,
};

static const struct row *find_row(const char *name)
{
    for (size_t i = 0; i < ROWS; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    tf_cli_error("bench: no row '%s'; see 'tilefarm bench --help'", name);
    return NULL;
}

static int run_rows(const struct options *options, int names, char **name, bool print, json_t *all)
{
    const struct row *chosen[ROWS];
    size_t count = 0;
    for (int i = 0; i < names; i++) {
        chosen[count] = find_row(name[i]);
        if (chosen[count++] == NULL)
            return TF_EXIT_USAGE;
    }
    if (names == 0)
        for (; count < ROWS; count++)
            chosen[count] = &rows[count];
    if (print)
        printf("%-9s %-7s %10s %10s %10s  unit\n", "row", "threads", "median", "least", "most");
    for (size_t i = 0; i < count; i++)
        if (!run_row(chosen[i], options, print, all))
            return TF_EXIT_FAILED;
    return TF_EXIT_OK;
}

int tf_cli_bench(int argc, char **argv)
{
    struct options options = {.runs = 5, .scale_percent = 100};
    int first;
    int code = tf_cli_options(argc, argv, &usage, &options, &first);
    if (code >= 0)
        return code;
    struct tf_output output = {0};
    if (options.json != NULL && !tf_output_open(&output, options.json))
        return TF_EXIT_USAGE;
    bool print = options.json == NULL || strcmp(options.json, "-") != 0;
    json_t *all = json_array();
    code = run_rows(&options, argc - first, argv + first, print, all);
    if (code == TF_EXIT_OK && options.json != NULL) {
        json_dumpf(all, output.file, JSON_INDENT(2));
        fputc('\n', output.file);
        if (!tf_output_commit(&output))
            code = TF_EXIT_FAILED;
    }
    tf_output_discard(&output);
    json_decref(all);
    return tf_cli_finish(code);
}
