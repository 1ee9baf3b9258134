/* SPDX-License-Identifier: Apache-2.0 */
/* `tilefarm explore` */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands/explore.h"
#include "cli/explore/asked.h"
#include "cli/explore/explain.h"
#include "cli/explore/search.h"
#include "cli/explore/shrink.h"
#include "cli/explore/strategy.h"
#include "cli/explore/trial.h"
#include "cli/file.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/process.h"
#include "cli/text.h"
#include "host/clock.h"
#include "tile/arch.h"
#include "tilefarm/tilefarm_config.h"

#define SEEDS 1000u
#define SHRINK_SECONDS 60u
#define EXPLAIN_SECONDS 60u
#define DEPTH 3u
#define SCHEDULE "tilefarm.schedule" /* the file of the failing run, unless -o names one */
#define DECISIONS_SHOWN 10u
#define ASKED_MAX (2 * TF_HUNT_WORDS_MAX)
#define CYCLES_TIMES 256u      /* cycles of a run are limited to those of the usual order, times this, */
#define CYCLES_MORE (1u << 18) /* plus this */

enum step { STEP_BASELINE, STEP_CONFLICTS, STEP_START, STEP_SEEDS, STEP_SHRINK, STEP_EXPLAIN };

static const char *const step_text[] = {
    [STEP_BASELINE] = "the usual order",
    [STEP_CONFLICTS] = "the usual order, for accesses that conflict",
    [STEP_START] = "the usual order, up to where seeds start",
    [STEP_SEEDS] = "the seeds",
    [STEP_SHRINK] = "shrinking",
    [STEP_EXPLAIN] = "the explanation",
};

struct exploration {
    struct tf_search search;
    struct tf_hunt hunt;
    struct tf_interrupt interrupt;
    struct tf_output json_output;
    const char *json, *out;
    uint64_t seeds, seconds;
    struct {
        const char *option, *value;
    } ask[ASKED_MAX]; /* values of --expect, --expect-hash and --show */
    unsigned asked;
    bool quiet, terminal, shown, from_given;
    enum step step;
    double step_began_s;
    bool none_matters; /* no other order can change anything */
    bool interrupted;  /* interrupted before the search has ended, or before the failure is explained */
    uint64_t shrink_seconds, explain_seconds;
    double shrink_until_s;
    bool shrunk;  /* no smaller set of decisions fails */
    bool printed; /* the outcomes of the seeds are printed, */
    bool named;   /* and the decisions that are left */
    struct tf_trial baseline;
    struct tf_decision *decision; /* decisions of the failing run, shrunk */
    size_t decisions, decisions_before;
    unsigned shrink_runs;
    char **text; /* text of each decision */
    struct tf_trial failing;
    struct tf_explained explained;
};

/* Options that name tiles are read after those of the run, which define the tiles. */
static bool keep(struct exploration *exploration, const char *option, const char *value)
{
    if (exploration->asked == ASKED_MAX) {
        tf_cli_error("%s: given more than %u times", option, ASKED_MAX);
        return false;
    }
    exploration->ask[exploration->asked].option = option;
    exploration->ask[exploration->asked++].value = value;
    return true;
}

static bool keep_expect(void *into, const char *option, const char *value)
{
    (void)option;
    return keep(into, "--expect", value);
}

static bool keep_expect_hash(void *into, const char *option, const char *value)
{
    (void)option;
    return keep(into, "--expect-hash", value);
}

static bool keep_show(void *into, const char *option, const char *value)
{
    (void)option;
    return keep(into, "--show", value);
}

static bool take_from(void *into, const char *option, const char *value)
{
    struct exploration *exploration = into;
    exploration->from_given = true;
    if (tf_cli_u64(value, &exploration->hunt.from) && exploration->hunt.from < UINT64_MAX / 4)
        return true;
    tf_cli_error("%s: '%s' is not a cycle number", option, value);
    return false;
}

static bool read_asked(struct exploration *exploration)
{
    bool fine = true;
    for (unsigned i = 0; i < exploration->asked && fine; i++) {
        const char *option = exploration->ask[i].option, *value = exploration->ask[i].value;
        if (strstr(option, "hash") != NULL)
            fine = tf_hunt_take_range(&exploration->hunt, option, value);
        else
            fine = tf_hunt_take_word(&exploration->hunt, option, value, strstr(option, "expect") != NULL);
    }
    return fine;
}

