/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/explore/search.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/explore/orders.h"
#include "cli/explore/rewind.h"
#include "cli/explore/strategy.h"
#include "cli/explore/trial.h"
#include "cli/interrupt.h"
#include "cli/process.h"
#include "cli/text.h"
#include "host/clock.h"

#define PROGRESS_MS 200

/* The outcome of a seed: index into the lines. */
#define NOT_RUN UINT16_MAX

/* Shared by all processes. */
struct shared {
    atomic_uint_fast64_t next; /* the next seed, relative to the first one */
    atomic_uint_fast64_t last; /* no later seed is started; it is the first failing seed */
    atomic_bool stop;
    atomic_uint_fast64_t runs[TF_JOBS_MAX]; /* the seed that a job runs, relative to the first one, from 1; 0: none */
};

/* A worker writes this to the pipe for each seed. It is short, so the host writes it as a whole. */
struct result {
    uint64_t index;
    int code;
    struct tf_tally_line line; /* its fields `outcome` and `failed` */
};

_Static_assert(sizeof(struct result) <= 512, "POSIX writes as much to a pipe at once");

struct workers {
    struct tf_search *search;
    struct shared *shared;
    uint16_t *outcome;
    uint64_t room;
    int pipe[2];
    double began_s;
    int code;
};

/* --- a worker, which begins processes that run seeds --- */

static bool take_seed(const struct workers *workers, uint64_t *index)
{
    const struct tf_search *search = workers->search;
    struct shared *shared = workers->shared;
    if (atomic_load(&shared->stop) || (search->seconds > 0 && tf_seconds() - workers->began_s >= search->seconds))
        return false;
    *index = atomic_fetch_add(&shared->next, 1);
    return *index <= atomic_load(&shared->last) && (search->seeds == 0 || *index < search->seeds);
}

static bool tell(const struct workers *workers, const struct result *result)
{
    return write(workers->pipe[1], result, sizeof *result) == sizeof *result;
}

/* Run a seed in this process. Returns false if no seed should follow. */
static bool run_seed(const struct workers *workers, const struct tf_hunt *hunt, uint64_t index)
{
    const uint64_t seed = workers->search->first_seed + index;
    struct result result = {.index = index, .code = TF_EXIT_FAILED};
    struct tf_trial trial = {.decision = NULL};
    struct tf_explore explore;
    if (tf_hunt_explore(hunt, seed, &explore))
        result.code = tf_trial_run_here(hunt, &explore, &trial);
    else
        tf_cli_error("explore: too little memory");
    result.line.failed = trial.failed;
    memcpy(result.line.outcome, trial.outcome, sizeof result.line.outcome);
    if (hunt->orders != NULL)
        tf_orders_note(hunt->orders, hunt->job, seed, trial.race, trial.races);
    return tell(workers, &result) && result.code < 0;
}

enum { MORE_SEEDS = 0, NO_MORE_SEEDS = 1 }; /* exit statuses of the process below */

/* A copy of the memory to go back to takes as long as so many seeds with a process for each. */
#define SEEDS_APART 8u

/* Run seeds, each from the chip as it is now, until none is left or the process cannot go back. What a seed allocates
   is not freed: it goes with the process, or when that goes back. */
static _Noreturn void run_seeds(const struct workers *workers, const struct tf_hunt *hunt, bool apart)
{
    struct tf_rewind *rewind = apart ? NULL : tf_rewind_begin();
    do {
        uint64_t index;
        if (!take_seed(workers, &index))
            _exit(NO_MORE_SEEDS);
        atomic_store(&workers->shared->runs[hunt->job], index + 1);
        if (!run_seed(workers, hunt, index))
            _exit(NO_MORE_SEEDS);
        atomic_store(&workers->shared->runs[hunt->job], 0);
    } while (tf_rewind(rewind));
    _exit(MORE_SEEDS);
}

