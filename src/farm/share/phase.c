/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a phase is shared, and a worker's part in a shared phase. Bench rows: those with several threads. */
#include "farm/chip/state.h"
#include "farm/chip/figures.h"
#include "farm/share/take_part.h"
#include "farm/share/phase.h"
#include "host/assert.h"
#include "pool/form.h"

/* Least time of a phase that is shared: a multiple of the cost to meet, for helpers that spin and that sleep. */
#define SHARE_SPINNING_S(workers) (2e-6 + 0.25e-6 * (workers))
#define SHARE_SLEEPING_S 300e-6

/* Extra time to visit a site that lies in another worker's cache, there and back. Of chains: a request's target. */
#define REMOTE_S 0.2e-6

/* Without processor time: a phase counts as at most this many times longer than expected. The rest is no work. */
#define LONGER_MOST 4

/* Processor time costs a system call: measure it in one of CPU_TIME_EPOCHS epochs, and in every long phase. */
#define CPU_TIME_EPOCHS 16u
#define LONG_PHASE_S 100e-6

/* A phase with fewer sites is short: one of TF_TIMED_EPOCHS epochs stands for all. */
#define FEW_SITES 8u

/* Expected time of the first visits, which touch memory and decode code. */
#define FIRST_RUN_S 10e-6
#define FIRST_DELIVERY_S 1e-6

static void add_time(struct tf_worker_figures *figures, enum tf_phase phase, double seconds)
{
    if (phase == TF_PHASE_RUN)
        figures->run_s += seconds;
    else
        figures->deliver_s += seconds;
}

/* Visit a site. No other worker visits it meanwhile. */
static inline void visit_site(struct tf_worker *worker, unsigned site, tf_visit *visit)
{
#ifdef TF_ASSERTS
    uint8_t *claimed = &worker->chip->pacing.claimed[site];
    TF_ASSERT(site < worker->chip->sharing.plan.sites && __atomic_exchange_n(claimed, 1, __ATOMIC_ACQUIRE) == 0);
#endif
    if (tf_forks_open(&worker->chip->forks))
        tf_forks_visit(&worker->chip->forks, worker->chip->fabric, site);
    visit(worker, site);
#ifdef TF_ASSERTS
    TF_ASSERT(__atomic_exchange_n(claimed, 0, __ATOMIC_RELEASE) == 1);
#endif
}

/* Visit a stolen site, and measure it: its state comes from another core's cache. */
static void visit_stolen(struct tf_worker *worker, unsigned site, const struct tf_walk *walk, struct tf_part *part)
{
    double began_s = tf_seconds();
    visit_site(worker, site, walk->phase->visit);
    part->stolen_s += (float)(tf_seconds() - began_s);
}

static void visit_all(struct tf_worker *worker, struct tf_walk *walk, struct tf_part *part)
{
    unsigned site;
    bool first = true;
    while (tf_next_site(&worker->chip->sharing, worker->number, walk, &site)) {
        if (first)
            tf_take_part(worker);
        first = false;
        worker->next_site = tf_site_after(walk);
        if (walk->stolen == 0)
            visit_site(worker, site, walk->phase->visit);
        else
            visit_stolen(worker, site, walk, part);
    }
    worker->figures.steals += walk->stolen;
}

static struct tf_part visit_shared(void *context, unsigned number, double began_s)
{
    struct tf_workers *workers = context;
    const struct tf_shared_phase *phase = &workers->team.phase;
    struct tf_worker *worker = &workers->worker[number];
    struct tf_part part = {.busy_s = 0};
    double cpu_s = phase->cpu_time ? tf_thread_seconds() : 0;
    struct tf_walk walk;
    tf_walk_begin(&walk, phase);
    visit_all(worker, &walk, &part);
    part.ended_s = tf_seconds();
    part.busy_s = phase->cpu_time ? tf_thread_seconds() - cpu_s : part.ended_s - began_s;
    part.dealt = (uint16_t)walk.dealt;
    part.got = (uint16_t)walk.taken;
    part.stolen = (uint16_t)walk.stolen;
    add_time(&worker->figures, phase->kind, part.ended_s - began_s);
    return part;
}

