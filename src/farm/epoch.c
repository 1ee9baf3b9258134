/* SPDX-License-Identifier: Apache-2.0 */
/* One epoch of deterministic mode: run the active units, then deliver what they sent. */
#include "farm/chip.h"

/* A step is shared when it takes so long: some times what it costs to meet, when helpers spin and when they sleep. */
#define SHARE_SPINNING_S(workers) (2e-6 + 0.25e-6 * (workers))
#define SHARE_SLEEPING_S 300e-6

/* A build for tests may share every step that can be, without stealing in every other epoch. */
#ifndef TF_ALWAYS_SHARE
#define TF_ALWAYS_SHARE false
#endif

/* Sharing that gains less than this is left off for so many steps. */
#define GAIN_LEAST 1.15
#define HOLD_STEPS 64u

/* To ask for a thread's processor time costs the host a call: one short step in so many is looked at closely. */
#define CLOSE_LOOK 16u
#define LONG_STEP_S 100e-6

/* The first visits touch memory and decode code: if many tiles start, that is the longest step of some runs. */
#define FIRST_RUN_S 10e-6
#define FIRST_DELIVERY_S 1e-6

struct visit {
    struct tf_chip *chip;
    tf_visit *visit;
    unsigned which;
    bool closely;
};

struct tf_pace tf_pace_first(unsigned which)
{
    return (struct tf_pace){.visit_s = which == 0 ? FIRST_RUN_S : FIRST_DELIVERY_S, .gain = 2};
}

static void book(struct tf_worker *worker, unsigned which, double seconds)
{
    if (which == 0)
        worker->run_s += seconds;
    else
        worker->deliver_s += seconds;
}

static bool same_node(const struct tf_chip *chip, unsigned a, unsigned b)
{
    return chip->topology.worker[a].numa_node == chip->topology.worker[b].numa_node;
}

static bool take_from(struct tf_chip *chip, unsigned owner, unsigned *unit)
{
    struct tf_worker *worker = &chip->worker[owner];
    unsigned i = atomic_fetch_add_explicit(&worker->next, 1, memory_order_relaxed);
    if (i >= worker->share_count)
        return false;
    *unit = worker->share[i];
    if (i + 1 == worker->share_count)
        tf_crew_remove(&chip->left, owner);
    return true;
}

/* A worker begins an epoch with its first unit: one without any costs nothing. */
static void take_part(struct tf_worker *worker)
{
    struct tf_chip *chip = worker->chip;
    if (worker->joined == chip->epoch + 1)
        return;
    worker->joined = chip->epoch + 1;
    tf_deliver_begin(worker);
    worker->busy = worker->running = worker->sent_to = worker->landing = (struct tf_units){{0}};
    worker->bulk = worker->long_reads = worker->late = (struct tf_units){{0}};
    worker->reads_for_others = false;
    worker->slice_max = 0;
    tf_crew_add(&chip->took_part, worker->number);
}

/* The turns: its own share; those of its NUMA node, from the next worker on; those of other nodes. */
bool tf_next_unit(struct tf_chip *chip, unsigned worker, struct tf_hunt *hunt, unsigned *unit)
{
    unsigned others = chip->workers.count - 1;
    if (hunt->turn == 0 && take_from(chip, worker, unit)) {
        take_part(&chip->worker[worker]);
        return true;
    }
    if (hunt->turn == 0) /* a build for tests does not steal in every other epoch */
        hunt->turn = TF_ALWAYS_SHARE && (chip->epoch & 1) == 0 && chip->workers.present > others ? 2 * others + 1 : 1;
    for (; hunt->turn <= 2 * others; hunt->turn++) {
        unsigned other = (worker + 1 + (hunt->turn - 1) % others) % chip->workers.count;
        if (same_node(chip, worker, other) != (hunt->turn <= others) || !tf_crew_has(&chip->left, other))
            continue;
        hunt->looked++;
        if (take_from(chip, other, unit)) {
            take_part(&chip->worker[worker]);
            chip->worker[worker].steals++;
            return true;
        }
    }
    return false;
}

