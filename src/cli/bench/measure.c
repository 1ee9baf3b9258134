/* SPDX-License-Identifier: Apache-2.0 */
/* One function for each kind of row. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/bench/bench.h"
#include "cli/bench/engine.h"
#include "cli/bench/measure.h"
#include "cli/bench/refuse.h"
#include "cli/interrupt.h"
#include "cli/workloads/grid.h"
#include "cli/session.h"
#include "cli/session_state.h"
#include "cli/workloads/list.h"
#include "farm/chip/chip.h"
#include "farm/chip/loader.h"
#include "host/clock.h"
#include "host/extremes.h"
#include "images.h"
#include "tilefarm_bench.h"

#define BLOCK_BYTES (1u << 20)
#define IDLE_CYCLES 1000u

double bench_value(const struct bench_row *row, const struct bench_sample *sample)
{
    if (row->flags & BENCH_COST)
        return sample->seconds / sample->work * row->scale;
    return sample->work / sample->seconds * row->scale;
}

void bench_fail(const struct bench_engine *engine, struct bench_sample *sample)
{
    sample->right = false;
    memcpy(sample->why, engine->why, sizeof sample->why);
}

/* ---- Device programs ---- */

/* Write the segments that have bytes in the file; those of local RAM have none. */
static bool upload(struct bench_engine *engine, unsigned core)
{
    char name[64];
    tf_grid_image(engine->side->arch, "bench", core, name, sizeof name);
    const struct tf_kernel_image *image = tf_kernel_find(name);
    if (image == NULL)
        return bench_refuse(engine, "the device program %s is missing", name);
    struct tf_elf elf;
    struct tf_message message;
    if (tf_elf_parse(image->data, tf_kernel_bytes(image), name, &engine->side->arch->tile[TF_TILE_TENSIX], &elf,
                     &message) != TF_OK)
        return bench_refuse(engine, "%s", message.text);
    for (unsigned i = 0; i < elf.segments; i++) {
        const struct tf_elf_segment *segment = &elf.segment[i];
        if (segment->file_bytes != 0 &&
            !engine->ops->write_all(engine, segment->address, image->data + segment->file_offset, segment->file_bytes))
            return false;
    }
    return true;
}

static bool load(struct bench_engine *engine)
{
    if (engine->loaded)
        return true;
    for (unsigned core = 0; core < bench_cores(engine); core++)
        if (!upload(engine, core))
            return false;
    engine->loaded = true;
    return true;
}

/* Tell the tiles of a chip with fused-off nodes which nodes the chip has. */
static bool tell_grid(struct bench_engine *engine)
{
    struct tf_k_grid grid;
    bool right = true;
    tf_grid_make(engine->side->arch, &grid);
    for (; grid.me < grid.tiles && right; grid.me++)
        right = engine->ops->write(engine, grid.me, TF_K_GRID, &grid, sizeof grid);
    return right;
}

/* Put the device programs on all tiles and start one. Returns false with engine->why. */
static bool begin_program(struct bench_engine *engine, const struct bench_row *row, uint32_t rounds)
{
    struct tf_bench_params params = {
        .magic = TF_K_PARAMS_MAGIC,
        .program = row->program,
        .rounds = rounds,
        .argument = row->argument,
        .at = row->at,
    };
    uint8_t area[TF_K_SHARED + 0x1000 - TF_K_PARAMS] = {0}; /* done words, results, semaphores */
    memcpy(area, &params, sizeof params);
    return engine->ops->hold(engine) && load(engine) &&
           engine->ops->write_all(engine, TF_K_PARAMS, area, sizeof area) && tell_grid(engine);
}

/* The number of workers whose figures a sample holds. */
static unsigned workers_of(const struct tf_stats *stats)
{
    return tf_min(stats->workers, BENCH_WORKERS_MAX);
}