/* The calling thread has waited for long: a helper may not run at all. Take even the sites that are reserved for it. */
static bool visit_overdue(void *context)
{
    struct tf_workers *workers = context;
    struct tf_worker *worker = &workers->worker[0];
    const struct tf_sharing *sharing = &worker->chip->sharing;
    const struct tf_shared_phase *phase = &workers->team.phase;
    struct tf_part *part = &workers->team.part, unused = {.stolen_s = 0};
    double began_s = part->ended_s, cpu_s = phase->cpu_time ? tf_thread_seconds() : 0;
    struct tf_walk walk;
    tf_walk_begin(&walk, phase);
    walk.reserved = 0;
    walk.closed = true; /* by the walk before */
    visit_all(worker, &walk, &unused);
    if (walk.taken == 0)
        return tf_may_steal(sharing);
    part->ended_s = tf_seconds();
    part->busy_s += phase->cpu_time ? tf_thread_seconds() - cpu_s : part->ended_s - began_s;
    part->got += (uint16_t)walk.taken;
    add_time(&worker->figures, phase->kind, part->ended_s - began_s);
    return tf_may_steal(sharing);
}

void tf_phases_init(struct tf_pacing *pacing, struct tf_sharing *sharing, struct tf_workers *workers)
{
    *pacing = (struct tf_pacing){.sharing = sharing, .workers = workers};
    pacing->task = (struct tf_task){.run = visit_shared, .overdue = visit_overdue, .context = workers};
    for (unsigned phase = 0; phase < TF_PHASES; phase++)
        pacing->phase[phase] = (struct tf_pace){.visit_s = phase == TF_PHASE_RUN ? FIRST_RUN_S : FIRST_DELIVERY_S,
                                                .gain = {.next_s = TF_GAIN_HOLD_S}};
}

/*
 * Is it worth waking helpers that sleep? Yes for a long phase, and once the phases that they slept through add up to
 * one: woken helpers spin until the next phase. Where helpers must not spin, each phase would have to wake them.
 */
static bool worth_waking(struct tf_pacing *pacing, bool spin, double phase_s)
{
    pacing->slept_through_s += spin ? phase_s : 0;
    if (phase_s < SHARE_SLEEPING_S && pacing->slept_through_s < SHARE_SLEEPING_S)
        return false;
    pacing->slept_through_s = 0;
    return true;
}

/* The caller's extra time if it visits all sites of a phase, and some lie in other caches. */
static double remote_s_of(const struct tf_pacing *pacing, unsigned sites, enum tf_phase phase)
{
    if (phase == TF_PHASE_RUN || !pacing->spread)
        return 0;
    return REMOTE_S * (phase == TF_PHASE_CHAINS ? (double)pacing->chained : sites);
}

/* May this phase have helpers? A team that is short of them looks for others before each run phase. */
static bool may_have_helpers(struct tf_team *team, enum tf_phase phase)
{
    if (team->count == 1)
        return false;
    bool grown = phase == TF_PHASE_RUN && tf_team_grow(team);
    return grown || !team->formed || team->present > 1;
}

/* Does sharing pay? The phase must be long enough, and the last shared phases must have gained: on a loaded host
   helpers may not run. */
static bool pays_to_share(struct tf_pacing *pacing, unsigned sites, enum tf_phase phase, double remote_s)
{
    struct tf_team *team = &pacing->workers->team;
    struct tf_pace *pace = &pacing->phase[phase];
    bool spread = phase != TF_PHASE_RUN && pacing->spread;
    double phase_s = pace->visit_s * sites + remote_s;
    if (!may_have_helpers(team, phase) || sites < 2)
        return false;
    if (TF_SHARE_ALL)
        return tf_team_form(team) == TF_OK;
    if (phase_s < SHARE_SPINNING_S(team->formed ? team->present : team->count))
        return false;
    if (!spread && tf_gain_pauses(&pace->gain, phase_s))
        return false;
    if (tf_team_asleep(team) && !worth_waking(pacing, team->spin, phase_s))
        return false;
    return tf_team_form(team) == TF_OK;
}

/* The sum of all workers' visits. */
static double busy_s(struct tf_team *team)
{
    double sum = 0;
    for (unsigned i = 0; i < team->present; i++)
        sum += tf_part_of(team, i)->busy_s;
    return sum;
}

static void note_visits(struct tf_pace *pace, double busy, unsigned count)
{
    pace->visit_s += (busy / count - pace->visit_s) / 4;
}

void tf_visit_serial(struct tf_pacing *pacing, const struct tf_sites *sites, tf_visit *visit)
{
    uint16_t list[TF_SITES_MAX + 1];
    if (tf_sites_none(sites))
        return;
    unsigned count = tf_list_sites(pacing->sharing, sites, list);
    list[count] = TF_NO_SITE;
    struct tf_worker *worker = &pacing->workers->worker[0];
    for (unsigned i = 0; i < count; i++) {
        worker->next_site = list[i + 1];
        visit_site(worker, list[i], visit);
    }
}

static void share(struct tf_pacing *pacing, const struct tf_pace *pace)
{
    struct tf_sharing *sharing = pacing->sharing;
    tf_team_share(sharing->team, &pacing->task, &sharing->phase);
    tf_share_absent(sharing);
    sharing->dealt_s = sharing->team->began_s;
    if (sharing->phase.kind != TF_PHASE_CHAINS) /* its visits are many */
        tf_move_cost_update(sharing, pace->visit_s);
}

