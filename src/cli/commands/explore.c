/* SPDX-License-Identifier: Apache-2.0 */
/* `tilefarm explore` */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands/explore.h"
#include "cli/commands/systems/spread.h"
#include "cli/explore/asked.h"
#include "cli/explore/corpus.h"
#include "cli/explore/explain.h"
#include "cli/explore/apart.h"
#include "cli/explore/orders.h"
#include "cli/explore/report.h"
#include "cli/explore/search.h"
#include "cli/explore/shrink.h"
#include "cli/explore/strategy.h"
#include "cli/explore/trial.h"
#include "cli/file.h"
#include "cli/interrupt.h"
#include "cli/options/options.h"
#include "cli/process.h"
#include "cli/request/command_line.h"
#include "cli/request/files.h"
#include "cli/request/loads.h"
#include "cli/text.h"
#include "host/clock.h"
#include "tile/arch.h"

#define SEEDS 1000u
#define SHRINK_SECONDS 60u
#define EXPLAIN_SECONDS 60u
#define DEPTH 3u
#define SCHEDULE "tilefarm.schedule" /* the file of the failing run, unless -o names one */
#define CYCLES_TIMES 256u            /* cycles of a run are limited to those of the usual order, times this, */
#define CYCLES_MORE (1u << 18)       /* plus this */

/* Options that name tiles are read after those of the run, which define the tiles. */
static bool keep(struct tf_exploration *exploration, const char *option, const char *value)
{
    if (exploration->asked == TF_ASKED_MAX) {
        tf_cli_error("%s: given more than %u times", option, TF_ASKED_MAX);
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
    struct tf_exploration *exploration = into;
    exploration->from_given = true;
    if (tf_cli_u64(value, &exploration->hunt.from) && exploration->hunt.from < UINT64_MAX / 4)
        return true;
    tf_cli_error("%s: '%s' is not a cycle number", option, value);
    return false;
}

static bool read_asked(struct tf_exploration *exploration)
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
     .offset = offsetof(struct tf_exploration, field_), .least = (least_), .most = (most_)}
/* clang-format on */

static const struct tf_option options[] = {
    FIELD("seeds", "N", TF_OPTION_U64, seeds, 1, UINT32_MAX,
          "number of seeds to try (default: 1000; with --time no limit)"),
    FIELD("first-seed", "N", TF_OPTION_U64, search.first_seed, 1, UINT32_MAX, "first seed to try"),
    FIELD("time", "SECONDS", TF_OPTION_SECONDS, seconds, 0, 1000000,
          "time limit of the usual order and the seeds together (default: none)"),
    FIELD("strategy", "random|chaos|pct|delay-one|nops|nop-sites|each", TF_OPTION_CHOICE, hunt.strategy,
          TF_STRATEGY_RANDOM, 0,
          "random: delays at any place; chaos: rare, long delays, and cores that starve; pct: delays at a few places, "
          "with a known probability; delay-one: one request or response comes last; nops: cores and threads pause, and "
          "nothing overtakes; nop-sites: an instruction of a coprocessor thread waits each time; each: seeds take "
          "random, chaos and pct in turn"),
    FIELD("depth", "D", TF_OPTION_U32, hunt.depth, 1, 16,
          "for pct: each seed delays one core or thread from the start, and D - 1 accesses (default: 3)"),
    FIELD("shrink-time", "SECONDS", TF_OPTION_U64, shrink_seconds, 0, 1000000,
          "time limit for shrinking the decisions of a failing run"),
    FIELD("explain-time", "SECONDS", TF_OPTION_U64, explain_seconds, 0, 1000000,
          "time limit for the explanation of a failing run"),
    FIELD("all", NULL, TF_OPTION_SET, search.all, 0, 0, "try all seeds; do not stop at the first that fails"),
    FIELD("orders", NULL, TF_OPTION_SET, ordered, 0, 0,
          "say which pairs of accesses that nothing orders came in both orders; a seed takes about twice as long"),
    FIELD("corpus", "DIR", TF_OPTION_TEXT, corpus.folder, 0, 0,
          "replay the schedules of this folder first, and keep there each schedule that fails or shows a new order"),
    FIELD("jobs", "N", TF_OPTION_U32, search.jobs, 1, 256,
          "number of chips that run side by side (default: the host's CPUs)"),
    {.name = "from",
     .argument = "CYCLE",
     .help = "keep the usual order up to this cycle (default: up to the first access whose order can matter)",
     .kind = TF_OPTION_CALL,
     .call = take_from},
    {.name = "expect",
     .argument = "[TILE:]ADDR=VALUE",
     .help = "a run fails if a word (default: of tile 0) has another value when the run ends; with --system, "
             "CHIP:TILE:ADDR=VALUE",
     .kind = TF_OPTION_CALL,
     .call = keep_expect},
    {.name = "expect-hash",
     .argument = "TILE:ADDR:LENGTH[=HASH]",
     .help = "a run fails if memory has another hash when the run ends (default: the hash in the usual order); with "
             "--system, CHIP:TILE:ADDR:LENGTH[=HASH]",
     .kind = TF_OPTION_CALL,
     .call = keep_expect_hash},
    {.name = "show",
     .argument = "[TILE:]ADDR",
     .help =
         "also count runs by the final value of this word; no value makes a run fail; with --system, CHIP:TILE:ADDR",
     .kind = TF_OPTION_CALL,
     .call = keep_show},
    {.name = "out",
     .letter = 'o',
     .argument = "FILE",
     .help = "write the decisions of the failing run to this file",
     .kind = TF_OPTION_TEXT,
     .offset = offsetof(struct tf_exploration, out)},
    FIELD("afresh", NULL, TF_OPTION_SET, hunt.afresh, 0, 0,
          "run each seed in a process of its own, as on a host before Linux 6.7"),
    FIELD("json", "FILE|-", TF_OPTION_TEXT, json, 0, 0, "write the outcomes as JSON"),
    FIELD("quiet", NULL, TF_OPTION_SET, quiet, 0, 0, "print errors only"),
};