void bench_look(struct bench_engine *engine, struct bench_sample *figures)
{
    tf_stats(engine->chip, &figures->stats);
    for (unsigned worker = 0; worker < workers_of(&figures->stats); worker++)
        tf_worker_stats(engine->chip, worker, &figures->worker[worker]);
}

static void subtract_worker(struct tf_worker_stats *a, const struct tf_worker_stats *b)
{
    a->instructions -= b->instructions, a->slices -= b->slices, a->pages -= b->pages;
    a->requests -= b->requests, a->deliveries -= b->deliveries;
    a->steals -= b->steals, a->spins -= b->spins, a->blocks -= b->blocks;
    a->run_s -= b->run_s, a->deliver_s -= b->deliver_s, a->wait_s -= b->wait_s;
}

void bench_subtract(struct bench_sample *sample, const struct bench_sample *before)
{
    struct tf_stats *a = &sample->stats;
    const struct tf_stats *b = &before->stats;
    a->epochs -= b->epochs, a->cycles -= b->cycles;
    a->instructions -= b->instructions, a->instructions_executed -= b->instructions_executed;
    a->noc_requests -= b->noc_requests, a->noc_bytes -= b->noc_bytes, a->noc_atomics -= b->noc_atomics;
    a->wall_s -= b->wall_s, a->cpu_s -= b->cpu_s;
    a->steals -= b->steals, a->spins -= b->spins, a->blocks -= b->blocks;
    a->run_s -= b->run_s, a->deliver_s -= b->deliver_s, a->wait_s -= b->wait_s;
    for (unsigned worker = 0; worker < workers_of(a); worker++)
        subtract_worker(&sample->worker[worker], &before->worker[worker]);
}

void bench_program(const struct bench_row *row, struct bench_engine *engine, uint32_t rounds,
                   struct bench_sample *sample)
{
    struct bench_sample before;
    engine->host_clocks = row->host_clocks != 0 ? row->host_clocks : engine->side->host_clocks;
    if (!begin_program(engine, row, rounds)) {
        bench_fail(engine, sample);
        return;
    }
    if (engine->chip != NULL)
        bench_look(engine, &before);
    double began = tf_seconds();
    sample->right = engine->ops->start(engine, row->tiles, row->cores) &&
                    engine->ops->finish(engine, row->tiles, row->cores);
    sample->seconds = tf_seconds() - began;
    unsigned parts = row->tiles * (unsigned)__builtin_popcount(row->cores);
    sample->work = (double)rounds * row->work * parts;
    if (engine->chip != NULL) {
        bench_look(engine, sample);
        bench_subtract(sample, &before);
        sample->has_stats = true;
    }
    if (!sample->right)
        bench_fail(engine, sample);
}

/* ---- Workloads; they check their results ---- */

uint32_t bench_scale(const struct bench_row *row, uint32_t percent)
{
    uint64_t full = row->scale_full != 0 ? row->scale_full : tf_workload_find(row->workload)->scale_default;
    uint64_t scale = full * percent / 100;
    return scale != 0 ? (uint32_t)scale : 1;
}

static double figure_of(const struct bench_row *row, const struct tf_stats *stats, uint32_t rounds)
{
    switch (row->figure) {
    case BENCH_WORK: return row->work * bench_scale(row, rounds);
    case BENCH_INSTRUCTIONS: return (double)stats->instructions_executed;
    case BENCH_BYTES: return (double)stats->noc_bytes;
    case BENCH_ATOMICS: return (double)stats->noc_atomics;
    default: return (double)stats->noc_requests;
    }
}

