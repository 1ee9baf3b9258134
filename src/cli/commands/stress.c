/* SPDX-License-Identifier: Apache-2.0 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/check/pairs.h"
#include "cli/check/stall.h"
#include "cli/check/stress.h"
#include "cli/check/stress_check.h"
#include "cli/check/stress_chip.h"
#include "cli/check/stress_system.h"
#include "cli/cli.h"
#include "cli/board.h"
#include "cli/commands/stress.h"
#include "cli/distinct.h"
#include "cli/file.h"
#include "cli/interrupt.h"
#include "cli/log.h"
#include "cli/options/options.h"
#include "cli/output/junit.h"
#include "cli/process.h"
#include "cli/systems.h"
#include "cli/text.h"
#include "host/clock.h"
#include "host/extremes.h"
#include "tile/arch.h"

#define PROGRESS_EVERY_S 1.0
#define SECONDS_MAX 1000000u

struct stress_options {
    const struct tf_arch *arch;
    struct tf_board_options board;
    const char *op;      /* NULL: all */
    const char *system;  /* NULL: a chip */
    const char *atomics; /* "isa" or "emu-spec"; NULL for both in turn */
    const char *json, *junit;
    uint64_t seconds;
    uint32_t seed;
    unsigned threads;
    enum tf_log log;
    bool quiet, list;
};

/* A run of the command. */
struct stress_run {
    struct stress_options options;
    struct tf_interrupt interrupt;
    struct tf_output output[2]; /* of --json and --junit */
    struct tf_stress_tally tally;
    uint64_t loops; /* of pairs */
    struct tf_cluster cluster;
    struct tf_stress_system system; /* of --system */
    struct tf_stall stall;
    const char *profile;                                      /* under test now */
    char reason[sizeof((struct tf_stress_failure *)0)->text]; /* why it failed; "" if it did not */
    const char *invariant;                                    /* the invariant that it breaks; NULL if none is known */
    double began_s, told_s;
    bool interrupted, terminal;
    unsigned workers;
};

static const struct {
    enum tf_atomics profile;
    const char *name;
} profiles[] = {
    {TF_ATOMICS_ISA, "isa"},
    {TF_ATOMICS_EMU_SPEC, "emu-spec"},
};

#define PROFILES (sizeof profiles / sizeof profiles[0])

/* A race needs two threads. A loaded host runs them in turns, which also makes them meet. */
static unsigned contending_threads(void)
{
    unsigned cpus = tf_process_cpus();
    return cpus < 2 ? 2 : cpus > TF_STRESS_THREADS_MAX ? TF_STRESS_THREADS_MAX : cpus;
}

static bool take_threads(void *into, const char *option, const char *value)
{
    struct stress_options *options = into;
    if (!tf_cli_threads(option, value, &options->threads))
        return false;
    if (options->threads <= TF_STRESS_THREADS_MAX)
        return true;
    tf_cli_error("%s: '%s' is not 'auto' or 1 to %u", option, value, TF_STRESS_THREADS_MAX);
    return false;
}

/* clang-format off */
#define FIELD(name_, argument_, kind_, field_, least_, most_, help_)                                                   \
    {.name = (name_), .argument = (argument_), .help = (help_), .kind = (kind_),                                       \
     .offset = offsetof(struct stress_options, field_), .least = (least_), .most = (most_)}
/* clang-format on */