/* clang-format off */
#define FIELD(name_, argument_, kind_, field_, least_, most_, help_)                                                   \
    {.name = (name_), .argument = (argument_), .help = (help_), .kind = (kind_),                                       \
     .offset = offsetof(struct exploration, field_), .least = (least_), .most = (most_)}
/* clang-format on */

static const struct tf_option options[] = {
    FIELD("seeds", "N", TF_OPTION_U64, seeds, 1, UINT32_MAX,
          "number of seeds to try (default: 1000; with --time no limit)"),
    FIELD("first-seed", "N", TF_OPTION_U64, search.first_seed, 1, UINT32_MAX, "first seed to try"),
    FIELD("time", "SECONDS", TF_OPTION_U64, seconds, 1, 1000000, "time limit of the search (default: none)"),
    FIELD("strategy", "random|chaos|pct|delay-one|nops", TF_OPTION_CHOICE, hunt.strategy, TF_STRATEGY_RANDOM, 0,
          "random: delays at any place; chaos: rare, long delays, and cores that starve; pct: delays at a few places, "
          "with a known probability; delay-one: one request or response comes last; nops: cores and threads pause, and "
          "nothing overtakes"),
    FIELD("depth", "D", TF_OPTION_U32, hunt.depth, 1, 16,
          "for pct: each seed delays one core or thread from the start, and D - 1 accesses (default: 3)"),
    FIELD("shrink-time", "SECONDS", TF_OPTION_U64, shrink_seconds, 0, 1000000,
          "time limit for shrinking the decisions of a failing run"),
    FIELD("explain-time", "SECONDS", TF_OPTION_U64, explain_seconds, 0, 1000000,
          "time limit for the explanation of a failing run"),
    FIELD("all", NULL, TF_OPTION_SET, search.all, 0, 0, "try all seeds; do not stop at the first that fails"),
    FIELD("jobs", "N", TF_OPTION_U32, search.jobs, 1, 256,
          "number of chips that run side by side (default: the host's CPUs)"),
    {.name = "from",
     .argument = "CYCLE",
     .help = "keep the usual order up to this cycle (default: up to the first access whose order can matter)",
     .kind = TF_OPTION_CALL,
     .call = take_from},
    {.name = "expect",
     .argument = "[TILE:]ADDR=VALUE",
     .help = "a run fails if a word (default: of tile 0) has another value when the run ends",
     .kind = TF_OPTION_CALL,
     .call = keep_expect},
    {.name = "expect-hash",
     .argument = "TILE:ADDR:LENGTH[=HASH]",
     .help = "a run fails if memory has another hash when the run ends (default: the hash in the usual order)",
     .kind = TF_OPTION_CALL,
     .call = keep_expect_hash},
    {.name = "show",
     .argument = "[TILE:]ADDR",
     .help = "also count runs by the final value of this word; no value makes a run fail",
     .kind = TF_OPTION_CALL,
     .call = keep_show},
    {.name = "out",
     .letter = 'o',
     .argument = "FILE",
     .help = "write the decisions of the failing run to this file",
     .kind = TF_OPTION_TEXT,
     .offset = offsetof(struct exploration, out)},
    FIELD("json", "FILE|-", TF_OPTION_TEXT, json, 0, 0, "write the outcomes as JSON"),
    FIELD("quiet", NULL, TF_OPTION_SET, quiet, 0, 0, "print errors only"),
};

static const struct tf_usage usage = {
    .examples = "tilefarm explore --load B=kernel.b.elf@0-1 --seeds 1000\n",
    .synopsis = "explore [options] WORKLOAD|--load CORE=FILE[@TILES] ... [options of 'run']",
    .text = "Run a program many times, each time under another order that the chip's documents allow. Stores reach\n"
            "memory late. Loads hit stale lines of the L0 data cache. NOC requests and responses take long or\n"
            "overtake each other. Cores and coprocessor threads are slow. A number, the seed, decides all of that:\n"
            "two runs of one seed are equal, bit for bit.\n"
            "\n"
            "A run fails if it ends with a fault or a deadlock, or if it does not end. It also fails if a workload\n"
            "has wrong results, if main() returns a value other than 0, or if --expect or --expect-hash does not\n"
            "hold. The command counts the outcomes and stops at the first seed that fails. It shrinks the decisions\n"
            "of that seed to the few that matter, and explains them. It writes them to a file for 'tilefarm run\n"
            "--schedule FILE', and exits with 1. docs/explore.md has more.\n"
            "\n"
            "Example: tilefarm explore --seeds 200 --load B=send.b.elf@0-1 --expect 1:0x19000=16120\n",
    .option = options,
    .options = sizeof options / sizeof options[0],
    .operands_most = 1,
};

