/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

#include "cli/explore/hunt.h"
#include "cli/explore/trial.h"
#include "cli/interrupt.h"
#include "cli/job.h"
#include "cli/process.h"
#include "cli/races.h"
#include "cli/session_state.h"
#include "cli/text.h"
#include "cli/verdict.h"
#include "debug/raced.h"
#include "farm/chip/chip.h"
#include "farm/explore/explore.h"
#include "host/clock.h"
#include "host/file.h"

#define POLL_MS 100
#define DECISIONS_USUAL 64u
#define CYCLES_BYTES (TF_JOBS_MAX * sizeof(atomic_uint_fast64_t))

const char tf_trial_lost[] = "the simulator's process ended";

static void say(struct tf_trial *trial, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct tf_trial *trial, const char *format, ...)
{
    size_t length = strlen(trial->outcome);
    va_list arguments;
    if (length != 0 && length + 2 < sizeof trial->outcome) {
        strcpy(trial->outcome + length, " ");
        length++;
    }
    va_start(arguments, format);
    vsnprintf(trial->outcome + length, sizeof trial->outcome - length, format, arguments);
    va_end(arguments);
}

/* The first fault of a chip; in a system with the chip's number. Returns false if it has none. */
static bool say_fault(struct tf_trial *trial, const struct tf_subject *subject, unsigned chip)
{
    struct tf_fault fault;
    char number[TF_CHIP_TEXT_BYTES];
    for (size_t i = 0; i < tf_fault_count(subject->session[chip].chip); i++)
        if (tf_fault_get(subject->session[chip].chip, i, &fault) == TF_OK && !fault.hazard) {
            say(trial, "fault: %s%s", tf_subject_chip(subject, chip, number), fault.text);
            return true;
        }
    return false;
}

static void say_faults(struct tf_trial *trial, const struct tf_subject *subject)
{
    bool said = false;
    for (unsigned i = 0; i < subject->chips && !said; i++)
        said = say_fault(trial, subject, i);
    if (!said)
        say(trial, "fault");
}

/* What is wrong: the outcome's message, or that of the first chip that has one. */
static void say_wrong(struct tf_trial *trial, const struct tf_subject *subject)
{
    char number[TF_CHIP_TEXT_BYTES];
    if (subject->outcome->message.text[0] != '\0') {
        say(trial, "%s", subject->outcome->message.text);
        return;
    }
    for (unsigned i = 0; i < subject->chips; i++)
        if (subject->session[i].outcome.message.text[0] != '\0') {
            say(trial, "%s%s", tf_subject_chip(subject, i, number), subject->session[i].outcome.message.text);
            return;
        }
}

static void judge_words(const struct tf_hunt *hunt, const struct tf_subject *subject, struct tf_trial *trial)
{
    for (unsigned i = 0; i < hunt->words; i++) {
        const struct tf_hunt_word *word = &hunt->word[i];
        uint32_t value = 0;
        int error = tf_read(subject->session[word->chip].chip, word->node, word->address, &value, sizeof value);
        if (error != TF_OK)
            say(trial, "%s: %s", word->name, tf_strerror(error));
        else
            say(trial, "%s=%u", word->name, value);
        trial->failed |= error != TF_OK || (word->expected && value != word->value);
    }
}

static void judge_ranges(const struct tf_hunt *hunt, const struct tf_subject *subject, struct tf_trial *trial)
{
    for (unsigned i = 0; i < hunt->ranges; i++) {
        const struct tf_hunt_range *range = &hunt->range[i];
        struct tf_chip *chip = subject->session[range->chip].chip;
        void *data = malloc(range->bytes);
        int error = data == NULL ? TF_ENOMEM : tf_read(chip, range->node, range->address, data, range->bytes);
        trial->range_hash[i] = error == TF_OK ? XXH3_64bits(data, range->bytes) : 0;
        free(data);
        say(trial, "%s=%016llx", range->name, (unsigned long long)trial->range_hash[i]);
        trial->failed |= error != TF_OK || (range->expected && trial->range_hash[i] != range->hash);
    }
}