/* A process that ran seeds has ended. Is another one needed? If it ended within a seed, that is the seed's result. */
static bool needs_another(const struct workers *workers, unsigned job, int status)
{
    const uint64_t seed = atomic_exchange(&workers->shared->runs[job], 0);
    if (WIFEXITED(status))
        return WEXITSTATUS(status) == MORE_SEEDS;
    struct result result = {.index = seed - 1, .code = -1, .line = {.failed = true}};
    strcpy(result.line.outcome, tf_trial_lost);
    return seed == 0 || tell(workers, &result);
}

static _Noreturn void work(const struct workers *workers, unsigned job)
{
    struct tf_hunt hunt = *workers->search->hunt;
    hunt.job = job;
    hunt.interrupt = NULL;
    hunt.waits = NULL;
    bool more = true;
    for (unsigned processes = 0; more; processes++) {
        pid_t parent = getpid(), child = tf_process_begin(parent);
        if (child == 0)
            run_seeds(workers, &hunt, hunt.afresh || processes < SEEDS_APART);
        if (child < 0) {
            tell(workers, &(struct result){.code = TF_EXIT_FAILED});
            break;
        }
        more = needs_another(workers, job, tf_process_end(child));
    }
    _exit(0);
}

/* --- the process that waits for the workers --- */

/* Find the line of an outcome. The last line collects all outcomes that arrive when the other lines are taken. */
static unsigned line_of(struct tf_search *search, const struct tf_tally_line *result)
{
    for (unsigned i = 0; i < search->lines; i++)
        if (search->line[i].failed == result->failed && strcmp(search->line[i].outcome, result->outcome) == 0)
            return i;
    if (search->lines == TF_OUTCOMES_MAX)
        return TF_OUTCOMES_MAX - 1;
    struct tf_tally_line *line = &search->line[search->lines];
    *line = (struct tf_tally_line){.failed = result->failed};
    if (search->lines == TF_OUTCOMES_MAX - 1)
        snprintf(line->outcome, sizeof line->outcome, "others");
    else
        memcpy(line->outcome, result->outcome, sizeof line->outcome);
    return search->lines++;
}

static bool make_room(struct workers *workers, uint64_t index)
{
    uint64_t room = workers->room == 0 ? 1024 : workers->room;
    while (room <= index)
        room *= 2;
    if (room == workers->room)
        return true;
    uint16_t *outcome = realloc(workers->outcome, room * sizeof *outcome);
    if (outcome == NULL)
        return false;
    for (uint64_t i = workers->room; i < room; i++)
        outcome[i] = NOT_RUN;
    workers->outcome = outcome;
    workers->room = room;
    return true;
}

static void note(struct workers *workers, const struct result *result)
{
    struct tf_search *search = workers->search;
    if (result->code < 0 && !make_room(workers, result->index)) {
        tf_cli_error("explore: too little memory");
        workers->code = TF_EXIT_FAILED;
    }
    if (result->code >= 0)
        workers->code = result->code;
    if (workers->code >= 0)
        return;
    workers->outcome[result->index] = (uint16_t)line_of(search, &result->line);
    if (result->line.failed && !search->all && result->index < atomic_load(&workers->shared->last))
        atomic_store(&workers->shared->last, result->index);
    search->runs++;
}

/* Are the results of all seeds known, up to the first seed that fails? */
static bool is_over(const struct workers *workers)
{
    uint64_t last = atomic_load(&workers->shared->last);
    if (last == UINT64_MAX)
        return false;
    for (uint64_t i = 0; i < last; i++)
        if (workers->outcome[i] == NOT_RUN)
            return false;
    return true;
}

static int by_runs(const void *a, const void *b)
{
    const struct tf_tally_line *x = a, *y = b;
    if (x->runs != y->runs)
        return x->runs > y->runs ? -1 : 1;
    return x->first_seed < y->first_seed ? -1 : x->first_seed > y->first_seed;
}

