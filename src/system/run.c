/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tf_system_run(). All chips run one window after another. Windows are as long as the latency of the links, and begin
 * at its multiples; those in which nothing happens are left out. So no packet arrives in the window in which it was
 * sent, and chips can run a window in any order, or side by side. Where a chip's epochs are cut does not depend on what
 * other chips do.
 */
#include "farm/chip/chip.h"
#include "farm/run/part.h"
#include "farm/epoch/due.h"
#include "farm/run/run.h"
#include "farm/epoch/time.h"
#include "host/clock.h"
#include "host/extremes.h"
#include "system/calm.h"
#include "system/led.h"
#include "system/ranks.h"
#include "system/relaxed.h"
#include "system/state.h"

#define PROGRESS_S 0.1

/* The tick at which something happens next on a chip that goes on. */
static uint64_t next_tick(const struct tf_system *system)
{
    uint64_t next = UINT64_MAX;
    for (unsigned i = 0; i < system->cluster.chips; i++)
        next = tf_min(next, tf_system_part_goes_on(&system->part[i]));
    return next;
}

/* Do the options end a chip's window? Those of the only chip do, since its window is the whole run. */
static bool is_for(const struct tf_system *system, const struct tf_system_run_options *options, unsigned chip)
{
    return system->cluster.chips == 1 || (options->run.until && options->until_chip == chip);
}

static void look_at_all(struct tf_system *system)
{
    for (unsigned i = 0; system->lane != NULL && i < system->cluster.chips; i++)
        if (!system->part[i].elsewhere)
            tf_system_part_look(&system->part[i]);
}

/* In a Galaxy on which one chip works, looking at all of them would take ten times as long as its run. */
static void look_at_changed(struct tf_system *system)
{
    for (unsigned i = 0; system->lane != NULL && i < system->cluster.chips; i++)
        if (system->part[i].changed && !system->part[i].elsewhere)
            tf_system_part_look(&system->part[i]);
}

/* Let race checkers have what packets know that were sent. */
static void carry(struct tf_system *system)
{
    for (unsigned i = 0; system->rules.check && i < 2 * system->cluster.links; i++) {
        const struct tf_lane *lane = &system->lane[i];
        if (lane->crosses) /* they go with the packets */
            continue;
        tf_part_carry(system->part[lane->from.chip].chip, lane->sender, system->part[lane->to.chip].chip,
                      lane->receiver);
    }
}