static const struct tf_option options_list[] = {
    TF_OPTION_OF_ARCH(struct stress_options, arch),
    TF_OPTIONS_OF_BOARD(struct stress_options, board),
    FIELD("system", "NAME|FILE", TF_OPTION_TEXT, system, 0, 0, "test the links of " TF_SYSTEM_HELP),
    FIELD("op", "NAME|all", TF_OPTION_TEXT, op, 0, 0, "test one operation only; --list names them"),
    FIELD("seconds", "N", TF_OPTION_U64, seconds, 1, SECONDS_MAX, "duration of the test in seconds"),
    {.name = "threads",
     .argument = "N|auto",
     .help = "worker threads (auto: one for each allowed CPU, and at least 2; of a system, at least 2 for each chip)",
     .kind = TF_OPTION_CALL,
     .call = take_threads},
    FIELD("seed", "N", TF_OPTION_U32, seed, 0, UINT32_MAX, "seed of the operands"),
    FIELD("atomics", "isa|emu-spec", TF_OPTION_TEXT, atomics, 0, 0,
          "definition of NOC atomics to test (default: both in turn)"),
    FIELD("json", "FILE|-", TF_OPTION_TEXT, json, 0, 0, "write the results and statistics as JSON"),
    FIELD("junit", "FILE|-", TF_OPTION_TEXT, junit, 0, 0, "write the outcome as a test case in JUnit's XML, for CI"),
    FIELD("quiet", NULL, TF_OPTION_SET, quiet, 0, 0, "print failures only"),
    TF_OPTIONS_OF_LOG(offsetof(struct stress_options, log)),
    FIELD("list", NULL, TF_OPTION_SET, list, 0, 0, "list the operations and end"),
};

static const struct tf_usage usage = {
    .examples = "tilefarm stress\ntilefarm stress --system n300 --seconds 60\n",
    .synopsis = "stress [options]",
    .text =
        "Test the atomics of relaxed mode ('tilefarm run --relaxed') on this host. All cores of 16 tiles contend,\n"
        "on as many threads as the host has CPUs. The command checks that no atomic is torn, lost or done twice.\n"
        "\n"
        "- All cores change six lines of L1 by NOC atomics: answered, posted and multicast ones, on both NOCs. Two of\n"
        "  the lines are in Ethernet tiles.\n"
        "- The cores of four tiles also change words of their own L1, while NOC atomics change the same words.\n"
        "  They use Zaamo instructions, and ATINCGET, ATINCGETPTR, ATCAS and ATSWAP of the scalar unit.\n"
        "- All cores raise a stream register of these four tiles. T0 to T2 there share a semaphore and a mutex.\n"
        "- With --op all, pairs of tiles on two threads execute short programs against each other: store buffering,\n"
        "  load buffering and message passing over the NOC, plain words that both write, tiles that wake each other,\n"
        "  and answers that one counts while the other asks.\n"
        "\n"
        "After each round the command checks that\n"
        "\n"
        "- the history of each line and word is linearizable, and cores saw the recorded answers,\n"
        "- requests of a core to one target acted in order,\n"
        "- each counter of each NIU is right, and so are the counts of streams, semaphores and mutexes,\n"
        "- no tile of a pair overlooked a store of the other one, no plain word was torn, and no wake was lost.\n"
        "\n"
        "With --system, links contend: the tiles at both ends of each link send numbered messages, and write to words\n"
        "and registers that Tensix tiles change at the same time. The command checks that messages arrive whole, once\n"
        "and in order, and that no write, increment or credit is lost.\n"
        "\n"
        "A run that does not end, because all threads sleep, is a failure too.\n"
        "A failure names the invariant that it breaks (docs/design.md), the shortest history that shows it, and the\n"
        "seed. The exit code is 1 then. On Wormhole, no Zaamo instruction and no Ethernet tile takes part.\n",
    .option = options_list,
    .options = sizeof options_list / sizeof options_list[0],
};

static int list_operations(void)
{
    const struct tf_noc_atomic_row *rows;
    size_t count = tf_noc_atomic_rows(&rows);
    printf("%-13s %-9s %-14s %-10s %s\n", "operation", "profiles", "NOC_AT_LEN_BE", "operands", "what it does");
    for (size_t i = 0; i < count; i++) {
        const char *profile = rows[i].profiles == 1u << TF_ATOMICS_ISA        ? "isa"
                              : rows[i].profiles == 1u << TF_ATOMICS_EMU_SPEC ? "emu-spec"
                                                                              : "both";
        printf("%-13s %-9s 0x%04x         0x%04x     %s\n", rows[i].name, profile, rows[i].match, rows[i].operands,
               rows[i].summary);
    }
    return tf_cli_finish(TF_EXIT_OK);
}

/* Is a profile to be tried? It must be asked for, and must have the operation. */
static bool wanted(const struct stress_options *options, size_t profile)
{
    return (!options->atomics || strcmp(options->atomics, profiles[profile].name) == 0) &&
           tf_stress_has_op(options->arch, profiles[profile].profile, options->op);
}