static void run_job(const struct bench_row *row, const struct tf_job *job, struct tf_interrupt *interrupt,
                    struct bench_engine *engine, uint32_t rounds, struct bench_sample *sample)
{
    struct tf_session session = {0};
    if (tf_session_begin(&session, job, interrupt) >= 0) {
        bench_refuse(engine, "the workload cannot be set up");
        return;
    }
    sample->right = tf_session_run(&session) < 0 && session.outcome.verdict == TF_VERDICT_RIGHT;
    if (!sample->right)
        bench_refuse(engine, "%s", session.outcome.message.text);
    struct tf_chip *own = engine->chip;
    engine->chip = session.chip;
    bench_look(engine, sample);
    engine->chip = own;
    sample->has_stats = true;
    sample->work = figure_of(row, &sample->stats, rounds);
    sample->seconds = sample->stats.wall_s;
    tf_session_end(&session);
}

void bench_workload(const struct bench_row *row, struct bench_engine *engine, uint32_t rounds,
                    struct bench_sample *sample)
{
    struct tf_job job = {.workload = tf_workload_find(row->workload)};
    struct tf_interrupt interrupt;
    bench_configure(engine->side, tf_job_config(&job));
    job.options = (struct tf_workload_options){.scale = bench_scale(row, rounds), .seed = 1};
    if (row->variant != NULL)
        job.options.variant = (uint32_t)tf_workload_variant(job.workload, row->variant);
    if (tf_interrupt_start(&interrupt, NULL, 0)) {
        run_job(row, &job, &interrupt, engine, rounds, sample);
        tf_interrupt_end(&interrupt, TF_EXIT_OK);
    } else {
        bench_refuse(engine, "the host refuses a thread");
    }
    if (!sample->right)
        bench_fail(engine, sample);
}

/* Returns the processor seconds of a workload that runs with the observers of the job and writes their files; 0 if it
   failed. */
static double looked_at(const struct tf_job *job, struct bench_engine *engine)
{
    struct tf_session session = {0};
    double began = tf_processor_seconds(), took = 0;
    if (tf_session_begin(&session, job, NULL) >= 0) {
        bench_refuse(engine, "the workload cannot be set up");
        return 0;
    }
    if (tf_session_run(&session) < 0 && session.outcome.verdict == TF_VERDICT_RIGHT &&
        tf_session_write_looks(&session, 1, NULL))
        took = tf_processor_seconds() - began;
    else
        bench_refuse(engine, "%s", session.outcome.message.text);
    tf_session_end(&session);
    return took;
}

enum looking { LOOKING_TIMELINE, LOOKING_PROFILE, LOOKING_RACES, LOOKING_TIME };

/* The cost is the time with a timeline, a profile, the race checker or timing mode, relative to the time without. */
static void looking_cost(const struct bench_row *row, enum looking how, struct bench_engine *engine, uint32_t rounds,
                         struct bench_sample *sample)
{
    struct tf_job job = {.workload = tf_workload_find(row->workload)};
    FILE *sink = fopen("/dev/null", "w");
    bench_configure(engine->side, tf_job_config(&job));
    job.options = (struct tf_workload_options){.scale = bench_scale(row, rounds), .seed = 1};
    if (row->variant != NULL)
        job.options.variant = (uint32_t)tf_workload_variant(job.workload, row->variant);
    sample->work = looked_at(&job, engine);
    memset(job.look.timeline_cores, 0xFF, sizeof job.look.timeline_cores);
    memset(job.look.profiled, 0xFF, sizeof job.look.profiled);
    tf_job_set_checks(&job, how == LOOKING_RACES);
    tf_job_set_timed(&job, how == LOOKING_TIME);
    if (how == LOOKING_TIMELINE || how == LOOKING_PROFILE)
        *(how == LOOKING_TIMELINE ? &job.look.timeline : &job.look.profile) = sink;
    sample->seconds = sink == NULL || sample->work == 0 ? 0 : looked_at(&job, engine);
    sample->right = sample->seconds != 0;
    if (sink != NULL)
        fclose(sink);
    if (!sample->right)
        bench_fail(engine, sample);
}

void bench_timeline(const struct bench_row *row, struct bench_engine *engine, uint32_t rounds,
                    struct bench_sample *sample)
{
    looking_cost(row, LOOKING_TIMELINE, engine, rounds, sample);
}