static const struct tf_usage usage = {
    .examples = "tilefarm explore --load B=kernel.b.elf@0-1 --seeds 1000\n"
                "tilefarm explore --system n300 eth-ping --seeds 100\n",
    .synopsis = "explore [options] WORKLOAD|--load CORE=FILE[@TILES] ... [options of 'run']",
    .text = "Run a program many times, each time under another order that the chip's documents allow. Stores reach\n"
            "memory late. Loads hit stale lines of the L0 data cache. NOC requests and responses take long or\n"
            "overtake each other. Cores and coprocessor threads are slow. With --system, packets of links come late,\n"
            "or are lost and sent again. A number, the seed, decides all of that: two runs of one seed are equal,\n"
            "bit for bit.\n"
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
static int read_options(struct tf_exploration *exploration, int argc, char **argv)
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

static bool check_options(struct tf_exploration *exploration)
{
    const struct tf_request *request = exploration->hunt.request;
    bool looks = request->dumps != 0 || request->map != TF_MAP_NONE;
    for (unsigned i = 0; i < TF_OUTS; i++)
        looks |= request->out[i] != NULL;
    if (!tf_schedule_check(request, "explore"))
        return false;
    if (tf_job_threads(&request->job) != 0 || request->job.limit_s != 0) {
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
    if (exploration->hunt.depth != 0 && !tf_hunt_has_pct(&exploration->hunt)) {
        tf_cli_error("--depth needs --strategy pct or each");
        return false;
    }
    if (exploration->hunt.depth == 0)
        exploration->hunt.depth = DEPTH;
    if (exploration->seconds != 0 && exploration->seeds == 0)
        exploration->search.seeds = 0;
    else
        exploration->search.seeds = exploration->seeds == 0 ? SEEDS : exploration->seeds;
    return read_asked(exploration);
}

/* Test whether the outputs can be written, so that an error comes before the search. */
static bool may_write(const struct tf_exploration *exploration)
{
    struct tf_distinct files = {.count = 0};
    tf_distinct_output(&files, "--out", exploration->out);
    tf_distinct_output(&files, "--json", exploration->json);
    return tf_request_distinct(exploration->hunt.request, &files) &&
           tf_schedule_may_write(exploration->out, strcmp(exploration->out, SCHEDULE) == 0);
}

static bool shows(struct tf_exploration *exploration)
{
    exploration->shown |= exploration->terminal && !exploration->quiet;
    return exploration->terminal && !exploration->quiet;
}

static void show_progress(void *user, uint64_t runs, double seconds)
{
    struct tf_exploration *exploration = user;
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
    struct tf_exploration *exploration = user;
    char at[TF_GROUPED_BYTES];
    if ((exploration->step <= STEP_START || exploration->step == STEP_EXPLAIN) && shows(exploration))
        tf_cli_progress("explore: %s: %.0f s, cycle %s", tf_exploration_steps[exploration->step],
                        tf_seconds() - exploration->step_began_s,
                        tf_text_grouped(tf_trials_cycle(&exploration->hunt, 1), at));
}

static void begin_step(struct tf_exploration *exploration, enum tf_exploration_step step)
{
    exploration->step = step;
    exploration->step_began_s = tf_seconds();
    show_step(exploration);
}

/* Trials start before the cycle from which on orders matter, or at that of --from. */
static int choose_start(struct tf_exploration *exploration)
{
    struct tf_hunt *hunt = &exploration->hunt;
    if (exploration->baseline.failed && hunt->until_s != 0 && tf_seconds() >= hunt->until_s)
        return -1;
    exploration->none_matters = exploration->baseline.matters == UINT64_MAX;
    uint64_t first = exploration->none_matters ? exploration->baseline.cycles : exploration->baseline.matters;
    uint64_t epochs = first / TF_EXPLORE_CYCLES;
    if (!exploration->from_given && !exploration->baseline.failed)
        hunt->from = epochs > TF_OVERRUN_EPOCHS ? (epochs - TF_OVERRUN_EPOCHS) * TF_EXPLORE_CYCLES : 0;
    hunt->from = tf_subject_pause(&hunt->start->subject, hunt->from);
    begin_step(exploration, STEP_START);
    return tf_trials_advance(hunt, &exploration->baseline);
}

/* Run without decisions: its length limits the other runs, and its memory is their reference. */
static int run_default_order(struct tf_exploration *exploration)
{
    struct tf_hunt *hunt = &exploration->hunt;
    const struct tf_explore explore = {.scheduled = true,
                                       .notes = tf_hunt_has_pct(hunt) || hunt->strategy == TF_STRATEGY_DELAY_ONE ||
                                                hunt->strategy == TF_STRATEGY_NOP_SITES};
    hunt->seeks = true;
    begin_step(exploration, STEP_BASELINE);
    int code = tf_trial_run(hunt, &explore, &exploration->baseline, true);
    hunt->seeks = false;
    if (hunt->orders != NULL)
        tf_orders_note(hunt->orders, 0, TF_USUAL_ORDER, exploration->baseline.race, exploration->baseline.races);
    free(exploration->baseline.race);
    exploration->baseline.race = NULL;
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
    if (tf_hunt_has_pct(hunt) && !exploration->baseline.failed) {
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
        (exploration->search.seeds == 0 && tf_hunt_seeds(hunt) != UINT64_MAX))
        exploration->search.seeds = tf_hunt_seeds(hunt);
    return -1;
}

/* Take the places of the decisions that are left from the run that made them, and write them as text. */
static void name_decisions(struct tf_exploration *exploration, const struct tf_trial *made)
{
    exploration->text = calloc(exploration->decisions + 1, sizeof *exploration->text);
    for (size_t i = 0; exploration->text != NULL && i < exploration->decisions; i++) {
        struct tf_decision *decision = &exploration->decision[i];
        const struct tf_decision *known = bsearch(decision, made->decision, made->decisions, sizeof *known,
                                                  tf_subject_compare);
        if (known == NULL)
            continue;
        exploration->text[i] = tf_explain_decision(&exploration->hunt.start->subject, known);
        *decision = *known;
    }
}

static bool go_on_shrinking(void *user, size_t decisions, unsigned runs)
{
    struct tf_exploration *exploration = user;
    exploration->shrunk = tf_seconds() < exploration->shrink_until_s;
    if (shows(exploration))
        tf_cli_progress("explore: seed %llu fails; shrinking: %zu decisions left after %u runs",
                        (unsigned long long)exploration->search.failing_seed, decisions, runs);
    return exploration->shrunk;
}

/* Run the shrunk decisions once more, for their places and the hash of the state. */
static int confirm(struct tf_exploration *exploration)
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

static bool write_schedule(const struct tf_exploration *exploration)
{
    const struct tf_explore explore = {.scheduled = true,
                                       .decision = exploration->decision,
                                       .decisions = exploration->decisions};
    return tf_schedule_write(exploration->out, exploration->hunt.request, &explore, exploration->text,
                             exploration->hunt.limit_cycles, exploration->failing.hash);
}

/* Run the first failing schedule of the corpus, or the first failing seed, a second time to get its decisions. */
static int repeat_failing(struct tf_exploration *exploration)
{
    const struct tf_hunt *hunt = &exploration->hunt;
    const struct tf_replayed *relapse = exploration->relapse;
    struct tf_explore explore = {.scheduled = true};
    struct tf_trial trial;
    if (relapse == NULL && !tf_hunt_explore(hunt, exploration->search.failing_seed, &explore)) {
        tf_cli_error("explore: too little memory");
        return TF_EXIT_FAILED;
    }
    const struct tf_decision *drawn = explore.decision;
    if (relapse != NULL) {
        explore.decision = relapse->decision;
        explore.decisions = relapse->decisions;
    }
    int code = tf_trial_run(hunt, &explore, &trial, false);
    free((void *)drawn);
    exploration->decision = trial.decision;
    exploration->decisions = exploration->decisions_before = trial.decisions;
    return code;
}

/* Shrink and write the decisions of a failing run. After a signal, write those that are left. */
static int shrink(struct tf_exploration *exploration)
{
    const struct tf_hunt *hunt = &exploration->hunt;
    const struct tf_shrink_ways ways = {.go_on = go_on_shrinking, .user = exploration};
    exploration->shrunk = true;
    exploration->shrink_until_s = tf_seconds() + (double)exploration->shrink_seconds;
    begin_step(exploration, STEP_SHRINK);
    int code = repeat_failing(exploration);
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
static int write_default_order(struct tf_exploration *exploration)
{
    exploration->failing = exploration->baseline;
    return write_schedule(exploration) ? -1 : TF_EXIT_FAILED;
}

static bool write_json(struct tf_exploration *exploration)
{
    if (exploration->json == NULL)
        return true;
    json_t *object = tf_exploration_json(exploration);
    FILE *file = exploration->json_output.file;
    bool written = object != NULL && json_dumpf(object, file, JSON_INDENT(2)) == 0 && fputc('\n', file) != EOF;
    if (!written)
        tf_cli_error("the JSON report cannot be written");
    json_decref(object);
    return written && tf_interrupt_commit(&exploration->interrupt);
}

/* Print a part of the report now, since shrinking and explaining may take long. */
static void tell(struct tf_exploration *exploration, void (*part)(const struct tf_exploration *exploration), bool *done)
{
    if (!tf_exploration_prints(exploration))
        return;
    if (exploration->shown)
        tf_cli_progress_end();
    part(exploration);
    fflush(stdout);
    *done = true;
}

/* Replay the corpus. Without --all no seed is run if a schedule fails. */
static int replay_corpus(struct tf_exploration *exploration)
{
    struct tf_corpus *corpus = &exploration->corpus;
    if (corpus->folder == NULL)
        return -1;
    begin_step(exploration, STEP_CORPUS);
    int code = tf_corpus_replay(corpus, &exploration->hunt);
    for (size_t i = corpus->schedules; i-- != 0 && !exploration->search.all;)
        if (corpus->schedule[i].failed)
            exploration->relapse = &corpus->schedule[i];
    return code;
}

/* Keep what the seeds have shown, and the failing run. */
static int keep_in_corpus(struct tf_exploration *exploration)
{
    const struct tf_explore failing = {.scheduled = true,
                                       .decision = exploration->decision,
                                       .decisions = exploration->decisions};
    if (exploration->corpus.folder == NULL || exploration->relapse != NULL)
        return -1;
    return tf_corpus_keep(&exploration->corpus, &exploration->hunt, "fails", &failing, exploration->text)
               ? -1
               : TF_EXIT_FAILED;
}

/* Run the seeds. */
static int search_seeds(struct tf_exploration *exploration)
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
    if (code < 0 && exploration->corpus.folder != NULL)
        code = tf_corpus_keep_orders(&exploration->corpus, &exploration->hunt,
                                     search->failed ? search->failing_seed : TF_NO_SEED);
    return code;
}

/* Replay the corpus and run the seeds; shrink and explain a failing run. Returns -1, or an exit code as
   tf_trial_run(). */
static int search(struct tf_exploration *exploration)
{
    int code = replay_corpus(exploration);
    if (code < 0 && exploration->relapse == NULL)
        code = search_seeds(exploration);
    exploration->hunt.orders = NULL; /* later runs are no seeds */
    if (code >= 0 || !tf_exploration_has_failing(exploration))
        return code;
    tell(exploration, tf_exploration_report_seeds, &exploration->printed);
    code = shrink(exploration);
    if (code < 0)
        code = keep_in_corpus(exploration);
    if (code >= 0)
        return code;
    tell(exploration, tf_exploration_report_decisions, &exploration->named);
    begin_step(exploration, STEP_EXPLAIN);
    return tf_explain_apart(&exploration->hunt, exploration->decision, exploration->decisions,
                            (double)exploration->explain_seconds, &exploration->explained);
}

/* Returns an exit code. */
static int explore(struct tf_exploration *exploration)
{
    exploration->hunt.interrupt = &exploration->interrupt;
    exploration->hunt.waits = show_step;
    exploration->hunt.until_s = exploration->seconds != 0 ? tf_seconds() + exploration->seconds : 0;
    exploration->hunt.user = exploration;
    int code = tf_trials_begin(&exploration->hunt);
    if (code < 0)
        code = tf_trial_check_memory(&exploration->hunt);
    if (code < 0)
        code = run_default_order(exploration);
    if (exploration->seconds != 0) /* the seeds have the rest; all other runs have a limit of cycles */
        exploration->search.seconds = fmax(exploration->hunt.until_s - tf_seconds(), 1e-6);
    exploration->hunt.until_s = 0;
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
    if (tf_exploration_prints(exploration))
        tf_exploration_report(exploration);
    if (!write_json(exploration))
        return TF_EXIT_FAILED;
    return exploration->baseline.failed         ? TF_EXIT_FAILED
           : exploration->interrupted           ? TF_EXIT_INTERRUPTED
           : tf_exploration_failed(exploration) ? TF_EXIT_FAILED
                                                : TF_EXIT_OK;
}

static void free_all(struct tf_exploration *exploration)
{
    for (size_t i = 0; exploration->text != NULL && i < exploration->decisions; i++)
        free(exploration->text[i]);
    free(exploration->text);
    free(exploration->decision);
    tf_trials_end(&exploration->hunt);
    tf_hunt_free_places(&exploration->hunt);
    tf_explained_free(&exploration->explained);
    tf_orders_close(&exploration->orders);
    tf_corpus_free(&exploration->corpus);
    tf_request_free(exploration->hunt.request);
    free(exploration->hunt.request);
    free(exploration);
}

/* Orders of accesses are what the race checker of each run finds. A corpus keeps those that are new. */
static int begin_orders(struct tf_exploration *exploration)
{
    struct tf_job *job = &exploration->hunt.request->job;
    const bool corpus = exploration->corpus.folder != NULL;
    exploration->hunt.races_fail = tf_job_checks(job);
    exploration->ordered |= corpus;
    if (!exploration->ordered)
        return -1;
    tf_job_set_checks(job, true);
    exploration->hunt.orders = &exploration->orders;
    if (tf_orders_open(&exploration->orders, exploration->search.jobs))
        return corpus ? tf_corpus_read(&exploration->corpus) : -1;
    tf_cli_error("explore: too little memory");
    return TF_EXIT_FAILED;
}

int tf_cli_explore(int argc, char **argv)
{
    struct tf_exploration *exploration = calloc(1, sizeof *exploration);
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
    if (code < 0 && !tf_spread_is_alone("explore is one process"))
        code = TF_EXIT_USAGE;
    if (code < 0 && (!check_options(exploration) || !may_write(exploration) ||
                     !tf_request_open_suppressions(exploration->hunt.request)))
        code = TF_EXIT_USAGE;
    if (code < 0)
        code = begin_orders(exploration);
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