/* The races of all chips; the caller frees them. NULL: the host has no memory. */
static struct tf_chip_race *find_races(const struct tf_subject *subject, size_t *count)
{
    struct tf_chip_race *all = malloc(sizeof *all);
    *count = 0;
    for (unsigned chip = 0; chip < subject->chips && all != NULL; chip++) {
        size_t more = 0;
        struct tf_race *races = tf_session_races(&subject->session[chip], &more);
        struct tf_chip_race *longer = races == NULL ? NULL : realloc(all, (*count + more + 1) * sizeof *all);
        if (longer == NULL)
            free(all);
        all = longer;
        for (size_t i = 0; i < more && all != NULL; i++)
            all[(*count)++] = (struct tf_chip_race){.race = races[i], .chip = chip};
        free(races);
    }
    return all;
}

/* The outcome has the functions of the first race. */
static void say_race(struct tf_trial *trial, const struct tf_subject *subject, const struct tf_chip_race *race)
{
    const struct tf_session *session = &subject->session[race->chip];
    struct tf_raced names;
    const char *first = names.side[0].place, *second = names.side[1].place;
    tf_raced_name(tf_chip_arch(session->chip), session->symbols, &race->race, &names);
    say(trial, "race: %.*s, %.*s", tf_raced_function_length(first), first, tf_raced_function_length(second), second);
}

/* With --check a race fails a run, whatever its results. */
static void judge_races(const struct tf_hunt *hunt, const struct tf_subject *subject, struct tf_trial *trial)
{
    size_t count = 0;
    if (!tf_job_checks(&hunt->request->job))
        return;
    struct tf_chip_race *races = find_races(subject, &count);
    if (hunt->orders != NULL && races != NULL) {
        trial->race = races;
        trial->races = count;
    }
    trial->failed |= hunt->races_fail && (count != 0 || races == NULL);
    if (hunt->races_fail && count != 0)
        say_race(trial, subject, &races[0]);
    if (hunt->races_fail && count > 1)
        say(trial, "and %zu more", count - 1);
    if (trial->race == NULL)
        free(races);
}

static void judge(const struct tf_hunt *hunt, const struct tf_subject *subject, struct tf_trial *trial)
{
    const struct tf_outcome *outcome = subject->outcome;
    trial->failed = tf_outcome_exit(outcome) != TF_EXIT_OK;
    if (outcome->stats.faults != 0)
        say_faults(trial, subject);
    else if (outcome->verdict == TF_VERDICT_DEADLOCK)
        say(trial, "deadlock");
    else if (outcome->verdict == TF_VERDICT_LIMIT)
        say(trial, "no end");
    else if (outcome->verdict == TF_VERDICT_WRONG)
        say_wrong(trial, subject);
    judge_words(hunt, subject, trial);
    judge_ranges(hunt, subject, trial);
    judge_races(hunt, subject, trial);
    if (trial->outcome[0] == '\0')
        say(trial, "%s", tf_verdict_text(outcome));
}

/* Returns false if memory is too small. Counting visits all tiles, so most trials count once (row `explore`). */
static bool take_decisions(const struct tf_subject *subject, struct tf_trial *trial)
{
    size_t room = DECISIONS_USUAL;
    trial->decision = malloc(room * sizeof *trial->decision);
    if (trial->decision != NULL)
        trial->decisions = tf_subject_decisions(subject, trial->decision, room);
    if (trial->decision == NULL || trial->decisions < room)
        return trial->decision != NULL;
    room = trial->decisions + 1;
    free(trial->decision);
    trial->decision = malloc(room * sizeof *trial->decision);
    if (trial->decision != NULL)
        tf_subject_decisions(subject, trial->decision, room);
    return trial->decision != NULL;
}

/* The time that is left, at least a little: 0 is no limit. */
static double left_s(const struct tf_hunt *hunt)
{
    const double left = hunt->until_s - tf_seconds();
    return hunt->until_s == 0 ? 0 : left > 1e-6 ? left : 1e-6;
}

