/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits for quiet moments, in which the host gives this process all of its cores. On a shared host everything takes up
 * to twice as long for seconds at a time. To find out, all cores compute together for a moment, and each is compared
 * with its best rate.
 */
#include <math.h>
#include <stdatomic.h>
#include <time.h>

#include "cli/bench/bench.h"
#include "cli/bench/quiet.h"
#include "cli/bench/quiet_limits.h"
#include "farm/chip/chip.h"
#include "pool/form.h"

#define LOOK_S 3e-3
#define BOUNCES 1000u
#define WARM_BOUNCES 100u
#define FIRST_LOOKS 50u
#define PAUSE_NS 100000000

/* A sample may use one of so many shares of the remaining patience. Earlier samples may have left some of their
   shares. */
#define SHARES 2

#define OVER 2u /* value of the ball that ends the game */

struct look {
    double rate[TF_WORKERS_MAX];
    double line_s;
    _Alignas(64) atomic_uint ball;
};

/* Starts the threads. The calling thread waits until each thread has run once. */
static struct tf_part come(void *context, unsigned worker, double began_s)
{
    (void)context;
    (void)worker;
    return (struct tf_part){.ended_s = began_s};
}

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

/* Returns false if the game is over. Worker 0 may end it at any time, even while the other worker is about to pass the
   ball. */
static bool pass_on(atomic_uint *ball, unsigned worker, double until_s)
{
    for (;;) {
        unsigned seen = atomic_load_explicit(ball, memory_order_acquire);
        if (seen == worker && atomic_compare_exchange_strong(ball, &seen, 1 - worker))
            return true;
        if (seen == OVER)
            return false;
        if (worker == 0 && tf_seconds() > until_s)
            atomic_store_explicit(ball, OVER, memory_order_release);
    }
}

/* Pass a cache line to and fro between the first two workers. If both run on one core, that may take very long. */
static struct tf_part bounce(void *context, unsigned worker, double began_s)
{
    struct look *look = context;
    double until_s = began_s + LOOK_S, from_s = began_s;
    bool on = true;
    if (worker == 0)
        look->line_s = HUGE_VAL;
    for (unsigned i = 0; worker < 2 && i < BOUNCES && on; i++) {
        on = pass_on(&look->ball, worker, until_s);
        if (i == WARM_BOUNCES)
            from_s = tf_seconds();
    }
    double ended_s = tf_seconds();
    if (worker == 0 && on)
        look->line_s = (ended_s - from_s) / (2 * (BOUNCES - WARM_BOUNCES - 1));
    return (struct tf_part){.ended_s = ended_s};
}

static bool look_with(struct bench_quiet *quiet, struct tf_team *team)
{
    struct look seen = {.ball = 0};
    const struct tf_task coming = {.run = come}, computing = {.run = compute, .context = &seen},
                         bouncing = {.run = bounce, .context = &seen};
    tf_team_share(team, &coming, NULL);
    tf_team_share(team, &computing, NULL);
    if (!bench_quiet_rates(quiet, seen.rate))
        return false;
    if (quiet->cores == 1)
        return true;
    tf_team_share(team, &bouncing, NULL);
    return seen.line_s < HUGE_VAL && bench_quiet_line(quiet, seen.line_s);
}

static bool look(struct bench_quiet *quiet)
{
    struct tf_team team;
    const struct tf_team_request request = {.count = quiet->cores, .cpu = quiet->cpu, .spin = true};
    if (tf_team_init(&team, NULL, &request) != TF_OK)
        return false;
    bool good = tf_team_form(&team) == TF_OK && team.present == team.count && look_with(quiet, &team);
    tf_team_rest(&team);
    tf_team_fini(&team);
    return good;
}

static void spend(struct bench_quiet *quiet, double seconds)
{
    quiet->patience_s -= seconds;
    quiet->sample_s -= seconds;
}

static bool look_and_pause(struct bench_quiet *quiet)
{
    const struct timespec pause = {.tv_nsec = PAUSE_NS};
    double began_s = tf_seconds();
    bool good = look(quiet);
    if (!good || quiet->looks < FIRST_LOOKS) {
        nanosleep(&pause, NULL);
        spend(quiet, tf_seconds() - began_s);
    }
    quiet->looks += quiet->looks < FIRST_LOOKS;
    return good;
}

/* The first looks only find the best values. */
void bench_quiet_begin(struct bench_quiet *quiet, unsigned tiles, uint32_t patience_s, unsigned samples)
{
    struct tf_topology topology;
    *quiet = (struct bench_quiet){.patience_s = patience_s, .samples = samples};
    if (patience_s == 0)
        return;
    tf_place_on_host(&(struct tf_place_request){.tiles = tiles, .pin = true}, &topology);
    quiet->cores = topology.workers;
    for (unsigned i = 0; i < topology.workers; i++)
        quiet->cpu[i] = topology.worker[i].cpu;
    while (quiet->looks < FIRST_LOOKS && quiet->patience_s > 0)
        look_and_pause(quiet);
}

void bench_quiet_next(struct bench_quiet *quiet)
{
    double shares = quiet->samples > SHARES ? quiet->samples : SHARES;
    quiet->sample_s = SHARES * quiet->patience_s / shares;
    quiet->samples -= quiet->samples != 0;
}

bool bench_quiet_await(struct bench_quiet *quiet)
{
    while (quiet->sample_s > 0)
        if (look_and_pause(quiet))
            return true;
    return false;
}

bool bench_quiet_holds(struct bench_quiet *quiet, double began_s)
{
    if (quiet->sample_s <= 0)
        return false;
    if (look(quiet))
        return true;
    spend(quiet, tf_seconds() - began_s);
    return false;
}
