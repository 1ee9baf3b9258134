/* SPDX-License-Identifier: Apache-2.0 */
/* tf_run(). In deterministic mode it runs epochs until something ends the run. */
#include "farm/chip/chip.h"
#include "farm/run/run.h"
#include "farm/epoch/ahead.h"
#include "farm/epoch/due.h"
#include "farm/chip/figures.h"
#include "farm/epoch/time.h"
#include "farm/order/trace.h"
#include "farm/order/deliver.h"
#include "farm/order/reach.h"
#include "farm/relaxed/run.h"
#include "farm/share/phase.h"
#include "farm/waits/waits.h"
#include "farm/waits/who.h"
#include "host/clock.h"
#include "noc/nodes/space.h"
#include "pool/form.h"
#include "races/races.h"
#include "races/found.h"
#include "races/host.h"
#include "races/age.h"
#include "races/requests.h"
#include "tile/riscv/hart/observed.h"

int tf_run_check(struct tf_forks *forks, struct tf_fabric *fabric, const struct tf_run_options *options)
{
    const struct tf_arch *arch = fabric->arch;
    uint64_t reserved = 0;
    for (unsigned i = 0; i < sizeof options->reserved / sizeof options->reserved[0]; i++)
        reserved |= options->reserved[i];
    if ((options->pause_cycle != 0 && fabric->rules.shared) || !(options->wall_s_max >= 0) || reserved != 0)
        return TF_EINVAL;
    if (!options->until)
        return TF_OK;
    struct tf_coord coord = options->until_node;
    if (coord.x >= arch->grid_x || coord.y >= arch->grid_y)
        return TF_ENODEV;
    if (options->until_address % 4 != 0)
        return TF_EINVAL;
    bool zero = false;
    struct tf_node *node = &fabric->node[tf_node_number(arch, coord)];
    tf_forks_settle(forks, fabric, node->site);
    if (tf_node_memory(node, options->until_address, 4, false, &zero) == NULL && !zero)
        return TF_EINVAL;
    return TF_OK;
}

static void report_progress(struct tf_chip *chip)
{
    if (!tf_progress_due(&chip->call, &chip->host))
        return;
    struct tf_stats stats;
    tf_ahead_settle(chip);
    tf_stats(chip, &stats);
    chip->call.on_progress(chip->call.user, stats.cycles, stats.instructions);
}

/* A quiet tile may have stored a beat to the word that tf_has_value() tests. */
static void bring_word_up_to_date(struct tf_chip *chip, const struct tf_run_options *options)
{
    const struct tf_node *node = &chip->fabric->node[tf_node_number(chip->arch, options->until_node)];
    if (node->tile != NULL && node->tile->beats)
        tf_tile_catch_up(node->tile, &chip->schedule, chip->epochs.tick);
}

static enum tf_end run_epochs(struct tf_chip *chip, const struct tf_run_options *options, uint64_t limit)
{
    for (bool late = false;; late = tf_is_late(options, &chip->host)) { /* at least one epoch */
        if (options->until)
            bring_word_up_to_date(chip, options);
        if (tf_has_value(chip->fabric, options))
            return TF_END_VALUE;
        if (tf_sites_none(&chip->epochs.active))
            return TF_END_QUIET;
        if (chip->epochs.tick >= limit || (options->pause_cycle != 0 && chip->epochs.cycles >= options->pause_cycle))
            return TF_END_CYCLES;
        if (atomic_exchange_explicit(&chip->stop, false, memory_order_relaxed) || tf_forks_lost(&chip->forks))
            return TF_END_STOPPED;
        if (late)
            return TF_END_TIME;
        if (chip->observers.races != NULL)
            tf_races_epoch(chip->observers.races, chip->epochs.cycles);
        tf_epoch(chip, limit);
        tf_traces_report(chip);
        if (chip->call.on_epoch != NULL)
            chip->call.on_epoch(chip->call.user, chip->epochs.cycles);
        if (tf_faults_collect(&chip->faults, &chip->call, &chip->workers, chip->fabric) &&
            !chip->rules.go_on_after_fault)
            return TF_END_FAULT;
        report_progress(chip);
    }
}

enum tf_end tf_run_epochs(struct tf_chip *chip, const struct tf_run_options *options, uint64_t limit)
{
    tf_ahead_begin(chip, options, limit);
    const enum tf_end end = run_epochs(chip, options, limit);
    tf_ahead_settle(chip);
    return end;
}

void tf_run_settle(struct tf_chip *chip)
{
    tf_visit_serial(&chip->pacing, &chip->epochs.uncaptured, tf_bring_up_to_date);
    chip->epochs.uncaptured = (struct tf_sites){{0}};
}

