/* SPDX-License-Identifier: Apache-2.0 */
/* Several teams of one pool: who gets which helpers, at the same time and one after another. */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "host/clock.h"
#include "pool/form.h"
#include "pool/pool.h"
#include "pool/queue.h"

enum { TEAMS = 6, ROUNDS = 300 };

struct count {
    unsigned tasks[TF_WORKERS_MAX]; /* written by one worker each, read after the task */
    pthread_t thread[TF_WORKERS_MAX];
};

static struct tf_part count_task(void *context, unsigned worker, double began_s)
{
    struct count *count = context;
    count->tasks[worker]++;
    count->thread[worker] = pthread_self();
    return (struct tf_part){.ended_s = began_s};
}

/* Share a task. All workers that are present take part, once. */
static void share(struct tf_team *team, struct count *count)
{
    const struct tf_task task = {.run = count_task, .context = count};
    unsigned before[TF_WORKERS_MAX];
    memcpy(before, count->tasks, sizeof before);
    tf_team_share(team, &task, NULL);
    for (unsigned i = 0; i < team->count; i++)
        assert_int_equal(count->tasks[i], before[i] + (i < team->present));
}

static struct tf_team *team_of(struct tf_pool *pool, unsigned workers, unsigned limit, bool spin)
{
    struct tf_team *team = aligned_alloc(64, (sizeof *team + 63) / 64 * 64);
    const struct tf_team_request request = {.count = workers, .limit = limit, .spin = spin};
    assert_non_null(team);
    assert_int_equal(tf_team_init(team, pool, &request), TF_OK);
    return team;
}

static void end(struct tf_team *team)
{
    tf_team_fini(team);
    free(team);
}

static unsigned threads_of(const struct tf_pool *pool)
{
    unsigned threads = 0;
    for (const struct tf_helper *helper = pool->helpers; helper != NULL; helper = helper->next)
        threads++;
    return threads;
}

/* Two teams that take turns have the same threads. */
static void teams_that_take_turns_share_threads(void **state)
{
    (void)state;
    struct tf_pool pool = TF_POOL_INIT;
    struct tf_team *team[2] = {team_of(&pool, 3, 0, true), team_of(&pool, 4, 0, true)};
    static struct count count[2];
    memset(count, 0, sizeof count);
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct tf_team *one = team[round % 2];
        assert_int_equal(tf_team_form(one), TF_OK);
        assert_int_equal(one->present, one->count);
        for (unsigned i = 0; i < 3; i++)
            share(one, &count[round % 2]);
        tf_team_rest(one);
        assert_int_equal(threads_of(&pool), round == 0 ? 2 : 3);
    }
    end(team[0]);
    assert_int_equal(threads_of(&pool), 3);
    end(team[1]);
    assert_int_equal(threads_of(&pool), 0);
}

/* While a team runs, it keeps its helpers. A team with a limit gets the CPUs that are left, and more when they are
   free; a team without one gets what it asks for. */
static void a_team_with_a_limit_takes_what_is_free(void **state)
{
    (void)state;
    struct tf_pool pool = TF_POOL_INIT;
    struct tf_team *first = team_of(&pool, 3, 4, true), *second = team_of(&pool, 4, 4, true),
                   *third = team_of(&pool, 4, 4, true), *asked = team_of(&pool, 5, 0, false);
    static struct count count[4];
    memset(count, 0, sizeof count);
    assert_int_equal(tf_team_form(first), TF_OK);
    share(first, &count[0]);
    assert_int_equal(tf_team_form(second), TF_ESYS); /* three of four are busy, and the calling thread is the fourth */
    assert_int_equal(second->present, 1);
    assert_int_equal(tf_team_form(third), TF_ESYS);
    assert_int_equal(tf_team_form(asked), TF_OK);
    assert_int_equal(asked->present, 5);
    share(asked, &count[3]);
    share(first, &count[0]);
    assert_false(tf_team_grow(second)); /* nothing has changed */
    tf_team_rest(asked);
    assert_false(tf_team_grow(second)); /* as many are busy as before */
    tf_team_rest(first);
    tf_team_rest(third);
    assert_true(tf_team_grow(second));
    assert_int_equal(second->present, 4);
    share(second, &count[1]);
    assert_false(tf_team_grow(second));
    assert_int_equal(tf_team_form(first), TF_ESYS);
    tf_team_rest(first);
    share(second, &count[1]);
    tf_team_rest(second);
    assert_int_equal(tf_team_form(first), TF_OK);
    assert_int_equal(first->present, 3);
    share(first, &count[0]);
    tf_team_rest(first);
    assert_int_equal(threads_of(&pool), 6);
    end(first);
    end(second);
    end(third);
    end(asked);
    assert_int_equal(threads_of(&pool), 0);
}