/* Take this command's options, and pass the others to `run`. Returns -1, or an exit code. */
static int read_options(struct exploration *exploration, int argc, char **argv)
{
    char **rest = calloc((size_t)argc + 1, sizeof *rest);
    int count = 1, first, code = -1;
    struct tf_usage both = usage;
    both.more = tf_request_options(&both.mores);
    if (rest == NULL) {
        tf_cli_error("explore: too little memory");
        return TF_EXIT_FAILED;
    }
    rest[0] = argv[0];
    for (int at = 1; at < argc && code < 0; at++)
        if (strcmp(argv[at], "-h") == 0 || strncmp(argv[at], "--help", 6) == 0)
            code = tf_cli_options(2, (char *[]){argv[0], argv[at], NULL}, &usage, exploration, &first);
    for (int at = 1; at < argc && code < 0; at++) {
        int taken = tf_cli_option_take(argc, argv, &both, exploration, &at);
        if (taken < 0)
            code = TF_EXIT_USAGE;
        else if (taken == 0)
            rest[count++] = argv[at];
    }
    if (code < 0)
        code = tf_request_read(count, rest, exploration->hunt.request);
    free(rest);
    return code;
}

static bool check_options(struct exploration *exploration)
{
    const struct tf_request *request = exploration->hunt.request;
    bool looks = request->dumps != 0 || request->map != TF_MAP_NONE;
    for (unsigned i = 0; i < TF_OUTS; i++)
        looks |= request->out[i] != NULL;
    if (!tf_schedule_check(request, "explore"))
        return false;
    if (request->job.config.threads != 0 || request->job.limit_s != 0) {
        tf_cli_error("explore cannot be combined with %s",
                     request->job.limit_s != 0 ? "--limit-seconds; --time limits the search, --limit-cycles a run"
                                               : "--threads; --jobs says how many chips run side by side");
        return false;
    }
    if (request->schedule != NULL || looks) {
        tf_cli_error("explore cannot be combined with %s; use 'tilefarm run --schedule FILE' with the file that "
                     "explore writes",
                     request->schedule != NULL ? "--schedule" : "the options that trace or draw a run");
        return false;
    }
    if (exploration->hunt.depth != 0 && exploration->hunt.strategy != TF_STRATEGY_PCT) {
        tf_cli_error("--depth needs --strategy pct");
        return false;
    }
    if (exploration->hunt.depth == 0)
        exploration->hunt.depth = DEPTH;
    if (exploration->seconds != 0 && exploration->seeds == 0)
        exploration->search.seeds = 0;
    else
        exploration->search.seeds = exploration->seeds == 0 ? SEEDS : exploration->seeds;
    exploration->search.seconds = (double)exploration->seconds;
    return read_asked(exploration);
}

/* Test whether the outputs can be written, so that an error comes before the search. */
static bool may_write(const struct exploration *exploration)
{
    struct tf_distinct files = {.count = 0};
    tf_distinct_output(&files, "--out", exploration->out);
    tf_distinct_output(&files, "--json", exploration->json);
    return tf_request_distinct(exploration->hunt.request, &files) &&
           tf_schedule_may_write(exploration->out, strcmp(exploration->out, SCHEDULE) == 0);
}

static bool shows(struct exploration *exploration)
{
    exploration->shown |= exploration->terminal && !exploration->quiet;
    return exploration->terminal && !exploration->quiet;
}

