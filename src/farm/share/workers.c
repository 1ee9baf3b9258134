/* SPDX-License-Identifier: Apache-2.0 */
#include "farm/share/workers.h"

#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tilefarm/tilefarm.h"

/* Time for which the calling thread spins for helpers before it calls overdue(). It reads the clock once in
   CLOCK_SPINS. */
#define OVERDUE_S 10e-6
#define CLOCK_SPINS 16u

static void pause_cpu(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

double tf_thread_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* timeout: NULL for none. */
static void futex_wait(atomic_uint *word, unsigned value, const struct timespec *timeout)
{
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, timeout, NULL, 0);
}

void tf_wait_while(atomic_uint *word, unsigned value, unsigned spins, const struct timespec *timeout,
                   atomic_uint *sleepers, uint64_t *spun, uint64_t *slept)
{
    for (unsigned i = 0; i < spins; i++) {
        if (atomic_load_explicit(word, memory_order_acquire) != value) {
            *spun += i;
            return;
        }
        pause_cpu();
    }
    *spun += spins;
    /* Sequentially consistent on both sides: either the waker sees the sleeper or the sleeper the new value. */
    atomic_fetch_add(sleepers, 1);
    while (atomic_load(word) == value) {
        ++*slept;
        futex_wait(word, value, timeout);
        if (timeout != NULL)
            break;
    }
    atomic_fetch_sub(sleepers, 1);
}

bool tf_wake(atomic_uint *word, atomic_uint *sleepers)
{
    if (atomic_load(sleepers) == 0)
        return false;
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 0x7fffffff, NULL, NULL, 0);
    return true;
}

/* Without permission to pin, the worker runs where the host puts it. */
static void pin_to(int cpu)
{
    if (cpu < 0)
        return;
    cpu_set_t *set = CPU_ALLOC((size_t)cpu + 1);
    if (set == NULL)
        return;
    size_t bytes = CPU_ALLOC_SIZE((size_t)cpu + 1);
    CPU_ZERO_S(bytes, set);
    CPU_SET_S((size_t)cpu, bytes, set);
    sched_setaffinity(0, bytes, set);
    CPU_FREE(set);
}

/* Begin a task, or leave a helper out of it: the first caller decides. Returns false if the other one came first. */
static bool take_turn(struct tf_helper *helper, unsigned sequence)
{
    unsigned before = sequence - 1;
    return atomic_compare_exchange_strong(&helper->begun, &before, sequence);
}

static void *helper_main(void *argument)
{
    struct tf_helper *helper = argument;
    struct tf_workers *workers = helper->workers;
    pin_to(workers->cpu[helper->number]);
    unsigned seen = 0;
    uint64_t spins = helper->spins, blocks = helper->blocks;
    double wait_s = helper->wait_s, ended_s = tf_seconds();
    for (;;) {
        tf_wait_while(&workers->sequence, seen, workers->spin ? TF_SPINS : 0, NULL, &workers->sleepers, &spins,
                      &blocks);
        seen = atomic_load_explicit(&workers->sequence, memory_order_acquire);
        if (atomic_load_explicit(&workers->quit, memory_order_relaxed))
            return NULL;
        if (!take_turn(helper, seen))
            continue;
        const struct tf_task *task = workers->task;
        double began_s = tf_seconds();
        wait_s += began_s - ended_s;
        helper->part = task->run(task->context, helper->number, began_s);
        ended_s = helper->part.ended_s;
        /* Written before `done`: between tasks the calling thread may read them. */
        helper->spins = spins;
        helper->blocks = blocks;
        helper->wait_s = wait_s;
        atomic_store(&helper->done, seen);
        tf_wake(&helper->done, &workers->main_sleeps);
    }
}

#define CPUS_MAX 8192

/* Pin the calling thread from the first task of a run to the run's end. It belongs to the program that called us. */
static void pin_caller(struct tf_workers *workers)
{
    if (workers->own_cpus != NULL || workers->cpu[0] < 0)
        return;
    cpu_set_t *before = CPU_ALLOC(CPUS_MAX);
    if (before == NULL)
        return;
    if (sched_getaffinity(0, CPU_ALLOC_SIZE(CPUS_MAX), before) != 0) {
        CPU_FREE(before);
        return;
    }
    workers->own_cpus = before;
    pin_to(workers->cpu[0]);
}

void tf_workers_unpin(struct tf_workers *workers)
{
    if (workers->own_cpus == NULL)
        return;
    sched_setaffinity(0, CPU_ALLOC_SIZE(CPUS_MAX), workers->own_cpus);
    CPU_FREE(workers->own_cpus);
    workers->own_cpus = NULL;
}

void tf_workers_loosen(struct tf_workers *workers)
{
    if (workers->own_cpus == NULL)
        return;
    for (unsigned i = 0; i < workers->count; i++) {
        workers->cpu[i] = -1;
        if (i != 0 && i < workers->present)
            pthread_setaffinity_np(workers->helper[i].thread, CPU_ALLOC_SIZE(CPUS_MAX), workers->own_cpus);
    }
    tf_workers_unpin(workers);
}

