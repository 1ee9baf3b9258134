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
#include "cli/process.h"
#include "cli/output/ranges.h"
#include "cli/text.h"
#include "debug/raced.h"
#include "farm/chip/chip.h"
#include "farm/explore/explore.h"
#include "host/file.h"
#include "tilefarm/tilefarm_config.h"

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

static void say_fault(struct tf_trial *trial, struct tf_chip *chip)
{
    struct tf_fault fault;
    for (size_t i = 0; i < tf_fault_count(chip); i++)
        if (tf_fault_get(chip, i, &fault) == TF_OK && !fault.hazard) {
            say(trial, "fault: %s", fault.text);
            return;
        }
    say(trial, "fault");
}

static void judge_words(const struct tf_hunt *hunt, struct tf_chip *chip, struct tf_trial *trial)
{
    for (unsigned i = 0; i < hunt->words; i++) {
        const struct tf_hunt_word *word = &hunt->word[i];
        uint32_t value = 0;
        int error = tf_read(chip, word->node, word->address, &value, sizeof value);
        if (error != TF_OK)
            say(trial, "%s: %s", word->name, tf_strerror(error));
        else
            say(trial, "%s=%u", word->name, value);
        trial->failed |= error != TF_OK || (word->expected && value != word->value);
    }
}

static void judge_ranges(const struct tf_hunt *hunt, struct tf_chip *chip, struct tf_trial *trial)
{
    for (unsigned i = 0; i < hunt->ranges; i++) {
        const struct tf_hunt_range *range = &hunt->range[i];
        void *data = malloc(range->bytes);
        int error = data == NULL ? TF_ENOMEM : tf_read(chip, range->node, range->address, data, range->bytes);
        trial->range_hash[i] = error == TF_OK ? XXH3_64bits(data, range->bytes) : 0;
        free(data);
        say(trial, "%s=%016llx", range->name, (unsigned long long)trial->range_hash[i]);
        trial->failed |= error != TF_OK || (range->expected && trial->range_hash[i] != range->hash);
    }
}

/* With --check a race fails a run, whatever its results. The outcome has the functions of the first one. */
static void judge_races(const struct tf_hunt *hunt, struct tf_session *session, struct tf_trial *trial)
{
    size_t count = 0;
    if (!hunt->request->job.config.check)
        return;
    struct tf_race *races = tf_session_races(session, &count);
    if (hunt->orders != NULL && races != NULL) {
        trial->race = races;
        trial->races = count;
    }
    if (!hunt->races_fail) {
        if (trial->race == NULL)
            free(races);
        return;
    }
    trial->failed |= count != 0 || races == NULL;
    if (count != 0) {
        struct tf_raced names;
        const char *first = names.side[0].place, *second = names.side[1].place;
        tf_raced_name(tf_chip_arch(session->chip), session->symbols, &races[0], &names);
        say(trial, "race: %.*s, %.*s", tf_raced_function_length(first), first, tf_raced_function_length(second),
            second);
        if (count > 1)
            say(trial, "and %zu more", count - 1);
    }
    if (trial->race == NULL)
        free(races);
}

static void judge(const struct tf_hunt *hunt, struct tf_session *session, struct tf_trial *trial)
{
    const struct tf_outcome *outcome = &session->outcome;
    trial->failed = tf_outcome_exit(outcome) != TF_EXIT_OK;
    if (outcome->stats.faults != 0)
        say_fault(trial, session->chip);
    else if (outcome->verdict == TF_VERDICT_DEADLOCK)
        say(trial, "deadlock");
    else if (outcome->verdict == TF_VERDICT_LIMIT)
        say(trial, "no end");
    else if (outcome->verdict == TF_VERDICT_WRONG)
        say(trial, "%s", outcome->message.text);
    judge_words(hunt, session->chip, trial);
    judge_ranges(hunt, session->chip, trial);
    judge_races(hunt, session, trial);
    if (trial->outcome[0] == '\0')
        say(trial, "%s", tf_verdict_text(outcome));
}

/* Returns false if memory is too small. Counting visits all tiles, so most trials count once (row `explore`). */
static bool take_decisions(struct tf_chip *chip, struct tf_trial *trial)
{
    size_t room = DECISIONS_USUAL;
    trial->decision = malloc(room * sizeof *trial->decision);
    if (trial->decision != NULL)
        trial->decisions = tf_chip_decisions(chip, trial->decision, room);
    if (trial->decision == NULL || trial->decisions < room)
        return trial->decision != NULL;
    room = trial->decisions + 1;
    free(trial->decision);
    trial->decision = malloc(room * sizeof *trial->decision);
    if (trial->decision != NULL)
        tf_chip_decisions(chip, trial->decision, room);
    return trial->decision != NULL;
}

/* Apply the limit of a hunt. It counts all cycles of a run, including those before decisions begin. */
static void limit(const struct tf_hunt *hunt, struct tf_job *job, uint64_t past)
{
    if (hunt->limit_cycles != 0)
        job->run.cycles_max = hunt->limit_cycles > past ? hunt->limit_cycles - past : 1;
}

/* Run a session that has begun, and judge its result. Returns -1, or an exit code after an error line. */
static int run_and_judge(const struct tf_hunt *hunt, struct tf_session *session, struct tf_trial *trial)
{
    int code = tf_session_run(session);
    if (code >= 0)
        return code;
    if (session->outcome.interrupted)
        return TF_EXIT_INTERRUPTED;
    if (!take_decisions(session->chip, trial)) {
        tf_cli_error("explore: too little memory");
        return TF_EXIT_FAILED;
    }
    judge(hunt, session, trial);
    trial->cycles = session->outcome.stats.cycles;
    trial->hash = session->outcome.state_hash;
    return -1;
}

