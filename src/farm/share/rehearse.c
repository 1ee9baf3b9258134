/* SPDX-License-Identifier: Apache-2.0 */
#include "farm/share/rehearse.h"

#include <stdlib.h>

#include "farm/chip/state.h"
#include "host/sort.h"

#define MEETINGS 201u
#define AWAKENINGS 15u
#define NAP_S 1e-3

/* ---- What it costs to meet ---- */

static struct tf_part no_work(void *context, unsigned worker, double began_s)
{
    (void)context;
    (void)worker;
    return (struct tf_part){.ended_s = began_s};
}

/* The time of the fastest twentieth: other work on the host only adds time. Sorts the array. */
static double fastest(double *each, unsigned count)
{
    tf_sort_numbers(each, count);
    return each[count / 20];
}

static double share_nothing(struct tf_workers *workers)
{
    static const struct tf_task task = {.run = no_work};
    double began = tf_seconds();
    tf_workers_share(workers, &task, NULL);
    return tf_seconds() - began;
}

static void nap(double seconds)
{
    double until = tf_seconds() + seconds;
    while (tf_seconds() < until)
        ;
}

static double spinning_s(void)
{
    atomic_uint word = 0, sleepers = 0;
    uint64_t spun = 0, slept = 0;
    const struct timespec shortest = {0, 1};
    double began = tf_seconds();
    tf_wait_while(&word, 0, TF_SPINS, &shortest, &sleepers, &spun, &slept);
    return tf_seconds() - began;
}

/* A task moves three cache lines: the phase to the helper, its `done` to its core, and `done` back. */
static void measure(struct tf_workers *workers, struct tf_meeting *meeting)
{
    double each[MEETINGS];
    share_nothing(workers);
    for (unsigned i = 0; i < MEETINGS; i++)
        each[i] = share_nothing(workers);
    meeting->line_s = fastest(each, MEETINGS) / 3;
    for (unsigned i = 0; i < AWAKENINGS; i++) {
        nap(meeting->spin_s + NAP_S);
        each[i] = share_nothing(workers);
    }
    meeting->wake_s = fastest(each, AWAKENINGS);
    meeting->call_s = meeting->wake_s / 8;
}

void tf_meeting_measure(struct tf_meeting *meeting)
{
    *meeting = (struct tf_meeting){.line_s = 80e-9, .wake_s = 50e-6, .call_s = 6e-6, .spin_s = spinning_s()};
    struct tf_topology topology;
    tf_topology_find(2, true, false, 2, &topology);
    if (topology.cpus_allowed < 2)
        return;
    struct tf_workers workers;
    const int cpu[2] = {topology.worker[0].cpu, topology.worker[1].cpu};
    if (tf_workers_init(&workers, 2, cpu, true) != TF_OK)
        return;
    if (tf_workers_start(&workers) == TF_OK)
        measure(&workers, meeting);
    tf_workers_unpin(&workers);
    tf_workers_fini(&workers);
}

/* ---- Phases ---- */

double tf_seconds_on(struct tf_rehearsal *rehearsal)
{
    if (rehearsal == NULL)
        return tf_seconds();
    double time_s = rehearsal->seconds() - rehearsal->saved_s;
    rehearsal->saved_s += rehearsal->look_s;
    return time_s;
}

/* A worker that is played in a phase. */
struct player {
    struct tf_walk walk;
    double at_s, busy_s;
    bool done;
};

static unsigned next_player(const struct player *player, unsigned count)
{
    unsigned next = count;
    for (unsigned i = 0; i < count; i++)
        if (!player[i].done && (next == count || player[i].at_s < player[next].at_s))
            next = i;
    return next;
}

/* Set the clocks. Worker 0 wakes helpers that sleep one after another, and they begin when they are awake. */
static void start_players(struct tf_rehearsal *rehearsal, const struct tf_shared_phase *phase, struct player *player,
                          unsigned count)
{
    const struct tf_meeting *meeting = &rehearsal->meeting;
    bool asleep = tf_rehearse_asleep(rehearsal);
    for (unsigned i = 0; i < count; i++) {
        tf_walk_begin(&player[i].walk, phase);
        player[i].at_s = player[i].busy_s = 0;
        player[i].done = false;
        if (asleep)
            player[i].at_s = meeting->call_s * (i == 0 ? count - 1 : i - 1) + (i == 0 ? 0 : meeting->wake_s);
    }
}