static void visit_shared(void *context, unsigned number)
{
    const struct visit *work = context;
    struct tf_chip *chip = work->chip;
    struct tf_worker *worker = &chip->worker[number];
    double began = tf_seconds(), cpu_s = work->closely ? tf_thread_seconds() : 0;
    struct tf_hunt hunt = {.turn = 0};
    unsigned unit;
    while (tf_next_unit(chip, number, &hunt, &unit))
        work->visit(worker, unit);
    double passed_s = tf_seconds() - began;
    worker->step_s = work->closely ? tf_thread_seconds() - cpu_s : passed_s;
    book(worker, work->which, passed_s);
}

/* Units in the order in which their requests act in this epoch: what they send to a unit is then in order already. */
static unsigned list_units(const struct tf_chip *chip, const struct tf_units *units, uint16_t *list)
{
    unsigned first = (unsigned)((chip->units - chip->epoch % chip->units) % chip->units), count = 0;
    for (unsigned turn = 0; turn < 2; turn++)
        for (unsigned w = 0; w < TF_SET_WORDS; w++) {
            uint64_t before = w * 64 + 64 <= first ? ~0ull : w * 64 >= first ? 0 : (1ull << first % 64) - 1;
            for (uint64_t bits = units->word[w] & (turn == 0 ? ~before : before); bits != 0; bits &= bits - 1)
                list[count++] = (uint16_t)(w * 64 + (unsigned)__builtin_ctzll(bits));
        }
    return count;
}

static void deal(struct tf_chip *chip, const struct tf_units *units)
{
    uint16_t list[TF_NODES_MAX];
    unsigned count = list_units(chip, units, list);
    for (unsigned i = 0; i < chip->workers.count; i++)
        if (tf_crew_has(&chip->dealt_to, i))
            chip->worker[i].share_count = 0;
    tf_crew_clear(&chip->dealt_to);
    tf_crew_clear(&chip->left);
    for (unsigned i = 0; i < count; i++) {
        struct tf_worker *home = &chip->worker[chip->home[list[i]]];
        if (home->share_count == 0) {
            atomic_store_explicit(&home->next, 0, memory_order_relaxed);
            tf_crew_add(&chip->dealt_to, home->number);
            tf_crew_add(&chip->left, home->number);
        }
        home->share[home->share_count++] = list[i];
    }
}

/*
 * Helpers are worth waking for a long step, and when short ones that they slept through add up to as much: they go on
 * spinning between steps that follow one another. Where they must not spin, each step would have to wake them.
 */