static struct tf_job *job_of(const struct tf_hunt *hunt, const struct tf_explore *explore, struct tf_job *job)
{
    *job = hunt->request->job;
    tf_schedule_configure(job, explore);
    job->config.threads = 1;
    job->config.pin = false;
    return job;
}

int tf_trial_begin(const struct tf_hunt *hunt, const struct tf_explore *explore, bool check, struct tf_job *job,
                   struct tf_session *session)
{
    job_of(hunt, explore, job)->config.check = check;
    job->cycle = hunt->start->cycle;
    limit(hunt, job, 0);
    int code = tf_session_begin(session, job, hunt->interrupt);
    if (code >= 0 || tf_request_inputs(session->chip, 0, hunt->request))
        return code;
    tf_session_end(session);
    return TF_EXIT_USAGE;
}

int tf_trial_run_in_process(const struct tf_hunt *hunt, const struct tf_explore *explore, struct tf_trial *trial,
                            const struct tf_trial_looks *looks)
{
    struct tf_session session;
    struct tf_job *job = malloc(sizeof *job);
    *trial = (struct tf_trial){.failed = false};
    if (job == NULL) {
        tf_cli_error("explore: too little memory");
        return TF_EXIT_FAILED;
    }
    int code = tf_trial_begin(hunt, explore, looks->check, job, &session);
    if (code < 0) {
        if (looks->before != NULL)
            looks->before(looks->user, &session);
        code = run_and_judge(hunt, &session, trial);
        if (code < 0 && looks->after != NULL)
            looks->after(looks->user, &session);
        tf_session_end(&session);
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
    int code = tf_session_begin(&start->session, &start->job, NULL);
    if (code >= 0)
        return code;
    start->ready = true;
    return tf_request_inputs(start->session.chip, 0, hunt->request) ? -1 : TF_EXIT_USAGE;
}

int tf_trials_advance(struct tf_hunt *hunt, const struct tf_trial *baseline)
{
    struct tf_start *start = hunt->start;
    struct tf_run_options until = start->job.run;
    until.pause_cycle = hunt->from;
    enum tf_end end = TF_END_CYCLES;
    tf_interrupt_chip(hunt->interrupt, start->session.chip);
    int error = hunt->from == 0 ? TF_OK : tf_run(start->session.chip, &until, &end);
    tf_interrupt_chip(hunt->interrupt, NULL);
    if (tf_interrupt_received(hunt->interrupt))
        return TF_EXIT_INTERRUPTED;
    if (error != TF_OK || end != TF_END_CYCLES) {
        tf_cli_error("--from: the run in the usual order ends before cycle %llu", (unsigned long long)hunt->from);
        return TF_EXIT_USAGE;
    }
    struct tf_stats stats;
    tf_stats(start->session.chip, &stats);
    start->cycles = stats.cycles;
    tf_exploring_decode(start->session.chip->exploring, baseline->decoded, baseline->decodes);
    return -1;
}

void tf_trials_end(struct tf_hunt *hunt)
{
    if (hunt->start != NULL && hunt->start->ready)
        tf_session_end(&hunt->start->session);
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
    if (tf_chip_explore(start->session.chip, explore) == TF_OK &&
        (!hunt->seeks || tf_exploring_seek(start->session.chip->exploring, TF_HUNT_FIRST_CYCLES)))
        return run_and_judge(hunt, &start->session, trial);
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
        result.trial.matters = tf_exploring_matters(start->session.chip->exploring);
        result.trial.decodes = tf_exploring_decoded(start->session.chip->exploring, result.trial.decoded,
                                                    TF_DECODED_MAX);
    }
    bool fine = tf_write_all(to, &result, sizeof result) &&
                tf_write_all(to, result.trial.decision, result.trial.decisions * sizeof *result.trial.decision) &&
                tf_write_all(to, result.trial.race, result.trial.races * sizeof *result.trial.race);
    _exit(fine ? 0 : 1);
}

/* Wait until the process of a trial writes, or ends. Returns false if a signal came. */
static bool await(const struct tf_hunt *hunt, int from)
{
    struct pollfd ready = {.fd = from, .events = POLLIN};
    while ((hunt->interrupt != NULL || hunt->waits != NULL) && poll(&ready, 1, POLL_MS) == 0) {
        if (tf_interrupt_received(hunt->interrupt))
            return false;
        if (hunt->waits != NULL)
            hunt->waits(hunt->user);
    }
    return true;
}

static int receive(struct tf_trial *trial, int from)
{
    struct result result;
    if (!tf_read_all(from, &result, sizeof result)) {
        trial->failed = true;
        say(trial, "%s", tf_trial_lost);
        trial->decision = malloc(sizeof *trial->decision);
        return trial->decision != NULL ? -1 : TF_EXIT_FAILED;
    }
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
        code = TF_EXIT_INTERRUPTED;
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
    struct tf_chip *chip = hunt->start->session.chip;
    bool fine = true;
    for (unsigned i = 0; i < hunt->words && fine; i++)
        fine = is_readable(chip, hunt->word[i].node, hunt->word[i].address, 4, hunt->word[i].name);
    for (unsigned i = 0; i < hunt->ranges && fine; i++)
        fine = is_readable(chip, hunt->range[i].node, hunt->range[i].address, hunt->range[i].bytes,
                           hunt->range[i].name);
    return fine ? -1 : TF_EXIT_USAGE;
}