/* Run a window: the parts on which something happens before a tick. hold: tf_part_hold(). */
static void run_window(struct tf_system *system, const struct tf_system_run_options *options, uint64_t tick,
                       uint64_t hold)
{
    struct tf_crew *crew = &system->crew;
    const struct tf_lane_listener listener = tf_ranks_listener(system);
    tf_ranks_next_stage(system);
    crew->parts = 0;
    crew->tick = tick;
    crew->hold = hold;
    for (unsigned i = 0; i < system->cluster.chips; i++) {
        struct tf_system_part *part = &system->part[i];
        part->ran = tf_system_part_goes_on(part) < tick;
        part->options = is_for(system, options, i) ? &options->run : NULL;
        if (part->ran)
            crew->part[crew->parts++] = part;
    }
    if (crew->parts != 0)
        tf_crew_run(crew, system->serial);
    tf_ranks_next_stage(system);
    for (unsigned i = 0; i < crew->parts; i++) {
        crew->part[i]->changed = true; /* also if it has looked meanwhile: it may have sent what must be answered */
        tf_system_part_gather(system->part, (unsigned)(crew->part[i] - system->part), &listener);
    }
    carry(system);
    look_at_changed(system);
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

/* Does the word have its value before the first epoch? The rank that runs its chip knows. */
static bool has_value(struct tf_system *system, const struct tf_system_run_options *options)
{
    return options->run.until && !system->part[options->until_chip].elsewhere &&
           tf_has_value(system->part[options->until_chip].chip->fabric, &options->run);
}

static bool is_late(const struct tf_system *system, const struct tf_system_run_options *options)
{
    return options->run.wall_s_max > 0 && tf_seconds() - system->began_s >= options->run.wall_s_max;
}

/* ---- What all chips decide together ---- */

/* The run ends before a window, or before an earlier one that is known. */
static void end_before(struct tf_system *system, enum tf_end why, uint64_t window)
{
    system->news.ended[why] = tf_min(system->news.ended[why], window);
}

/* A chip has stopped in a window. A fault ends the run when all chips can know of it, a window for each hop. So
   no rank has run a window more than another one (ranks.h). A value ends it behind the window: ranks agree on that. */
static void note_ends(struct tf_system *system, uint64_t window)
{
    for (unsigned i = 0; i < system->crew.parts; i++) {
        const enum tf_end why = system->crew.part[i]->end;
        const bool by_all = why == TF_END_VALUE || (why != TF_END_FAULT && system->ranks == NULL);
        if (why != TF_END_QUIET && why != TF_END_CYCLES)
            end_before(system, why, window + (by_all ? 1 : system->hops));
    }
}

/* The host wants the run to end. */
static void note_host(struct tf_system *system, uint64_t window, bool late)
{
    const uint64_t from = window + (system->ranks != NULL ? system->hops : 0);
    if (atomic_exchange_explicit(&system->stop, false, memory_order_relaxed))
        end_before(system, TF_END_STOPPED, from);
    else if (late)
        end_before(system, TF_END_TIME, from);
}

/* The tick before which the run ends for a reason that is known. */
static uint64_t end_tick(const struct tf_system *system)
{
    uint64_t window = UINT64_MAX;
    for (unsigned i = 0; i < TF_ENDS; i++)
        window = tf_min(window, system->news.ended[i]);
    return window < UINT64_MAX / system->window_ticks ? window * system->window_ticks : UINT64_MAX;
}

static enum tf_end why_ended(const struct tf_system *system)
{
    static const enum tf_end ends[] = {TF_END_FAULT, TF_END_VALUE, TF_END_STOPPED, TF_END_TIME};
    for (unsigned i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (system->news.ended[ends[i]] != UINT64_MAX)
            return ends[i];
    return system->news.next == UINT64_MAX ? TF_END_QUIET : TF_END_CYCLES;
}

/* Let system->news have what is true now, on all ranks. */
static bool agree(struct tf_system *system)
{
    struct tf_news *news = &system->news;
    news->next = next_tick(system);
    news->next_of_all = UINT64_MAX;
    news->latest = news->cycles = 0;
    for (unsigned i = 0; i < system->cluster.chips; i++) {
        const struct tf_system_part *part = &system->part[i];
        if (part->elsewhere)
            continue;
        news->next_of_all = tf_min(news->next_of_all, tf_system_part_next(part));
        news->latest = tf_max(news->latest, tf_part_tick(part->chip));
        news->cycles = tf_max(news->cycles, tf_chip_cycles(part->chip));
    }
    tf_calm_note(system, news);
    return system->ranks == NULL || tf_ranks_agree(system);
}

/* Find the tick at which the next window ends. *now: that from which something happens; ranks may find that it is a
   later one. Returns false if a rank has failed. */
static bool look_ahead(struct tf_system *system, uint64_t *now, uint64_t *end)
{
    *end = (*now / system->window_ticks + 1) * system->window_ticks;
    if (!tf_calm_possible(system))
        return true;
    if (system->ranks == NULL)
        tf_calm_note(system, &system->news);
    else if (!tf_ranks_may_be_calm(system, *now))
        return true;
    else if (!agree(system))
        return false;
    else
        *now = tf_max(*now, system->news.next);
    if (*now != UINT64_MAX)
        *end = tf_min(tf_calm_end(system, *now), end_tick(system));
    return true;
}

/* The tick of a pause. 0: there is none. */
static uint64_t pause_tick(const struct tf_system *system, const struct tf_system_run_options *options)
{
    return tf_tick_from(&system->part[0].chip->schedule, options->run.pause_cycle);
}

/* A pause comes between windows, so that it changes none. now: nothing happens before it. Where a window has the cycle
   of the pause within it, ranks find out when something happens next on any of them. */
static bool is_paused(struct tf_system *system, const struct tf_system_run_options *options, uint64_t *now)
{
    const uint64_t pause = pause_tick(system, options);
    if (pause == 0)
        return false;
    const uint64_t end = (*now / system->window_ticks + 1) * system->window_ticks;
    if (system->ranks != NULL && *now < pause && pause < end && agree(system))
        *now = system->news.next;
    return *now >= pause;
}

/* Let all ranks know everything at once, also what comes of packets that this brings to them. */
static bool agree_on_all(struct tf_system *system)
{
    if (system->ranks != NULL && !agree(system))
        return false;
    look_at_all(system);
    return agree(system);
}

/* Ranks find the tick at which the next window begins. A run that waits for a word may end behind each window, so ranks
   agree on each; this costs a round of messages for each step between them. */
static bool find_next(struct tf_system *system, const struct tf_system_run_options *options, uint64_t window,
                      uint64_t *now)
{
    if (!options->run.until)
        return tf_ranks_exchange(system, window, now);
    const bool fine = agree_on_all(system);
    *now = system->news.next;
    return fine;
}

/* Run a window up to a tick, and find the tick at which the next one begins. Returns false if a rank has failed. */
static bool run_next(struct tf_system *system, const struct tf_system_run_options *options, uint64_t limit,
                     uint64_t end, uint64_t *now)
{
    const bool grown = end > (*now / system->window_ticks + 1) * system->window_ticks;
    run_window(system, options, tf_min(limit, end), grown ? end - system->window_ticks : 0);
    const uint64_t window = tf_ranks_window(system);
    note_ends(system, window);
    if (system->ranks == NULL)
        *now = next_tick(system);
    else if (!find_next(system, options, window, now))
        return false;
    else
        look_at_all(system); /* ranks may have sent packets to any of them */
    tf_ranks_tell(system);
    tf_ranks_next_stage(system);
    report(system);
    return true;
}

/* Does no window begin now? */
static bool is_over(struct tf_system *system, const struct tf_system_run_options *options, uint64_t limit,
                    uint64_t *now)
{
    return *now == UINT64_MAX || *now >= tf_min(limit, end_tick(system)) || is_paused(system, options, now);
}

/* TF_OK; TF_EIO: a rank has failed. */
static int run_windows(struct tf_system *system, const struct tf_system_run_options *options, uint64_t limit)
{
    uint64_t now = system->news.next, end;
    for (bool late = false;; late = is_late(system, options)) { /* at least one window */
        if (is_over(system, options, limit, &now))
            break;
        note_host(system, now / system->window_ticks, late);
        if (!look_ahead(system, &now, &end))
            return TF_EIO;
        if (is_over(system, options, limit, &now))
            break;
        if (!run_next(system, options, limit, end, &now))
            return TF_EIO;
    }
    return agree(system) ? TF_OK : TF_EIO;
}

/* Bring idle chips to the time of the others. If something is to happen behind the limit, bring them up to the limit;
   behind a pause that ends the run, at least up to the pause. */
static void pass(struct tf_system *system, uint64_t limit, uint64_t pause)
{
    const uint64_t next = system->news.next_of_all;
    uint64_t tick = system->news.latest;
    if (next != UINT64_MAX && next >= limit)
        tick = limit;
    else if (next != UINT64_MAX && next >= pause)
        tick = tf_max(tick, pause);
    for (unsigned i = 0; i < system->cluster.chips; i++) {
        struct tf_system_part *part = &system->part[i];
        if (!part->elsewhere)
            tf_part_pass(part->chip, tf_min(tick, part->due));
    }
}

static int check_options(const struct tf_system *system, const struct tf_system_run_options *options)
{
    if (!(options->run.wall_s_max >= 0) || (options->run.pause_cycle != 0 && system->relaxed != NULL))
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
    const struct tf_lane_listener listener = tf_ranks_listener(system);
    if (system->lane == NULL)
        return;
    tf_ranks_next_stage(system);
    for (unsigned i = 0; i < system->cluster.chips; i++)
        if (!system->part[i].elsewhere)
            tf_system_part_gather(system->part, i, &listener);
    carry(system);
    look_at_all(system);
}

static int begin(struct tf_system *system, const struct tf_system_run_options *options)
{
    int error = TF_OK;
    for (unsigned i = 0; error == TF_OK && i < system->cluster.chips; i++)
        error = tf_part_begin(system->part[i].chip);
    if (error != TF_OK)
        return error;
    for (unsigned i = 0; i < system->cluster.chips; i++)
        system->part[i].end = TF_END_QUIET;
    for (unsigned i = 0; i < TF_ENDS; i++)
        system->news.ended[i] = UINT64_MAX;
    gather_all(system);
    if (has_value(system, options))
        end_before(system, TF_END_VALUE, 0);
    system->began_s = tf_seconds();
    if (!agree_on_all(system))
        return TF_EIO;
    tf_ranks_tell(system);
    return TF_OK;
}

static int run_here(struct tf_system *system, const struct tf_system_run_options *options, enum tf_end *end)
{
    int error = check_options(system, options);
    if (error == TF_OK && system->relaxed != NULL)
        return tf_system_run_relaxed(system, options, end);
    if (error == TF_OK)
        error = begin(system, options);
    if (error != TF_OK)
        return error;
    const uint64_t limit = limit_of(system, options->run.cycles_max);
    error = run_windows(system, options, limit);
    const enum tf_end why = why_ended(system);
    tf_ranks_next_stage(system);
    pass(system, limit, why == TF_END_CYCLES ? pause_tick(system, options) : 0);
    for (unsigned i = 0; i < system->cluster.chips; i++)
        if (tf_part_end(system->part[i].chip, why) != TF_OK)
            error = TF_ENOMEM;
    tf_crew_rest(&system->crew);
    if (error == TF_OK && system->ranks != NULL && !agree(system))
        error = TF_EIO;
    tf_ranks_next_stage(system);
    if (end != NULL)
        *end = why;
    return error;
}

int tf_system_run(struct tf_system *system, const struct tf_system_run_options *options, enum tf_end *end)
{
    static const struct tf_system_run_options none = {.until_chip = 0};
    if (system == NULL)
        return TF_EINVAL;
    if (options == NULL)
        options = &none;
    if (!tf_led_begin(system->led, options))
        return TF_EIO;
    const int error = run_here(system, options, end);
    return tf_led_end(system->led) ? error : TF_EIO;
}

void tf_system_stop(struct tf_system *system)
{
    if (system->window_ticks == WINDOW_ENDLESS)
        tf_stop(system->part[0].chip);
    else
        atomic_store_explicit(&system->stop, true, memory_order_relaxed);
}