static void visit_shared_phase(struct tf_pacing *pacing, const struct tf_phase_plan *plan, tf_visit *visit)
{
    struct tf_sharing *sharing = pacing->sharing;
    struct tf_pace *pace = &pacing->phase[plan->phase];
    unsigned count = plan->count;
    bool cpu_time = *sharing->plan.turn % CPU_TIME_EPOCHS == 0 || pace->visit_s * count > LONG_PHASE_S;
    sharing->phase.visit = visit;
    sharing->phase.kind = (uint8_t)plan->phase;
    sharing->phase.cpu_time = cpu_time;
    if (plan->phase == TF_PHASE_CHAINS) /* a visit for each worker, in whose cache the targets are */
        tf_deal_one_each(sharing, &plan->any);
    else
        tf_deal(sharing, &plan->any, pace->visit_s);
    share(pacing, pace);
    double busy = busy_s(sharing->team), wall_s = sharing->team->met_s - sharing->dealt_s;
    if (!cpu_time && busy > LONGER_MOST * pace->visit_s * count)
        busy = LONGER_MOST * pace->visit_s * count;
    note_visits(pace, busy, count);
    if (!sharing->absent)
        tf_borders_move(sharing, count, pace->visit_s);
    double alone_s = busy + plan->remote_s;
    tf_gain_note(&pace->gain, sharing->team, alone_s, wall_s);
    tf_gain_note_loss(&pacing->phase[TF_PHASE_RUN].gain, &pacing->lost_s, alone_s, wall_s);
}

void tf_phase_plan(struct tf_pacing *pacing, const struct tf_sites *sites, enum tf_phase phase,
                   struct tf_phase_plan *plan)
{
    plan->phase = phase;
    for (unsigned w = 0; w < TF_SET_WORDS; w++) {
        plan->callers.word[w] = pacing->sharing->plan.callers.word[w] & sites->word[w];
        plan->any.word[w] = sites->word[w] & ~plan->callers.word[w];
    }
    plan->count = tf_sites_count(&plan->any);
    plan->remote_s = remote_s_of(pacing, plan->count, phase);
    plan->shared = plan->count != 0 && pays_to_share(pacing, plan->count, phase, plan->remote_s);
    if (phase == TF_PHASE_RUN)
        pacing->spread = plan->shared;
}

/* The calling thread makes the visits that any worker could make. */
static void visit_on_caller(struct tf_pacing *pacing, const struct tf_phase_plan *plan, tf_visit *visit)
{
    struct tf_sharing *sharing = pacing->sharing;
    bool few = plan->count < FEW_SITES;
    if (few && *sharing->plan.turn % TF_TIMED_EPOCHS != 0) {
        tf_visit_serial(pacing, &plan->any, visit);
        return;
    }
    double began = tf_seconds();
    tf_visit_serial(pacing, &plan->any, visit);
    double passed_s = tf_seconds() - began;
    add_time(&pacing->workers->worker[0].figures, plan->phase, passed_s * (few ? TF_TIMED_EPOCHS : 1));
    if (plan->count > 1) /* a single site, such as a target of all requests, says nothing about the average */
        note_visits(&pacing->phase[plan->phase], passed_s, plan->count);
}

void tf_phase_first(struct tf_pacing *pacing, struct tf_phase_plan *plan, unsigned site, tf_visit *visit)
{
    struct tf_sites one = {.word = {0}};
    if (!tf_sites_has(&plan->any, site) && !tf_sites_has(&plan->callers, site))
        return;
    tf_sites_remove(&plan->any, site);
    tf_sites_remove(&plan->callers, site);
    plan->count = tf_sites_count(&plan->any);
    tf_sites_add(&one, site);
    tf_visit_serial(pacing, &one, visit);
}

void tf_phase_begin(struct tf_pacing *pacing, const struct tf_phase_plan *plan, tf_visit *visit)
{
    if (plan->shared)
        visit_shared_phase(pacing, plan, visit);
    else if (plan->count != 0)
        visit_on_caller(pacing, plan, visit);
    tf_visit_serial(pacing, &plan->callers, visit);
}

void tf_visit_sites(struct tf_pacing *pacing, const struct tf_sites *sites, tf_visit *visit, enum tf_phase phase)
{
    struct tf_phase_plan plan;
    if (tf_sites_none(sites)) /* most epochs have no long requests: row `atomic-inc-1t` */
        return;
    tf_phase_plan(pacing, sites, phase, &plan);
    tf_phase_begin(pacing, &plan, visit);
}