static void play(struct tf_rehearsal *rehearsal, struct tf_sharing *sharing, struct player *player)
{
    unsigned next, site, count = sharing->workers->count;
    while ((next = next_player(player, count)) < count) {
        struct player *one = &player[next];
        unsigned looked = one->walk.looked;
        one->done = !tf_next_site(sharing, next, &one->walk, &site);
        one->at_s += (one->walk.looked - looked) * rehearsal->meeting.line_s;
        if (one->done)
            continue;
        sharing->workers->worker[next].next_site = tf_site_after(&one->walk);
        double before = rehearsal->seconds();
        sharing->phase.visit(&sharing->workers->worker[next], site);
        double took = rehearsal->seconds() - before - rehearsal->look_s;
        took = took > 0 ? took : 0;
        one->at_s += took;
        one->busy_s += took;
        rehearsal->visits++;
    }
}

/* Add the figures of a played worker. Its time began at 0; meet_s is the time after the end at which all workers
   met. */
static void note_part(struct tf_sharing *sharing, unsigned number, const struct player *player, double meet_s)
{
    struct tf_workers *workers = sharing->workers;
    struct tf_worker_figures *figures = &workers->worker[number].figures;
    double *wait_s = number == 0 ? &workers->wait_s : &workers->helper[number].wait_s;
    *(sharing->phase.kind == TF_PHASE_RUN ? &figures->run_s : &figures->deliver_s) += player->busy_s;
    *wait_s += meet_s - player->busy_s;
    *tf_part_of(workers, number) = (struct tf_part){.busy_s = player->busy_s,
                                                    .ended_s = sharing->dealt_s + player->at_s,
                                                    .dealt = (uint16_t)player->walk.dealt,
                                                    .got = (uint16_t)player->walk.taken};
}

void tf_rehearse_phase(struct tf_rehearsal *rehearsal, struct tf_sharing *sharing)
{
    unsigned count = sharing->workers->count;
    struct player player[TF_WORKERS_MAX];
    sharing->dealt_s = tf_seconds_on(rehearsal);
    double began = rehearsal->seconds(), busy_s = 0, span_s = 0;
    start_players(rehearsal, &sharing->phase, player, count);
    play(rehearsal, sharing, player);
    for (unsigned i = 0; i < count; i++) {
        busy_s += player[i].busy_s;
        span_s = player[i].at_s > span_s ? player[i].at_s : span_s;
    }
    /* Two lines for each worker, one after another: the phase, and `done`. */
    double meet_s = 2 * count * rehearsal->meeting.line_s;
    for (unsigned i = 0; i < count; i++)
        note_part(sharing, i, &player[i], span_s + meet_s);
    rehearsal->phases++;
    rehearsal->busy_s += busy_s;
    rehearsal->span_s += span_s;
    rehearsal->meet_s += meet_s;
    rehearsal->saved_s += rehearsal->seconds() + rehearsal->look_s - began - span_s - meet_s;
    rehearsal->met_s = tf_seconds_on(rehearsal);
    rehearsal->met = true;
}

bool tf_rehearse_asleep(struct tf_rehearsal *rehearsal)
{
    return !rehearsal->met || tf_seconds_on(rehearsal) - rehearsal->met_s > rehearsal->meeting.spin_s;
}

bool tf_rehearse_begin(struct tf_chip *chip, const struct tf_meeting *meeting, double (*seconds)(void))
{
    if (chip->config.mode != TF_MODE_DETERMINISTIC || chip->workers.running || chip->workers.count == 1)
        return false;
    struct tf_rehearsal *rehearsal = calloc(1, sizeof *rehearsal);
    if (rehearsal == NULL)
        return false;
    *rehearsal = (struct tf_rehearsal){.seconds = seconds, .meeting = *meeting};
    double each[MEETINGS];
    for (unsigned i = 0; i < MEETINGS; i++) {
        each[i] = -seconds();
        each[i] += seconds();
    }
    rehearsal->look_s = fastest(each, MEETINGS);
    chip->pacing.rehearsal = rehearsal;
    chip->workers.spin = true;
    return true;
}

void tf_projection(const struct tf_rehearsal *rehearsal, const struct tf_workers *workers, double passed_s,
                   struct tf_projection *projection)
{
    *projection = (struct tf_projection){.phases = 0};
    if (rehearsal == NULL)
        return;
    double visits_s = 0;
    for (unsigned i = 0; i < workers->count; i++)
        visits_s += workers->worker[i].figures.run_s + workers->worker[i].figures.deliver_s;
    double work_s = rehearsal->busy_s / workers->count, unshared_s = visits_s - rehearsal->busy_s;
    *projection = (struct tf_projection){
        .phases = rehearsal->phases,
        .visits = rehearsal->visits,
        .passed_s = passed_s,
        .work_s = work_s,
        .imbalance_s = rehearsal->span_s - work_s,
        .meet_s = rehearsal->meet_s,
        .unshared_s = unshared_s,
        .serial_s = passed_s - rehearsal->span_s - rehearsal->meet_s - unshared_s,
    };
}
