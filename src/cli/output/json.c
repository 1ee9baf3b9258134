/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <jansson.h>
#include <string.h>

#include "cli/output/json_about.h"
#include "cli/output/critical.h"
#include "cli/output/json_races.h"
#include "cli/output/times.h"
#include "cli/session.h"
#include "cli/text.h"
#include "debug/stack.h"
#include "debug/symbols.h"
#include "host/vectors.h"
#include "tile/node_text.h"
#include "tilefarm/tilefarm_config.h"

static json_t *hex(uint64_t value, int digits)
{
    return json_sprintf("0x%0*llx", digits, (unsigned long long)value);
}

static json_t *fault_object(const struct tf_arch *arch, const struct tf_fault *fault)
{
    char where[TF_NODE_TEXT_BYTES];
    return json_pack("{s:s, s:b, s:[i, i], s:s, s:s, s:o, s:o, s:o, s:I, s:s}", "category",
                     tf_fault_category_name(fault->category), "hazard", (int)fault->hazard, "tile", (int)fault->tile.x,
                     (int)fault->tile.y, "where", tf_node_text(arch, fault->tile, where), "core",
                     tf_core_name(arch, tf_node_kind(arch, fault->tile), fault->core), "pc", hex(fault->pc, 8),
                     "instruction", hex(fault->instruction, 8), "address", hex(fault->address, 8), "cycle",
                     (json_int_t)fault->cycle, "text", fault->text);
}

/* Write the inlined calls that an address lies in, innermost first. Each has the place of the call. */
static json_t *inlined_array(struct tf_symbols *symbols, const struct tf_program *program, uint32_t address)
{
    struct tf_inlined calls[TF_INLINED_MAX];
    json_t *array = json_array();
    unsigned count = tf_symbols_inlined(symbols, program, address, calls);
    for (unsigned i = 0; i < count; i++)
        json_array_append_new(array, json_pack("{s:s, s:s, s:i}", "function", calls[i].name, "file", calls[i].from_file,
                                               "line", (int)calls[i].from_line));
    return array;
}

/* Write function, offset in it, file, line and inlined calls of an address, as far as they are known. */
static void add_place(struct tf_symbols *symbols, int tile, unsigned core, uint32_t address, json_t *object)
{
    const struct tf_program *program;
    const char *file, *function;
    uint32_t start;
    unsigned line;
    function = tile < 0 || core >= TF_TILE_CORES
                   ? NULL
                   : tf_symbols_function_in(symbols, (unsigned)tile, core, address, &start, &program);
    if (function == NULL)
        return;
    json_object_set_new(object, "function", json_string(function));
    json_object_set_new(object, "offset", json_integer(address - start));
    if (!tf_symbols_line(symbols, program, address, &file, &line))
        return;
    json_object_set_new(object, "file", json_string(file));
    json_object_set_new(object, "line", json_integer(line));
    json_object_set_new(object, "inlined", inlined_array(symbols, program, address));
}

/* Write the calls of a core, innermost first. */
static json_t *stack_array(const struct tf_session *session, unsigned tile, unsigned core)
{
    struct tf_frame frames[TF_FRAMES_MAX];
    json_t *array = json_array();
    unsigned count = tf_stack_of(session->chip, session->symbols, tile, core, frames);
    for (unsigned i = 0; i < count; i++) {
        json_t *frame = json_pack("{s:o}", "pc", hex(frames[i].pc, 8));
        add_place(session->symbols, (int)tile, core, i == 0 ? frames[i].pc : frames[i].pc - 4, frame);
        json_array_append_new(array, frame);
    }
    return array;
}