/* Apply the limit of a hunt. It counts all cycles of a run, including those before decisions begin. */
static void limit(const struct tf_hunt *hunt, struct tf_job *job, uint64_t past)
{
    if (hunt->limit_cycles != 0)
        job->run.cycles_max = hunt->limit_cycles > past ? hunt->limit_cycles - past : 1;
}

/* Run what has begun, and judge its result. Returns -1, or an exit code after an error line. */
static int run_and_judge(const struct tf_hunt *hunt, struct tf_subject *subject, struct tf_trial *trial)
{
    int code = tf_subject_run(subject);
    if (code >= 0)
        return code;
    if (subject->outcome->interrupted)
        return TF_EXIT_INTERRUPTED;
    if (!take_decisions(subject, trial)) {
        tf_cli_error("explore: too little memory");
        return TF_EXIT_FAILED;
    }
    judge(hunt, subject, trial);
    trial->cycles = subject->outcome->stats.cycles;
    trial->hash = subject->outcome->state_hash;
    return -1;
}

static struct tf_job *job_of(const struct tf_hunt *hunt, const struct tf_explore *explore, struct tf_job *job)
{
    *job = hunt->request->job;
    tf_schedule_configure(job, explore);
    tf_job_use_one_thread(job);
    return job;
}

int tf_trial_begin(const struct tf_hunt *hunt, const struct tf_explore *explore, bool check, struct tf_job *job,
                   struct tf_subject *subject)
{
    tf_job_set_checks(job_of(hunt, explore, job), check);
    job->cycle = hunt->start->cycle;
    job->limit_s = left_s(hunt);
    limit(hunt, job, 0);
    return tf_subject_begin(subject, hunt->request, job, hunt->interrupt);
}

int tf_trial_run_in_process(const struct tf_hunt *hunt, const struct tf_explore *explore, struct tf_trial *trial,
                            const struct tf_trial_looks *looks)
{
    struct tf_subject subject;
    struct tf_job *job = malloc(sizeof *job);
    *trial = (struct tf_trial){.failed = false};
    if (job == NULL) {
        tf_cli_error("explore: too little memory");
        return TF_EXIT_FAILED;
    }
    int code = tf_trial_begin(hunt, explore, looks->check, job, &subject);
    if (code < 0) {
        if (looks->before != NULL)
            looks->before(looks->user, &subject);
        code = run_and_judge(hunt, &subject, trial);
        if (code < 0 && looks->after != NULL)
            looks->after(looks->user, &subject);
        tf_subject_end(&subject);
    }
    free(job);
    return code;
}

/* --- trials that start from a copy --- */