int tf_workers_init(struct tf_workers *workers, unsigned count, const int *cpu, bool spin)
{
    *workers = (struct tf_workers){.count = count, .present = count, .spin = spin};
    for (unsigned i = 0; i < count; i++)
        workers->cpu[i] = cpu != NULL ? cpu[i] : -1;
    if (count > 1) {
        workers->helper = aligned_alloc(_Alignof(struct tf_helper), count * sizeof *workers->helper);
        if (workers->helper == NULL)
            return TF_ENOMEM;
        memset(workers->helper, 0, count * sizeof *workers->helper);
    }
    return TF_OK;
}

void tf_workers_adopt(struct tf_workers *workers)
{
    if (!workers->running || workers->process == getpid())
        return;
    for (unsigned i = 1; i < workers->count; i++)
        workers->helper[i].started = false;
    atomic_store(&workers->sleepers, 0);
    workers->running = false;
    workers->present = workers->count;
}

static void stop_helpers(struct tf_workers *workers)
{
    atomic_store(&workers->quit, true);
    atomic_fetch_add(&workers->sequence, 1);
    tf_wake(&workers->sequence, &workers->sleepers);
    for (unsigned i = 1; i < workers->count; i++) {
        if (workers->helper[i].started)
            pthread_join(workers->helper[i].thread, NULL);
        workers->helper[i].started = false;
    }
    workers->running = false;
}

void tf_workers_fini(struct tf_workers *workers)
{
    if (workers->helper == NULL)
        return;
    tf_workers_adopt(workers);
    stop_helpers(workers);
    free(workers->helper);
    workers->helper = NULL;
}

int tf_workers_start(struct tf_workers *workers)
{
    if (workers->running || workers->count == 1)
        return TF_OK;
    if (workers->present == 1)
        return TF_ESYS; /* asking again for each phase would cost more than the phase */
    atomic_store(&workers->sequence, 0);
    atomic_store(&workers->quit, false);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* helpers take no signals of the calling program */
    for (workers->present = 1; workers->present < workers->count; workers->present++) {
        struct tf_helper *helper = &workers->helper[workers->present];
        helper->workers = workers;
        helper->number = workers->present;
        atomic_store(&helper->done, 0);
        atomic_store(&helper->begun, 0);
        helper->started = pthread_create(&helper->thread, NULL, helper_main, helper) == 0;
        if (!helper->started)
            break;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (workers->present == 1)
        return TF_ESYS;
    workers->process = getpid();
    workers->running = true;
    return TF_OK;
}

static bool all_done(const struct tf_workers *workers, unsigned sequence)
{
    bool done = true;
    for (unsigned i = 1; i < workers->present; i++)
        done &= atomic_load_explicit(&workers->helper[i].done, memory_order_acquire) == sequence;
    return done;
}

/* Spin until all helpers are done. Returns false if some were not done in time. */
static bool spin_until_done(struct tf_workers *workers, unsigned sequence)
{
    double until_s = workers->part.ended_s + OVERDUE_S;
    for (unsigned i = 1;; i++) {
        if (all_done(workers, sequence))
            return true;
        if (i % CLOCK_SPINS == 0 && tf_seconds() > until_s)
            return false;
        pause_cpu();
        workers->spins++;
    }
}

/* Helpers that the host has not let run need not be waited for. */
static void leave_out(struct tf_workers *workers, unsigned sequence)
{
    for (unsigned i = 1; i < workers->present; i++) {
        struct tf_helper *helper = &workers->helper[i];
        if (!take_turn(helper, sequence))
            continue;
        helper->part = (struct tf_part){.ended_s = workers->part.ended_s, .absent = true};
        atomic_store(&helper->done, sequence);
    }
}

static void run_overdue(struct tf_workers *workers, unsigned sequence)
{
    double ended_s = workers->part.ended_s, time_s = tf_seconds();
    workers->part.ended_s = time_s;
    bool all_begun = workers->task->overdue(workers->task->context);
    if (workers->part.ended_s > time_s)
        workers->wait_s += time_s - ended_s;
    else
        workers->part.ended_s = ended_s;
    if (all_begun)
        leave_out(workers, sequence);
}

static void wait_for_helpers(struct tf_workers *workers, unsigned sequence)
{
    if (workers->spin && spin_until_done(workers, sequence))
        return;
    if (workers->task->overdue != NULL)
        run_overdue(workers, sequence);
    for (unsigned i = 1; i < workers->present; i++)
        while (atomic_load_explicit(&workers->helper[i].done, memory_order_acquire) != sequence)
            tf_wait_while(&workers->helper[i].done, sequence - 1, workers->spin ? TF_SPINS : 0, NULL,
                          &workers->main_sleeps, &workers->spins, &workers->blocks);
}

void tf_workers_share(struct tf_workers *workers, const struct tf_task *task, const struct tf_shared_phase *phase)
{
    pin_caller(workers);
    workers->began_s = tf_seconds();
    workers->task = task;
    if (phase != NULL)
        workers->phase = *phase;
    unsigned sequence = atomic_fetch_add(&workers->sequence, 1) + 1;
    bool woken = tf_wake(&workers->sequence, &workers->sleepers);
    workers->part = task->run(task->context, 0, woken ? tf_seconds() : workers->began_s);
    wait_for_helpers(workers, sequence);
    workers->met_s = tf_seconds();
    workers->wait_s += workers->met_s - workers->part.ended_s;
}
