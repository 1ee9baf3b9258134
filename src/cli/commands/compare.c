/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `tilefarm compare`: run one program on several libraries with the libttsim interface, and print the first word in
 * which their memories differ. With one library: check a workload, and print the hash of its results, for recording.
 */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/check/compare.h"
#include "cli/check/compare_image.h"
#include "cli/check/compare_library.h"
#include "cli/commands/compare.h"
#include "cli/file.h"
#include "cli/interrupt.h"
#include "cli/log.h"
#include "cli/options/options.h"
#include "cli/process.h"
#include "cli/output/ranges.h"
#include "cli/request/command_line.h"
#include "cli/request/files.h"
#include "cli/request/loads.h"
#include "cli/request/outputs.h"
#include "cli/request/request.h"
#include "cli/session.h"
#include "cli/session_state.h"
#include "cli/text.h"
#include "tile/arch.h"
#include "tile/node_text.h"

struct options {
    const char *json;
    enum tf_log log;
    bool quiet;
};

/* A library, its process, and what the workload says of its results. */
struct contender {
    const char *path;
    pid_t process;
    struct tf_library_result *result;
    size_t result_bytes;
    enum tf_verdict verdict;
    struct tf_message message;
    uint64_t hash;
    bool has_hash;
};

/* Where two memories differ. */
struct difference {
    size_t span;
    uint64_t address; /* position of the first word that differs */
    uint32_t a, b;
    uint64_t words; /* number of words that differ */
};

struct comparison {
    struct options options;
    struct tf_request *request;
    struct tf_session session;
    struct tf_image image;
    struct contender contender[TF_COMPARE_LIBRARIES_MAX];
    unsigned contenders;
    struct difference difference[TF_COMPARE_LIBRARIES_MAX]; /* results of each library, from the first one */
    bool failed, unusable;                                  /* unusable: a library did not start */
};

static const struct tf_option options[] = {
    {.name = "json",
     .argument = "FILE|-",
     .help = "write the results as JSON",
     .kind = TF_OPTION_TEXT,
     .offset = offsetof(struct options, json)},
    {.name = "quiet",
     .help = "print differences and errors only",
     .kind = TF_OPTION_SET,
     .offset = offsetof(struct options, quiet)},
    TF_OPTIONS_OF_LOG(offsetof(struct options, log)),
};

static const struct tf_usage usage = {
    .examples = "tilefarm compare libttsim.so /opt/ttsim/libttsim.so -- ring\n",
    .synopsis = "compare [options] LIBRARY... -- WORKLOAD|--load CORE=FILE[@TILES] ... [options of 'run']",
    .text = "Run a workload or programs of your own on shared libraries with the libttsim interface, each in a\n"
            "process of its own. (That of tilefarm is libttsim.so.) Then compare L1 of all tiles that ran, and the\n"
            "DRAM that was written before the run. Print the first word that differs from the first library.\n"
            "The arguments after -- are those of 'tilefarm run'. A workload ends when all its cores have returned;\n"
            "programs of your own end by --until or --limit-cycles. Registers that a workload writes before the run\n"
            "are not copied. Words that depend on the order of requests may differ.\n"
            "With one library: check a workload and print the hash of its results.\n",
    .option = options,
    .options = sizeof options / sizeof options[0],
    .operands_least = 1,
    .operands_most = TF_COMPARE_LIBRARIES_MAX,
};