static void show_progress(void *user, uint64_t runs, double seconds)
{
    struct exploration *exploration = user;
    char done[TF_GROUPED_BYTES], at[TF_GROUPED_BYTES] = "", of[TF_GROUPED_BYTES] = "";
    uint64_t cycle = runs < exploration->search.jobs ? tf_trials_cycle(&exploration->hunt, exploration->search.jobs)
                                                     : 0;
    if (!shows(exploration))
        return;
    if (cycle != 0) /* seeds take long */
        tf_cli_progress("explore: %.0f s, %s seeds; the first are at cycle %s, the usual order has %s", seconds,
                        tf_text_grouped(runs, done), tf_text_grouped(cycle, at),
                        tf_text_grouped(exploration->hunt.baseline_cycles, of));
    else
        tf_cli_progress("explore: %.0f s, %s seeds, %.1f/s", seconds, tf_text_grouped(runs, done),
                        (double)runs / (seconds > 0 ? seconds : 1));
}

/* Show the present step, other than seeds and shrinking. */
static void show_step(void *user)
{
    struct exploration *exploration = user;
    char at[TF_GROUPED_BYTES];
    if ((exploration->step <= STEP_START || exploration->step == STEP_EXPLAIN) && shows(exploration))
        tf_cli_progress("explore: %s: %.0f s, cycle %s", step_text[exploration->step],
                        tf_seconds() - exploration->step_began_s,
                        tf_text_grouped(tf_trials_cycle(&exploration->hunt, 1), at));
}

static void begin_step(struct exploration *exploration, enum step step)
{
    exploration->step = step;
    exploration->step_began_s = tf_seconds();
    show_step(exploration);
}

/* Trials start before the cycle from which on orders matter, or at that of --from. */
static int choose_start(struct exploration *exploration)
{
    struct tf_hunt *hunt = &exploration->hunt;
    exploration->none_matters = exploration->baseline.matters == UINT64_MAX;
    uint64_t first = exploration->none_matters ? exploration->baseline.cycles : exploration->baseline.matters;
    uint64_t epochs = first / TF_EXPLORE_CYCLES;
    if (!exploration->from_given && !exploration->baseline.failed)
        hunt->from = epochs > TF_OVERRUN_EPOCHS ? (epochs - TF_OVERRUN_EPOCHS) * TF_EXPLORE_CYCLES : 0;
    begin_step(exploration, STEP_START);
    return tf_trials_advance(hunt, &exploration->baseline);
}

/* Run without decisions: its length limits the other runs, and its memory is their reference. */
static int run_default_order(struct exploration *exploration)
{
    struct tf_hunt *hunt = &exploration->hunt;
    const struct tf_explore explore = {.scheduled = true,
                                       .notes = hunt->strategy == TF_STRATEGY_PCT ||
                                                hunt->strategy == TF_STRATEGY_DELAY_ONE};
    hunt->seeks = true;
    begin_step(exploration, STEP_BASELINE);
    int code = tf_trial_run(hunt, &explore, &exploration->baseline, true);
    hunt->seeks = false;
    if (code < 0)
        code = choose_start(exploration);
    bool taken = tf_hunt_take_places(hunt, exploration->baseline.decision, exploration->baseline.decisions);
    free(exploration->baseline.decision);
    exploration->baseline.decision = NULL;
    if (code >= 0)
        return code;
    if (!taken) {
        tf_cli_error("explore: too little memory");
        return TF_EXIT_FAILED;
    }
    hunt->baseline_cycles = exploration->baseline.cycles;
    if (hunt->strategy == TF_STRATEGY_PCT && !exploration->baseline.failed) {
        const struct tf_explore none = {.scheduled = true};
        const struct tf_trial_looks looks = {.check = true, .after = tf_hunt_keep_conflicts, .user = hunt};
        struct tf_trial trial;
        begin_step(exploration, STEP_CONFLICTS);
        code = tf_trial_run_in_process(hunt, &none, &trial, &looks);
        free(trial.decision);
        if (code >= 0)
            return code;
    }
    hunt->limit_cycles = hunt->request->job.run.cycles_max;
    if (hunt->limit_cycles == 0)
        hunt->limit_cycles = exploration->baseline.cycles * CYCLES_TIMES + CYCLES_MORE;
    for (unsigned i = 0; i < hunt->ranges; i++)
        if (!hunt->range[i].expected) {
            hunt->range[i].expected = true;
            hunt->range[i].hash = exploration->baseline.range_hash[i];
        }
    if (exploration->search.seeds > tf_hunt_seeds(hunt) ||
        (exploration->search.seeds == 0 && hunt->strategy == TF_STRATEGY_DELAY_ONE))
        exploration->search.seeds = tf_hunt_seeds(hunt);
    return -1;
}