/* Helpers that do not know their new team yet go on to a third one. */
static void helpers_are_sent_on(void **state)
{
    (void)state;
    struct tf_pool pool = TF_POOL_INIT;
    struct tf_team *team[TEAMS];
    static struct count count[TEAMS];
    memset(count, 0, sizeof count);
    for (unsigned i = 0; i < TEAMS; i++)
        team[i] = team_of(&pool, 2 + i % 3, 0, i % 2 == 0);
    for (unsigned round = 0; round < 20 * ROUNDS; round++) {
        unsigned i = (round * 7 + round / 11) % TEAMS;
        assert_int_equal(tf_team_form(team[i]), TF_OK);
        if (round % 3 == 0)
            share(team[i], &count[i]);
        tf_team_rest(team[i]);
        if (round % 50 == 0) { /* a team ends while helpers are on their way to it, or from it */
            end(team[i]);
            team[i] = team_of(&pool, 2 + round / 50 % 4, 0, round % 100 == 0);
            memset(&count[i], 0, sizeof count[i]);
        }
    }
    assert_in_range(threads_of(&pool), 3, 4);
    for (unsigned i = 0; i < TEAMS; i++)
        end(team[i]);
}

struct caller {
    struct tf_pool *pool;
    unsigned number, formed, shared;
};

static void *call(void *argument)
{
    struct caller *caller = argument;
    struct tf_team *team = team_of(caller->pool, 2 + caller->number % 3, caller->number % 2 == 0 ? 4 : 0, false);
    struct count *count = calloc(1, sizeof *count);
    for (unsigned round = 0; round < ROUNDS; round++) {
        bool helped = tf_team_form(team) == TF_OK;
        if (caller->number % 2 != 0 && (!helped || team->present != team->count))
            break;
        caller->formed += helped;
        for (unsigned i = 0; i < round % 4 && team->present > 1; i++) {
            const struct tf_task task = {.run = count_task, .context = count};
            tf_team_share(team, &task, NULL);
            caller->shared++;
            tf_team_grow(team);
        }
        tf_team_rest(team);
        if (round % 64 == 0)
            usleep(1000);
    }
    free(count);
    end(team);
    return NULL;
}

/* Threads of the user run teams at the same time. */
static void teams_run_at_the_same_time(void **state)
{
    (void)state;
    struct tf_pool pool = TF_POOL_INIT;
    pthread_t thread[TEAMS];
    struct caller caller[TEAMS];
    struct tf_team *stays = team_of(&pool, 2, 0, false); /* so that the pool's threads stay */
    assert_int_equal(tf_team_form(stays), TF_OK);
    tf_team_rest(stays);
    for (unsigned i = 0; i < TEAMS; i++) {
        caller[i] = (struct caller){.pool = &pool, .number = i};
        assert_int_equal(pthread_create(&thread[i], NULL, call, &caller[i]), 0);
    }
    for (unsigned i = 0; i < TEAMS; i++) {
        assert_int_equal(pthread_join(thread[i], NULL), 0);
        if (i % 2 != 0) {
            assert_int_equal(caller[i].formed, ROUNDS);
            assert_true(caller[i].shared > 0);
        }
    }
    end(stays);
    assert_int_equal(threads_of(&pool), 0);
}

static int cpus_of(pthread_t thread, int *one)
{
    cpu_set_t set;
    assert_int_equal(pthread_getaffinity_np(thread, sizeof set, &set), 0);
    for (*one = 0; !CPU_ISSET(*one, &set);)
        ++*one;
    return CPU_COUNT(&set);
}

struct pinned {
    struct tf_pool *pool;
    int cpu[2];
    int cpus, one, own_cpus, cpus_after, loose_cpus;
};

