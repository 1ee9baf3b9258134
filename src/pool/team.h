/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A team: the threads that run one chip, or whatever else is given as a task. The calling thread is worker 0 of its
 * team. The other workers are helpers: threads of a pool, which wait for a task, run it, and report its end. A helper
 * spins for a while before it sleeps.
 *
 * A team takes helpers when it first shares a task (tf_team_form()), and has them until it rests (tf_team_rest()).
 * While it rests they stay with it, and other teams of the pool may take them.
 *
 * Functions that take a struct tf_team are for its calling thread only.
 */
#ifndef POOL_TEAM_H
#define POOL_TEAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/clock.h"
#include "pool/phase.h"
#include "pool/wait.h"
#include "tilefarm/tilefarm_base.h"

/* A helper spins this many times between tasks: some hundred microseconds. That is longer than most serial phases, and
   shorter than a time slice of the host. */
#define TF_SPINS 5000u

struct tf_binding;
struct tf_helper;
struct tf_pool;
struct tf_team;

/* A worker's part in a task. If the caller does not read other fields than ended_s, they may be 0. */
struct tf_part {
    double ended_s;      /* by tf_seconds() */
    double busy_s;       /* spent on sites */
    float stolen_s;      /* wall time of stolen sites */
    uint16_t stolen;     /* their number */
    uint16_t dealt, got; /* sites in its share, and visited */
    bool absent;         /* left out: it had not begun when the other workers had finished */
};

struct tf_task {
    /* Run a worker's part. began_s: the time now, by tf_seconds(). */
    struct tf_part (*run)(void *context, unsigned worker, double began_s);
    /* Called on the calling thread after a wait for helpers. part.ended_s is the time now; the function advances it if
       it works. Returns true if helpers that have not begun have nothing left to do: they are left out. A NULL pointer
       makes every helper take part. */
    bool (*overdue)(void *context);
    void *context;
};

/* A helper's place in a team. It stays when the helper goes to another team. */
struct tf_member {
    /* One cache line, which the calling thread reads after each task. */
    _Alignas(64) struct tf_count done; /* number of the last task that it has finished */
    struct tf_part part;               /* in that task */
    uint64_t spins, blocks;
    double wait_s;
    _Alignas(64) atomic_uint begun; /* number of the last task that it has begun, or was left out of */
    unsigned joined;                /* number of the task after which its helper came */
    unsigned number;                /* 1.. */
    struct tf_team *team;
    struct tf_helper *helper; /* NULL: none. The pool's */
};

_Static_assert(offsetof(struct tf_member, begun) == 64, "the calling thread reads one line");

struct tf_team {
    struct tf_pool *pool;
    unsigned count;           /* workers that it asks for, including the calling thread */
    unsigned present;         /* workers of the present or last run; before the first run, count */
    unsigned limit;           /* of the request */
    bool spin;                /* of the request */
    bool formed;              /* it has taken its helpers, and does not rest */
    bool refused;             /* the host has refused threads */
    int cpu[TF_WORKERS_MAX];  /* of the request */
    struct tf_member *member; /* by number; [0] is unused */
    struct tf_part part;      /* of worker 0, like the next three */
    uint64_t spins, blocks;
    double wait_s;
    double began_s, met_s;      /* when the last task began, and when all workers had ended it */
    unsigned looked;            /* tf_pool.rests when it asked last */
    struct tf_binding *binding; /* of the calling thread before it was pinned; NULL: it is not pinned */
    /* The pool's. */
    struct tf_team *next;
    bool known;                            /* it is in the pool's list */
    bool pinned;                           /* its workers are pinned to the CPUs above */
    unsigned guests;                       /* helpers that may access this team */
    atomic_uint helpers;                   /* those that belong to it; may change while it rests */
    _Alignas(64) struct tf_count sequence; /* number of the task; helpers wait for it to change */
    const struct tf_task *task;
    struct tf_shared_phase phase;
    _Alignas(64) atomic_uint sleepers; /* helpers asleep on sequence */
};

_Static_assert(offsetof(struct tf_team, sleepers) == offsetof(struct tf_team, sequence) + 64, "one line");

/* Run a task on all workers, and wait until all that have begun are done. The team must be formed (form.h). A task
   that keeps its address stays in their caches. phase: for the task to read at team->phase; NULL: none. */
void tf_team_share(struct tf_team *team, const struct tf_task *task, const struct tf_shared_phase *phase);

/* Undo the pinning of the calling thread by the first task. */
void tf_team_unpin_caller(struct tf_team *team);

/* A worker's part in the last task. */
static inline struct tf_part *tf_part_of(struct tf_team *team, unsigned worker)
{
    return worker == 0 ? &team->part : &team->member[worker].part;
}

/* Do all helpers sleep, or are there none? Then a task has to wake each of them. */
static inline bool tf_team_asleep(const struct tf_team *team)
{
    return atomic_load_explicit(&team->sleepers, memory_order_relaxed) >=
           atomic_load_explicit(&team->helpers, memory_order_relaxed);
}

/* Begin a task as a helper, or leave it out: the first caller decides. Returns false if the other one came first. */
static inline bool tf_member_takes_turn(struct tf_member *member, unsigned sequence)
{
    unsigned before = tf_count_before(sequence);
    return atomic_compare_exchange_strong(&member->begun, &before, sequence);
}

/* Processor time of the current thread, in seconds. */
double tf_thread_seconds(void);

#endif
