/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/abi.h"
#include "abi/libttsim.h"
#include "cli/interrupt.h"
#include "cli/log.h"
#include "cli/races.h"
#include "cli/replay.h"
#include "cli/save.h"
#include "cli/session.h"
#include "cli/session_state.h"
#include "cli/text.h"
#include "cli/verdict.h"
#include "cli/workloads/common.h"
#include "farm/chip/chip.h"
#include "farm/chip/load.h"
#include "farm/chip/loader.h"
#include "host/clock.h"
#include "tile/arch.h"
#include "tile/node_text.h"
#include "tilefarm/tilefarm_config.h"
#include "tilefarm/tilefarm_times.h"
#include "look/facts.h"

#define PROGRESS_AFTER_S 2.0

static bool failed(FILE *file)
{
    return file != NULL && ferror(file) != 0;
}

/* Has the disk become full while a file grew during the run? */
static bool cannot_write(const struct tf_job *job)
{
    return failed(job->trace) || failed(job->riscv_trace) || failed(job->look.timeline);
}

static void show_progress(void *user, uint64_t cycle, uint64_t instructions)
{
    struct tf_session *session = user;
    struct tf_progress *progress = &session->progress;
    if (session->job->cycle != NULL) {
        atomic_store(session->job->cycle, cycle);
        return;
    }
    if (session->gdb != NULL)
        tf_gdb_poll(session->gdb);
    if (cannot_write(session->job)) {
        session->outcome.cut = true;
        tf_stop(session->chip);
    }
    double took_s = tf_seconds() - progress->began_s;
    if (!progress->terminal || took_s < PROGRESS_AFTER_S)
        return;
    char cycles[TF_GROUPED_BYTES], count[TF_GROUPED_BYTES];
    tf_cli_progress("%s: %.0f s, %s cycles, %s instructions retired", progress->name, took_s,
                    tf_cli_short((double)cycle, cycles), tf_cli_short((double)instructions, count));
    progress->shown = true;
}

/* In relaxed mode, lines of several threads are mixed, but each line is whole. */
static void see_tensix(void *user, const struct tf_tensix_event *event)
{
    const struct tf_session *session = user;
    char text[2048];
    tf_look_tensix(session->look, event);
    int tile = tf_tile_index(tf_chip_arch(session->chip), event->tile);
    if (session->job->trace == NULL || !tf_job_config(session->job)->tensix_traced[tile])
        return;
    tf_tensix_text(tf_chip_arch(session->chip), event->instruction, text, sizeof text);
    char chip[16] = "";
    if (session->run != NULL)
        snprintf(chip, sizeof chip, "%u:", session->job->chip);
    fprintf(session->job->trace, "%10llu %s%u,%u T%u %08x  %s\n", (unsigned long long)event->cycle, chip, event->tile.x,
            event->tile.y, event->thread, event->pc, text);
}

/*
 * The log of Spike (riscv-isa-sim, commit log of --log-commits), which other tools read: "core   0: 3 0x00000080
 * (0x00a28293) x5  0x0000000b". Harts are numbered tile * 8 + core, and those of chip n of a system from n * 10000 on.
 * Lines that begin with # are comments.
 */
