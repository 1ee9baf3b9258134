/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pool: the threads of a process beside those that call. Its teams take helpers from it. A team that asks for a
 * number of workers gets it: threads that no team has, those of teams that rest, and new ones. A team with a limit
 * takes no more than the CPUs that the teams that run leave, so chips that run at the same time share the host. A team
 * that runs loses no helper.
 *
 * Threads start when a team first needs them, and end with the last team of the pool.
 */
#ifndef POOL_POOL_H
#define POOL_POOL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "pool/team.h"

#define TF_CPU_ANY (-1)     /* where the calling thread of its team may run */
#define TF_CPU_UNKNOWN (-2) /* where it was started, or where another calling thread may run */

/* A thread of the pool. Its fields belong to the holder of the lock, except one. */
struct tf_helper {
    struct tf_helper *next;             /* in the pool's list of all */
    _Atomic(struct tf_member *) member; /* where it belongs; NULL: nowhere. Written under the lock */
    struct tf_member *at;               /* where it is; it goes to `member` when it looks */
    int cpu;                            /* that it is pinned to, or one of the values below */
    bool ends;
    pthread_t thread;
    pthread_cond_t call; /* it belongs to a team, or ends */
};

struct tf_pool {
    pthread_mutex_t lock;
    pthread_cond_t left; /* a helper has left a team */
    struct tf_team *teams;
    struct tf_helper *helpers;
    atomic_int process; /* that its threads belong to; 0: none has been started */
    atomic_uint rests;  /* how often a team began to rest */
};

#define TF_POOL_INIT                                                        \
    {                                                                       \
        .lock = PTHREAD_MUTEX_INITIALIZER, .left = PTHREAD_COND_INITIALIZER \
    }

/* The pool of the process. It is the one object of the library that all chips share. Any thread. */
struct tf_pool *tf_pool_of_process(void);

/* ---- For form.c. The calling thread of the team. ---- */

/* Give a team as many of the helpers that it lacks as there are. Sets team->present. */
void tf_pool_serve(struct tf_pool *pool, struct tf_team *team);

/* The team rests: others may take its helpers. */
void tf_pool_release(struct tf_pool *pool, struct tf_team *team);

/* Pin no worker of a team any more. */
void tf_pool_loosen(struct tf_pool *pool, struct tf_team *team);

/* Take all helpers from a team, and forget it. Ends the threads of the pool with its last team. */
void tf_pool_forget(struct tf_pool *pool, struct tf_team *team);

#endif
