/* SPDX-License-Identifier: Apache-2.0 */
/* `tilefarm litmus` */
#include <jansson.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands/litmus.h"
#include "cli/file.h"
#include "cli/guess.h"
#include "cli/interrupt.h"
#include "cli/litmus/litmus.h"
#include "cli/litmus/run.h"
#include "cli/litmus/tests.h"
#include "cli/options/options.h"
#include "cli/process.h"
#include "cli/text.h"
#include "cli/options/wrap.h"
#include "host/clock.h"

#define SEEDS 600u
#define JOBS_MAX 64u

struct options {
    uint64_t seeds;
    unsigned jobs;
    const char *json;
    bool list, markdown, quiet;
};

/* The list of tests that workers share. */
struct litmus_run {
    struct options options;
    const struct tf_litmus **test;
    struct tf_litmus_result *result;
    unsigned tests, next;
    bool terminal; /* progress is shown */
    pthread_mutex_t lock;
    struct tf_interrupt interrupt;
    struct tf_output output;
    double wall_s;
};

/* clang-format off */
#define FIELD(name_, argument_, kind_, field_, least_, most_, help_)                                                   \
    {.name = (name_), .argument = (argument_), .help = (help_), .kind = (kind_),                                       \
     .offset = offsetof(struct options, field_), .least = (least_), .most = (most_)}
/* clang-format on */

static const struct tf_option list[] = {
    FIELD("seeds", "N", TF_OPTION_U64, seeds, 3, 1000000, "number of orders to try for each test"),
    FIELD("jobs", "N", TF_OPTION_U32, jobs, 1, JOBS_MAX,
          "number of tests that run side by side (default: the host's CPUs)"),
    FIELD("list", NULL, TF_OPTION_SET, list, 0, 0, "list the tests and end"),
    FIELD("markdown", NULL, TF_OPTION_SET, markdown, 0, 0, "print the table of docs/litmus.md"),
    FIELD("json", "FILE|-", TF_OPTION_TEXT, json, 0, 0, "write the outcomes as JSON"),
    FIELD("quiet", NULL, TF_OPTION_SET, quiet, 0, 0, "print failures only"),
};

static const struct tf_usage usage = {
    .examples = "tilefarm litmus\n",
    .synopsis = "litmus [TEST...] [options]",
    .text =
        "Run litmus tests of Blackhole's memory model. Each is a short program of a few cores. Its outcome is the "
        "values\n"
        "that the cores load; the chip's documents allow some outcomes and forbid the others. A test runs under many\n"
        "orders, as 'tilefarm explore' makes them, and eight times each in deterministic and in relaxed mode. It\n"
        "passes if each allowed outcome occurs under these orders, and no forbidden one in any mode. 'run --check'\n"
        "must name a race where the documents leave an order open, and nothing where they do not. Without TEST, all\n"
        "tests run. docs/litmus.md has the programs, their outcomes, and the sentences of the documents.\n",
    .option = list,
    .options = sizeof list / sizeof list[0],
    .operands_most = 1000,
};

static void *work(void *context)
{
    struct litmus_run *run = context;
    for (;;) {
        pthread_mutex_lock(&run->lock);
        unsigned number = run->next++;
        if (run->terminal && number < run->tests)
            tf_cli_progress("litmus: test %u of %u: %s", number + 1, run->tests, run->test[number]->name);
        pthread_mutex_unlock(&run->lock);
        if (number >= run->tests || tf_interrupt_received(&run->interrupt))
            return NULL;
        tf_litmus_run(run->test[number], run->options.seeds, &run->interrupt, &run->result[number]);
        run->result[number].complete = !tf_interrupt_received(&run->interrupt);
    }
}

static bool passes(const struct tf_litmus *test, const struct tf_litmus_result *result)
{
    return result->error == NULL && !result->forbidden && result->reached == result->wanted &&
           result->racy == tf_litmus_has_race(test);
}

static int print_list(void)
{
    for (unsigned i = 0; i < tf_litmus_count; i++) {
        printf("%-24s ", tf_litmus_tests[i].name);
        tf_wrap_line(25, 2, tf_litmus_tests[i].about);
    }
    return tf_cli_finish(TF_EXIT_OK);
}