/* Compare decisions by the order of tf_chip_decisions(). */
static int by_place(const void *a, const void *b)
{
    const struct tf_decision *x = a, *y = b;
    const uint32_t of_x[] = {x->freedom, x->tile, x->actor, x->ordinal};
    const uint32_t of_y[] = {y->freedom, y->tile, y->actor, y->ordinal};
    for (unsigned i = 0; i < sizeof of_x / sizeof of_x[0]; i++)
        if (of_x[i] != of_y[i])
            return of_x[i] < of_y[i] ? -1 : 1;
    return 0;
}

/* Take the places of the decisions that are left from the run that made them, and write them as text. */
static void name_decisions(struct exploration *exploration, const struct tf_trial *made)
{
    exploration->text = calloc(exploration->decisions + 1, sizeof *exploration->text);
    for (size_t i = 0; exploration->text != NULL && i < exploration->decisions; i++) {
        struct tf_decision *decision = &exploration->decision[i];
        const struct tf_decision *known = bsearch(decision, made->decision, made->decisions, sizeof *known, by_place);
        if (known == NULL)
            continue;
        exploration->text[i] = tf_explain_decision(&exploration->hunt.start->session, known);
        *decision = *known;
    }
}

static bool go_on_shrinking(void *user, size_t decisions, unsigned runs)
{
    struct exploration *exploration = user;
    exploration->shrunk = tf_seconds() < exploration->shrink_until_s;
    if (shows(exploration))
        tf_cli_progress("explore: seed %llu fails; shrinking: %zu decisions left after %u runs",
                        (unsigned long long)exploration->search.failing_seed, decisions, runs);
    return exploration->shrunk;
}

/* Run the shrunk decisions once more, for their places and the hash of the state. */
static int confirm(struct exploration *exploration)
{
    const struct tf_explore explore = {.scheduled = true,
                                       .decision = exploration->decision,
                                       .decisions = exploration->decisions};
    int code = tf_trial_run(&exploration->hunt, &explore, &exploration->failing, true);
    if (code < 0)
        name_decisions(exploration, &exploration->failing);
    free(exploration->failing.decision);
    exploration->failing.decision = NULL;
    return code;
}

static bool write_schedule(const struct exploration *exploration)
{
    const struct tf_explore explore = {.scheduled = true,
                                       .decision = exploration->decision,
                                       .decisions = exploration->decisions};
    uint64_t program = tf_schedule_program(exploration->hunt.request);
    return program != 0 && tf_schedule_write(exploration->out, program, &explore, exploration->text,
                                             exploration->hunt.limit_cycles, exploration->failing.hash);
}

/* Run the first failing seed a second time to get its decisions. Then shrink and write them. After a signal, write the
   decisions that are left. */
static int shrink(struct exploration *exploration)
{
    const struct tf_hunt *hunt = &exploration->hunt;
    const struct tf_shrink_ways ways = {.go_on = go_on_shrinking, .user = exploration};
    struct tf_explore explore;
    struct tf_trial trial;
    exploration->shrunk = true;
    exploration->shrink_until_s = tf_seconds() + (double)exploration->shrink_seconds;
    if (!tf_hunt_explore(hunt, exploration->search.failing_seed, &explore)) {
        tf_cli_error("explore: too little memory");
        return TF_EXIT_FAILED;
    }
    begin_step(exploration, STEP_SHRINK);
    int code = tf_trial_run(hunt, &explore, &trial, false);
    free((void *)explore.decision);
    exploration->decision = trial.decision;
    exploration->decisions = exploration->decisions_before = trial.decisions;
    if (code < 0)
        code = tf_hunt_shrink(hunt, &exploration->decision, &exploration->decisions, &exploration->shrink_runs, &ways);
    exploration->shrunk &= code < 0;
    if (code < 0)
        code = confirm(exploration);
    exploration->interrupted = code == TF_EXIT_INTERRUPTED;
    if (code >= 0 && (!exploration->interrupted || exploration->decision == NULL))
        return code;
    return write_schedule(exploration) ? code : TF_EXIT_FAILED;
}