void bench_profile(const struct bench_row *row, struct bench_engine *engine, uint32_t rounds,
                   struct bench_sample *sample)
{
    looking_cost(row, LOOKING_PROFILE, engine, rounds, sample);
}

void bench_check(const struct bench_row *row, struct bench_engine *engine, uint32_t rounds, struct bench_sample *sample)
{
    looking_cost(row, LOOKING_RACES, engine, rounds, sample);
}

void bench_timing(const struct bench_row *row, struct bench_engine *engine, uint32_t rounds,
                  struct bench_sample *sample)
{
    looking_cost(row, LOOKING_TIME, engine, rounds, sample);
}

/* ---- What the host sees ---- */

/* Use the chip that was created when the process began, because some libraries allow only one chip a process. */
void bench_start_up(const struct bench_row *row, struct bench_engine *engine, uint32_t rounds,
                    struct bench_sample *sample)
{
    (void)row;
    (void)rounds;
    sample->seconds = engine->open_s;
    sample->work = 1;
    sample->right = true;
}

/* A chip on which one core of each tile waits for a word. */
void bench_idle(const struct bench_row *row, struct bench_engine *engine, uint32_t rounds, struct bench_sample *sample)
{
    bool right = begin_program(engine, row, 1) && engine->ops->start(engine, row->tiles, row->cores) &&
                 engine->ops->pass(engine, IDLE_CYCLES);
    double began = tf_seconds();
    for (uint32_t i = 0; i < rounds && right; i++)
        right = engine->ops->pass(engine, IDLE_CYCLES);
    sample->seconds = tf_seconds() - began;
    sample->work = rounds;
    sample->right = right;
    if (!right)
        bench_fail(engine, sample);
}

double bench_resident_mb(void)
{
    long pages = 0;
    FILE *status = fopen("/proc/self/statm", "r");
    if (status != NULL) {
        if (fscanf(status, "%*d %ld", &pages) != 1)
            pages = 0;
        fclose(status);
    }
    return (double)pages * (double)sysconf(_SC_PAGESIZE) * 1e-6;
}

void bench_memory(const struct bench_row *row, struct bench_engine *engine, uint32_t rounds,
                  struct bench_sample *sample)
{
    bench_program(row, engine, rounds, sample);
    sample->work = 1;
    sample->seconds = bench_resident_mb(); /* an amount, reported as a cost */
}

static void host_blocks(struct bench_engine *engine, uint32_t rounds, bool write, struct bench_sample *sample)
{
    uint8_t *block = malloc(BLOCK_BYTES);
    if (block == NULL) {
        bench_refuse(engine, "no memory");
        bench_fail(engine, sample);
        return;
    }
    memset(block, 0x5A, BLOCK_BYTES);
    bool right = engine->ops->hold(engine);
    double began = tf_seconds();
    for (uint32_t i = 0; i < rounds && right; i++) {
        unsigned tile = i % bench_tiles(engine);
        right = write ? engine->ops->write(engine, tile, TF_K_BUFFER, block, BLOCK_BYTES)
                      : engine->ops->read(engine, tile, TF_K_BUFFER, block, BLOCK_BYTES);
    }
    sample->seconds = tf_seconds() - began;
    sample->work = (double)rounds * BLOCK_BYTES;
    sample->right = right;
    free(block);
    if (!right)
        bench_fail(engine, sample);
}

void bench_host_write(const struct bench_row *row, struct bench_engine *engine, uint32_t rounds,
                      struct bench_sample *sample)
{
    (void)row;
    host_blocks(engine, rounds, true, sample);
}

void bench_host_read(const struct bench_row *row, struct bench_engine *engine, uint32_t rounds,
                     struct bench_sample *sample)
{
    (void)row;
    host_blocks(engine, rounds, false, sample);
}
