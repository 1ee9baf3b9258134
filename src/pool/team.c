/* SPDX-License-Identifier: Apache-2.0 */
#include "pool/team.h"

#include <pthread.h>
#include <time.h>

#include "host/clock.h"
#include "pool/cpus.h"
#include "pool/wait.h"

/* Time for which the calling thread spins for helpers before it calls overdue(). It reads the clock once in
   CLOCK_SPINS. */
#define OVERDUE_S 10e-6
#define CLOCK_SPINS 16u

double tf_thread_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* ---- The calling thread ---- */

/* Pin the calling thread from the first task of a run to the run's end. It belongs to the program that called us. */
static void pin_caller(struct tf_team *team)
{
    if (team->binding != NULL || !team->pinned)
        return;
    team->binding = tf_binding_of_caller();
    if (team->binding != NULL)
        tf_cpus_bind(pthread_self(), team->cpu[0]);
}

void tf_team_unpin_caller(struct tf_team *team)
{
    if (team->binding == NULL)
        return;
    tf_binding_apply(team->binding, pthread_self());
    tf_binding_free(team->binding);
    team->binding = NULL;
}

/* ---- A task ---- */

static bool all_done(const struct tf_team *team, unsigned sequence)
{
    bool done = true;
    for (unsigned i = 1; i < team->present; i++)
        done &= tf_count_value(&team->member[i].done) == sequence;
    return done;
}

/* Spin until all helpers are done. Returns false if some were not done in time. */
static bool spin_until_done(struct tf_team *team, unsigned sequence)
{
    double until_s = team->part.ended_s + OVERDUE_S;
    for (unsigned i = 1;; i++) {
        if (all_done(team, sequence))
            return true;
        if (i % CLOCK_SPINS == 0 && tf_seconds() > until_s)
            return false;
        tf_pause_cpu();
        team->spins++;
    }
}

/* Helpers that the host has not let run need not be waited for. */
static void leave_out(struct tf_team *team, unsigned sequence)
{
    for (unsigned i = 1; i < team->present; i++) {
        struct tf_member *member = &team->member[i];
        if (!tf_member_takes_turn(member, sequence))
            continue;
        member->part = (struct tf_part){.ended_s = team->part.ended_s, .absent = true};
        tf_count_advance(&member->done);
    }
}

static void run_overdue(struct tf_team *team, unsigned sequence)
{
    double ended_s = team->part.ended_s, time_s = tf_seconds();
    team->part.ended_s = time_s;
    bool all_begun = team->task->overdue(team->task->context);
    if (team->part.ended_s > time_s)
        team->wait_s += time_s - ended_s;
    else
        team->part.ended_s = ended_s;
    if (all_begun)
        leave_out(team, sequence);
}

static void wait_for_helpers(struct tf_team *team, unsigned sequence)
{
    if (team->spin && spin_until_done(team, sequence))
        return;
    if (team->task->overdue != NULL)
        run_overdue(team, sequence);
    for (unsigned i = 1; i < team->present; i++)
        while (tf_count_value(&team->member[i].done) != sequence)
            tf_count_wait(&team->member[i].done, tf_count_before(sequence), team->spin ? TF_SPINS : 0, NULL, NULL,
                          &team->spins, &team->blocks);
}

void tf_team_share(struct tf_team *team, const struct tf_task *task, const struct tf_shared_phase *phase)
{
    pin_caller(team);
    team->began_s = tf_seconds();
    team->task = task;
    if (phase != NULL)
        team->phase = *phase;
    unsigned sequence = tf_count_after(tf_count_value(&team->sequence));
    bool woken = tf_count_awaited(&team->sequence);
    tf_count_advance(&team->sequence);
    team->part = task->run(task->context, 0, woken ? tf_seconds() : team->began_s);
    wait_for_helpers(team, sequence);
    team->met_s = tf_seconds();
    team->wait_s += team->met_s - team->part.ended_s;
}
