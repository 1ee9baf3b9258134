/* SPDX-License-Identifier: Apache-2.0 */
/* A run in relaxed mode, and a worker's part in it. */
#include "farm/epoch/time.h"
#include "farm/relaxed/end.h"
#include "farm/relaxed/idle.h"
#include "farm/relaxed/run.h"
#include "farm/relaxed/visit.h"
#include "farm/relaxed/wake.h"
#include "host/extremes.h"
#include "pool/form.h"

/* List the sites of each home worker. */
static void list_shares(const struct tf_relaxed *relaxed, unsigned chip)
{
    struct tf_worker *worker = relaxed->chip[chip]->workers.worker;
    for (unsigned i = 0; i < relaxed->workers; i++)
        worker[i].relaxed.share_count = 0;
    for (unsigned i = 0; i < relaxed->chip[chip]->sharing.plan.sites; i++) {
        struct tf_relaxed_worker *home = &worker[tf_relaxed_home(relaxed, chip, i)].relaxed;
        home->share[home->share_count++] = (uint16_t)i;
    }
}

static struct tf_part relaxed_worker(void *context, unsigned number, double began_s)
{
    struct tf_relaxed *relaxed = context;
    for (unsigned chip = 0; chip < relaxed->chips; chip++) {
        struct tf_relaxed_worker *worker = &relaxed->chip[chip]->workers.worker[number].relaxed;
        worker->owned = TF_NO_NODE;
        worker->visit_slices = 1;
        worker->talks = worker->sent = false;
    }
    while (!tf_relaxed_ended(relaxed)) {
        if (tf_relaxed_visit_round(relaxed, number))
            continue;
        tf_relaxed_idle(relaxed, number);
        tf_relaxed_check_end(relaxed, number);
    }
    double ended_s = tf_seconds();
    relaxed->chip[0]->workers.worker[number].figures.run_s += ended_s - began_s;
    return (struct tf_part){.ended_s = ended_s};
}

/* Wake the active sites, which the host has accessed since the last run. */
static void wake_active(struct tf_site *sites, unsigned count, struct tf_sites *active)
{
    for (unsigned i = 0; i < count; i++) {
        if (!tf_sites_has(active, i))
            continue;
        atomic_store(&sites[i].relaxed.woken, true);
        sites[i].relaxed.quiet = false;
    }
    *active = (struct tf_sites){{0}};
}

/* Wake the tiles that stopped at the last limit. */
static void wake_stopped(struct tf_site *sites, const struct tf_arch *arch, const struct tf_tiles *tiles)
{
    for (unsigned i = 0; i < tiles->count; i++) {
        struct tf_site *site = &sites[tf_node_number(arch, tiles->tile[i].coord)];
        atomic_store(&site->relaxed.awaited, TF_AWAITED_ALL);
        if (!tf_tile_quiet(&tiles->tile[i]))
            site->relaxed.quiet = false;
    }
}

/* The tick of the most advanced tile of a chip, or that of the chip. */
static uint64_t latest(const struct tf_chip *chip)
{
    uint64_t tick = chip->epochs.tick;
    for (unsigned i = 0; i < chip->tiles.count; i++)
        tick = tf_max(tick, chip->tiles.tile[i].slice.tick);
    return tick;
}

/* Set a chip's time to a tick, that of the most advanced tile of all chips. Quiet tiles catch up now: the host starts
   cores at the chip's time, and a tile that lags would get there slice by slice. Without parking, tiles execute those
   slices in any case. */
static void finish(struct tf_epochs *epochs, struct tf_schedule *schedule, const struct tf_tiles *tiles, uint64_t tick)
{
    if (tick > epochs->tick)
        tf_epochs_pass(epochs, schedule, tick);
    for (unsigned i = 0; i < tiles->count; i++)
        if (tiles->tile[i].mode.parking && tf_tile_quiet(&tiles->tile[i]))
            tf_tile_catch_up(&tiles->tile[i], schedule, epochs->tick);
}

static void finish_all(struct tf_relaxed *relaxed)
{
    uint64_t tick = atomic_load(&relaxed->end) == TF_END_CYCLES ? relaxed->limit : 0;
    for (unsigned i = 0; i < relaxed->chips; i++)
        tick = tf_max(tick, latest(relaxed->chip[i]));
    for (unsigned i = 0; i < relaxed->chips; i++) {
        struct tf_chip *chip = relaxed->chip[i];
        finish(&chip->epochs, &chip->schedule, &chip->tiles, tick);
        chip->epochs.number++;
    }
}

/* Take the faults of all chips. Returns false if one of them ends a run. */
static bool collect(struct tf_relaxed *relaxed)
{
    bool fine = true;
    for (unsigned i = 0; i < relaxed->chips; i++) {
        struct tf_chip *chip = relaxed->chip[i];
        fine &= !tf_faults_collect(&chip->faults, &chip->call, &chip->workers, chip->fabric) ||
                chip->rules.go_on_after_fault;
    }
    return fine;
}

enum tf_end tf_run_relaxed_all(struct tf_relaxed *relaxed)
{
    relaxed->reports = relaxed->call->on_progress != NULL || relaxed->options->wall_s_max > 0;
    atomic_store(&relaxed->end, -1);
    atomic_store(&relaxed->idle, 0);
    atomic_store(&relaxed->talkers, 0);
    for (unsigned i = 0; i < relaxed->chips; i++) {
        struct tf_chip *chip = relaxed->chip[i];
        chip->relaxed = relaxed;
        wake_active(chip->site, chip->fabric->nodes, &chip->epochs.active);
        wake_stopped(chip->site, chip->arch, &chip->tiles);
    }
    bool shared = relaxed->team->count > 1 && tf_team_form(relaxed->team) == TF_OK;
    relaxed->workers = shared ? relaxed->team->present : 1;
    for (unsigned i = 0; i < relaxed->chips; i++)
        list_shares(relaxed, i);
    const struct tf_task task = {.run = relaxed_worker, .context = relaxed};
    if (shared)
        tf_team_share(relaxed->team, &task, NULL);
    else
        relaxed_worker(relaxed, 0, tf_seconds());
    finish_all(relaxed);
    enum tf_end end = (enum tf_end)atomic_load(&relaxed->end);
    return !collect(relaxed) && end == TF_END_QUIET ? TF_END_FAULT : end;
}

enum tf_end tf_run_relaxed(struct tf_chip *chip, const struct tf_run_options *options)
{
    struct tf_relaxed *relaxed = &chip->relaxed_alone;
    relaxed->chip = &chip;
    relaxed->chips = 1;
    relaxed->call = &chip->call;
    relaxed->host = &chip->host;
    relaxed->team = &chip->workers.team;
    relaxed->stop = &chip->stop;
    relaxed->options = options;
    relaxed->limit = tf_limit_tick(&chip->schedule, chip->epochs.cycles, options->cycles_max);
    const enum tf_end end = tf_run_relaxed_all(relaxed);
    relaxed->chip = NULL; /* the parameter, which ends here */
    return end;
}