static int check_options(const struct stress_options *options)
{
    unsigned any = 0;
    if (options->system != NULL) {
        const char *with = options->op != NULL                   ? "--op"
                           : options->atomics != NULL            ? "--atomics"
                           : options->arch != tf_arch_find(NULL) ? "--arch: the system has its family"
                           : options->board.text.name != NULL    ? "--board: its chips have their boards"
                                                                 : NULL;
        if (with != NULL)
            tf_cli_error("--system cannot be combined with %s", with);
        return with != NULL ? TF_EXIT_USAGE : -1;
    }
    if (options->atomics && strcmp(options->atomics, "isa") != 0 && strcmp(options->atomics, "emu-spec") != 0) {
        tf_cli_error("--atomics: '%s' is not 'isa' or 'emu-spec'", options->atomics);
        return TF_EXIT_USAGE;
    }
    for (size_t i = 0; i < PROFILES; i++)
        any += wanted(options, i);
    if (!any) {
        tf_cli_error("--op: %s has no operation '%s'%s%s; see 'tilefarm stress --list'", options->arch->title,
                     options->op, options->atomics ? " in profile " : "", options->atomics ? options->atomics : "");
        return TF_EXIT_USAGE;
    }
    return -1;
}

static void show_progress(struct stress_run *run, const char *profile)
{
    double time_s = tf_seconds();
    if ((!run->terminal && run->options.log != TF_LOG_DEBUG) || time_s - run->told_s < PROGRESS_EVERY_S)
        return;
    char line[200], atomics[TF_GROUPED_BYTES];
    const bool links = run->options.system != NULL;
    const uint64_t checked = links ? run->system.messages : run->tally.atomics;
    snprintf(line, sizeof line, "stress: %.0f s of %llu, %s%s%s %s checked", time_s - run->began_s,
             (unsigned long long)run->options.seconds, profile, links ? "" : ", ",
             tf_cli_short((double)checked, atomics), links ? "messages" : "atomics");
    if (run->options.log == TF_LOG_DEBUG)
        tf_log_note(run->options.log, "%s", line);
    else
        tf_cli_progress("%s", line);
    run->told_s = time_s;
}

static void end_progress(const struct stress_run *run)
{
    if (run->terminal)
        tf_cli_progress_end();
}

static void tell_failure(struct stress_run *run, const struct tf_stress_chip *stress,
                         const struct tf_stress_failure *failure)
{
    end_progress(run);
    memcpy(run->reason, failure->text, sizeof run->reason);
    run->invariant = failure->invariant;
    if (run->options.system != NULL)
        tf_cli_error("stress: %s (seed %u)", failure->text, run->options.seed);
    else
        tf_cli_error("stress: %s (seed %u, atomics %s)", failure->text, run->options.seed, run->profile);
    if (failure->invariant != NULL)
        tf_cli_error("stress: it breaks an invariant of relaxed mode (docs/design.md): %s", failure->invariant);
    if (stress != NULL)
        tf_stress_explain(stderr, stress, failure);
}

static int conclude(struct stress_run *run);

static void discard_outputs(struct stress_run *run)
{
    tf_output_discard(&run->output[0]);
    tf_output_discard(&run->output[1]);
}

/* Called by the thread that watches runs. The process ends then, as the run never does. */
static void tell_stall(void *user, const char *what)
{
    struct stress_run *run = user;
    struct tf_stress_failure failure = {.invariant = TF_STRESS_R5};
    snprintf(failure.text, sizeof failure.text, "%s", what);
    tell_failure(run, NULL, &failure);
    (void)conclude(run);
    discard_outputs(run);
}

/* A round of contention. Returns whether it was fine. */
static bool contend(struct stress_run *run, struct tf_stress_chip *stress)
{
    struct tf_stress_failure failure = {.text = ""};
    tf_interrupt_chip(&run->interrupt, stress->chip);
    tf_stall_mark(&run->stall);
    bool fine = tf_stress_round(stress, &run->interrupted, &failure);
    tf_stall_mark(&run->stall);
    if (fine && !run->interrupted)
        fine = tf_stress_check(stress, &run->tally, &failure);
    if (!fine)
        tell_failure(run, stress, &failure);
    free(failure.ops);
    return fine;
}

