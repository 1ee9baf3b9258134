/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "cli/session.h"

#define PROGRESS_AFTER_S 2.0

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void show_progress(void *user, uint64_t cycle, uint64_t instructions)
{
    struct tf_session *session = user;
    struct tf_progress *progress = &session->progress;
    if (session->gdb != NULL)
        tf_gdb_poll(session->gdb);
    double took_s = now_s() - progress->began_s;
    if (!progress->terminal || took_s < PROGRESS_AFTER_S)
        return;
    char cycles[TF_GROUPED_BYTES], count[TF_GROUPED_BYTES], rate[TF_GROUPED_BYTES];
    tf_cli_progress("%s: %.0f s, %s cycles, %s instructions, %s/s", progress->name, took_s,
                    tf_cli_short((double)cycle, cycles), tf_cli_short((double)instructions, count),
                    tf_cli_short((double)instructions / took_s, rate));
    progress->shown = true;
}

/* In relaxed mode, lines of several threads come in any order. Each line is whole. */
static void write_trace(void *user, const struct tf_tensix_event *event)
{
    const struct tf_session *session = user;
    char text[2048];
    tf_tensix_text(event->instruction, text, sizeof text);
    fprintf(session->job->trace, "%10llu %u,%u T%u %08x  %s\n", (unsigned long long)event->cycle, event->tile.x,
            event->tile.y, event->thread, event->pc, text);
}

/*
 * The log of Spike (riscv-isa-sim, commit log of --log-commits), which other tools read: "core   0: 3 0x00000080
 * (0x00a28293) x5  0x0000000b". Harts are numbered tile * 8 + core. Lines that begin with # are comments.
 */
static void write_riscv_trace(void *user, const struct tf_riscv_event *event)
{
    const struct tf_session *session = user;
    char line[256];
    int tile = tf_tile_index(tf_chip_arch(session->chip), event->tile), at = 0;
    if (event->skipped != 0)
        fprintf(session->job->riscv_trace, "# core %d: %llu instructions of a loop that polls\n",
                tile * 8 + event->core, (unsigned long long)event->skipped);
    at += snprintf(line, sizeof line, "core %3d: 3 0x%08x (0x%08x)", tile * 8 + event->core, event->pc,
                   event->instruction);
    if (event->rd >= 32)
        at += snprintf(line + at, sizeof line - (size_t)at, " f%-2u 0x%08x", event->rd - 32u, event->value);
    else if (event->rd != 0)
        at += snprintf(line + at, sizeof line - (size_t)at, " x%-2u 0x%08x", event->rd, event->value);
    if (event->loads)
        at += snprintf(line + at, sizeof line - (size_t)at, " mem 0x%08x", event->address);
    if (event->stores)
        at += snprintf(line + at, sizeof line - (size_t)at, " mem 0x%08x 0x%0*x", event->address, 2 * event->bytes,
                       event->stored & (UINT32_MAX >> (32 - 8 * event->bytes)));
    fprintf(session->job->riscv_trace, "%s\n", line);
}

static void end_progress(const struct tf_progress *progress)
{
    if (progress->shown)
        tf_cli_progress_end();
}

const char *tf_job_name(const struct tf_job *job)
{
    return job->workload != NULL ? job->workload->name : "load";
}

const char *tf_job_variant(const struct tf_job *job)
{
    return job->workload != NULL ? job->workload->variants[job->options.variant] : NULL;
}

double tf_outcome_mips(const struct tf_outcome *outcome)
{
    double wall_s = outcome->stats.wall_s;
    return wall_s > 0 ? (double)outcome->stats.instructions_executed / wall_s * 1e-6 : 0;
}

static int load_failed(const struct tf_load *load, unsigned tile, int error)
{
    tf_cli_error("%s: cannot be loaded to tile %u at 0x%x: %s", load->path, tile, load->address, tf_strerror(error));
    return TF_EXIT_USAGE;
}

static int load_tile(struct tf_chip *chip, const struct tf_load *load, unsigned tile)
{
    if (!load->flat) {
        struct tf_message message = {.text = ""};
        int error = tf_load_elf(chip, tile, load->core, load->path, load->image, load->bytes, &message);
        if (error != TF_OK)
            tf_cli_error("%s", message.text);
        return error == TF_OK ? -1 : TF_EXIT_USAGE;
    }
    struct tf_coord node;
    struct tf_shape shape;
    tf_arch_shape(tf_chip_arch(chip), &shape);
    int error = tf_tile_coord(tf_chip_arch(chip), tile, &node);
    if (error == TF_OK && (load->address >= shape.l1_bytes || load->bytes > shape.l1_bytes - load->address))
        error = TF_ERANGE;
    if (error == TF_OK)
        error = tf_write(chip, node, load->address, load->image, load->bytes);
    if (error == TF_OK)
        error = tf_core_set_pc(chip, tile, load->core, load->address);
    return error == TF_OK ? -1 : load_failed(load, tile, error);
}

static int for_loads(struct tf_chip *chip, const struct tf_job *job, bool start)
{
    for (unsigned i = 0; i < job->loads; i++)
        for (unsigned tile = 0; tile < TF_TENSIX_TILES_MAX; tile++) {
            const struct tf_load *load = &job->load[i];
            if (!load->tiles.has[tile])
                continue;
            int code = start ? -1 : load_tile(chip, load, tile);
            if (code >= 0)
                return code;
            int error = start ? tf_core_start(chip, tile, load->core) : TF_OK;
            if (error != TF_OK)
                return load_failed(load, tile, error);
        }
    return -1;
}

