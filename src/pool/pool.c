/* SPDX-License-Identifier: Apache-2.0 */
#include "pool/pool.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/assert.h"
#include "host/clock.h"
#include "host/extremes.h"
#include "pool/cpus.h"
#include "pool/wait.h"

struct tf_pool *tf_pool_of_process(void)
{
    static struct tf_pool pool = TF_POOL_INIT;
    return &pool;
}

/* ---- The child of a fork ---- */

#define ADOPTING (-1)

/* Forget what the parent had: its threads do not exist here, and one of them may have held the lock. */
static void forget_parent(struct tf_pool *pool)
{
    pool->lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    pool->left = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    while (pool->helpers != NULL) {
        struct tf_helper *helper = pool->helpers;
        pool->helpers = helper->next;
        free(helper);
    }
    for (struct tf_team *team = pool->teams; team != NULL; team = team->next) {
        team->guests = 0;
        team->formed = false;
        atomic_store(&team->helpers, 0);
        atomic_store(&team->sleepers, 0);
    }
}

/* Called before the lock is taken. */
static void adopt(struct tf_pool *pool)
{
    int self = getpid(), before = atomic_load(&pool->process);
    if (before == self)
        return;
    if (before != ADOPTING && atomic_compare_exchange_strong(&pool->process, &before, ADOPTING)) {
        if (before != 0)
            forget_parent(pool);
        atomic_store(&pool->process, self);
    }
    while (atomic_load(&pool->process) != self)
        sched_yield();
}

/* ---- A helper ---- */

/* A helper's stay at a team. */
struct stay {
    struct tf_member *member;
    unsigned seen; /* number of the last task that it knows */
    uint64_t spins, blocks;
    double wait_s;
};

/* Leave the team where it is, and wait for the next one. Returns false if the thread ends. */
static bool next_stay(struct tf_pool *pool, struct tf_helper *helper, struct stay *stay)
{
    struct tf_member *member;
    pthread_mutex_lock(&pool->lock);
    if (helper->at != NULL) {
        helper->at->team->guests--;
        helper->at = NULL;
        pthread_cond_broadcast(&pool->left);
    }
    while ((member = atomic_load(&helper->member)) == NULL && !helper->ends)
        pthread_cond_wait(&helper->call, &pool->lock);
    helper->at = member;
    if (member != NULL) {
        member->team->guests++;
        *stay = (struct stay){member, member->joined, member->spins, member->blocks, member->wait_s};
    }
    pthread_mutex_unlock(&pool->lock);
    return member != NULL;
}

/* Run a team's tasks until the helper belongs elsewhere. */
static void work(struct tf_helper *helper, struct stay *stay)
{
    struct tf_member *member = stay->member;
    struct tf_team *team = member->team;
    double ended_s = tf_seconds();
    for (;;) {
        tf_count_wait(&team->sequence, stay->seen, team->spin ? TF_SPINS : 0, NULL, &team->sleepers, &stay->spins,
                      &stay->blocks);
        stay->seen = tf_count_value(&team->sequence);
        if (atomic_load_explicit(&helper->member, memory_order_relaxed) != member)
            return;
        if (!tf_member_takes_turn(member, stay->seen))
            continue;
        const struct tf_task *task = team->task;
        double began_s = tf_seconds();
        stay->wait_s += began_s - ended_s;
        member->part = task->run(task->context, member->number, began_s);
        ended_s = member->part.ended_s;
        /* Written before `done`: between tasks the calling thread may read them. */
        member->spins = stay->spins;
        member->blocks = stay->blocks;
        member->wait_s = stay->wait_s;
        tf_count_advance(&member->done);
    }
}

struct start {
    struct tf_pool *pool;
    struct tf_helper *helper;
};

static void *helper_main(void *argument)
{
    struct start start = *(struct start *)argument;
    struct stay stay;
    free(argument);
    while (next_stay(start.pool, start.helper, &stay))
        work(start.helper, &stay);
    return NULL;
}