static json_t *fault_array(const struct tf_session *session)
{
    struct tf_chip *chip = session->chip;
    const struct tf_arch *arch = tf_chip_arch(chip);
    json_t *array = json_array();
    size_t count = tf_fault_count(chip);
    for (size_t i = 0; i < count && array != NULL; i++) {
        struct tf_fault fault;
        if (tf_fault_get(chip, i, &fault) != TF_OK)
            continue;
        int tile = fault.core == TF_CORE_NONE ? -1 : tf_symbols_tile(arch, fault.tile);
        json_t *object = fault_object(arch, &fault);
        add_place(session->symbols, tile, fault.core, fault.pc, object);
        if (tile >= 0 && !fault.hazard)
            json_object_set_new(object, "stack", stack_array(session, (unsigned)tile, fault.core));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *run_object(const struct tf_session *session)
{
    static const char *const end[] = {
        [TF_END_QUIET] = "quiet", [TF_END_VALUE] = "value",     [TF_END_CYCLES] = "cycles",
        [TF_END_FAULT] = "fault", [TF_END_STOPPED] = "stopped", [TF_END_TIME] = "time",
    };
    const struct tf_job *job = session->job;
    const struct tf_config *config = &job->config;
    struct tf_shape shape;
    tf_arch_shape(tf_chip_arch(session->chip), &shape);
    return json_pack("{s:s, s:s?, s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:s}", "workload", tf_job_name(job), "variant",
                     tf_job_variant(job), "arch", shape.name, "mode",
                     config->mode == TF_MODE_RELAXED ? "relaxed" : "deterministic", "atomics",
                     config->atomics == TF_ATOMICS_EMU_SPEC ? "emu-spec" : "isa", "vectors",
                     tf_vectors_name(config->vectors), "scale", (json_int_t)job->options.scale, "seed",
                     (json_int_t)job->options.seed, "threads",
                     (json_int_t)(config->threads != 0 ? config->threads : session->outcome.stats.workers), "end",
                     end[session->outcome.end]);
}

static json_t *figures(const struct tf_outcome *outcome)
{
    const struct tf_stats *stats = &outcome->stats;
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:f}", "workers",
                     (json_int_t)stats->workers, "epochs", (json_int_t)stats->epochs, "cycles",
                     (json_int_t)stats->cycles, "instructions", (json_int_t)stats->instructions,
                     "instructions_executed", (json_int_t)stats->instructions_executed, "noc_requests",
                     (json_int_t)stats->noc_requests, "noc_bytes", (json_int_t)stats->noc_bytes, "noc_atomics",
                     (json_int_t)stats->noc_atomics, "hazards", (json_int_t)stats->hazards, "wall_s", stats->wall_s,
                     "cpu_s", stats->cpu_s, "mips", tf_outcome_mips(outcome));
}

static json_t *worker_object(struct tf_chip *chip, unsigned worker)
{
    struct tf_worker_stats stats;
    if (tf_worker_stats(chip, worker, &stats) != TF_OK)
        return NULL;
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:f}", "instructions_executed",
                     (json_int_t)stats.instructions, "slices", (json_int_t)stats.slices, "pages_decoded",
                     (json_int_t)stats.pages, "noc_requests", (json_int_t)stats.requests, "deliveries",
                     (json_int_t)stats.deliveries, "steals", (json_int_t)stats.steals, "spins", (json_int_t)stats.spins,
                     "blocks", (json_int_t)stats.blocks, "run_s", stats.run_s, "deliver_s", stats.deliver_s, "wait_s",
                     stats.wait_s);
}

static json_t *worker_array(const struct tf_session *session)
{
    json_t *array = json_array();
    for (unsigned i = 0; i < session->outcome.stats.workers; i++)
        json_array_append_new(array, worker_object(session->chip, i));
    return array;
}

/* Tiles of a group by number: Tensix tiles, then Ethernet tiles. */
static json_t *tile_array(const struct tf_waiting *wait)
{
    json_t *array = json_array();
    for (unsigned i = 0; i < TF_WAITING_TILE_WORDS * 64; i++)
        if ((wait->tile[i / 64] >> i % 64 & 1) != 0)
            json_array_append_new(array, json_integer(i));
    return array;
}