/* Write a schedule without decisions, because the run fails without any. */
static int write_default_order(struct exploration *exploration)
{
    exploration->failing = exploration->baseline;
    return write_schedule(exploration) ? -1 : TF_EXIT_FAILED;
}

/* Print the probability that a seed of pct finds a bug of the given depth. */
static void print_bound(const struct tf_hunt *hunt)
{
    struct tf_places_count count;
    tf_places_count(hunt->places, &count);
    double bound = count.actors == 0 ? 1 : 1.0 / count.actors;
    if (hunt->strategy != TF_STRATEGY_PCT || count.places == 0)
        return;
    for (unsigned i = 1; i < hunt->depth; i++)
        bound /= (double)count.places;
    printf("  pct: %u actors, %zu places%s (of %zu), depth %u; a seed makes a given choice with probability %.2g\n",
           count.actors, count.places,
           count.places < count.all ? " whose accesses conflict" : ", as no accesses conflict", count.all, hunt->depth,
           bound);
}

/* The seed that fails, and how many of its decisions are left. */
static void print_failure(const struct exploration *exploration)
{
    const size_t before = exploration->decisions_before, left = exploration->decisions;
    const char *matter = left == 1 ? "matters" : "matter", *were = left == 1 ? "was" : "were";
    char seed[TF_GROUPED_BYTES];
    printf("Seed %s fails. Of its %zu decision%s, %zu ", tf_text_grouped(exploration->search.failing_seed, seed),
           before, before == 1 ? "" : "s", left);
    if (exploration->shrunk)
        printf("%s", matter);
    else if (exploration->interrupted && exploration->step == STEP_SHRINK)
        printf("%s left when the search was interrupted", were);
    else
        printf("%s left when --shrink-time was over", were);
    printf(", after %u run%s:\n", exploration->shrink_runs, exploration->shrink_runs == 1 ? "" : "s");
}

/* Does the report go to standard output? */
static bool prints_report(const struct exploration *exploration)
{
    return !exploration->quiet && (exploration->json == NULL || strcmp(exploration->json, "-") != 0);
}

/* The outcomes of the seeds. */
static void report_seeds(const struct exploration *exploration)
{
    const struct tf_search *search = &exploration->search;
    char runs[TF_GROUPED_BYTES], number[TF_GROUPED_BYTES], first[TF_GROUPED_BYTES];
    double rate = (double)search->runs / (search->wall_s > 0 ? search->wall_s : 1);
    printf("explore: %s seeds in %.1f s, %.*f a second, %u jobs%s\n", tf_text_grouped(search->runs, runs),
           search->wall_s, rate < 10 ? 2 : 0, rate, search->jobs, search->interrupted ? ", interrupted" : "");
    if (exploration->hunt.from != 0)
        printf("  from cycle %s on%s\n", tf_text_grouped(exploration->hunt.from, first),
               exploration->from_given     ? ""
               : exploration->none_matters ? ", its end: no other order can matter"
                                           : ": before it, no other order can matter");
    print_bound(&exploration->hunt);
    printf("  %12s  %10s  outcome\n", "runs", "first seed");
    for (unsigned i = 0; i < search->lines; i++)
        printf("%c %12s  %10s  %s\n", search->line[i].failed ? '*' : ' ', tf_text_grouped(search->line[i].runs, number),
               tf_text_grouped(search->line[i].first_seed, first), search->line[i].outcome);
}

/* The decisions that are left, and the file that has them. */
static void report_decisions(const struct exploration *exploration)
{
    print_failure(exploration);
    for (size_t i = 0; i < exploration->decisions && i < DECISIONS_SHOWN; i++)
        printf("  %s\n", exploration->text != NULL && exploration->text[i] != NULL ? exploration->text[i] : "?");
    if (exploration->decisions > DECISIONS_SHOWN)
        printf("  and %zu more, in the file\n", exploration->decisions - DECISIONS_SHOWN);
    if (exploration->failing.hash == 0) {
        printf("They are in %s, without an explanation: interrupted in %s.\n", exploration->out,
               step_text[exploration->step]);
        return;
    }
    printf("  usual order: %s\n  this order:  %s\n", exploration->baseline.outcome, exploration->failing.outcome);
    printf("They are in %s: 'tilefarm run ... --schedule %s' ends with the state hash %016llx.\n", exploration->out,
           exploration->out, (unsigned long long)exploration->failing.hash);
}

