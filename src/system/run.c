/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tf_system_run(). All chips run one window after another. Windows are as long as the latency of the links, and begin
 * at its multiples; those in which nothing happens are left out. So no packet arrives in the window in which it was
 * sent, and chips can run a window in any order, or side by side. Where a chip's epochs are cut does not depend on what
 * other chips do.
 */
#include "farm/chip/chip.h"
#include "farm/chip/part.h"
#include "farm/chip/run.h"
#include "farm/chip/time.h"
#include "host/clock.h"
#include "host/extremes.h"
#include "system/state.h"

#define PROGRESS_S 0.1

static uint64_t next_tick(const struct tf_system *system)
{
    uint64_t next = UINT64_MAX;
    for (unsigned i = 0; i < system->cluster.chips; i++)
        next = tf_min(next, tf_system_part_next(&system->part[i]));
    return next;
}

/* Do the options end a chip's window? Those of the only chip do, since its window is the whole run. */
static bool is_for(const struct tf_system *system, const struct tf_system_run_options *options, unsigned chip)
{
    return system->cluster.chips == 1 || (options->run.until && options->until_chip == chip);
}

/* Run a window: the parts on which something happens before a tick. */
static void run_window(struct tf_system *system, const struct tf_system_run_options *options, uint64_t tick)
{
    struct tf_crew *crew = &system->crew;
    crew->parts = 0;
    crew->tick = tick;
    for (unsigned i = 0; i < system->cluster.chips; i++) {
        struct tf_system_part *part = &system->part[i];
        part->ran = tf_system_part_next(part) < tick;
        part->end = TF_END_QUIET;
        part->options = is_for(system, options, i) ? &options->run : NULL;
        if (part->ran)
            crew->part[crew->parts++] = part;
    }
    tf_crew_run(crew, system->serial);
    for (unsigned i = 0; i < crew->parts; i++)
        tf_system_part_gather(crew->part[i]);
    for (unsigned i = 0; system->lane != NULL && i < system->cluster.chips; i++)
        tf_system_part_look(&system->part[i]);
}

/* Has a part of the window ended for this reason? */
static bool ended_by(const struct tf_system *system, enum tf_end end)
{
    for (unsigned i = 0; i < system->crew.parts; i++)
        if (system->crew.part[i]->end == end)
            return true;
    return false;
}

static void report(struct tf_system *system)
{
    for (unsigned i = 0; i < system->crew.parts; i++)
        tf_part_tell(system->crew.part[i]->chip);
    if (system->on_progress == NULL || tf_seconds() - system->progress_s < PROGRESS_S)
        return;
    system->progress_s = tf_seconds();
    uint64_t instructions = 0;
    for (unsigned i = 0; i < system->cluster.chips; i++) {
        struct tf_stats stats;
        tf_stats(system->part[i].chip, &stats);
        instructions += stats.instructions;
    }
    system->on_progress(system->user, tf_system_cycles(system), instructions);
}

/* Does the word have its value before the first epoch? */
static bool has_value(struct tf_system *system, const struct tf_system_run_options *options)
{
    return options->run.until && tf_has_value(system->part[options->until_chip].chip->fabric, &options->run);
}

/* A pause comes between windows, so that it changes none. */
static bool is_paused(const struct tf_system *system, const struct tf_system_run_options *options, uint64_t tick)
{
    return options->run.pause_cycle != 0 &&
           tf_tick_begin(&system->part[0].chip->schedule, tick) >= options->run.pause_cycle;
}

static bool is_late(const struct tf_system *system, const struct tf_system_run_options *options)
{
    return options->run.wall_s_max > 0 && tf_seconds() - system->began_s >= options->run.wall_s_max;
}