/* A round of pairs. Returns whether it was fine. */
static bool pair_up(struct stress_run *run, struct tf_pairs *pairs)
{
    struct tf_stress_failure failure = {.text = ""};
    tf_interrupt_chip(&run->interrupt, pairs->chip);
    tf_stall_mark(&run->stall);
    bool fine = tf_pairs_round(pairs, &run->loops, &run->interrupted, &failure);
    tf_stall_mark(&run->stall);
    if (!fine)
        tell_failure(run, NULL, &failure);
    return fine;
}

/* Run rounds on one chip until a point in time. */
static void go_on_until(struct stress_run *run, struct tf_stress_chip *stress, struct tf_pairs *pairs, double until_s)
{
    bool fine = true;
    do {
        fine = contend(run, stress);
        if (fine && !run->interrupted && pairs->chip != NULL)
            fine = pair_up(run, pairs);
        show_progress(run, run->profile);
    } while (fine && !run->interrupted && tf_seconds() < until_s);
}

static void stress_profile(struct stress_run *run, size_t profile, double until_s)
{
    struct tf_stress_chip stress;
    struct tf_pairs pairs = {.chip = NULL};
    struct tf_stress_failure failure = {.text = ""};
    unsigned threads = run->options.threads != 0 ? run->options.threads : contending_threads();
    const struct tf_stress_wish wish = {
        .arch = run->options.arch,
        .profile = profiles[profile].profile,
        .op = run->options.op,
        .threads = threads,
        .seed = run->options.seed,
    };
    run->profile = profiles[profile].name;
    if (!tf_stress_open(&stress, &wish, &failure)) {
        tell_failure(run, NULL, &failure);
        return;
    }
    struct tf_stats stats;
    tf_stats(stress.chip, &stats);
    run->workers = stats.workers;
    tf_log_note(run->options.log, "stress: atomics %s, %s on a %s chip, workers: %u, seed %u, for %.1f s", run->profile,
                wish.op, wish.arch->title, stats.workers, wish.seed, until_s - tf_seconds());
    if (strcmp(wish.op, "all") == 0 && !tf_pairs_open(&pairs, &wish, &failure))
        tell_failure(run, NULL, &failure);
    else
        go_on_until(run, &stress, &pairs, until_s);
    tf_interrupt_chip(&run->interrupt, NULL);
    tf_pairs_close(&pairs);
    tf_stress_close(&stress);
}

/* Rounds on a system. With fewer threads than this, each would run whole chips, and meet others at links alone. */
static void stress_system(struct stress_run *run)
{
    const unsigned spread = (unsigned)tf_min(2 * run->cluster.chips, TF_STRESS_THREADS_MAX);
    const unsigned threads = run->options.threads != 0 ? run->options.threads
                                                       : (unsigned)tf_max(contending_threads(), spread);
    struct tf_stress_failure failure = {.text = ""};
    if (!tf_stress_system_open(&run->system, &run->cluster, threads, run->options.seed, &failure)) {
        tell_failure(run, NULL, &failure);
        return;
    }
    run->workers = tf_system_workers(run->system.system);
    tf_log_note(run->options.log, "stress: the links of %s: %u chips, %u links, workers: %u, seed %u, for %llu s",
                run->options.system, run->cluster.chips, run->cluster.links, run->workers, run->options.seed,
                (unsigned long long)run->options.seconds);
    tf_interrupt_system(&run->interrupt, run->system.system);
    bool fine = true;
    do {
        tf_stall_mark(&run->stall);
        fine = tf_stress_system_round(&run->system, &run->interrupted, &failure);
        tf_stall_mark(&run->stall);
        show_progress(run, "");
    } while (fine && !run->interrupted && tf_seconds() < run->began_s + (double)run->options.seconds);
    end_progress(run);
    if (!fine)
        tell_failure(run, NULL, &failure);
    tf_interrupt_system(&run->interrupt, NULL);
    tf_stress_system_close(&run->system);
}