static enum tf_end run_deterministic(struct tf_chip *chip, const struct tf_run_options *options, uint64_t limit)
{
    enum tf_end end = tf_run_epochs(chip, options, limit);
    tf_run_settle(chip);
    return end;
}

/*
 * A run of few visits takes as long as two reads of the process's CPU time. Clients that call libttsim_clock(1) in a
 * loop have such runs. One thread makes these visits, so wall time replaces CPU time.
 */
#define SHORT_VISITS 32u

static bool is_short(const struct tf_epochs *epochs, uint32_t slice_ticks, uint64_t limit)
{
    uint64_t slices = (limit - epochs->tick) / slice_ticks;
    return slices <= SHORT_VISITS && slices * tf_sites_count(&epochs->active) <= SHORT_VISITS;
}

/* Tell the race checker which cores have ended. */
static void tell_ended(struct tf_races *races, const struct tf_fabric *fabric)
{
    for (unsigned i = 0; i < fabric->nodes; i++) {
        const struct tf_node *node = &fabric->node[i];
        for (unsigned core = 0; node->kind == TF_NODE_TENSIX && core < node->tile->arch->cores; core++)
            if (tf_core_is_done(&node->tile->hart[core]))
                tf_races_core_ended(races, node->number, core);
    }
}

/* Tell the race checker that a run has ended. */
static void tell_paused(struct tf_races *races, const struct tf_fabric *fabric, const struct tf_run_options *options,
                        enum tf_end why)
{
    if (why == TF_END_QUIET)
        tell_ended(races, fabric); /* the host may start these cores again */
    if (why == TF_END_VALUE)
        tf_races_host_read(races, tf_node_number(fabric->arch, options->until_node), options->until_address, 4);
    tf_races_paused(races, why == TF_END_QUIET);
}

bool tf_run_begin(struct tf_chip *chip)
{
    chip->host.run_began_s = tf_seconds();
    if (!tf_forks_run(&chip->forks, chip->fabric, chip->serial)) /* it visits sites without a phase */
        return false;
    if (chip->exploring != NULL)
        chip->exploring->plan.running = true;
    if (chip->observers.races != NULL)
        tf_races_resumed(chip->observers.races);
    return true;
}

bool tf_run_end(struct tf_chip *chip, const struct tf_run_options *options, enum tf_end why)
{
    if (chip->exploring != NULL)
        chip->exploring->plan.running = false;
    if (chip->observers.races != NULL)
        tell_paused(chip->observers.races, chip->fabric, options, why);
    tf_traces_report(chip);
    tf_team_rest(&chip->workers.team);
    return tf_forks_run(&chip->forks, chip->fabric, false);
}

int tf_run(struct tf_chip *chip, const struct tf_run_options *options, enum tf_end *end)
{
    static const struct tf_run_options none = {0};
    if (chip == NULL || chip->joined)
        return TF_EINVAL;
    if (options == NULL)
        options = &none;
    int error = tf_run_check(&chip->forks, chip->fabric, options);
    if (error != TF_OK)
        return error;
    uint64_t limit = tf_limit_tick(&chip->schedule, chip->epochs.cycles, options->cycles_max);
    bool relaxed = chip->rules.mode == TF_MODE_RELAXED;
    bool counts_wall = !relaxed && is_short(&chip->epochs, chip->schedule.slice_ticks, limit);
    double cpu_s = counts_wall ? 0 : tf_processor_seconds();
    if (!tf_run_begin(chip))
        return TF_ENOMEM;
    enum tf_end why = relaxed ? tf_run_relaxed(chip, options) : run_deterministic(chip, options, limit);
    bool settled = tf_run_end(chip, options, why);
    double wall_s = tf_seconds() - chip->host.run_began_s;
    chip->host.wall_s += wall_s;
    chip->host.cpu_s += counts_wall ? wall_s : tf_processor_seconds() - cpu_s;
    if (end != NULL)
        *end = why;
    return settled ? TF_OK : TF_ENOMEM;
}

size_t tf_races(struct tf_chip *chip, struct tf_race *races, size_t room)
{
    if (chip->observers.races == NULL)
        return 0;
    tell_ended(chip->observers.races, chip->fabric);
    return tf_races_list(chip->observers.races, races, room);
}

uint64_t tf_races_dropped(struct tf_chip *chip)
{
    return chip->observers.races == NULL ? 0 : tf_races_forgotten(chip->observers.races);
}

void tf_stop(struct tf_chip *chip)
{
    atomic_store_explicit(&chip->stop, true, memory_order_relaxed);
}
