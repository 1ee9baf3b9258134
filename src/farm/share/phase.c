/* SPDX-License-Identifier: Apache-2.0 */
/* A phase visits sites: on the calling thread, or, where that pays, on all workers. */
#include "farm/chip/chip.h"
#include "host/assert.h"
#include "host/hostile.h"

/* A phase is shared when it takes so long: some times what it costs to meet, when helpers spin and when they sleep. */
#define SHARE_SPINNING_S(workers) (2e-6 + 0.25e-6 * (workers))
#define SHARE_SLEEPING_S 300e-6

/* To visit a site that another worker has just run, whose cache has it: there and back. */
#define AWAY_S 0.2e-6

/* A build for tests may share every phase that can be. */
#ifndef TF_ALWAYS_SHARE
#define TF_ALWAYS_SHARE TF_UNLESS_HOSTILE(false, true)
#endif

/* Sharing that gains less than this is left off for so many phases, but no longer than it takes a host to come round. */
#define GAIN_LEAST 1.15
#define HOLD_PHASES 64u
#define HOLD_S 2e-3

/* To ask for a thread's processor time costs the host a call: one short phase in so many is looked at cpu_time. */
#define CLOSE_LOOK 16u
#define LONG_PHASE_S 100e-6

/* The first visits touch memory and decode code: if many tiles start, that is the longest phase of some runs. */
#define FIRST_RUN_S 10e-6
#define FIRST_DELIVERY_S 1e-6

static void book(struct tf_worker *worker, enum tf_phase phase, double seconds)
{
    if (phase == TF_PHASE_RUN)
        worker->figures.run_s += seconds;
    else
        worker->figures.deliver_s += seconds;
}

/* Visit a site. Nobody else visits it in the meantime. */
static inline void visit_site(struct tf_worker *worker, unsigned site, tf_visit *visit)
{
#ifdef TF_ASSERTS
    uint8_t *claimed = &worker->chip->sharing.claimed[site];
    TF_ASSERT(site < worker->chip->sites && __atomic_exchange_n(claimed, 1, __ATOMIC_ACQUIRE) == 0);
#endif
    visit(worker, site);
#ifdef TF_ASSERTS
    TF_ASSERT(__atomic_exchange_n(claimed, 0, __ATOMIC_RELEASE) == 1);
#endif
}

/* A stolen site's state must come first. */
static void visit_stolen(struct tf_worker *worker, unsigned site, const struct tf_hunt *hunt, struct tf_part *part)
{
    double began_s = tf_seconds();
    visit_site(worker, site, hunt->order->visit);
    part->stolen_s += (float)(tf_seconds() - began_s);
}

static void hunt_on(struct tf_worker *worker, struct tf_hunt *hunt, struct tf_part *part)
{
    unsigned site;
    while (tf_next_site(worker->chip, worker->number, hunt, &site))
        if (hunt->stolen == 0)
            visit_site(worker, site, hunt->order->visit);
        else
            visit_stolen(worker, site, hunt, part);
}

static struct tf_part visit_shared(void *context, unsigned number, double began_s)
{
    struct tf_chip *chip = context;
    const struct tf_order *order = &chip->workers.order;
    struct tf_worker *worker = &chip->worker[number];
    struct tf_part part = {.busy_s = 0};
    __builtin_prefetch(&chip->epochs.slice);
    double cpu_s = order->cpu_time ? tf_thread_seconds() : 0;
    struct tf_hunt hunt;
    tf_hunt_begin(&hunt, order);
    hunt_on(worker, &hunt, &part);
    part.ended_s = tf_seconds();
    part.busy_s = order->cpu_time ? tf_thread_seconds() - cpu_s : part.ended_s - began_s;
    part.dealt = (uint16_t)hunt.dealt;
    part.got = (uint16_t)hunt.taken;
    part.stolen = (uint16_t)hunt.stolen;
    book(worker, order->phase, part.ended_s - began_s);
    return part;
}

/* A worker that the host keeps waiting does not even get to what it would be left alone with. */
static bool visit_overdue(void *context)
{
    struct tf_chip *chip = context;
    const struct tf_order *order = &chip->workers.order;
    struct tf_part *part = &chip->workers.part, unheeded = {.stolen_s = 0};
    double began_s = part->ended_s, cpu_s = order->cpu_time ? tf_thread_seconds() : 0;
    struct tf_hunt hunt;
    tf_hunt_begin(&hunt, order);
    hunt.reserved = 0;
    hunt_on(&chip->worker[0], &hunt, &unheeded);
    if (hunt.taken == 0)
        return false;
    part->ended_s = tf_seconds();
    part->busy_s += order->cpu_time ? tf_thread_seconds() - cpu_s : part->ended_s - began_s;
    part->got += (uint16_t)hunt.taken;
    book(&chip->worker[0], order->phase, part->ended_s - began_s);
    return true;
}

void tf_phases_init(struct tf_chip *chip)
{
    for (unsigned phase = 0; phase < TF_PHASES; phase++)
        chip->pacing.phase[phase] = (struct tf_pace){.visit_s = phase == TF_PHASE_RUN ? FIRST_RUN_S : FIRST_DELIVERY_S, .gain = 2};
    chip->sharing.task = (struct tf_task){.run = visit_shared, .overdue = visit_overdue, .context = chip};
}

/*
 * Helpers are worth waking for a long phase, and when short ones that they slept through add up to as much: they go on
 * spinning between phases that follow one another. Where they must not spin, each phase would have to wake them.
 */
