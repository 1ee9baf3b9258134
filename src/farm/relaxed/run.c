/* SPDX-License-Identifier: Apache-2.0 */
/* A run in relaxed mode, and a worker's part in it. */
#include "farm/run/run.h"
#include "farm/epoch/time.h"
#include "farm/relaxed/relaxed.h"
#include "host/extremes.h"
#include "pool/form.h"
#include "tilefarm/tilefarm_config.h"

/* The latest slice of all tiles, and the sum of their instructions, after their last visits. */
static uint64_t visited(const struct tf_site *sites, unsigned count, uint64_t *instructions)
{
    uint64_t slice = 0;
    *instructions = 0;
    for (unsigned i = 0; i < count; i++) {
        uint64_t at = atomic_load_explicit(&sites[i].relaxed.visited_slice, memory_order_relaxed);
        slice = tf_max(at, slice);
        *instructions += atomic_load_explicit(&sites[i].relaxed.visited_instructions, memory_order_relaxed);
    }
    return slice;
}

void tf_relaxed_check_end(struct tf_worker *worker)
{
    struct tf_chip *chip = worker->chip;
    bool reports = tf_relaxed_reports(worker);
    if (reports && tf_progress_due(chip->config, &chip->host)) {
        uint64_t instructions, slice = visited(chip->site, chip->fabric->nodes, &instructions);
        chip->config->on_progress(chip->config->user, tf_tick_begin(&chip->schedule, slice), instructions);
    }
    if (tf_has_value(chip->fabric, chip->relaxed.options))
        tf_relaxed_end(&chip->relaxed, TF_END_VALUE);
    else if (atomic_load_explicit(&chip->stop, memory_order_relaxed) &&
             atomic_exchange_explicit(&chip->stop, false, memory_order_relaxed))
        tf_relaxed_end(&chip->relaxed, TF_END_STOPPED);
    else if (reports && tf_is_late(chip->relaxed.options, &chip->host))
        tf_relaxed_end(&chip->relaxed, TF_END_TIME);
}

/* List the sites of each home worker. workers: the number of workers that take part. */
static void list_shares(const struct tf_share_plan *plan, struct tf_worker *worker, unsigned workers)
{
    for (unsigned i = 0; i < workers; i++)
        worker[i].relaxed.share_count = 0;
    for (unsigned i = 0; i < plan->sites; i++) {
        struct tf_worker *home = &worker[plan->home[i] % workers];
        home->relaxed.share[home->relaxed.share_count++] = (uint16_t)i;
    }
}

static struct tf_part relaxed_worker(void *context, unsigned number, double began_s)
{
    const struct tf_workers *workers = context;
    struct tf_worker *worker = &workers->worker[number];
    worker->relaxed.owned = TF_NO_NODE;
    worker->relaxed.visit_slices = 1;
    worker->relaxed.talks = worker->relaxed.sent = false;
    while (!tf_relaxed_ended(&worker->chip->relaxed)) {
        if (tf_relaxed_visit_round(worker))
            continue;
        tf_relaxed_idle(worker);
        tf_relaxed_check_end(worker);
    }
    double ended_s = tf_seconds();
    worker->figures.run_s += ended_s - began_s;
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

/* Set the chip's time to that of the most advanced tile. Quiet tiles catch up now: the host starts cores at the chip's
   time, and a tile that lags would get there slice by slice. Without parking, tiles execute those slices in any
   case. */
static void finish(struct tf_epochs *epochs, struct tf_schedule *schedule, const struct tf_tiles *tiles)
{
    for (unsigned i = 0; i < tiles->count; i++)
        if (tiles->tile[i].slice.tick > epochs->tick)
            tf_epochs_pass(epochs, schedule, tiles->tile[i].slice.tick);
    for (unsigned i = 0; i < tiles->count; i++)
        if (tiles->tile[i].mode.parking && tf_tile_quiet(&tiles->tile[i]))
            tf_tile_catch_up(&tiles->tile[i], schedule, epochs->tick);
}

enum tf_end tf_run_relaxed(struct tf_chip *chip, const struct tf_run_options *options)
{
    chip->relaxed.options = options;
    chip->relaxed.reports = chip->config->on_progress != NULL || options->wall_s_max > 0;
    chip->relaxed.limit = tf_limit_tick(&chip->schedule, chip->epochs.cycles, options->cycles_max);
    atomic_store(&chip->relaxed.end, -1);
    atomic_store(&chip->relaxed.idle, 0);
    atomic_store(&chip->relaxed.talkers, 0);
    wake_active(chip->site, chip->fabric->nodes, &chip->epochs.active);
    wake_stopped(chip->site, chip->arch, &chip->tiles);
    bool shared = chip->workers.count > 1 && tf_team_form(&chip->workers.team) == TF_OK;
    chip->relaxed.workers = shared ? chip->workers.team.present : 1;
    list_shares(&chip->sharing.plan, chip->workers.worker, chip->relaxed.workers);
    const struct tf_task task = {.run = relaxed_worker, .context = &chip->workers};
    if (shared)
        tf_team_share(&chip->workers.team, &task, NULL);
    else
        relaxed_worker(&chip->workers, 0, tf_seconds());
    finish(&chip->epochs, &chip->schedule, &chip->tiles);
    chip->epochs.number++;
    enum tf_end end = (enum tf_end)atomic_load(&chip->relaxed.end);
    if (tf_faults_collect(&chip->faults, &chip->workers, chip->fabric) && end == TF_END_QUIET &&
        !chip->config->go_on_after_fault)
        end = TF_END_FAULT;
    return end;
}