static void report_explanation(const struct exploration *exploration)
{
    const struct tf_explained *explained = &exploration->explained;
    if (explained->text != NULL)
        fputs(explained->text, stdout);
    if (explained->cut)
        printf("explore: the explanation is cut after %llu s; --explain-time gives it more\n",
               (unsigned long long)exploration->explain_seconds);
    if (exploration->interrupted)
        printf("explore: interrupted in %s\n", step_text[exploration->step]);
}

/* What is not printed yet. */
static void report(const struct exploration *exploration)
{
    const struct tf_search *search = &exploration->search;
    if (exploration->baseline.failed) {
        printf(
            "explore: the usual order fails: %s\n"
            "No other order was run, and %s has no decisions. 'tilefarm run' reports a fault or a deadlock in full.\n",
            exploration->baseline.outcome, exploration->out);
        return;
    }
    if (exploration->interrupted && exploration->step < STEP_SEEDS) {
        printf("explore: interrupted in %s, before the first seed\n", step_text[exploration->step]);
        return;
    }
    if (!exploration->printed)
        report_seeds(exploration);
    if (!search->failed || search->interrupted)
        return;
    if (!exploration->named)
        report_decisions(exploration);
    if (exploration->failing.hash != 0)
        report_explanation(exploration);
}

static json_t *json_of(const struct exploration *exploration)
{
    const struct tf_search *search = &exploration->search;
    json_t *outcomes = json_array();
    for (unsigned i = 0; i < search->lines; i++)
        json_array_append_new(outcomes, json_pack("{s:s, s:b, s:I, s:I}", "outcome", search->line[i].outcome, "failed",
                                                  (int)search->line[i].failed, "runs", (json_int_t)search->line[i].runs,
                                                  "first_seed", (json_int_t)search->line[i].first_seed));
    json_t *object = json_pack("{s:s, s:s, s:I, s:I, s:f, s:I, s:b, s:b, s:o}", "command", "explore", "program",
                               tf_job_name(&exploration->hunt.request->job), "seeds", (json_int_t)search->runs,
                               "from_cycle", (json_int_t)exploration->hunt.from, "wall_s", search->wall_s, "jobs",
                               (json_int_t)search->jobs, "interrupted", (int)exploration->interrupted, "failed",
                               (int)(search->failed || exploration->baseline.failed), "outcomes", outcomes);
    if (object == NULL || !(search->failed || exploration->baseline.failed) || search->interrupted)
        return object;
    char hash[17];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)exploration->failing.hash);
    json_t *decisions = json_array();
    for (size_t i = 0; i < exploration->decisions; i++)
        json_array_append_new(decisions, json_string(exploration->text != NULL && exploration->text[i] != NULL
                                                         ? exploration->text[i]
                                                         : ""));
    json_object_set_new(object, "failing_seed", json_integer((json_int_t)search->failing_seed));
    json_object_set_new(object, "decisions_before", json_integer((json_int_t)exploration->decisions_before));
    json_object_set_new(object, "shrunk", json_boolean(exploration->shrunk));
    json_object_set_new(object, "decisions", decisions);
    json_object_set_new(object, "schedule", json_string(exploration->out));
    if (exploration->failing.hash != 0)
        json_object_set_new(object, "state_hash", json_string(hash));
    json_object_set_new(object, "explanation_cut", json_boolean(exploration->explained.cut));
    if (exploration->explained.json != NULL)
        json_object_update(object, exploration->explained.json);
    return object;
}

static bool write_json(struct exploration *exploration)
{
    if (exploration->json == NULL)
        return true;
    json_t *object = json_of(exploration);
    FILE *file = exploration->json_output.file;
    bool written = object != NULL && json_dumpf(object, file, JSON_INDENT(2)) == 0 && fputc('\n', file) != EOF;
    if (!written)
        tf_cli_error("the JSON report cannot be written");
    json_decref(object);
    return written && tf_interrupt_commit(&exploration->interrupt);
}

/* Print a part of the report now, since shrinking and explaining may take long. */
static void tell(struct exploration *exploration, void (*part)(const struct exploration *exploration), bool *done)
{
    if (!prints_report(exploration))
        return;
    if (exploration->shown)
        tf_cli_progress_end();
    part(exploration);
    fflush(stdout);
    *done = true;
}