/* Map memory that a child fills and the parent reads. */
static struct tf_library_result *share(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* Let libraries that know TILEFARM_SYMBOLS name functions and lines of the user's programs. */
static void name_symbols(const struct tf_request *request)
{
    char text[4096];
    struct tf_text list = {text, sizeof text, 0};
    for (unsigned i = 0; i < request->job.loads; i++)
        if (!request->load[i].flat)
            tf_text_add(&list, "%s%s@%s", list.length == 0 ? "" : ":", request->load[i].path,
                        tf_tensix_core_name(request->load[i].core));
    if (list.length != 0 && list.length < sizeof text)
        setenv("TILEFARM_SYMBOLS", text, 0);
}

static bool launch(struct comparison *comparison, struct contender *contender)
{
    const struct tf_library_job job = {
        .path = contender->path,
        .arch = tf_chip_arch(comparison->session.chip),
        .image = &comparison->image,
        .run = &comparison->request->job.run,
        .workload = comparison->request->job.workload != NULL,
    };
    contender->result_bytes = tf_image_result_bytes(&comparison->image);
    contender->result = share(contender->result_bytes);
    fflush(NULL);
    contender->process = contender->result == NULL ? -1 : tf_process_begin(getpid());
    if (contender->process == 0) {
        tf_library_run(&job, contender->result);
        fflush(NULL);
        _Exit(TF_EXIT_OK);
    }
    if (contender->process < 0)
        tf_cli_error("%s: the host refuses a process: %s", contender->path, strerror(errno));
    else
        tf_log_note(comparison->options.log, "compare: process %d runs %s on %s", (int)contender->process,
                    tf_job_name(&comparison->request->job), contender->path);
    return contender->process > 0;
}

static void await(struct contender *contender)
{
    struct tf_library_result *result = contender->result;
    int status = 0;
    while (waitpid(contender->process, &status, 0) < 0 && errno == EINTR)
        ;
    if (result->end != TF_LIBRARY_DIED)
        return;
    if (WIFSIGNALED(status))
        snprintf(result->text, sizeof result->text, "its process was killed by signal %d after %llu cycles",
                 WTERMSIG(status), (unsigned long long)result->cycles);
    else
        snprintf(result->text, sizeof result->text, "its process exited with code %d after %llu cycles",
                 WEXITSTATUS(status), (unsigned long long)result->cycles);
}

/* Copy the memory of a library into our own chip, and let the workload check it there. */
static bool judge(struct comparison *comparison, struct contender *contender)
{
    const struct tf_workload *workload = comparison->request->job.workload;
    struct tf_session *session = &comparison->session;
    if (workload == NULL || workload->results == NULL || contender->result->end != TF_LIBRARY_DONE)
        return true;
    int error = tf_image_put(&comparison->image, contender->result, session->chip);
    if (error != TF_OK) {
        tf_cli_error("%s: %s", contender->path, tf_strerror(error));
        return false;
    }
    contender->has_hash = workload->results(session->chip, session->state, &contender->hash) == TF_OK;
    error = workload->verify(session->chip, session->state, &contender->message);
    contender->verdict = error == TF_OK ? TF_VERDICT_RIGHT : TF_VERDICT_WRONG;
    return true;
}

static struct difference differ(const struct tf_image *image, struct tf_library_result *one,
                                struct tf_library_result *other)
{
    struct difference difference = {.words = 0};
    for (struct tf_piece piece = {.number = 0}; tf_image_next(image, &piece);) {
        const uint8_t *a = one->memory + piece.at, *b = other->memory + piece.at;
        if (!*tf_image_used(image, one, &piece) && !*tf_image_used(image, other, &piece))
            continue;
        for (size_t at = 0; at < piece.bytes; at += 4) {
            uint32_t word_a, word_b;
            memcpy(&word_a, a + at, sizeof word_a);
            memcpy(&word_b, b + at, sizeof word_b);
            if (word_a == word_b || difference.words++ != 0)
                continue;
            difference.span = piece.span;
            difference.address = piece.address + at;
            difference.a = word_a;
            difference.b = word_b;
        }
    }
    return difference;
}

static void print_contender(const struct contender *contender)
{
    char cycles[TF_GROUPED_BYTES];
    printf("%s: %s cycles", contender->path, tf_text_grouped(contender->result->cycles, cycles));
    if (contender->verdict != TF_VERDICT_NONE)
        printf(", results %s", contender->verdict == TF_VERDICT_RIGHT ? "right" : "wrong");
    if (contender->has_hash)
        printf(", hash 0x%016llx", (unsigned long long)contender->hash);
    printf("\n");
}

static void print_difference(const struct comparison *comparison, unsigned i)
{
    const struct difference *difference = &comparison->difference[i];
    const struct tf_span *span = &comparison->image.after[difference->span];
    uint32_t bits = difference->a ^ difference->b;
    char words[TF_GROUPED_BYTES], at[TF_NODE_TEXT_BYTES];
    printf("%s 0x%08llx: 0x%08x in %s, 0x%08x in %s: bits 0x%08x, %d of them; "
           "%s %s in all\n",
           tf_node_text(tf_chip_arch(comparison->session.chip), span->node, at),
           (unsigned long long)difference->address, difference->a, comparison->contender[0].path, difference->b,
           comparison->contender[i].path, bits, __builtin_popcount(bits), tf_text_grouped(difference->words, words),
           difference->words == 1 ? "word differs" : "words differ");
}

static void report(const struct comparison *comparison)
{
    bool equal = true;
    for (unsigned i = 0; i < comparison->contenders; i++) {
        const struct contender *contender = &comparison->contender[i];
        if (contender->result->end != TF_LIBRARY_DONE)
            tf_cli_error("%s: %s", contender->path, contender->result->text);
        else if (!comparison->options.quiet)
            print_contender(contender);
        if (contender->verdict == TF_VERDICT_WRONG)
            tf_cli_error("%s: %s", contender->path, contender->message.text);
    }
    for (unsigned i = 1; i < comparison->contenders; i++) {
        equal = equal && comparison->difference[i].words == 0;
        if (comparison->difference[i].words != 0)
            print_difference(comparison, i);
    }
    if (comparison->contenders > 1 && equal && !comparison->failed && !comparison->options.quiet)
        printf("no difference in %zu KiB\n", comparison->image.after_bytes / 1024);
}

static json_t *contender_object(const struct contender *contender)
{
    static const char *const verdict[] = {
        [TF_VERDICT_NONE] = "unchecked",
        [TF_VERDICT_RIGHT] = "right",
        [TF_VERDICT_WRONG] = "wrong",
    };
    bool done = contender->result->end == TF_LIBRARY_DONE;
    json_t *object = json_pack("{s:s, s:b, s:I, s:s, s:s}", "library", contender->path, "done", (int)done, "cycles",
                               (json_int_t)contender->result->cycles, "results", verdict[contender->verdict], "text",
                               done ? contender->message.text : contender->result->text);
    if (object != NULL && contender->has_hash)
        json_object_set_new(object, "hash", json_sprintf("0x%016llx", (unsigned long long)contender->hash));
    return object;
}

static json_t *difference_object(const struct comparison *comparison, unsigned i)
{
    const struct difference *difference = &comparison->difference[i];
    const struct tf_span *span = &comparison->image.after[difference->span];
    return json_pack("{s:[s, s], s:[i, i], s:o, s:[o, o], s:o, s:I}", "libraries", comparison->contender[0].path,
                     comparison->contender[i].path, "node", (int)span->node.x, (int)span->node.y, "address",
                     json_sprintf("0x%08llx", (unsigned long long)difference->address), "words",
                     json_sprintf("0x%08x", difference->a), json_sprintf("0x%08x", difference->b), "bits",
                     json_sprintf("0x%08x", difference->a ^ difference->b), "count", (json_int_t)difference->words);
}

static bool report_json(const struct comparison *comparison, FILE *out)
{
    const struct tf_job *job = &comparison->request->job;
    json_t *libraries = json_array(), *differences = json_array();
    for (unsigned i = 0; i < comparison->contenders; i++) {
        json_array_append_new(libraries, contender_object(&comparison->contender[i]));
        if (comparison->difference[i].words != 0)
            json_array_append_new(differences, difference_object(comparison, i));
    }
    json_t *object = json_pack("{s:s, s:s?, s:I, s:I, s:I, s:o, s:o}", "workload", tf_job_name(job), "variant",
                               tf_job_variant(job), "scale", (json_int_t)job->options.scale, "seed",
                               (json_int_t)job->options.seed, "bytes", (json_int_t)comparison->image.after_bytes,
                               "libraries", libraries, "differences", differences);
    bool fine = object != NULL && json_dumpf(object, out, JSON_INDENT(2)) == 0 && fputc('\n', out) != EOF;
    json_decref(object);
    if (!fine)
        tf_cli_error("compare: the JSON cannot be written");
    return fine;
}

static bool run_all(struct comparison *comparison)
{
    bool fine = true;
    name_symbols(comparison->request);
    for (unsigned i = 0; i < comparison->contenders; i++)
        fine = launch(comparison, &comparison->contender[i]) && fine;
    for (unsigned i = 0; i < comparison->contenders; i++)
        if (comparison->contender[i].process > 0) {
            await(&comparison->contender[i]);
            tf_log_note(comparison->options.log, "compare: %s has ended after %llu cycles",
                        comparison->contender[i].path, (unsigned long long)comparison->contender[i].result->cycles);
        }
    for (unsigned i = 0; i < comparison->contenders && fine; i++) {
        struct contender *contender = &comparison->contender[i];
        struct tf_library_result *first = comparison->contender[0].result;
        fine = judge(comparison, contender);
        comparison->failed |= contender->result->end != TF_LIBRARY_DONE || contender->verdict == TF_VERDICT_WRONG;
        comparison->unusable |= !contender->result->started;
        if (i > 0)
            tf_log_note(comparison->options.log, "compare: %zu KiB of %s with those of %s",
                        comparison->image.after_bytes / 1024, contender->path, comparison->contender[0].path);
        if (first->end >= TF_LIBRARY_STOPPED && contender->result->end >= TF_LIBRARY_STOPPED)
            comparison->difference[i] = differ(&comparison->image, first, contender->result);
        comparison->failed |= comparison->difference[i].words != 0;
    }
    return fine;
}

static int compare(struct comparison *comparison, struct tf_output *json)
{
    struct tf_session *session = &comparison->session;
    struct tf_job *job = &comparison->request->job;
    tf_job_use_one_thread(job); /* our own chip only loads and checks, and threads do not survive fork() */
    int code = tf_session_begin(session, job, NULL);
    if (code >= 0)
        return code;
    if (!tf_request_inputs(session->chip, 0, comparison->request)) {
        code = TF_EXIT_USAGE;
    } else if (!tf_image_take(&comparison->image, session->chip, job->workload != NULL)) {
        tf_cli_error("compare: no memory");
        code = TF_EXIT_FAILED;
    } else if (!run_all(comparison)) {
        code = TF_EXIT_FAILED;
    } else {
        if (json->file == stdout)
            comparison->options.quiet = true;
        report(comparison);
        code = comparison->unusable ? TF_EXIT_USAGE : comparison->failed ? TF_EXIT_FAILED : TF_EXIT_OK;
        if (json->file != NULL && (!report_json(comparison, json->file) || !tf_output_commit(json)))
            code = TF_EXIT_FAILED;
    }
    for (unsigned i = 0; i < comparison->contenders; i++)
        if (comparison->contender[i].result != NULL)
            munmap(comparison->contender[i].result, comparison->contender[i].result_bytes);
    tf_image_free(&comparison->image);
    tf_session_end(session);
    return code;
}

/* A file that cannot be read is an error of usage. The child process checks its content. */
static bool take_libraries(struct comparison *comparison, int count, char **path)
{
    for (int i = 0; i < count; i++) {
        if (access(path[i], R_OK) != 0) {
            tf_cli_error("%s: cannot be read: %s", path[i], strerror(errno));
            return false;
        }
        comparison->contender[comparison->contenders++].path = path[i];
    }
    return true;
}

/* A program has no check of its own, so it needs an end, and another library to compare with. */
static int check_program(const struct comparison *comparison)
{
    const struct tf_run_options *run = &comparison->request->job.run;
    if (comparison->request->job.limit_s != 0) {
        tf_cli_error("compare cannot be combined with --limit-seconds");
        return TF_EXIT_USAGE;
    }
    if (comparison->request->job.workload != NULL)
        return -1;
    if (run->until || run->cycles_max != 0) {
        if (comparison->contenders > 1)
            return -1;
        tf_cli_error("compare: with --load, name two libraries or more: the results of the first are the reference");
    } else {
        tf_cli_error("compare: --load needs --until or --limit-cycles, which end the run");
    }
    return TF_EXIT_USAGE;
}

/* Refuse options of `run` that say nothing about the program: libraries would ignore them. */
static bool check_options(const struct tf_request *request)
{
    const struct tf_job *job = &request->job;
    const char *with = request->dumps != 0            ? "--dump"
                       : job->saves != 0              ? "--save-at"
                       : job->restore != NULL         ? "--restore"
                       : request->schedule != NULL    ? "--schedule"
                       : tf_job_debugger(job) != NULL ? tf_job_debugger(job)
                       : tf_job_checks(job)           ? "--check"
                       : tf_job_is_relaxed(job)       ? "--relaxed"
                       : request->map != TF_MAP_NONE  ? "--map"
                                                      : NULL;
    for (unsigned i = 0; i < TF_OUTS && with == NULL; i++)
        with = request->out[i] != NULL ? tf_out_option((enum tf_out)i) : NULL;
    if (with != NULL)
        tf_cli_error("compare: %s has no effect after '--': options of compare come before it", with);
    return with == NULL;
}

static int settle(struct comparison *comparison, int argc, char **argv)
{
    struct tf_request *request = comparison->request;
    argv[0] = (char *)"run";
    int code = tf_request_read(argc, argv, request);
    if (code < 0 && !check_options(request))
        code = TF_EXIT_USAGE;
    if (code < 0)
        code = tf_request_load(request);
    return code < 0 ? check_program(comparison) : code;
}

/* Does the report overwrite no library and no program? */
static bool are_distinct(const struct comparison *comparison, int libraries, char **library)
{
    struct tf_distinct files = {.count = 0};
    for (int i = 0; i < libraries; i++)
        tf_distinct_input(&files, "compare", library[i]);
    tf_distinct_output(&files, "--json", comparison->options.json);
    return tf_request_distinct(comparison->request, &files);
}

static int dashes(int argc, char **argv)
{
    int at = 1;
    while (at < argc && strcmp(argv[at], "--") != 0)
        at++;
    return at;
}

int tf_cli_compare(int argc, char **argv)
{
    struct comparison *comparison = calloc(1, sizeof *comparison);
    struct tf_output json = {.file = NULL};
    struct tf_interrupt interrupt = {.on = false};
    int first, split = dashes(argc, argv);
    if (comparison == NULL || (comparison->request = calloc(1, sizeof *comparison->request)) == NULL) {
        free(comparison);
        tf_cli_error("compare: no memory");
        return TF_EXIT_FAILED;
    }
    comparison->options.log = TF_LOG_INFO;
    int code = tf_cli_options(split, argv, &usage, &comparison->options, &first);
    comparison->options.quiet |= comparison->options.log == TF_LOG_ERROR;
    if (code < 0 && split == argc) {
        tf_cli_error("compare: name a workload or programs after '--': tilefarm %s", usage.synopsis);
        code = TF_EXIT_USAGE;
    }
    if (code < 0 && !take_libraries(comparison, split - first, argv + first))
        code = TF_EXIT_USAGE;
    if (code < 0)
        code = settle(comparison, argc - split, argv + split);
    if (code < 0 && !are_distinct(comparison, split - first, argv + first))
        code = TF_EXIT_USAGE;
    if (code < 0 && !tf_interrupt_start(&interrupt, &json, 1))
        code = TF_EXIT_FAILED;
    if (code < 0 && comparison->options.json != NULL && !tf_interrupt_open(&interrupt, &json, comparison->options.json))
        code = TF_EXIT_USAGE;
    if (code < 0)
        code = tf_interrupt_guard(&interrupt) ? compare(comparison, &json) : TF_EXIT_FAILED;
    code = tf_interrupt_end(&interrupt, code);
    tf_output_discard(&json);
    tf_request_free(comparison->request);
    free(comparison->request);
    free(comparison);
    return tf_cli_finish(code);
}