/* Print outcomes with a comma in place of '|'. */
static void print_outcomes(const char *outcomes)
{
    for (; *outcomes != '\0'; outcomes++)
        if (*outcomes == '|')
            printf(", ");
        else
            putchar(*outcomes);
}

static void print_escaped(const char *text)
{
    for (; *text != '\0'; text++)
        printf(*text == '|' ? "\\%c" : "%c", *text);
}

static void print_markdown(const struct litmus_run *run)
{
    printf(
        "| test | actors | outcomes that came: all that are allowed | `--check` | source |\n|---|---|---|---|---|\n");
    for (unsigned i = 0; i < run->tests; i++) {
        const struct tf_litmus *test = run->test[i];
        printf("| `%s` | ", test->name);
        print_escaped(test->about);
        printf(" | ");
        print_outcomes(test->allowed);
        printf("%s | %s | %s |\n", passes(test, &run->result[i]) ? "" : " (FAILS)",
               run->result[i].racy ? "race" : "silent", test->page);
    }
}

static void print_result(const struct tf_litmus *test, const struct tf_litmus_result *result)
{
    printf("%-6s %-24s %s\n", passes(test, result) ? "ok" : "FAILED", test->name, test->about);
    if (result->error != NULL)
        printf("       %s\n", result->error);
    for (unsigned i = 0; i < result->outcomes; i++)
        printf("       %c %-12s %8llu %6llu %6llu\n", result->outcome[i].allowed ? ' ' : '*', result->outcome[i].text,
               (unsigned long long)result->outcome[i].runs[0], (unsigned long long)result->outcome[i].runs[1],
               (unsigned long long)result->outcome[i].runs[2]);
    if (result->racy != tf_litmus_has_race(test))
        printf("       'run --check' names %s\n", result->racy ? "a race, but nothing is left open" : "no race");
    if (result->forbidden)
        printf("       forbidden, first with seed %llu. %s\n", (unsigned long long)result->forbidden_seed, test->page);
    if (result->reached < result->wanted)
        printf("       of the allowed outcomes %s, only %u occurred\n", test->allowed, result->reached);
}

static bool write_json(struct litmus_run *run)
{
    if (run->options.json == NULL)
        return true;
    json_t *tests = json_array();
    for (unsigned i = 0; i < run->tests; i++) {
        const struct tf_litmus_result *result = &run->result[i];
        if (!result->complete)
            continue;
        json_t *outcomes = json_array();
        for (unsigned k = 0; k < result->outcomes; k++)
            json_array_append_new(outcomes,
                                  json_pack("{s:s, s:b, s:I, s:I, s:I}", "outcome", result->outcome[k].text, "allowed",
                                            (int)result->outcome[k].allowed, "explore",
                                            (json_int_t)result->outcome[k].runs[TF_LITMUS_EXPLORE], "deterministic",
                                            (json_int_t)result->outcome[k].runs[TF_LITMUS_DETERMINISTIC], "relaxed",
                                            (json_int_t)result->outcome[k].runs[TF_LITMUS_RELAXED]));
        json_array_append_new(tests, json_pack("{s:s, s:s, s:s, s:s, s:b, s:b, s:o}", "name", run->test[i]->name,
                                               "about", run->test[i]->about, "allowed", run->test[i]->allowed, "source",
                                               run->test[i]->page, "race", (int)result->racy, "passed",
                                               (int)passes(run->test[i], result), "outcomes", outcomes));
    }
    json_t *object = json_pack("{s:s, s:I, s:f, s:b, s:o}", "command", "litmus", "seeds",
                               (json_int_t)run->options.seeds, "wall_s", run->wall_s, "interrupted",
                               (int)tf_interrupt_received(&run->interrupt), "tests", tests);
    bool written = object != NULL && json_dumpf(object, run->output.file, JSON_INDENT(2)) == 0 &&
                   fputc('\n', run->output.file) != EOF;
    if (!written)
        tf_cli_error("the JSON report cannot be written");
    json_decref(object);
    return written && tf_interrupt_commit(&run->interrupt);
}