/* Run the seeds; shrink and explain a failing run. Returns -1, or an exit code as tf_trial_run(). */
static int search(struct exploration *exploration)
{
    struct tf_search *search = &exploration->search;
    search->hunt = &exploration->hunt;
    search->interrupt = &exploration->interrupt;
    search->progress = show_progress;
    search->user = exploration;
    begin_step(exploration, STEP_SEEDS);
    int code = tf_search_run(search);
    if (code < 0 && search->interrupted)
        code = TF_EXIT_INTERRUPTED;
    if (code >= 0 || !search->failed)
        return code;
    tell(exploration, report_seeds, &exploration->printed);
    code = shrink(exploration);
    if (code >= 0)
        return code;
    tell(exploration, report_decisions, &exploration->named);
    begin_step(exploration, STEP_EXPLAIN);
    return tf_explain_apart(&exploration->hunt, exploration->decision, exploration->decisions,
                            (double)exploration->explain_seconds, &exploration->explained);
}

/* Returns an exit code. */
static int explore(struct exploration *exploration)
{
    const struct tf_search *found = &exploration->search;
    exploration->hunt.interrupt = &exploration->interrupt;
    exploration->hunt.waits = show_step;
    exploration->hunt.user = exploration;
    int code = tf_trials_begin(&exploration->hunt);
    if (code < 0)
        code = tf_trial_check_memory(&exploration->hunt);
    if (code < 0)
        code = run_default_order(exploration);
    if (code < 0)
        code = exploration->baseline.failed ? write_default_order(exploration) : search(exploration);
    if (exploration->shown)
        tf_cli_progress_end();
    if (code == TF_EXIT_INTERRUPTED) {
        exploration->interrupted = true;
        code = -1;
    }
    if (code >= 0)
        return code;
    if (prints_report(exploration))
        report(exploration);
    if (!write_json(exploration))
        return TF_EXIT_FAILED;
    if (exploration->baseline.failed)
        return TF_EXIT_FAILED;
    return exploration->interrupted ? TF_EXIT_INTERRUPTED : found->failed ? TF_EXIT_FAILED : TF_EXIT_OK;
}

static void free_all(struct exploration *exploration)
{
    for (size_t i = 0; exploration->text != NULL && i < exploration->decisions; i++)
        free(exploration->text[i]);
    free(exploration->text);
    free(exploration->decision);
    tf_trials_end(&exploration->hunt);
    tf_places_destroy(exploration->hunt.places);
    tf_explained_free(&exploration->explained);
    tf_request_free(exploration->hunt.request);
    free(exploration->hunt.request);
    free(exploration);
}

int tf_cli_explore(int argc, char **argv)
{
    struct exploration *exploration = calloc(1, sizeof *exploration);
    struct tf_request *request = calloc(1, sizeof *request);
    if (exploration == NULL || request == NULL) {
        tf_cli_error("too little memory");
        free(exploration);
        free(request);
        return TF_EXIT_FAILED;
    }
    exploration->hunt.request = request;
    exploration->out = SCHEDULE;
    exploration->search.first_seed = 1;
    exploration->shrink_seconds = SHRINK_SECONDS;
    exploration->explain_seconds = EXPLAIN_SECONDS;
    exploration->search.jobs = tf_process_cpus();
    exploration->terminal = isatty(STDERR_FILENO) == 1;
    int code = read_options(exploration, argc, argv);
    if (code < 0 && (!check_options(exploration) || !may_write(exploration) ||
                     !tf_request_open_suppressions(exploration->hunt.request)))
        code = TF_EXIT_USAGE;
    if (code < 0)
        code = tf_request_load(request);
    if (code < 0 && !tf_interrupt_start(&exploration->interrupt, &exploration->json_output, exploration->json != NULL))
        code = TF_EXIT_FAILED;
    if (code < 0 && exploration->json != NULL &&
        !tf_interrupt_open(&exploration->interrupt, &exploration->json_output, exploration->json))
        code = TF_EXIT_USAGE;
    if (code < 0)
        code = explore(exploration);
    code = tf_interrupt_end(&exploration->interrupt, code);
    tf_output_discard(&exploration->json_output);
    free_all(exploration);
    return tf_cli_finish(code);
}
