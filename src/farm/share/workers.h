/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The farm's threads. The calling thread is worker 0. The other workers are helpers: threads that wait for a task, run
 * it, and report its end. Helpers start with the first task, and spin for a while before they sleep.
 *
 * Functions that take a struct tf_workers are for the calling thread only.
 */
#ifndef FARM_WORKERS_H
#define FARM_WORKERS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "farm/share/phase.h"
#include "host/clock.h"

/* A helper spins this many times between tasks: some hundred microseconds. That is longer than most serial phases, and
   shorter than a time slice of the host. */
#define TF_SPINS 5000u

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

struct tf_helper {
    /* One cache line, which the calling thread reads after each task. */
    _Alignas(64) atomic_uint done; /* number of the last task that it has finished */
    struct tf_part part;           /* in that task */
    uint64_t spins, blocks;
    double wait_s;
    _Alignas(64) pthread_t thread;
    atomic_uint begun; /* number of the last task that it has begun, or was left out of */
    struct tf_workers *workers;
    unsigned number; /* 1.. */
    bool started;
};

_Static_assert(offsetof(struct tf_helper, thread) == 64, "the calling thread reads one line");

struct tf_workers {
    struct tf_worker *worker; /* what each owns, by number */
    unsigned count;           /* workers, including the calling thread */
    unsigned present;         /* workers that exist: fewer than count once the host has refused threads */
    bool spin;                /* false where workers outnumber the CPUs */
    int cpu[TF_WORKERS_MAX];  /* OS index to pin to, or -1 */
    struct tf_helper *helper; /* by number; [0] is unused */
    struct tf_part part;      /* of worker 0, like the next three */
    uint64_t spins, blocks;
    double wait_s;
    double began_s, met_s;             /* when the last task began, and when all workers had ended it */
    bool running;                      /* helpers have been started */
    int process;                       /* in which the helpers run */
    void *own_cpus;                    /* CPUs of the calling thread before it was pinned; NULL: it is not pinned */
    _Alignas(64) atomic_uint sequence; /* number of the task; helpers wait for it to change */
    const struct tf_task *task;
    struct tf_shared_phase phase;
    _Alignas(64) atomic_uint sleepers; /* helpers asleep on sequence */
    atomic_uint main_sleeps;           /* 1 while the calling thread sleeps until a helper is done */
    atomic_bool quit;
};

_Static_assert(offsetof(struct tf_workers, sleepers) == offsetof(struct tf_workers, sequence) + 64, "one line");

/* Prepare `count` workers, 1..TF_WORKERS_MAX. No thread is started. cpu: the CPU to pin each worker to, or -1 for none;
   NULL: pin no worker. TF_OK, TF_ENOMEM. */
int tf_workers_init(struct tf_workers *workers, unsigned count, const int *cpu, bool spin);

/* End the helpers. */
void tf_workers_fini(struct tf_workers *workers);

/* Forget the helpers of the parent in the child of a fork, where they do not exist. */
void tf_workers_adopt(struct tf_workers *workers);

/* Start the helpers if they are not running. If the host refuses some, the others do all the work. TF_OK; TF_ESYS: the
   host refuses all of them. */
int tf_workers_start(struct tf_workers *workers);

/* Run a task on all workers, and wait until all that have begun are done. Helpers must have been started. A task that
   keeps its address stays in their caches. phase: for the task to read at workers->phase; NULL: none. */
void tf_workers_share(struct tf_workers *workers, const struct tf_task *task, const struct tf_shared_phase *phase);

/* A worker's part in the last task. */
static inline struct tf_part *tf_part_of(struct tf_workers *workers, unsigned worker)
{
    return worker == 0 ? &workers->part : &workers->helper[worker].part;
}

/* Undo the pinning of the calling thread by the first task. */
void tf_workers_unpin(struct tf_workers *workers);

/* Let the host move all workers from now on. */
void tf_workers_loosen(struct tf_workers *workers);

/* Do all helpers sleep? Then a task has to wake each of them. */
static inline bool tf_workers_asleep(struct tf_workers *workers)
{
    return !workers->running || atomic_load_explicit(&workers->sleepers, memory_order_relaxed) == workers->present - 1;
}

/* Wait until *word differs from value: spin at most `spins` times, then sleep, but no longer than the timeout (NULL:
   none). Adds to *spun and *slept. Any thread. */
void tf_wait_while(atomic_uint *word, unsigned value, unsigned spins, const struct timespec *timeout,
                   atomic_uint *sleepers, uint64_t *spun, uint64_t *slept);

/* Wake the threads that sleep on a word. Returns false if there are none. Any thread. */
bool tf_wake(atomic_uint *word, atomic_uint *sleepers);

/* Processor time of the current thread, in seconds. */
double tf_thread_seconds(void);

#endif
