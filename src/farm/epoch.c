/* SPDX-License-Identifier: Apache-2.0 */
/* One epoch of deterministic mode: run the active units, then deliver what they sent. */
#include "farm/chip.h"

/* A worker begins an epoch with its first unit: one without any costs nothing. */
void tf_take_part(struct tf_worker *worker)
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
    tf_crew_fill(&chip->took_part, 0);
    tf_take_part(&chip->worker[0]);
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
        tf_visit_alone(chip, &found->late, tf_land_long_reads);
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