static void stress_all(struct stress_run *run)
{
    unsigned shares = 0, done = 0;
    run->began_s = tf_seconds();
    if (run->options.system != NULL) {
        stress_system(run);
        return;
    }
    for (size_t i = 0; i < PROFILES; i++)
        shares += wanted(&run->options, i);
    for (size_t i = 0; i < PROFILES && !run->reason[0] && !run->interrupted; i++) {
        if (!wanted(&run->options, i))
            continue;
        done++;
        stress_profile(run, i, run->began_s + (double)run->options.seconds * done / shares);
    }
    end_progress(run);
}

static const char *outcome_of(const struct stress_run *run, const char *fine)
{
    return run->interrupted ? "interrupted" : run->reason[0] ? "FAILED" : fine;
}

static void report_system(const struct stress_run *run)
{
    char a[TF_GROUPED_BYTES], b[TF_GROUPED_BYTES], c[TF_GROUPED_BYTES];
    printf("stress --system %s --seed %u: %s\n", run->options.system, run->options.seed,
           outcome_of(run, "nothing was lost, torn or out of order"));
    printf("  %s messages over %u links, and %s atomics and writes of tiles,\n",
           tf_text_grouped(run->system.messages, a), run->cluster.links, tf_text_grouped(run->system.requests, b));
    printf("  in %s rounds, on %u thread%s, in %.1f s\n", tf_text_grouped(run->system.rounds, c), run->workers,
           run->workers == 1 ? "" : "s", tf_seconds() - run->began_s);
}

static void report(const struct stress_run *run)
{
    char a[TF_GROUPED_BYTES], b[TF_GROUPED_BYTES], c[TF_GROUPED_BYTES];
    const struct tf_stress_tally *tally = &run->tally;
    printf("stress --op %s --seed %u: %s\n", run->options.op, run->options.seed,
           outcome_of(run, "all histories are linearizable"));
    printf("  %s atomics of %s requests, in %s rounds, on %u thread%s, in %.1f s\n", tf_text_grouped(tally->atomics, a),
           tf_text_grouped(tally->requests, b), tf_text_grouped(tally->rounds, c), run->workers,
           run->workers == 1 ? "" : "s", tf_seconds() - run->began_s);
    printf("  %s histories checked, %s undecided within limits, %u open orders at most\n",
           tf_text_grouped(tally->histories, a), tf_text_grouped(tally->undecided, b), tally->widest);
    if (run->loops != 0)
        printf("  %s loops of pairs of tiles, each compared with those of the other tile\n",
               tf_text_grouped(run->loops, a));
}

static json_t *json_of_system(const struct stress_run *run)
{
    return json_pack("{s:s, s:s, s:I, s:I, s:f, s:I, s:I, s:I, s:b, s:b, s:s?, s:s?}", "command", "stress", "system",
                     run->options.system, "seed", (json_int_t)run->options.seed, "workers", (json_int_t)run->workers,
                     "wall_s", tf_seconds() - run->began_s, "rounds", (json_int_t)run->system.rounds, "messages",
                     (json_int_t)run->system.messages, "requests", (json_int_t)run->system.requests, "interrupted",
                     (int)run->interrupted, "right", (int)(run->reason[0] == '\0'), "failure",
                     run->reason[0] ? run->reason : NULL, "invariant", run->invariant);
}

static json_t *json_of_chip(const struct stress_run *run)
{
    const struct tf_stress_tally *tally = &run->tally;
    return json_pack("{s:s, s:s, s:s?, s:I, s:I, s:f, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:b, s:b, s:s?, s:s?}",
                     "command", "stress", "op", run->options.op, "atomics_profile", run->options.atomics, "seed",
                     (json_int_t)run->options.seed, "workers", (json_int_t)run->workers, "wall_s",
                     tf_seconds() - run->began_s, "rounds", (json_int_t)tally->rounds, "requests",
                     (json_int_t)tally->requests, "atomics", (json_int_t)tally->atomics, "histories",
                     (json_int_t)tally->histories, "undecided", (json_int_t)tally->undecided, "widest",
                     (json_int_t)tally->widest, "pair_loops", (json_int_t)run->loops, "interrupted",
                     (int)run->interrupted, "linearizable", (int)(run->reason[0] == '\0'), "failure",
                     run->reason[0] ? run->reason : NULL, "invariant", run->invariant);
}