static bool worth_waking(struct tf_chip *chip, double phase_s)
{
    chip->pacing.slept_through_s += chip->workers.spin ? phase_s : 0;
    if (phase_s < SHARE_SLEEPING_S && chip->pacing.slept_through_s < SHARE_SLEEPING_S)
        return false;
    chip->pacing.slept_through_s = 0;
    return true;
}

static bool helpers_there(struct tf_chip *chip)
{
    return chip->rehearsal != NULL || tf_workers_start(&chip->workers) == TF_OK;
}

static bool helpers_asleep(struct tf_chip *chip)
{
    return chip->rehearsal != NULL ? tf_rehearse_asleep(chip) : tf_workers_asleep(&chip->workers);
}

/* Sharing pays where a phase is long enough, and the helpers get to run: on a host that others load they may not. */
static bool pays_to_share(struct tf_chip *chip, unsigned sites, enum tf_phase phase)
{
    struct tf_pace *pace = &chip->pacing.phase[phase];
    bool spread = phase != TF_PHASE_RUN && chip->pacing.spread;
    double phase_s = (pace->visit_s + (spread ? AWAY_S : 0)) * sites;
    if (chip->workers.present == 1 || sites < 2)
        return false;
    if (TF_ALWAYS_SHARE)
        return helpers_there(chip);
    if (phase_s < SHARE_SPINNING_S(chip->workers.present))
        return false;
    if (!spread && pace->hold != 0 && pace->hold_s > 0) {
        pace->hold--;
        pace->hold_s -= phase_s;
        return false;
    }
    if (helpers_asleep(chip) && !worth_waking(chip, phase_s))
        return false;
    return helpers_there(chip);
}

/* What a shared phase took: looked at cpu_time, processor time, as who is kept waiting by the host has not worked. */
static double busy_s(struct tf_chip *chip)
{
    double sum = 0;
    for (unsigned i = 0; i < chip->workers.present; i++)
        sum += tf_part_of(&chip->workers, i)->busy_s;
    return sum;
}

static void note_visits(struct tf_pace *pace, double busy, unsigned count)
{
    pace->visit_s += (busy / count - pace->visit_s) / 4;
}

static void note_gain(struct tf_pace *pace, double gain)
{
    pace->gain += (gain - pace->gain) / 8;
    if (pace->gain >= GAIN_LEAST)
        return;
    pace->hold = HOLD_PHASES;
    pace->hold_s = HOLD_S;
    pace->gain = 2 * GAIN_LEAST;
}

void tf_visit_serially(struct tf_chip *chip, const struct tf_sites *sites, tf_visit *visit)
{
    uint16_t list[TF_NODES_MAX];
    unsigned count = tf_list_sites(chip, sites, list);
    for (unsigned i = 0; i < count; i++)
        visit_site(&chip->worker[0], list[i], visit);
}

static void share(struct tf_chip *chip)
{
    tf_workers_share(&chip->workers, &chip->sharing.task, &chip->sharing.order);
    chip->sharing.dealt_s = chip->workers.began_s;
    tf_move_cost_update(chip, chip->pacing.phase[chip->sharing.order.phase].visit_s);
}

static void rehearse(struct tf_chip *chip)
{
    chip->sharing.dealt_s = tf_chip_seconds(chip);
    tf_rehearse_phase(chip, chip->sharing.order.visit, chip->sharing.order.phase);
}

static void visit_shared_phase(struct tf_chip *chip, const struct tf_sites *sites, unsigned count, tf_visit *visit,
                           enum tf_phase phase)
{
    struct tf_pace *pace = &chip->pacing.phase[phase];
    bool cpu_time = chip->epochs.number % CLOSE_LOOK == 0 || pace->visit_s * count > LONG_PHASE_S;
    chip->sharing.order.visit = visit;
    chip->sharing.order.phase = (uint8_t)phase;
    chip->sharing.order.cpu_time = cpu_time;
    tf_deal(chip, sites, pace->visit_s);
    if (chip->rehearsal != NULL)
        rehearse(chip);
    else
        share(chip);
    double busy = busy_s(chip);
    note_visits(pace, busy, count);
    tf_borders_move(chip, count, pace->visit_s);
    if (cpu_time)
        note_gain(pace, busy / (tf_chip_seconds(chip) - chip->sharing.dealt_s));
}

static void visit_set(struct tf_chip *chip, const struct tf_sites *sites, tf_visit *visit, enum tf_phase phase)
{
    unsigned count = tf_sites_count(sites);
    bool together = count != 0 && pays_to_share(chip, count, phase);
    if (phase == TF_PHASE_RUN)
        chip->pacing.spread = together;
    if (count == 0)
        return;
    if (together) {
        visit_shared_phase(chip, sites, count, visit, phase);
        return;
    }
    double began = tf_chip_seconds(chip);
    tf_visit_serially(chip, sites, visit);
    double passed_s = tf_chip_seconds(chip) - began;
    book(&chip->worker[0], phase, passed_s);
    if (count > 1) /* a site alone, as one that all ask of, is like none of many */
        note_visits(&chip->pacing.phase[phase], passed_s, count);
}

void tf_visit_sites(struct tf_chip *chip, const struct tf_sites *sites, tf_visit *visit, enum tf_phase phase)
{
    struct tf_sites any = *sites, own = chip->sharing.callers;
    for (unsigned w = 0; w < TF_SET_WORDS; w++) {
        own.word[w] &= sites->word[w];
        any.word[w] &= ~own.word[w];
    }
    visit_set(chip, &any, visit, phase);
    tf_visit_serially(chip, &own, visit);
}