static int prepare(const struct tf_job *job, struct tf_chip *chip, void **state)
{
    if (job->workload == NULL) {
        int code = for_loads(chip, job, false);
        return code >= 0 ? code : for_loads(chip, job, true);
    }
    struct tf_message message = {.text = ""};
    int error = job->workload->setup(chip, &job->options, state, &message);
    if (error == TF_OK)
        return -1;
    tf_cli_error("%s: %s", tf_job_name(job), message.text[0] != '\0' ? message.text : tf_strerror(error));
    return error == TF_EINVAL ? TF_EXIT_USAGE : TF_EXIT_FAILED;
}

static void add_symbols(struct tf_session *session)
{
    session->symbols = tf_symbols_create();
    for (unsigned i = 0; session->symbols != NULL && i < session->job->loads; i++) {
        const struct tf_load *load = &session->job->load[i];
        if (!load->flat)
            tf_symbols_add(session->symbols, load->image, load->bytes, 1u << load->core, load->tiles.has);
    }
}

/* Listen for GDB. Returns -1, or an exit code after an error line. */
static int open_gdb(struct tf_session *session, struct tf_config *config)
{
    struct tf_message message;
    if (session->job->gdb == NULL)
        return -1;
    if (config->mode == TF_MODE_RELAXED) {
        tf_cli_error("--gdb: not with --relaxed");
        return TF_EXIT_USAGE;
    }
    session->gdb = tf_gdb_open(session->job->gdb, &message);
    if (session->gdb == NULL) {
        tf_cli_error("--gdb: %s", message.text);
        return TF_EXIT_USAGE;
    }
    if (session->job->trace == NULL && session->job->riscv_trace == NULL)
        tf_gdb_may_fork(session->gdb);
    tf_gdb_configure(config);
    return -1;
}

int tf_session_begin(struct tf_session *session, const struct tf_job *job, struct tf_interrupt *interrupt)
{
    *session = (struct tf_session){.job = job, .interrupt = interrupt};
    session->progress = (struct tf_progress){.name = tf_job_name(job), .terminal = isatty(STDERR_FILENO) == 1};
    struct tf_message message = {.text = ""};
    struct tf_config config = job->config;
    config.on_progress = show_progress;
    config.on_tensix = job->trace != NULL ? write_trace : NULL;
    config.on_riscv = job->riscv_trace != NULL ? write_riscv_trace : NULL;
    config.user = session;
    int refused = open_gdb(session, &config);
    if (refused >= 0)
        return refused;
    int error = tf_chip_create(&config, &session->chip, &message);
    if (error != TF_OK) {
        tf_gdb_close(session->gdb);
        tf_cli_error("%s", message.text[0] != '\0' ? message.text : tf_strerror(error));
        return error == TF_EINVAL ? TF_EXIT_USAGE : TF_EXIT_FAILED;
    }
    int code = prepare(job, session->chip, &session->state);
    add_symbols(session);
    if (session->gdb != NULL)
        tf_gdb_attach(session->gdb, session->chip, session->symbols);
    if (code >= 0)
        tf_session_end(session);
    return code;
}

/* Run; with a debugger, until it leaves. */
static int run_all(struct tf_session *session)
{
    const struct tf_job *job = session->job;
    enum tf_end *end = &session->outcome.end;
    if (session->gdb == NULL)
        return tf_run(session->chip, &job->run, end);
    fprintf(stderr, "tilefarm: waiting for GDB at port %u\n", tf_gdb_port(session->gdb));
    tf_gdb_begin(session->gdb);
    int error;
    do
        error = tf_run(session->chip, &job->run, end);
    while (error == TF_OK && tf_gdb_ended(session->gdb, *end));
    return error;
}

int tf_session_run(struct tf_session *session)
{
    struct tf_outcome *outcome = &session->outcome;
    session->progress.began_s = now_s();
    tf_interrupt_chip(session->interrupt, session->chip);
    int error = run_all(session);
    end_progress(&session->progress);
    if (error == TF_EINVAL && session->job->run.until) {
        tf_cli_error("--until: (%u,%u) 0x%llx is neither in L1 nor in DRAM", session->job->run.until_node.x,
                     session->job->run.until_node.y, (unsigned long long)session->job->run.until_address);
        return TF_EXIT_USAGE;
    }
    if (error != TF_OK) {
        tf_cli_error("%s: %s", tf_job_name(session->job), tf_strerror(error));
        return error == TF_EINVAL || error == TF_ENODEV ? TF_EXIT_USAGE : TF_EXIT_FAILED;
    }
    outcome->interrupted = tf_interrupt_came(session->interrupt);
    int code = tf_verdict_find(session);
    tf_stats(session->chip, &outcome->stats);
    outcome->state_hash = tf_state_hash(session->chip);
    return code;
}

void tf_session_end(struct tf_session *session)
{
    tf_interrupt_chip(session->interrupt, NULL);
    if (session->job->workload != NULL)
        session->job->workload->release(session->state);
    tf_chip_destroy(session->chip);
    tf_gdb_close(session->gdb);
    tf_symbols_destroy(session->symbols);
    free(session->outcome.waits);
    session->chip = NULL;
    session->state = NULL;
}