static enum tf_end run_windows(struct tf_system *system, const struct tf_system_run_options *options, uint64_t limit)
{
    for (bool late = false;; late = is_late(system, options)) { /* at least one window */
        const uint64_t now = next_tick(system);
        if (now == UINT64_MAX)
            return TF_END_QUIET;
        if (now >= limit || is_paused(system, options, now))
            return TF_END_CYCLES;
        if (atomic_exchange_explicit(&system->stop, false, memory_order_relaxed))
            return TF_END_STOPPED;
        if (late)
            return TF_END_TIME;
        run_window(system, options, tf_min(limit, (now / system->window_ticks + 1) * system->window_ticks));
        report(system);
        static const enum tf_end ends[] = {TF_END_FAULT, TF_END_VALUE, TF_END_STOPPED, TF_END_TIME};
        for (unsigned i = 0; i < sizeof ends / sizeof ends[0]; i++)
            if (ended_by(system, ends[i]))
                return ends[i];
    }
}

/* The latest tick that a chip has reached. */
static uint64_t latest_tick(const struct tf_system *system)
{
    uint64_t latest = 0;
    for (unsigned i = 0; i < system->cluster.chips; i++)
        latest = tf_max(latest, tf_part_tick(system->part[i].chip));
    return latest;
}

/* Bring idle chips to the time of the others; or, if something is to happen behind the limit, up to the limit. */
static void pass(struct tf_system *system, uint64_t limit)
{
    const uint64_t next = next_tick(system);
    const uint64_t tick = next >= limit && next != UINT64_MAX ? limit : latest_tick(system);
    for (unsigned i = 0; i < system->cluster.chips; i++) {
        struct tf_system_part *part = &system->part[i];
        tf_part_pass(part->chip, tf_min(tick, part->due));
    }
}

static int check_options(const struct tf_system *system, const struct tf_system_run_options *options)
{
    if (!(options->run.wall_s_max >= 0))
        return TF_EINVAL;
    if (!options->run.until)
        return TF_OK;
    if (options->until_chip >= system->cluster.chips)
        return TF_ENODEV;
    struct tf_chip *chip = system->part[options->until_chip].chip;
    return tf_run_check(&chip->forks, chip->fabric, &options->run);
}

/* The tick before which the run ends at the latest, for all chips alike. */
static uint64_t limit_of(const struct tf_system *system, uint64_t cycles)
{
    return tf_limit_tick(&system->part[0].chip->schedule, tf_system_cycles(system), cycles);
}

/* Take what the host's stores to TX queues have sent since the last run. */
static void gather_all(struct tf_system *system)
{
    if (system->lane == NULL)
        return;
    for (unsigned i = 0; i < system->cluster.chips; i++)
        tf_system_part_gather(&system->part[i]);
    for (unsigned i = 0; i < system->cluster.chips; i++)
        tf_system_part_look(&system->part[i]);
}

int tf_system_run(struct tf_system *system, const struct tf_system_run_options *options, enum tf_end *end)
{
    static const struct tf_system_run_options none = {.until_chip = 0};
    if (system == NULL)
        return TF_EINVAL;
    if (options == NULL)
        options = &none;
    int error = check_options(system, options);
    for (unsigned i = 0; error == TF_OK && i < system->cluster.chips; i++)
        error = tf_part_begin(system->part[i].chip);
    if (error != TF_OK)
        return error;
    gather_all(system);
    system->began_s = tf_seconds();
    const uint64_t limit = limit_of(system, options->run.cycles_max);
    enum tf_end why = has_value(system, options) ? TF_END_VALUE : run_windows(system, options, limit);
    pass(system, limit);
    for (unsigned i = 0; i < system->cluster.chips; i++)
        if (tf_part_end(system->part[i].chip, why) != TF_OK)
            error = TF_ENOMEM;
    tf_crew_rest(&system->crew);
    if (end != NULL)
        *end = why;
    return error;
}

void tf_system_stop(struct tf_system *system)
{
    if (system->window_ticks == WINDOW_ENDLESS)
        tf_stop(system->part[0].chip);
    else
        atomic_store_explicit(&system->stop, true, memory_order_relaxed);
}
