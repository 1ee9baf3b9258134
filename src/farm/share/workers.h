/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The farm's threads. The calling thread is worker 0; the others are helpers that wait for a phase, take part in it
 * and say when they are done. Helpers start with the first phase that is shared, and spin a little before they sleep.
 */
#ifndef FARM_WORKERS_H
#define FARM_WORKERS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "farm/share/phase.h"

#define TF_WORKERS_MAX 256u

/* Of a helper between phases: some hundred microseconds, longer than most phases that it does not take part in, shorter
   than a time slice. */
#define TF_SPINS 5000u

/* What a worker's part in a phase was. What nobody asks for may be 0, but for when it ended. */
struct tf_part {
    double ended_s;                  /* by tf_seconds() */
    double busy_s;                   /* spent on sites */
    float stolen_s;                  /* spent on stolen sites, of */
    uint16_t stolen;                 /* so many */
    uint16_t dealt, got;             /* sites in its share, and visited */
};

struct tf_task {
    struct tf_part (*run)(void *context, unsigned worker, double began_s);
    /* On the calling thread, when it has waited for helpers for some time; part.ended_s is now. False: there was
       nothing to do. NULL: there never is. */
    bool (*overdue)(void *context);
    void *context;
};

struct tf_helper {
    /* A line, read after each phase. */
    _Alignas(64) atomic_uint done;   /* the last phase that it has finished */
    struct tf_part part;             /* in that */
    uint64_t spins, blocks;
    double wait_s;
    _Alignas(64) pthread_t thread;
    struct tf_workers *workers;
    unsigned number;                 /* 1.. */
    bool started;
};

_Static_assert(offsetof(struct tf_helper, thread) == 64, "what is read after each phase is a line");

struct tf_workers {
    unsigned count;                  /* with the calling thread */
    unsigned present;                /* fewer once the host has refused threads */
    bool spin;                       /* false when workers outnumber the allowed cores */
    int cpu[TF_WORKERS_MAX];         /* OS index to pin to, or -1 */
    struct tf_helper *helper;        /* count - 1 */
    struct tf_part part;             /* of worker 0, as the rest of these */
    uint64_t spins, blocks;
    double wait_s;
    double began_s;                  /* when the last phase was shared */
    bool running;
    int process;                     /* that the helpers run in */
    void *own_cpus;                  /* where the calling thread might run before it was pinned; NULL: it is not */
    _Alignas(64) atomic_uint turn;   /* number of the phase; helpers wait for it to change */
    const struct tf_task *task;
    struct tf_order order;
    _Alignas(64) atomic_uint sleepers; /* helpers asleep on turn */
    atomic_uint main_sleeps;         /* until a helper is done */
    atomic_bool quit;
};

_Static_assert(offsetof(struct tf_workers, sleepers) == offsetof(struct tf_workers, turn) + 64, "a phase is a line");

/* cpu: where to pin each worker, or NULL. TF_OK, TF_ENOMEM. */
int tf_workers_init(struct tf_workers *workers, unsigned count, const int *cpu, bool spin);

/* End the helpers. */
void tf_workers_fini(struct tf_workers *workers);

/* In the child of a fork there are no helpers: forget those of the parent. */
void tf_workers_adopt(struct tf_workers *workers);

/*
 * Start the helpers if they are not running. When the host refuses some, those that there are share the work from then
 * on. TF_OK; TF_ESYS: there are none.
 */
int tf_workers_start(struct tf_workers *workers);

/* Run a phase on all workers and wait until all are done. Helpers must have been started. order: NULL for none. */
void tf_workers_share(struct tf_workers *workers, const struct tf_task *task, const struct tf_order *order);

/* A worker's part in the last phase. */
static inline struct tf_part *tf_part_of(struct tf_workers *workers, unsigned worker)
{
    return worker == 0 ? &workers->part : &workers->helper[worker - 1].part;
}

/* Let the calling thread, which the first shared phase pinned, run again where it might before. */
void tf_workers_unpin(struct tf_workers *workers);

/* True when every helper is asleep: sharing now costs a wake-up each. */
static inline bool tf_workers_asleep(struct tf_workers *workers)
{
    return !workers->running ||
           atomic_load_explicit(&workers->sleepers, memory_order_relaxed) == workers->present - 1;
}

/* Wait until *word is not value, spinning at most `spins` times before sleeping, for no longer than a timeout (NULL:
   none). Counts into *spun, *slept. */
void tf_wait_while(atomic_uint *word, unsigned value, unsigned spins, const struct timespec *timeout,
                   atomic_uint *sleepers, uint64_t *spun, uint64_t *slept);

/* Wake those who sleep on a word. False: there were none. */
bool tf_wake(atomic_uint *word, atomic_uint *sleepers);

/* Seconds of a clock that only goes forward. */
double tf_seconds(void);

/* Seconds that the calling thread has run. */
double tf_thread_seconds(void);

#endif
