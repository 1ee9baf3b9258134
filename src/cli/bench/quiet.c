/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moments in which the host gives all its cores. On a shared one others compute on the same cores' other threads, or
 * two of ours lie on one core, or far apart: with that, everything takes up to twice as long, for seconds. All cores
 * compute at once for a moment, and each is compared with the fastest that it has been.
 */
#include <stdatomic.h>
#include <time.h>

#include "cli/bench/bench.h"
#include "farm/chip.h"

#define LOOK_S 3e-3
#define BOUNCES 1000u
#define FIRST_LOOKS 20u
#define PAUSE_NS 100000000

/* Of the best: a thread that shares its core has 60 to 82 percent; lines from afar take three times as long. */
#define RATE_LEAST 0.9
#define LINE_MOST 2.0

struct look {
    double rate[TF_WORKERS_MAX];
    _Alignas(64) atomic_uint ball;
};

static struct tf_part compute(void *context, unsigned worker, double began_s)
{
    struct look *look = context;
    uint64_t a = 1, b = 2, c = 3, d = 4, rounds = 0;
    double ended_s;
    do {
        for (unsigned i = 0; i < 2000; i++) {
            a = a * 3 + 1;
            b = b * 5 + 1;
            c += a ^ b;
            d += c;
            __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
        }
        rounds++;
        ended_s = tf_seconds();
    } while (ended_s < began_s + LOOK_S);
    look->rate[worker] = (double)rounds / (ended_s - began_s);
    return (struct tf_part){.ended_s = ended_s};
}

/* A line, there and back between the first two. */
static struct tf_part bounce(void *context, unsigned worker, double began_s)
{
    atomic_uint *ball = &((struct look *)context)->ball;
    for (unsigned i = 0; i < BOUNCES && worker < 2; i++) {
        while (atomic_load_explicit(ball, memory_order_acquire) != worker)
            continue;
        atomic_store_explicit(ball, 1 - worker, memory_order_release);
    }
    return (struct tf_part){.ended_s = began_s};
}

bool bench_quiet_judge(struct bench_quiet *quiet, const double *rate, double line_s)
{
    bool full = true;
    for (unsigned i = 0; i < quiet->cores; i++) {
        if (rate[i] > quiet->best_rate[i])
            quiet->best_rate[i] = rate[i];
        full = full && rate[i] >= RATE_LEAST * quiet->best_rate[i];
    }
    if (!full || quiet->cores < 2)
        return full;
    if (quiet->best_line_s <= 0 || line_s < quiet->best_line_s)
        quiet->best_line_s = line_s;
    return line_s <= LINE_MOST * quiet->best_line_s;
}

static bool look(struct bench_quiet *quiet)
{
    struct tf_workers workers;
    struct tf_topology topology;
    struct look seen = {.ball = 0};
    const struct tf_step step = {.run = compute, .context = &seen}, bouncing = {.run = bounce, .context = &seen};
    int cpu[TF_WORKERS_MAX];
    tf_topology_find(0, true, TF_TENSIX_TILES, &topology);
    for (unsigned i = 0; i < topology.workers; i++)
        cpu[i] = topology.worker[i].cpu;
    if (tf_workers_init(&workers, topology.workers, cpu, true) != TF_OK)
        return false;
    bool started = tf_workers_start(&workers) == TF_OK && workers.present == workers.count;
    double line_s = 0;
    if (started) {
        tf_workers_share(&workers, &step, NULL);
        line_s = tf_seconds();
        if (workers.count > 1)
            tf_workers_share(&workers, &bouncing, NULL);
        line_s = tf_seconds() - line_s;
    }
    quiet->cores = topology.workers;
    tf_workers_unpin(&workers);
    tf_workers_fini(&workers);
    return started && bench_quiet_judge(quiet, seen.rate, line_s);
}

void bench_quiet_begin(struct bench_quiet *quiet, uint32_t patience_s)
{
    *quiet = (struct bench_quiet){.patience_s = patience_s};
    for (unsigned i = 0; i < FIRST_LOOKS && patience_s != 0; i++)
        look(quiet);
}

bool bench_quiet_await(struct bench_quiet *quiet)
{
    const struct timespec pause = {.tv_nsec = PAUSE_NS};
    while (quiet->patience_s > 0) {
        double began_s = tf_seconds();
        if (look(quiet))
            return true;
        nanosleep(&pause, NULL);
        quiet->patience_s -= tf_seconds() - began_s;
    }
    return false;
}

bool bench_quiet_still(struct bench_quiet *quiet, double began_s)
{
    if (quiet->patience_s <= 0)
        return false;
    if (look(quiet))
        return true;
    quiet->patience_s -= tf_seconds() - began_s;
    return false;
}