/* Start a thread. Helpers take no signals of the calling program. Returns NULL if the host refuses. */
static struct tf_helper *start_helper(struct tf_pool *pool)
{
    sigset_t all, before;
    struct tf_helper *helper = calloc(1, sizeof *helper);
    struct start *start = malloc(sizeof *start);
    bool started = helper != NULL && start != NULL;
    if (started) {
        *start = (struct start){pool, helper};
        helper->cpu = TF_CPU_UNKNOWN;
        pthread_cond_init(&helper->call, NULL);
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        started = pthread_create(&helper->thread, NULL, helper_main, start) == 0;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    if (!started) {
        free(helper);
        free(start);
        return NULL;
    }
    helper->next = pool->helpers;
    pool->helpers = helper;
    return helper;
}

/* ---- Helpers change teams. With the lock. ---- */

static unsigned helpers_of(const struct tf_team *team)
{
    return atomic_load_explicit(&team->helpers, memory_order_relaxed);
}

/* Make the helpers that are at a resting team look where they belong. For those that stay this is no task. */
static void nudge(struct tf_team *team)
{
    TF_ASSERT(!team->formed);
    unsigned sequence = tf_count_after(tf_count_value(&team->sequence));
    for (unsigned i = 1; i <= helpers_of(team); i++) {
        atomic_store(&team->member[i].begun, sequence);
        tf_count_set(&team->member[i].done, sequence);
    }
    tf_count_advance(&team->sequence);
}

/* Say where a helper belongs. If this was said before and it has not looked yet, it finds the new place. */
static void move(struct tf_helper *helper, struct tf_member *to)
{
    struct tf_member *at = helper->at;
    bool settled = at != NULL && atomic_load(&helper->member) == at;
    atomic_store(&helper->member, to);
    if (settled)
        nudge(at->team);
    else if (at == NULL)
        pthread_cond_signal(&helper->call);
}

/* Take the last helper from a resting team. Sends it nowhere, unless the caller sends it to another team at once. */
static struct tf_helper *take_last(struct tf_team *team)
{
    unsigned last = helpers_of(team);
    struct tf_helper *helper = team->member[last].helper;
    team->member[last].helper = NULL;
    atomic_store_explicit(&team->helpers, last - 1, memory_order_relaxed);
    return helper;
}

/* Find a helper for a team: one that belongs nowhere, one of a resting team, or a new one. */
static struct tf_helper *find_helper(struct tf_pool *pool, const struct tf_team *team)
{
    for (struct tf_helper *helper = pool->helpers; helper != NULL; helper = helper->next)
        if (atomic_load(&helper->member) == NULL)
            return helper;
    for (struct tf_team *other = pool->teams; other != NULL; other = other->next)
        if (other != team && !other->formed && helpers_of(other) != 0)
            return take_last(other);
    return start_helper(pool);
}

static void join(struct tf_team *team, struct tf_helper *helper)
{
    unsigned number = helpers_of(team) + 1, sequence = tf_count_value(&team->sequence);
    struct tf_member *member = &team->member[number];
    if (helper->cpu == TF_CPU_ANY) /* of another calling thread */
        helper->cpu = TF_CPU_UNKNOWN;
    member->helper = helper;
    member->joined = sequence;
    atomic_store(&member->begun, sequence);
    tf_count_set(&member->done, sequence);
    atomic_store_explicit(&team->helpers, number, memory_order_relaxed);
    move(helper, member);
}

/* ---- Teams ---- */

static void send_away(struct tf_team *team)
{
    move(take_last(team), NULL);
}

/* How many helpers a team may have. Those that run with it take their CPUs first. */
static unsigned most_helpers(const struct tf_pool *pool, const struct tf_team *team)
{
    unsigned busy = 1;
    for (const struct tf_team *other = pool->teams; other != NULL; other = other->next)
        busy += other != team && other->formed ? 1 + helpers_of(other) : 0;
    unsigned left = team->limit > busy ? team->limit - busy : 0;
    return team->limit == 0 ? team->count - 1 : tf_min(team->count - 1, left);
}

static bool has_cpu(const struct tf_team *team, int cpu)
{
    for (unsigned i = 0; i < team->present; i++)
        if (team->cpu[i] == cpu)
            return true;
    return false;
}

/* Has a team CPUs of its own to pin workers to? */
static bool may_pin(const struct tf_pool *pool, const struct tf_team *team)
{
    if (team->cpu[0] < 0)
        return false;
    for (const struct tf_team *other = pool->teams; other != NULL; other = other->next)
        for (unsigned i = 0; other != team && other->formed && other->pinned && i < team->present; i++)
            if (has_cpu(other, team->cpu[i]))
                return false;
    return true;
}

/* Helpers that are not pinned run where the calling thread of their team may run. */
static void pin_helpers(const struct tf_team *team)
{
    struct tf_binding *callers = NULL;
    for (unsigned i = 1; i <= helpers_of(team); i++) {
        struct tf_helper *helper = team->member[i].helper;
        int cpu = team->pinned ? team->cpu[i] : TF_CPU_ANY;
        if (helper->cpu == cpu)
            continue;
        if (cpu == TF_CPU_ANY && team->binding == NULL && callers == NULL)
            callers = tf_binding_of_caller();
        const struct tf_binding *binding = team->binding != NULL ? team->binding : callers;
        if (cpu != TF_CPU_ANY)
            tf_cpus_bind(helper->thread, cpu);
        else if (binding != NULL)
            tf_binding_apply(binding, helper->thread);
        helper->cpu = cpu;
    }
    tf_binding_free(callers);
}

void tf_pool_serve(struct tf_pool *pool, struct tf_team *team)
{
    adopt(pool);
    pthread_mutex_lock(&pool->lock);
    if (!team->known) {
        team->known = true;
        team->next = pool->teams;
        pool->teams = team;
    }
    unsigned most = most_helpers(pool, team);
    while (!team->formed && helpers_of(team) > most)
        send_away(team);
    team->formed = true;
    team->refused = false;
    while (helpers_of(team) < most && !team->refused) {
        struct tf_helper *helper = find_helper(pool, team);
        team->refused = helper == NULL;
        if (helper != NULL)
            join(team, helper);
    }
    team->present = 1 + helpers_of(team);
    team->looked = atomic_load(&pool->rests);
    team->pinned = may_pin(pool, team);
    pin_helpers(team);
    pthread_mutex_unlock(&pool->lock);
}

void tf_pool_loosen(struct tf_pool *pool, struct tf_team *team)
{
    pthread_mutex_lock(&pool->lock);
    for (unsigned i = 0; i < team->count; i++)
        team->cpu[i] = -1;
    team->pinned = false;
    pin_helpers(team);
    pthread_mutex_unlock(&pool->lock);
}

void tf_pool_release(struct tf_pool *pool, struct tf_team *team)
{
    pthread_mutex_lock(&pool->lock);
    team->formed = false;
    atomic_fetch_add(&pool->rests, 1);
    pthread_mutex_unlock(&pool->lock);
}

static void end_helpers(struct tf_helper *helper)
{
    while (helper != NULL) {
        struct tf_helper *next = helper->next;
        pthread_join(helper->thread, NULL);
        pthread_cond_destroy(&helper->call);
        free(helper);
        helper = next;
    }
}

void tf_pool_forget(struct tf_pool *pool, struct tf_team *team)
{
    struct tf_helper *ended = NULL;
    if (!team->known)
        return;
    adopt(pool);
    pthread_mutex_lock(&pool->lock);
    team->formed = false;
    while (helpers_of(team) != 0)
        send_away(team);
    while (team->guests != 0)
        pthread_cond_wait(&pool->left, &pool->lock);
    struct tf_team **link = &pool->teams;
    while (*link != team)
        link = &(*link)->next;
    *link = team->next;
    team->known = false;
    atomic_fetch_add(&pool->rests, 1);
    if (pool->teams == NULL) {
        ended = pool->helpers;
        pool->helpers = NULL;
        for (struct tf_helper *helper = ended; helper != NULL; helper = helper->next) {
            helper->ends = true;
            pthread_cond_signal(&helper->call);
        }
    }
    pthread_mutex_unlock(&pool->lock);
    end_helpers(ended);
}