static void *run_pinned(void *argument)
{
    struct pinned *pinned = argument;
    const struct tf_team_request request = {.count = 2, .cpu = pinned->cpu};
    struct tf_team *team = aligned_alloc(64, (sizeof *team + 63) / 64 * 64);
    struct count count = {.tasks = {0}};
    int one;
    assert_non_null(team);
    assert_int_equal(tf_team_init(team, pinned->pool, &request), TF_OK);
    assert_int_equal(tf_team_form(team), TF_OK);
    share(team, &count);
    pinned->cpus = cpus_of(count.thread[1], &pinned->one);
    pinned->own_cpus = cpus_of(pthread_self(), &one);
    tf_team_loosen(team);
    pinned->loose_cpus = cpus_of(count.thread[1], &one);
    tf_team_rest(team);
    pinned->cpus_after = cpus_of(pthread_self(), &one);
    end(team);
    return NULL;
}

/* A team is pinned, and its calling thread is where it was, afterwards. A team that runs beside one that is pinned to
   the same CPUs is not pinned. */
static void only_one_team_is_pinned_to_a_cpu(void **state)
{
    (void)state;
    struct tf_pool pool = TF_POOL_INIT;
    cpu_set_t before;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    struct pinned pinned = {.pool = &pool};
    int *cpu = pinned.cpu, all = CPU_COUNT(&before);
    for (cpu[0] = 0; !CPU_ISSET(cpu[0], &before);)
        cpu[0]++;
    for (cpu[1] = cpu[0] + 1; cpu[1] < CPU_SETSIZE && !CPU_ISSET(cpu[1], &before);)
        cpu[1]++;
    if (cpu[1] == CPU_SETSIZE)
        skip();
    for (unsigned i = 0; i < 3; i++) {
        struct pinned other = pinned;
        const struct tf_team_request request = {.count = 2, .cpu = cpu};
        struct tf_team *team = aligned_alloc(64, (sizeof *team + 63) / 64 * 64);
        struct count count = {.tasks = {0}};
        pthread_t thread;
        assert_non_null(team);
        assert_int_equal(tf_team_init(team, &pool, &request), TF_OK);
        assert_int_equal(pthread_create(&thread, NULL, run_pinned, &other), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_int_equal(other.cpus, 1);
        assert_int_equal(other.one, cpu[1]);
        assert_int_equal(other.own_cpus, 1);
        assert_int_equal(other.loose_cpus, all);
        assert_int_equal(other.cpus_after, all);
        assert_int_equal(tf_team_form(team), TF_OK);
        assert_int_equal(pthread_create(&thread, NULL, run_pinned, &other), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_int_equal(other.cpus, all);
        assert_int_equal(other.own_cpus, all);
        share(team, &count);
        assert_int_equal(cpus_of(count.thread[1], &other.one), 1);
        tf_team_rest(team);
        assert_int_equal(cpus_of(pthread_self(), &other.one), all);
        end(team);
    }
}

/* The child of a fork has none of the threads. It starts its own, even if one of them had the pool's lock. */
static void a_forked_process_starts_its_own_threads(void **state)
{
    (void)state;
#ifdef TF_TSAN
    skip(); /* it ends a child that starts threads */
#endif
    struct tf_pool pool = TF_POOL_INIT;
    struct tf_team *team[2] = {team_of(&pool, 3, 0, true), team_of(&pool, 2, 0, false)};
    static struct count count[2];
    memset(count, 0, sizeof count);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(tf_team_form(team[i]), TF_OK);
        share(team[i], &count[i]);
        tf_team_rest(team[i]);
    }
    assert_int_equal(pthread_mutex_lock(&pool.lock), 0); /* in the child nobody unlocks it */
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(60);
        for (unsigned i = 0; i < 2; i++) {
            if (tf_team_form(team[i]) != TF_OK || team[i]->present != team[i]->count)
                _exit(1);
            const struct tf_task task = {.run = count_task, .context = &count[i]};
            tf_team_share(team[i], &task, NULL);
            if (count[i].tasks[1] != 2)
                _exit(2);
            tf_team_rest(team[i]);
        }
        tf_team_fini(team[0]);
        tf_team_fini(team[1]);
        _exit(threads_of(&pool) == 0 ? 0 : 3);
    }
    int status;
    assert_int_equal(pthread_mutex_unlock(&pool.lock), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(tf_team_form(team[i]), TF_OK);
        share(team[i], &count[i]);
        tf_team_rest(team[i]);
        end(team[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(teams_that_take_turns_share_threads),
        cmocka_unit_test(a_team_with_a_limit_takes_what_is_free),
        cmocka_unit_test(helpers_are_sent_on),
        cmocka_unit_test(teams_run_at_the_same_time),
        cmocka_unit_test(only_one_team_is_pinned_to_a_cpu),
        cmocka_unit_test(a_forked_process_starts_its_own_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