/* Count the outcomes up to the last seed that matters, so that the result does not depend on the number of jobs. */
static void count(struct workers *workers)
{
    struct tf_search *search = workers->search;
    search->runs = 0;
    for (uint64_t index = 0; index < workers->room && index <= atomic_load(&workers->shared->last); index++) {
        if (workers->outcome[index] == NOT_RUN)
            continue;
        struct tf_tally_line *line = &search->line[workers->outcome[index]];
        if (line->runs++ == 0)
            line->first_seed = search->first_seed + index;
        search->runs++;
        if (line->failed && !search->failed) {
            search->failed = true;
            search->failing_seed = search->first_seed + index;
        }
    }
    qsort(search->line, search->lines, sizeof search->line[0], by_runs);
    while (search->lines != 0 && search->line[search->lines - 1].runs == 0)
        search->lines--;
}

/* Read the workers' messages until all workers have ended, or until no result matters any more. At the end of the time
   limit, seeds that still run do not count. */
static void await(struct workers *workers)
{
    const struct tf_search *search = workers->search;
    const double until_s = search->seconds > 0 ? workers->began_s + search->seconds : INFINITY;
    double shown_s = workers->began_s;
    struct result result;
    while (workers->code < 0 && !tf_interrupt_received(search->interrupt) && !is_over(workers)) {
        struct pollfd ready = {.fd = workers->pipe[0], .events = POLLIN};
        const bool late = tf_seconds() >= until_s;
        if (poll(&ready, 1, late ? 0 : PROGRESS_MS) > 0) {
            if (read(workers->pipe[0], &result, sizeof result) != sizeof result)
                return;
            note(workers, &result);
        } else if (late) {
            return;
        }
        if (search->progress != NULL && tf_seconds() - shown_s >= PROGRESS_MS * 1e-3) {
            shown_s = tf_seconds();
            search->progress(search->user, search->runs, shown_s - workers->began_s);
        }
    }
}

static void run_workers(struct workers *workers)
{
    const struct tf_search *search = workers->search;
    pid_t process[TF_JOBS_MAX], parent = getpid();
    unsigned started = 0, jobs = search->jobs < TF_JOBS_MAX ? search->jobs : TF_JOBS_MAX;
    while (started < jobs && (process[started] = tf_process_begin(parent)) > 0)
        started++;
    if (started < jobs && process[started] == 0) {
        close(workers->pipe[0]);
        work(workers, started);
    }
    close(workers->pipe[1]);
    if (started == 0)
        workers->code = TF_EXIT_FAILED;
    await(workers);
    for (unsigned i = 0; i < started; i++)
        kill(process[i], SIGKILL); /* the programs that it runs end with it */
    for (unsigned i = 0; i < started; i++)
        tf_process_end(process[i]);
    close(workers->pipe[0]);
}

int tf_search_run(struct tf_search *search)
{
    struct workers workers = {.search = search, .code = -1, .began_s = tf_seconds()};
    workers.shared = mmap(NULL, sizeof *workers.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (workers.shared == MAP_FAILED || pipe(workers.pipe) != 0) {
        tf_cli_error("explore: the host refuses a pipe, or shared memory");
        if (workers.shared != MAP_FAILED)
            munmap(workers.shared, sizeof *workers.shared);
        return TF_EXIT_FAILED;
    }
    atomic_init(&workers.shared->last, UINT64_MAX);
    run_workers(&workers);
    search->wall_s = tf_seconds() - workers.began_s;
    search->interrupted = tf_interrupt_received(search->interrupt);
    count(&workers);
    const uint64_t last = atomic_load(&workers.shared->last);
    if (search->hunt->orders != NULL &&
        !tf_orders_collect(search->hunt->orders, last == UINT64_MAX ? last : search->first_seed + last)) {
        tf_cli_error("explore: too little memory");
        workers.code = TF_EXIT_FAILED;
    }
    free(workers.outcome);
    munmap(workers.shared, sizeof *workers.shared);
    return workers.code;
}