static int report(struct litmus_run *run)
{
    unsigned failed = 0;
    bool to_standard_output = run->options.json != NULL && strcmp(run->options.json, "-") == 0;
    bool interrupted = tf_interrupt_received(&run->interrupt);
    if (run->options.markdown && !interrupted)
        print_markdown(run);
    else if (!to_standard_output && !run->options.quiet && !interrupted)
        printf("litmus: each outcome, and how often it occurred in explore, deterministic and relaxed mode\n");
    for (unsigned i = 0; i < run->tests && !interrupted; i++) {
        failed += !passes(run->test[i], &run->result[i]);
        if (!run->options.markdown && !to_standard_output &&
            (!run->options.quiet || !passes(run->test[i], &run->result[i])))
            print_result(run->test[i], &run->result[i]);
    }
    if (interrupted && !to_standard_output)
        printf("litmus: interrupted after %.1f s, before all tests had run\n", run->wall_s);
    else if (!run->options.markdown && !to_standard_output && !run->options.quiet)
        printf("%u of %u tests passed, in %.1f s\n", run->tests - failed, run->tests, run->wall_s);
    if (!write_json(run))
        return TF_EXIT_FAILED;
    return interrupted ? TF_EXIT_INTERRUPTED : failed != 0 ? TF_EXIT_FAILED : TF_EXIT_OK;
}

/* Select the tests that are named, or all if none is. Returns false after an error line. */
static bool choose(struct litmus_run *run, int names, char **name)
{
    for (int i = 0; i < names; i++) {
        struct tf_guess guess = {.given = name[i], .prefix = ""};
        char meant[TF_GUESS_BYTES];
        unsigned at = 0;
        for (; at < tf_litmus_count && strcmp(tf_litmus_tests[at].name, name[i]) != 0; at++)
            tf_guess_offer(&guess, tf_litmus_tests[at].name);
        if (at == tf_litmus_count) {
            tf_cli_error("litmus: no test '%s'%s; see 'tilefarm litmus --list'", name[i], tf_guess_text(&guess, meant));
            return false;
        }
        run->test[run->tests++] = &tf_litmus_tests[at];
    }
    for (unsigned i = 0; i < tf_litmus_count && names == 0; i++)
        run->test[run->tests++] = &tf_litmus_tests[i];
    return true;
}

static void run_all(struct litmus_run *run)
{
    pthread_t thread[JOBS_MAX];
    unsigned started = 0;
    double began_s = tf_seconds();
    run->terminal = isatty(STDERR_FILENO) == 1;
    while (started + 1 < run->options.jobs && pthread_create(&thread[started], NULL, work, run) == 0)
        started++;
    work(run);
    for (unsigned i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    if (run->terminal)
        tf_cli_progress_end();
    run->wall_s = tf_seconds() - began_s;
}

static unsigned host_cpus(void)
{
    unsigned cpus = tf_process_cpus();
    return cpus < JOBS_MAX ? cpus : JOBS_MAX;
}

int tf_cli_litmus(int argc, char **argv)
{
    struct litmus_run run = {.options = {.seeds = SEEDS, .jobs = host_cpus()}, .lock = PTHREAD_MUTEX_INITIALIZER};
    int first, code = tf_cli_options(argc, argv, &usage, &run.options, &first);
    if (code >= 0)
        return code;
    if (run.options.list)
        return print_list();
    run.test = calloc((size_t)(argc - first) + tf_litmus_count, sizeof(const struct tf_litmus *));
    run.result = calloc((size_t)(argc - first) + tf_litmus_count, sizeof *run.result);
    if (run.test == NULL || run.result == NULL) {
        tf_cli_error("litmus: too little memory");
        code = TF_EXIT_FAILED;
    }
    if (code < 0 && !choose(&run, argc - first, argv + first))
        code = TF_EXIT_USAGE;
    if (code < 0 && !tf_interrupt_start(&run.interrupt, &run.output, run.options.json != NULL))
        code = TF_EXIT_FAILED;
    if (code < 0 && run.options.json != NULL && !tf_interrupt_open(&run.interrupt, &run.output, run.options.json))
        code = TF_EXIT_USAGE;
    if (code < 0) {
        run_all(&run);
        code = report(&run);
    }
    code = tf_interrupt_end(&run.interrupt, code);
    tf_output_discard(&run.output);
    free(run.test);
    free(run.result);
    return tf_cli_finish(code);
}