static json_t *wait_object(const struct tf_session *session, const struct tf_waiting *wait)
{
    const struct tf_arch *arch = tf_chip_arch(session->chip);
    const char *core = tf_core_name(arch, tf_node_kind(arch, wait->node), wait->core);
    int tile = wait->thread ? -1 : tf_symbols_tile(arch, wait->node);
    json_t *object = json_pack("{s:s, s:b, s:s, s:o, s:o, s:o, s:s, s:o}", "state", wait->stuck ? "waits" : "done",
                               "thread", (int)wait->thread, "core", core, "tiles", tile_array(wait), "pc",
                               hex(wait->pc, 8), "address", hex(wait->address, 8), "text", wait->what, "status",
                               wait->returned ? json_integer(wait->status) : json_null());
    add_place(session->symbols, tile, wait->core, wait->pc, object);
    if (tile >= 0 && wait->stuck)
        json_object_set_new(object, "stack", stack_array(session, (unsigned)tile, wait->core));
    char writer[TF_PLACE_BYTES + 200];
    if (tf_session_last_write(session, wait, writer, sizeof writer))
        json_object_set_new(object, "written_last_by", json_string(writer));
    return object;
}

static json_t *wait_array(const struct tf_session *session)
{
    json_t *array = json_array();
    for (size_t i = 0; i < session->outcome.waits_count; i++)
        json_array_append_new(array, wait_object(session, &session->outcome.waits[i]));
    return array;
}

static json_t *verdict(const struct tf_session *session)
{
    const struct tf_outcome *outcome = &session->outcome;
    bool checked = outcome->verdict == TF_VERDICT_RIGHT || outcome->message.text[0] != '\0';
    json_t *verified = !checked ? json_null() : json_boolean(outcome->verdict == TF_VERDICT_RIGHT);
    const char *message = outcome->message.text[0] != '\0' ? outcome->message.text : NULL;
    struct tf_topology topology;
    tf_topology_get(session->chip, &topology);
    const char *warning = topology.warning[0] != '\0' ? topology.warning : NULL;
    return json_pack("{s:o, s:s, s:o, s:s?, s:s?, s:I, s:o, s:o}", "state_hash",
                     json_sprintf("%016llx", (unsigned long long)outcome->state_hash), "verdict",
                     tf_verdict_text(outcome), "verified", verified, "message", message, "warning", warning,
                     "fault_count", (json_int_t)outcome->stats.faults, "faults", fault_array(session), "waits",
                     wait_array(session));
}

/* Where cycles went, and the critical path if it is recorded. */
static json_t *times_object(const struct tf_session *session)
{
    json_t *times = tf_json_times(session->chip);
    if (session->job->critical_path && json_object_set_new(times, "critical_path", tf_json_critical(session)) != 0) {
        json_decref(times);
        return NULL;
    }
    return times;
}

bool tf_report_json(FILE *out, const struct tf_session *session)
{
    json_t *object = tf_json_about(session->job, tf_chip_arch(session->chip), session->chip);
    const bool filled = session->job->fill.kind > TF_FILL_ZERO; /* then local RAM does not show how deep stacks were */
    json_t *rest[] = {run_object(session), figures(&session->outcome), verdict(session)};
    bool made = object != NULL;
    for (unsigned i = 0; i < sizeof rest / sizeof rest[0]; i++) {
        made = made && rest[i] != NULL && json_object_update(object, rest[i]) == 0;
        json_decref(rest[i]);
    }
    made = made && json_object_set_new(object, "by_worker", worker_array(session)) == 0 &&
           json_object_set_new(object, "tiles", tf_json_tiles(session->chip)) == 0 &&
           json_object_set_new(object, "stacks", tf_json_stacks(session->chip, filled ? NULL : session->symbols)) ==
               0 &&
           (!session->job->config.check || tf_json_races(session, object)) &&
           (!session->job->config.timing || json_object_set_new(object, "timing", times_object(session)) == 0);
    errno = 0;
    bool written = made && json_dumpf(object, out, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) == 0 &&
                   fputc('\n', out) != EOF;
    if (!made)
        tf_cli_error("too little memory for the JSON report");
    else if (!written && out != stdout)
        tf_cli_error("the JSON report cannot be written: %s", errno != 0 ? strerror(errno) : "write error");
    json_decref(object);
    return written;
}