int tf_trials_begin(struct tf_hunt *hunt)
{
    struct tf_start *start = calloc(1, sizeof *start);
    if (start == NULL) {
        tf_cli_error("explore: too little memory");
        return TF_EXIT_FAILED;
    }
    hunt->start = start;
    start->none.scheduled = true;
    void *cycles = mmap(NULL, CYCLES_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    start->cycle = cycles == MAP_FAILED ? NULL : cycles;
    job_of(hunt, &start->none, &start->job)->brief = true;
    start->job.cycle = start->cycle;
    int code = tf_subject_begin(&start->subject, hunt->request, &start->job, NULL);
    start->ready = code < 0;
    return code;
}

int tf_trials_advance(struct tf_hunt *hunt, const struct tf_trial *baseline)
{
    struct tf_start *start = hunt->start;
    struct tf_run_options until = start->job.run;
    until.pause_cycle = hunt->from;
    until.wall_s_max = left_s(hunt);
    enum tf_end end = TF_END_CYCLES;
    tf_subject_interrupt(&start->subject, hunt->interrupt, true);
    int error = hunt->from == 0 ? TF_OK : tf_subject_advance(&start->subject, &until, &end);
    tf_subject_interrupt(&start->subject, hunt->interrupt, false);
    if (tf_interrupt_received(hunt->interrupt))
        return TF_EXIT_INTERRUPTED;
    if (end == TF_END_TIME) {
        tf_cli_error("explore: --time is over before the seeds start, at cycle %llu",
                     (unsigned long long)tf_subject_cycles(&start->subject));
        return TF_EXIT_LIMIT;
    }
    if (error != TF_OK || end != TF_END_CYCLES) {
        tf_cli_error("--from: the run in the usual order ends before cycle %llu", (unsigned long long)hunt->from);
        return TF_EXIT_USAGE;
    }
    start->cycles = tf_subject_cycles(&start->subject);
    tf_exploring_decode(start->subject.session[0].chip->exploring, baseline->decoded, baseline->decodes);
    return -1;
}

void tf_trials_end(struct tf_hunt *hunt)
{
    if (hunt->start != NULL && hunt->start->ready)
        tf_subject_end(&hunt->start->subject);
    if (hunt->start != NULL && hunt->start->cycle != NULL)
        munmap(hunt->start->cycle, CYCLES_BYTES);
    free(hunt->start);
    hunt->start = NULL;
}

uint64_t tf_trials_cycle(const struct tf_hunt *hunt, unsigned jobs)
{
    uint64_t latest = 0;
    for (unsigned job = 0; job < jobs && job < TF_JOBS_MAX && hunt->start->cycle != NULL; job++) {
        uint64_t cycle = atomic_load(&hunt->start->cycle[job]);
        latest = cycle > latest ? cycle : latest;
    }
    return latest;
}

/* The process of a trial writes this to its pipe. Its decisions follow. */
struct result {
    struct tf_trial trial;
    int code;
};

static int run_here(const struct tf_hunt *hunt, const struct tf_explore *explore, struct tf_trial *trial, bool hashed)
{
    struct tf_start *start = hunt->start;
    start->job.brief = !hashed;
    start->job.cycle = start->cycle == NULL ? NULL : &start->cycle[hunt->job];
    limit(hunt, &start->job, start->cycles);
    if (tf_subject_explore(&start->subject, explore) &&
        (!hunt->seeks || tf_subject_seek(&start->subject, TF_HUNT_FIRST_CYCLES)))
        return run_and_judge(hunt, &start->subject, trial);
    tf_cli_error("explore: too little memory");
    return TF_EXIT_FAILED;
}

int tf_trial_run_here(const struct tf_hunt *hunt, const struct tf_explore *explore, struct tf_trial *trial)
{
    if (hunt->start->cycle != NULL)
        atomic_store(&hunt->start->cycle[hunt->job], 0);
    return run_here(hunt, explore, trial, false);
}

static _Noreturn void run_in_child(const struct tf_hunt *hunt, const struct tf_explore *explore, bool hashed, int to)
{
    struct result result = {.trial = {.decision = NULL}};
    struct tf_start *start = hunt->start;
    result.code = run_here(hunt, explore, &result.trial, hashed);
    if (hunt->seeks) {
        result.trial.matters = tf_subject_matters(&start->subject);
        result.trial.decodes = tf_exploring_decoded(start->subject.session[0].chip->exploring, result.trial.decoded,
                                                    TF_DECODED_MAX);
    }
    bool fine = tf_write_all(to, &result, sizeof result) &&
                tf_write_all(to, result.trial.decision, result.trial.decisions * sizeof *result.trial.decision) &&
                tf_write_all(to, result.trial.race, result.trial.races * sizeof *result.trial.race);
    _exit(fine ? 0 : 1);
}

static bool is_late(const struct tf_hunt *hunt)
{
    return hunt->until_s != 0 && tf_seconds() >= hunt->until_s;
}

/* Wait until the process of a trial writes, or ends. Returns false if a signal came, or if the time is over. */
static bool await(const struct tf_hunt *hunt, int from)
{
    struct pollfd ready = {.fd = from, .events = POLLIN};
    while ((hunt->interrupt != NULL || hunt->waits != NULL) && poll(&ready, 1, POLL_MS) == 0) {
        if (tf_interrupt_received(hunt->interrupt) || is_late(hunt))
            return false;
        if (hunt->waits != NULL)
            hunt->waits(hunt->user);
    }
    return true;
}

/* A trial without a result of its own. */
static int end_without_result(struct tf_trial *trial, const char *why)
{
    trial->failed = true;
    say(trial, "%s", why);
    trial->decision = malloc(sizeof *trial->decision);
    return trial->decision != NULL ? -1 : TF_EXIT_FAILED;
}

static int receive(struct tf_trial *trial, int from)
{
    struct result result;
    if (!tf_read_all(from, &result, sizeof result))
        return end_without_result(trial, tf_trial_lost);
    *trial = result.trial;
    trial->race = NULL;
    trial->decision = result.code >= 0 ? NULL : malloc((trial->decisions + 1) * sizeof *trial->decision);
    if (result.code >= 0)
        return result.code;
    if (trial->races != 0)
        trial->race = malloc(trial->races * sizeof *trial->race);
    if (trial->decision != NULL && (trial->races == 0 || trial->race != NULL) &&
        tf_read_all(from, trial->decision, trial->decisions * sizeof *trial->decision) &&
        tf_read_all(from, trial->race, trial->races * sizeof *trial->race))
        return -1;
    tf_cli_error("explore: too little memory");
    free(trial->decision);
    free(trial->race);
    trial->decision = NULL;
    trial->race = NULL;
    return TF_EXIT_FAILED;
}

int tf_trial_run(const struct tf_hunt *hunt, const struct tf_explore *explore, struct tf_trial *trial, bool hashed)
{
    int ends[2];
    *trial = (struct tf_trial){.failed = false};
    if (tf_interrupt_received(hunt->interrupt))
        return TF_EXIT_INTERRUPTED;
    if (pipe(ends) != 0) {
        tf_cli_error("explore: the host refuses a pipe: %s", strerror(errno));
        return TF_EXIT_FAILED;
    }
    if (hunt->start->cycle != NULL)
        atomic_store(&hunt->start->cycle[hunt->job], 0);
    pid_t parent = getpid(), child = tf_process_begin(parent);
    if (child == 0) {
        close(ends[0]);
        run_in_child(hunt, explore, hashed, ends[1]);
    }
    close(ends[1]);
    int code = TF_EXIT_FAILED;
    if (child > 0 && await(hunt, ends[0]))
        code = receive(trial, ends[0]);
    else if (child > 0) {
        kill(child, SIGKILL);
        code = tf_interrupt_received(hunt->interrupt) ? TF_EXIT_INTERRUPTED
                                                      : end_without_result(trial, "no end within --time");
    }
    close(ends[0]);
    if (child > 0)
        tf_process_end(child);
    return code;
}

/* May a run end with this memory? Registers are read after it, because reading may change them. */
static bool is_readable(struct tf_chip *chip, struct tf_coord node, uint64_t address, uint64_t bytes, const char *name)
{
    void *data = malloc(bytes);
    bool is_register = address >= tf_chip_arch(chip)->space.registers_first && address <= UINT32_MAX;
    int error = data == NULL ? TF_ENOMEM : is_register ? TF_OK : tf_read(chip, node, address, data, bytes);
    free(data);
    if (error != TF_OK)
        tf_cli_error("%s: %s", name, tf_strerror(error));
    return error == TF_OK;
}

int tf_trial_check_memory(const struct tf_hunt *hunt)
{
    const struct tf_session *session = hunt->start->subject.session;
    bool fine = true;
    for (unsigned i = 0; i < hunt->words && fine; i++)
        fine = is_readable(session[hunt->word[i].chip].chip, hunt->word[i].node, hunt->word[i].address, 4,
                           hunt->word[i].name);
    for (unsigned i = 0; i < hunt->ranges && fine; i++)
        fine = is_readable(session[hunt->range[i].chip].chip, hunt->range[i].node, hunt->range[i].address,
                           hunt->range[i].bytes, hunt->range[i].name);
    return fine ? -1 : TF_EXIT_USAGE;
}