static void write_riscv_trace(void *user, const struct tf_riscv_event *event)
{
    const struct tf_session *session = user;
    char line[256];
    const unsigned tile = (unsigned)tf_tile_index(tf_chip_arch(session->chip), event->tile);
    const unsigned hart = session->job->chip * TF_SYSTEM_CORES + tile * 8 + event->core;
    int at = 0;
    if (event->skipped != 0)
        fprintf(session->job->riscv_trace, "# core %u: %llu instructions of a polling loop\n", hart,
                (unsigned long long)event->skipped);
    at += snprintf(line, sizeof line, "core %3u: 3 0x%08x (0x%08x)", hart, event->pc, event->instruction);
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

static void see_request(void *user, const struct tf_noc_event *event)
{
    const struct tf_session *session = user;
    if (session->look != NULL)
        tf_look_noc(session->look, event);
}

void tf_session_see_print(void *user, const struct tf_print_event *event)
{
    const struct tf_session *session = user;
    if (session->printed != NULL && !event->mark)
        tf_printed_take(session->printed, tf_chip_arch(session->chip), event);
    if (event->mark)
        tf_look_mark(session->look, event);
}

/* Under GDB, which then writes no files of the run. */
static void leave_checkpoint(void *user, uint64_t cycle)
{
    const struct tf_session *session = user;
    (void)cycle;
    if (session->gdb != NULL) /* it is attached */
        tf_gdb_epoch(session->gdb, session->job->chip);
}

static void see_epoch(void *user, uint64_t cycle)
{
    tf_look_epoch(((const struct tf_session *)user)->look, cycle);
}

/* Collect the facts of a finished run for the HTML report; the caller frees them. Returns NULL if the host has no
   memory. */
static struct tf_page_facts *find_facts(const struct tf_session *session)
{
    const struct tf_outcome *outcome = &session->outcome;
    struct tf_page_facts *facts = calloc(1, sizeof *facts);
    if (facts == NULL)
        return NULL;
    facts->title = tf_job_name(session->job);
    facts->filled = session->job->fill.kind > TF_FILL_ZERO;
    facts->verdict = tf_verdict_text(outcome);
    facts->command = tf_job_command(session->job);
    facts->good = tf_outcome_exit(outcome) == TF_EXIT_OK;
    facts->message = outcome->message.text;
    facts->symbols = session->symbols;
    facts->waits = outcome->waits;
    facts->waits_count = outcome->waits_count;
    facts->checked = tf_job_config(session->job)->check;
    facts->races = facts->checked ? tf_session_races(session, &facts->races_count) : NULL;
    tf_page_figures(facts, session->chip);
    return facts;
}

static void free_facts(struct tf_page_facts *facts)
{
    if (facts == NULL)
        return;
    free(facts->races);
    free((char *)facts->command);
    free(facts);
}

/* Collect the observers and the facts of all chips, and write. */
static bool write_looks(struct tf_session *session, unsigned chips, const struct tf_page_system *system,
                        struct tf_look **look, struct tf_page_facts **facts)
{
    const bool page = session->job->look.page != NULL;
    bool fine = true;
    for (unsigned i = 0; i < chips; i++) {
        look[i] = session[i].look;
        facts[i] = page ? find_facts(&session[i]) : NULL;
        fine &= !page || facts[i] != NULL;
    }
    const struct tf_look_result result = {
        .look = look,
        .chips = chips,
        .facts = page && fine ? (const struct tf_page_facts *const *)facts : NULL,
        .system = system,
    };
    fine &= tf_look_write(&result);
    for (unsigned i = 0; i < chips; i++)
        free_facts(facts[i]);
    return fine;
}

bool tf_session_write_looks(struct tf_session *session, unsigned chips, const struct tf_page_system *system)
{
    struct tf_look **look = calloc(chips, sizeof(void *));
    struct tf_page_facts **facts = calloc(chips, sizeof(void *));
    const bool fine = look != NULL && facts != NULL && write_looks(session, chips, system, look, facts);
    free(look);
    free(facts);
    if (!fine)
        tf_cli_error("%s: too little memory for all files of the run", tf_job_name(session->job));
    return fine;
}

static void end_progress(const struct tf_progress *progress)
{
    if (progress->shown)
        tf_cli_progress_end();
}

double tf_outcome_mips(const struct tf_outcome *outcome)
{
    double wall_s = outcome->stats.wall_s;
    return wall_s > 0 ? (double)outcome->stats.instructions_executed / wall_s * 1e-6 : 0;
}

static int load_failed(const struct tf_chip *chip, const struct tf_load *load, unsigned tile, int error)
{
    char text[TF_NODE_TEXT_BYTES];
    struct tf_coord node;
    snprintf(text, sizeof text, "tile %u", tile);
    if (tf_tile_coord(tf_chip_arch(chip), tile, &node) == TF_OK) /* else the number may be that of a port */
        tf_node_text(tf_chip_arch(chip), node, text);
    if (load->kind != TF_TILE_TENSIX)
        tf_cli_error("%s: cannot be loaded to %s %u: %s", load->path, tf_cli_place_word(load->kind), tile,
                     tf_strerror(error));
    else if (!load->flat)
        tf_cli_error("%s: %s: %s", load->path, text, tf_strerror(error));
    else
        tf_cli_error("%s: cannot be loaded to %s at 0x%x: %s", load->path, text, load->address, tf_strerror(error));
    return TF_EXIT_USAGE;
}

/* The index of a tile, of the tile of a port, or of a DRAM tile. If the chip has none: TF_ENODEV. */
static int index_of(const struct tf_chip *chip, const struct tf_load *load, unsigned tile)
{
    const struct tf_arch *arch = tf_chip_arch(chip);
    if (load->kind == TF_TILE_ETH)
        return tf_port_tile(chip, tile);
    if (load->kind == TF_TILE_DRAM)
        return (int)(tf_arch_tiles(arch) + tile);
    return tile < arch->tile[TF_TILE_TENSIX].tiles ? (int)tile : TF_ENODEV;
}

/* number: of the tile among its kind. */
static int load_tile(struct tf_chip *chip, const struct tf_load *load, unsigned tile, unsigned number, bool local)
{
    if (!load->flat) {
        struct tf_message message = {.text = ""};
        int error = (local ? tf_load_elf_local : tf_load_elf)(chip, tile, load->core, load->path, load->image,
                                                              load->bytes, &message);
        if (error != TF_OK && message.text[0] != '\0')
            tf_cli_error("%s", message.text);
        else if (error != TF_OK)
            load_failed(chip, load, number, error);
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
    return error == TF_OK ? -1 : load_failed(chip, load, tile, error);
}

static int for_loads(struct tf_chip *chip, const struct tf_job *job, bool start)
{
    for (unsigned i = 0; i < job->loads; i++)
        for (unsigned tile = 0; tile < sizeof job->load[i].tiles.has; tile++) { /* the tile does not exist: an error */
            const struct tf_load *load = &job->load[i];
            if (!load->tiles.has[tile] || (load->of_chip && load->chip != job->chip))
                continue;
            const int index = index_of(chip, load, tile);
            if (index < 0 && load->tiles.all)
                continue;
            int code = start || index < 0 ? -1 : load_tile(chip, load, (unsigned)index, tile, job->load_local);
            if (code >= 0)
                return code;
            int error = index < 0 ? index : start ? tf_core_start(chip, (unsigned)index, load->core) : TF_OK;
            if (error == TF_OK && start && job->load_local && !load->flat)
                error = tf_load_local(chip, (unsigned)index, load->core, load->path, load->image, load->bytes);
            if (error != TF_OK)
                return load_failed(chip, load, tile, error);
        }
    return -1;
}

int tf_session_prepare(const struct tf_job *job, struct tf_chip *chip, void **state)
{
    const int filled = tf_fill_chip(&job->fill, chip);
    if (filled != TF_OK) {
        tf_cli_error("--fill: %s", tf_strerror(filled));
        return TF_EXIT_FAILED;
    }
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

/* The programs of a workload. */
static void add_workload_symbols(struct tf_session *session)
{
    size_t bytes;
    struct tf_shape shape;
    tf_arch_shape(tf_chip_arch(session->chip), &shape);
    for (unsigned core = 0; core < shape.cores; core++) {
        const void *image = tf_workload_program(session->chip, session->job->workload, core, &bytes);
        if (image != NULL)
            tf_symbols_add(session->symbols, image, bytes, 1u << core, NULL);
    }
}

/* A tile of a load as a node. Returns false if the chip has none. */
static bool node_of(const struct tf_arch *arch, const struct tf_load *load, unsigned tile, struct tf_coord *node)
{
    if (load->kind == TF_TILE_ETH)
        return tf_port_coord(arch, tile, node) == TF_OK;
    if (load->kind == TF_TILE_TENSIX)
        return tf_tile_coord(arch, tile, node) == TF_OK;
    for (unsigned i = 0; i < tf_arch_nodes(arch); i++)
        if (arch->place[i].kind == TF_NODE_DRAM && tile-- == 0) {
            *node = (struct tf_coord){(uint8_t)(i % arch->grid_x), (uint8_t)(i / arch->grid_x)};
            return true;
        }
    return false;
}

static void add_load_symbols(const struct tf_session *session, const struct tf_load *load)
{
    const struct tf_arch *arch = tf_chip_arch(session->chip);
    struct tf_coord node[TF_NODES_MAX];
    size_t count = 0;
    for (unsigned tile = 0; tile < sizeof load->tiles.has; tile++)
        count += load->tiles.has[tile] && node_of(arch, load, tile, &node[count]);
    tf_symbols_add_nodes(session->symbols, arch, load->image, load->bytes, 1u << load->core, node, count);
}

void tf_session_add_symbols(struct tf_session *session)
{
    session->symbols = tf_symbols_create();
    if (session->symbols != NULL && session->job->workload != NULL)
        add_workload_symbols(session);
    for (unsigned i = 0; session->symbols != NULL && i < session->job->loads; i++) {
        const struct tf_load *load = &session->job->load[i];
        if (load->flat || (load->of_chip && load->chip != session->job->chip))
            continue;
        add_load_symbols(session, load);
    }
    for (unsigned i = 0; session->symbols != NULL && i < session->job->names; i++)
        tf_symbols_add_unplaced(session->symbols, session->job->named[i].image, session->job->named[i].bytes);
    tf_session_find_named(session);
}

void tf_session_find_named(struct tf_session *session)
{
    if (session->job->names != 0)
        tf_symbols_match(session->symbols, session->chip);
}

static void forget_interrupt(void *user)
{
    tf_interrupt_forget(((const struct tf_session *)user)->interrupt);
}

int tf_session_open_gdb(struct tf_session *session, struct tf_config *config)
{
    const struct tf_job *job = session->job;
    struct tf_message message = {.text = "too little memory"};
    if (tf_job_debugger(job) == NULL)
        return -1;
    if (config->mode == TF_MODE_RELAXED) {
        tf_cli_error("%s cannot be combined with --relaxed", tf_job_debugger(job));
        return TF_EXIT_USAGE;
    }
    session->console = (struct tf_console){.in = stdin,
                                           .out = job->print,
                                           .prompts = isatty(STDIN_FILENO) == 1,
                                           .resumes = forget_interrupt,
                                           .user = session};
    session->gdb = job->gdb != NULL ? tf_gdb_open(job->gdb, &message) : tf_console_open(&session->console);
    if (session->gdb == NULL) {
        tf_cli_error("%s: %s", tf_job_debugger(job), message.text);
        return TF_EXIT_USAGE;
    }
    tf_gdb_configure(config);
    return -1;
}

/* Let GDB go back, unless files grow during the run. */
static void let_fork(const struct tf_session *session)
{
    const struct tf_job *job = session->job;
    if (job->gdb != NULL && job->trace == NULL && job->riscv_trace == NULL && session->look == NULL)
        tf_gdb_may_fork(session->gdb);
}

void tf_session_attach_gdb(struct tf_session *session, unsigned chips)
{
    struct tf_gdb *gdb = session[0].gdb;
    for (unsigned i = 0; gdb != NULL && i < chips; i++) {
        tf_gdb_attach(gdb, session[i].chip, session[i].symbols);
        session[i].gdb = gdb;
    }
    if (gdb != NULL)
        let_fork(&session[0]);
}

/* The tiles whose coprocessors are to be shown, by the trace or by another observer. */
static void choose_tensix(const struct tf_session *session, struct tf_config *config)
{
    struct tf_shape shape;
    tf_arch_shape(config->arch, &shape);
    for (unsigned tile = 0; tile < shape.tensix_tiles; tile++) {
        const bool traced = session->job->trace != NULL && tf_job_config(session->job)->tensix_traced[tile];
        config->tensix_traced[tile] = traced || tf_look_wants_tensix(session->look, tile);
        if (config->tensix_traced[tile])
            config->on_tensix = see_tensix;
    }
}

int tf_session_open_look(struct tf_session *session, struct tf_config *config)
{
    struct tf_message message = {.text = ""};
    struct tf_look_wish wish = session->job->look;
    wish.title = tf_job_name(session->job);
    int error = tf_look_create(&wish, config->arch, config->mode == TF_MODE_RELAXED, &session->look, &message);
    config->on_riscv = session->job->riscv_trace != NULL ? write_riscv_trace : NULL;
    const struct tf_config *asked = tf_job_config(session->job); /* a chip of a system has a copy of its own */
    for (unsigned tile = 0; tile < TF_TENSIX_TILES_MAX; tile++)
        config->riscv_traced[tile] = asked->riscv_traced[tile];
    if (error == TF_OK) {
        const bool debugged = tf_job_debugger(session->job) != NULL;
        config->on_noc = tf_look_wants_noc(session->look) || debugged ? see_request : NULL;
        config->on_epoch = tf_look_wants_epochs(session->look) ? see_epoch : debugged ? leave_checkpoint : NULL;
        choose_tensix(session, config);
        return -1;
    }
    tf_cli_error("%s", message.text[0] != '\0' ? message.text : tf_strerror(error));
    return error == TF_EINVAL ? TF_EXIT_USAGE : TF_EXIT_FAILED;
}

static void replay_read(void *user, uint64_t address, void *data, uint32_t bytes)
{
    tf_replay_host_read(((const struct tf_session *)user)->job->replay, address, data, bytes);
}

static void replay_write(void *user, uint64_t address, const void *data, uint32_t bytes)
{
    tf_replay_host_write(((const struct tf_session *)user)->job->replay, address, data, bytes);
}

static void replay_fault(void *user, const struct tf_fault *fault)
{
    abi_adopted_fault_of(((const struct tf_session *)user)->job->chip, fault);
}

void tf_session_configure_replay(const struct tf_replay *replay, struct tf_config *config)
{
    config->on_fault = replay_fault;
    if (!tf_replay_has_host_memory(replay))
        return;
    config->on_host_read = replay_read;
    config->on_host_write = replay_write;
}

/* Say what has been made, and what it will run. */
static void note_chip(const struct tf_session *session)
{
    const struct tf_job *job = session->job;
    struct tf_shape shape;
    struct tf_stats stats;
    if (job->log != TF_LOG_DEBUG)
        return;
    tf_arch_shape(tf_chip_arch(session->chip), &shape);
    tf_stats(session->chip, &stats);
    tf_log_note(job->log, "made a %s chip: board %s, %u Tensix tiles, workers: %u", shape.title,
                tf_chip_arch(session->chip)->board.name, shape.tensix_tiles, stats.workers);
    for (unsigned i = 0; i < job->loads; i++)
        tf_log_note(job->log, "loads %s, %zu bytes, on %u %s%s", job->load[i].path, job->load[i].bytes,
                    job->load[i].tiles.count, tf_cli_place_word(job->load[i].kind),
                    job->load[i].tiles.count == 1 ? "" : "s");
    if (job->workload != NULL)
        tf_log_note(job->log, "loads workload %s, variant %s, scale %u, seed %u", job->workload->name,
                    tf_job_variant(job), job->options.scale, job->options.seed);
    if (job->restore != NULL)
        tf_log_note(job->log, "restores %s", job->restore);
}

int tf_session_begin(struct tf_session *session, const struct tf_job *job, struct tf_interrupt *interrupt)
{
    *session = (struct tf_session){.job = job, .interrupt = interrupt};
    session->progress = (struct tf_progress){.name = tf_job_name(job),
                                             .terminal = !job->monitor && isatty(STDERR_FILENO) == 1};
    struct tf_message message = {.text = ""};
    struct tf_config config = *tf_job_config(job);
    config.on_progress = job->brief && job->cycle == NULL ? NULL : show_progress;
    config.on_print = tf_session_see_print;
    config.user = session;
    if (job->replay != NULL)
        tf_session_configure_replay(job->replay, &config);
    session->printed = job->print == NULL ? NULL : tf_printed_create(job->print);
    int refused = tf_session_open_look(session, &config);
    if (refused < 0)
        refused = tf_session_open_gdb(session, &config);
    if (refused >= 0) {
        tf_look_destroy(session->look);
        tf_printed_end(session->printed);
        return refused;
    }
    int error = tf_chip_create(&config, &session->chip, &message);
    if (error != TF_OK) {
        tf_gdb_close(session->gdb);
        tf_look_destroy(session->look);
        tf_printed_end(session->printed);
        tf_cli_error("%s", message.text[0] != '\0' ? message.text : tf_strerror(error));
        return error == TF_EINVAL ? TF_EXIT_USAGE : TF_EXIT_FAILED;
    }
    note_chip(session);
    int code = tf_session_prepare(job, session->chip, &session->state);
    if (code < 0 && job->restore != NULL)
        code = tf_session_restore(session);
    tf_session_add_symbols(session);
    if (!tf_look_attach(session->look, session->chip, session->symbols)) {
        tf_cli_error("%s", tf_strerror(TF_ENOMEM));
        code = TF_EXIT_FAILED;
    }
    tf_session_attach_gdb(session, 1);
    if (code >= 0)
        tf_session_end(session);
    return code;
}

int tf_session_debug(const struct tf_session *session, const struct tf_debugged *debugged, enum tf_end *end)
{
    const struct tf_job *job = session->job;
    if (job->gdb != NULL)
        fprintf(stderr, "tilefarm: waiting for GDB at port %u\n", tf_gdb_port(session->gdb));
    tf_gdb_begin(session->gdb);
    struct tf_run_options options = job->run;
    int error;
    do {
        uint64_t ran;
        error = debugged->run(debugged->user, &options, end, &ran);
        if (job->run.cycles_max != 0) /* a run that continues after its limit gets the whole limit again */
            options.cycles_max = ran < options.cycles_max ? options.cycles_max - ran : job->run.cycles_max;
    } while (error == TF_OK && (tf_gdb_saved(session->gdb, *end) || tf_gdb_ended(session->gdb, *end)));
    return error;
}

static int run_chip(void *user, const struct tf_run_options *options, enum tf_end *end, uint64_t *ran)
{
    struct tf_chip *chip = user;
    const uint64_t began = tf_chip_cycles(chip);
    int error = tf_run(chip, options, end);
    *ran = tf_chip_cycles(chip) - began;
    return error;
}

/* Run. With a debugger, run until it detaches. */
static int run_all(struct tf_session *session)
{
    const struct tf_job *job = session->job;
    enum tf_end *end = &session->outcome.end;
    if (job->replay != NULL) {
        *end = TF_END_QUIET;
        return tf_replay_run(job->replay, session->chip, session->interrupt);
    }
    return session->gdb == NULL ? tf_session_run_saving(session, end)
                                : tf_session_debug(session, &(struct tf_debugged){run_chip, session->chip}, end);
}

uint64_t tf_session_faults(struct tf_chip *chip)
{
    uint64_t faults = 0;
    struct tf_fault fault;
    for (size_t i = 0; i < tf_fault_count(chip) && tf_fault_get(chip, i, &fault) == TF_OK; i++)
        faults += !fault.hazard;
    return faults;
}

int tf_session_run(struct tf_session *session)
{
    struct tf_outcome *outcome = &session->outcome;
    session->progress.began_s = tf_seconds();
    tf_interrupt_chip(session->interrupt, session->chip);
    tf_log_note(session->job->log, "runs from cycle %llu on", (unsigned long long)tf_chip_cycles(session->chip));
    int error = session->job->critical_path ? tf_path_record(session->chip) : TF_OK;
    if (error == TF_OK)
        error = run_all(session);
    end_progress(&session->progress);
    tf_log_note(session->job->log, "the run has ended after %.1f s, in cycle %llu: %s",
                tf_seconds() - session->progress.began_s, (unsigned long long)tf_chip_cycles(session->chip),
                tf_end_text(outcome->end));
    if (error == TF_EINVAL && session->job->run.until) {
        char node[TF_NODE_TEXT_BYTES];
        tf_cli_error("--until: %s 0x%llx is neither in L1 nor in DRAM",
                     tf_node_text(tf_chip_arch(session->chip), session->job->run.until_node, node),
                     (unsigned long long)session->job->run.until_address);
        return TF_EXIT_USAGE;
    }
    if (error != TF_OK) {
        tf_cli_error("%s: %s", tf_job_name(session->job), tf_strerror(error));
        return error == TF_EINVAL || error == TF_ENODEV ? TF_EXIT_USAGE : TF_EXIT_FAILED;
    }
    outcome->interrupted = tf_interrupt_received(session->interrupt) ||
                           (outcome->end == TF_END_STOPPED && tf_gdb_ends(session->gdb));
    int code = tf_verdict_find(session);
    tf_verdict_signal(outcome, session->interrupt);
    outcome->stats.faults = tf_session_faults(session->chip);
    if (!session->job->brief) {
        tf_stats(session->chip, &outcome->stats);
        outcome->state_hash = session->job->unhashed ? 0 : tf_state_hash(session->chip);
    }
    return code;
}

void tf_session_end(struct tf_session *session)
{
    tf_interrupt_chip(session->interrupt, NULL);
    if (session->job->workload != NULL)
        session->job->workload->release(session->state);
    tf_chip_destroy(session->chip);
    tf_printed_end(session->printed);
    tf_look_destroy(session->look);
    tf_gdb_close(session->gdb);
    tf_symbols_destroy(session->symbols);
    free(session->outcome.waits);
    session->chip = NULL;
    session->state = NULL;
}
