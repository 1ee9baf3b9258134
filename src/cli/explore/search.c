/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/explore/search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PROGRESS_NS 200000000
#define JOBS_MAX 256u

/* The outcome of a seed: index into the lines. */
#define NOT_RUN UINT16_MAX

struct workers {
    struct tf_search *search;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    uint64_t next; /* seed, less the first one */
    uint16_t *outcome;
    size_t room;
    uint64_t last; /* no seed behind it is started: the first failing one */
    unsigned running;
    double began_s;
    int code;
};

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Under the lock. False: there is no seed left. */
static bool take_seed(struct workers *workers, uint64_t *index)
{
    const struct tf_search *search = workers->search;
    if (workers->code >= 0 || workers->next > workers->last || tf_interrupt_came(search->interrupt) ||
        (search->seeds != 0 && workers->next >= search->seeds) ||
        (search->seconds > 0 && now_s() - workers->began_s >= search->seconds))
        return false;
    if (workers->next == workers->room) {
        size_t room = workers->room == 0 ? 1024 : workers->room * 2;
        uint16_t *outcome = realloc(workers->outcome, room * sizeof *outcome);
        if (outcome == NULL) {
            tf_cli_error("explore: too little memory");
            workers->code = TF_EXIT_FAILED;
            return false;
        }
        workers->outcome = outcome;
        workers->room = room;
    }
    *index = workers->next++;
    workers->outcome[*index] = NOT_RUN;
    return true;
}

/* The line of an outcome. The last line has all that came when the others were taken. */
static unsigned line_of(struct tf_search *search, const struct tf_trial *trial)
{
    for (unsigned i = 0; i < search->lines; i++)
        if (search->line[i].failed == trial->failed && strcmp(search->line[i].outcome, trial->outcome) == 0)
            return i;
    if (search->lines == TF_OUTCOMES_MAX)
        return TF_OUTCOMES_MAX - 1;
    struct tf_tally_line *line = &search->line[search->lines];
    *line = (struct tf_tally_line){.failed = trial->failed};
    if (search->lines == TF_OUTCOMES_MAX - 1)
        snprintf(line->outcome, sizeof line->outcome, "others");
    else
        memcpy(line->outcome, trial->outcome, sizeof line->outcome);
    return search->lines++;
}

/* Under the lock. */
static void note(struct workers *workers, uint64_t index, const struct tf_trial *trial)
{
    struct tf_search *search = workers->search;
    workers->outcome[index] = (uint16_t)line_of(search, trial);
    if (trial->failed && !search->all && index < workers->last)
        workers->last = index;
    search->runs++;
}

static void *work(void *context)
{
    struct workers *workers = context;
    struct tf_search *search = workers->search;
    uint64_t index;
    pthread_mutex_lock(&workers->lock);
    while (take_seed(workers, &index)) {
        pthread_mutex_unlock(&workers->lock);
        struct tf_explore explore;
        struct tf_trial trial;
        int code = TF_EXIT_FAILED;
        trial.decision = NULL;
        if (tf_hunt_explore(search->hunt, search->first_seed + index, &explore))
            code = tf_trial_run(search->hunt, &explore, &trial, 1, NULL, NULL);
        else
            tf_cli_error("explore: too little memory");
        free(trial.decision);
        free((void *)explore.decision);
        pthread_mutex_lock(&workers->lock);
        if (code >= 0)
            workers->code = code;
        else
            note(workers, index, &trial);
    }
    workers->running--;
    pthread_cond_signal(&workers->ended);
    pthread_mutex_unlock(&workers->lock);
    return NULL;
}

static int by_runs(const void *a, const void *b)
{
    const struct tf_tally_line *x = a, *y = b;
    if (x->runs != y->runs)
        return x->runs > y->runs ? -1 : 1;
    return x->first_seed < y->first_seed ? -1 : x->first_seed > y->first_seed;
}

/* Count what came up to the last seed that matters: it does not depend on the number of jobs. */
static void count(struct workers *workers)
{
    struct tf_search *search = workers->search;
    search->runs = 0;
    for (uint64_t index = 0; index < workers->next && index <= workers->last; index++) {
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

static void await(struct workers *workers)
{
    const struct tf_search *search = workers->search;
    pthread_mutex_lock(&workers->lock);
    while (workers->running != 0) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += PROGRESS_NS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        if (pthread_cond_timedwait(&workers->ended, &workers->lock, &until) == ETIMEDOUT && search->progress != NULL)
            search->progress(search->user, search->runs, now_s() - workers->began_s);
    }
    pthread_mutex_unlock(&workers->lock);
}

int tf_search_run(struct tf_search *search)
{
    struct workers workers = {.search = search, .last = UINT64_MAX, .code = -1, .began_s = now_s()};
    pthread_t thread[JOBS_MAX];
    unsigned started = 0, jobs = search->jobs < JOBS_MAX ? search->jobs : JOBS_MAX;
    pthread_mutex_init(&workers.lock, NULL);
    pthread_cond_init(&workers.ended, NULL);
    workers.running = jobs;
    while (started < jobs && pthread_create(&thread[started], NULL, work, &workers) == 0)
        started++;
    pthread_mutex_lock(&workers.lock);
    workers.running -= jobs - started;
    pthread_mutex_unlock(&workers.lock);
    await(&workers);
    for (unsigned i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    if (started == 0) {
        tf_cli_error("explore: the host refuses a thread");
        workers.code = TF_EXIT_FAILED;
    }
    search->wall_s = now_s() - workers.began_s;
    search->interrupted = tf_interrupt_came(search->interrupt);
    count(&workers);
    free(workers.outcome);
    pthread_cond_destroy(&workers.ended);
    pthread_mutex_destroy(&workers.lock);
    return workers.code;
}