static bool report_json(const struct stress_run *run)
{
    json_t *object = run->options.system != NULL ? json_of_system(run) : json_of_chip(run);
    bool written = object && json_dumpf(object, run->output[0].file, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) == 0 &&
                   fputc('\n', run->output[0].file) != EOF;
    if (!written)
        tf_cli_error("the JSON report cannot be written");
    json_decref(object);
    return written;
}

static void report_junit(const struct stress_run *run)
{
    tf_junit_print(run->output[1].file,
                   &(struct tf_junit){.command = "stress",
                                      .name = run->options.system != NULL ? run->options.system : run->options.op,
                                      .more = run->profile,
                                      .failure = run->interrupted         ? "interrupted"
                                                 : run->reason[0] != '\0' ? "FAILED"
                                                                          : NULL,
                                      .message = run->reason,
                                      .wall_s = tf_seconds() - run->began_s});
}

static int conclude(struct stress_run *run)
{
    bool to_standard_output = run->output[0].file == stdout || run->output[1].file == stdout;
    if (!run->options.quiet && !to_standard_output)
        (run->options.system != NULL ? report_system : report)(run);
    int result = run->interrupted ? TF_EXIT_INTERRUPTED : run->reason[0] ? TF_EXIT_FAILED : TF_EXIT_OK;
    bool fine = run->options.json == NULL || report_json(run);
    if (run->options.junit != NULL)
        report_junit(run);
    fine = fine && tf_interrupt_commit(&run->interrupt);
    return fine || result != TF_EXIT_OK ? result : TF_EXIT_FAILED;
}

static bool open_outputs(struct stress_run *run)
{
    const char *const path[] = {run->options.json, run->options.junit};
    if (path[0] != NULL && path[1] != NULL && strcmp(path[0], "-") == 0 && strcmp(path[1], "-") == 0) {
        tf_cli_error("stress: two outputs go to standard output (-); name a file for one of them");
        return false;
    }
    struct tf_distinct files = {.count = 0};
    if (run->options.system != NULL && tf_cli_system_is_file(run->options.system))
        tf_distinct_input(&files, "--system", run->options.system);
    tf_distinct_output(&files, "--json", path[0]);
    tf_distinct_output(&files, "--junit", path[1]);
    if (!tf_distinct_end(&files))
        return false;
    for (unsigned i = 0; i < 2; i++)
        if (path[i] != NULL && !tf_interrupt_open(&run->interrupt, &run->output[i], path[i]))
            return false;
    return true;
}

static int stress(struct stress_run *run)
{
    int code = check_options(&run->options);
    if (code >= 0)
        return code;
    run->options.quiet |= run->options.log == TF_LOG_ERROR;
    run->terminal = isatty(STDERR_FILENO) == 1 && !run->options.quiet && run->options.log == TF_LOG_INFO;
    if (!tf_interrupt_start(&run->interrupt, run->output, 2))
        return TF_EXIT_FAILED;
    if (!open_outputs(run))
        return tf_interrupt_end(&run->interrupt, TF_EXIT_USAGE);
    if (!tf_stall_start(&run->stall, tell_stall, run)) {
        tf_cli_error("the host refuses a thread");
        code = TF_EXIT_FAILED;
    } else {
        stress_all(run);
        tf_stall_end(&run->stall);
        code = conclude(run);
    }
    code = tf_interrupt_end(&run->interrupt, code);
    discard_outputs(run);
    return tf_cli_finish(code);
}

int tf_cli_stress(int argc, char **argv)
{
    struct stress_run run = {.options = {.arch = tf_arch_find(NULL), .seconds = 10, .seed = 1, .log = TF_LOG_INFO}};
    int first, code = tf_cli_options(argc, argv, &usage, &run.options, &first);
    if (code >= 0)
        return code;
    if (run.options.list)
        return list_operations();
    if (run.options.system == NULL && run.options.op == NULL)
        run.options.op = "all";
    if (run.options.system != NULL && !tf_cli_system("--system", run.options.system, &run.cluster))
        return TF_EXIT_USAGE;
    code = tf_board_settle(&run.options.board, &run.options.arch) ? stress(&run) : TF_EXIT_USAGE;
    tf_board_free(&run.options.board);
    return code;
}