static bool worth_waking(struct tf_chip *chip, double step_s)
{
    chip->slept_through_s += chip->workers.spin ? step_s : 0;
    if (step_s < SHARE_SLEEPING_S && chip->slept_through_s < SHARE_SLEEPING_S)
        return false;
    chip->slept_through_s = 0;
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

/* Sharing pays where a step is long enough, and the helpers get to run: on a host that others load they may not. */
static bool pays_to_share(struct tf_chip *chip, unsigned units, unsigned which)
{
    struct tf_pace *pace = &chip->pace[which];
    double step_s = pace->visit_s * units;
    if (chip->workers.present == 1 || units < 2)
        return false;
    if (TF_ALWAYS_SHARE)
        return helpers_there(chip);
    if (step_s < SHARE_SPINNING_S(chip->workers.present))
        return false;
    if (pace->hold != 0) {
        pace->hold--;
        return false;
    }
    if (helpers_asleep(chip) && !worth_waking(chip, step_s))
        return false;
    return helpers_there(chip);
}

/* What a shared step took: looked at closely, processor time, as who is kept waiting by the host has not worked. */
static double busy_s(const struct tf_chip *chip)
{
    double sum = 0;
    for (unsigned i = 0; i < chip->workers.present; i++)
        sum += chip->worker[i].step_s;
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
    pace->hold = HOLD_STEPS;
    pace->gain = 2 * GAIN_LEAST;
}

static void visit_alone(struct tf_chip *chip, const struct tf_units *units, tf_visit *visit)
{
    uint16_t list[TF_NODES_MAX];
    unsigned count = list_units(chip, units, list);
    for (unsigned i = 0; i < count; i++)
        visit(&chip->worker[0], list[i]);
}

static void visit_together(struct tf_chip *chip, const struct tf_units *units, unsigned count, tf_visit *visit,
                           unsigned which)
{
    struct tf_pace *pace = &chip->pace[which];
    bool closely = chip->epoch % CLOSE_LOOK == 0 || pace->visit_s * count > LONG_STEP_S;
    double began = closely ? tf_chip_seconds(chip) : 0;
    struct visit work = {.chip = chip, .visit = visit, .which = which, .closely = closely};
    deal(chip, units);
    if (chip->rehearsal != NULL)
        tf_rehearse_step(chip, visit, which);
    else
        tf_workers_share(&chip->workers, visit_shared, &work);
    double busy = busy_s(chip);
    note_visits(pace, busy, count);
    if (closely)
        note_gain(pace, busy / (tf_chip_seconds(chip) - began));
}

static void visit_any(struct tf_chip *chip, const struct tf_units *units, tf_visit *visit, unsigned which)
{
    unsigned count = tf_units_count(units);
    if (count == 0)
        return;
    if (pays_to_share(chip, count, which)) {
        visit_together(chip, units, count, visit, which);
        return;
    }
    double began = tf_chip_seconds(chip);
    visit_alone(chip, units, visit);
    double passed_s = tf_chip_seconds(chip) - began;
    book(&chip->worker[0], which, passed_s);
    note_visits(&chip->pace[which], passed_s, count);
}

void tf_visit_units(struct tf_chip *chip, const struct tf_units *units, tf_visit *visit, unsigned which)
{
    struct tf_units any = *units, own = chip->own;
    for (unsigned w = 0; w < TF_SET_WORDS; w++) {
        own.word[w] &= units->word[w];
        any.word[w] &= ~own.word[w];
    }
    visit_any(chip, &any, visit, which);
    visit_alone(chip, &own, visit);
}

/* Counters move after the tile's harts have stopped: one of them may be waiting for that. */
static void send_bulk(struct tf_worker *worker, struct tf_unit *unit, struct tf_node *node)
{
    if (unit->long_reads != NULL)
        tf_units_add(&worker->long_reads, node->unit);
    if (unit->long_writes == NULL)
        return;
    tf_units_add(&worker->busy, node->unit);
    for (struct tf_bulk *write = unit->long_writes; write != NULL; write = write->next)
        tf_niu_sent(&node->niu[write->request->noc], write->request);
    tf_units_add(&worker->bulk, node->unit);
}

static void run_tile(struct tf_worker *worker, unsigned number, struct tf_node *node)
{
    struct tf_chip *chip = worker->chip;
    struct tf_tile *tile = node->tile;
    worker->unit = &chip->unit[number];
    worker->tile = tile;
    tf_deliver_open(worker, number);
    struct tf_tally before = tf_tally(node);
    tf_niu_epoch(&node->niu[0], &worker->sink);
    tf_niu_epoch(&node->niu[1], &worker->sink);
    bool quiet = tf_tile_run(tile, &chip->schedule, chip->run_end);
    tf_niu_epoch(&node->niu[0], NULL);
    tf_niu_epoch(&node->niu[1], NULL);
    tf_tally_add(worker, node, before);
    tf_deliver_close(worker, number);
    send_bulk(worker, worker->unit, node);
    if (!quiet)
        tf_units_add(&worker->running, number);
    if (!quiet || tf_niu_pending(&node->niu[0]) || tf_niu_pending(&node->niu[1]))
        tf_units_add(&worker->busy, number);
    if (tile->slice > worker->slice_max)
        worker->slice_max = tile->slice;
}

static void run_unit(struct tf_worker *worker, unsigned number)
{
    struct tf_chip *chip = worker->chip;
    struct tf_node *node = &chip->fabric->node[number];
    if (node->tile != NULL) {
        tf_tile_catch_up(node->tile, &chip->schedule, chip->slice);
        node->tile->now = tf_chip_cycles(chip);
    }
    if (tf_units_has(&chip->landing, number))
        tf_land_unit(worker, number);
    if (node->tile != NULL) {
        run_tile(worker, number, node);
        if (node->tile->faults.count != 0)
            tf_units_add(&worker->faulted, number);
    }
}

/* What the workers found in an epoch. */
struct found {
    struct tf_units busy, running, sent_to, bulk, long_reads, late, landing;
    bool reads_for_others;
    uint64_t slice_max;
};

static void begin(struct tf_chip *chip)
{
    tf_crew_clear(&chip->took_part);
    take_part(&chip->worker[0]);
}

static void collect(const struct tf_chip *chip, struct found *found)
{
    *found = (struct found){.slice_max = 0};
    for (unsigned i = 0; i < chip->workers.count; i++) {
        const struct tf_worker *worker = &chip->worker[i];
        if (!tf_crew_has(&chip->took_part, i))
            continue;
        tf_units_join(&found->busy, &worker->busy);
        tf_units_join(&found->running, &worker->running);
        tf_units_join(&found->sent_to, &worker->sent_to);
        tf_units_join(&found->bulk, &worker->bulk);
        tf_units_join(&found->long_reads, &worker->long_reads);
        tf_units_join(&found->late, &worker->late);
        found->reads_for_others |= worker->reads_for_others;
        tf_units_join(&found->landing, &worker->landing);
        if (worker->slice_max > found->slice_max)
            found->slice_max = worker->slice_max;
    }
}

/* All requests act. */
static void execute(struct tf_chip *chip, const struct found *found)
{
    tf_deliver_gather(chip);
    if (chip->config.serial_delivery) {
        tf_execute_serially(chip, &found->bulk);
        return;
    }
    struct tf_units bulk = found->bulk;
    for (unsigned w = 0; w < TF_SET_WORDS; w++)
        bulk.word[w] &= found->sent_to.word[w];
    tf_units_join(&bulk, &found->long_reads);
    chip->reads_for_others = found->reads_for_others;
    tf_visit_units(chip, &bulk, tf_prepare_unit, 1);
    tf_visit_units(chip, &found->sent_to, tf_execute_unit, 2);
}

static void deliver(struct tf_chip *chip, struct found *found)
{
    execute(chip, found);
    collect(chip, found);
    if (chip->config.serial_delivery)
        visit_alone(chip, &found->late, tf_land_long_reads);
    else
        tf_visit_units(chip, &found->late, tf_land_long_reads, 1);
}

bool tf_epoch(struct tf_chip *chip, uint64_t slice_limit)
{
    uint64_t left = slice_limit - chip->slice;
    chip->run_end = chip->slice + (chip->epoch_slices < left ? chip->epoch_slices : left);
    begin(chip);
    if (chip->config.serial_delivery)
        tf_land_serially(chip);
    tf_visit_units(chip, &chip->active, run_unit, 0);

    struct found found;
    collect(chip, &found);
    bool all_quiet = tf_units_none(&found.running);
    if (!all_quiet)
        chip->slice = chip->run_end;
    else
        chip->slice = found.slice_max > chip->slice ? found.slice_max : chip->slice + 1;

    bool sent = !tf_units_none(&found.sent_to);
    if (sent)
        deliver(chip, &found);
    uint32_t shortest = chip->config.epoch_cycles_min / chip->config.slice_cycles;
    uint32_t longest = chip->config.epoch_cycles_max / chip->config.slice_cycles;
    chip->epoch_slices = sent ? shortest : chip->epoch_slices * 2 < longest ? chip->epoch_slices * 2 : longest;
    chip->landing = found.landing;
    chip->active = found.busy;
    tf_units_join(&chip->active, &found.sent_to);
    tf_units_join(&chip->active, &found.landing);
    chip->epoch++;
    if ((chip->epoch & 0xfff) == 0x400)
        tf_slots_promote(chip);
    return !tf_units_none(&chip->active);
}
