/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/output/json_chip.h"

#include "cli/output/critical.h"
#include "cli/output/json_about.h"
#include "cli/output/json_races.h"
#include "cli/output/times.h"
#include "cli/fill.h"
#include "cli/job.h"
#include "cli/races.h"
#include "cli/session_state.h"
#include "debug/stack.h"
#include "debug/symbols.h"
#include "tile/node_text.h"

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

/* Where cycles went, and the critical path if it is recorded. */
static json_t *times_object(const struct tf_session *session)
{
    json_t *times = tf_json_times(session->chip);
    const bool path = session->job->critical_path && session->run == NULL; /* a system has one for all chips */
    if (path && json_object_set_new(times, "critical_path", tf_json_critical(session, NULL)) != 0) {
        json_decref(times);
        return NULL;
    }
    return times;
}

bool tf_json_chip(const struct tf_session *session, json_t *object)
{
    const struct tf_job *job = session->job;
    const bool filled = job->fill.kind > TF_FILL_ZERO; /* then local RAM does not show how deep stacks were */
    json_t *stacks = tf_json_stacks(session->chip, filled ? NULL : session->symbols);
    return json_object_set_new(object, "fault_count", json_integer((json_int_t)session->outcome.stats.faults)) == 0 &&
           json_object_set_new(object, "faults", fault_array(session)) == 0 &&
           json_object_set_new(object, "waits", wait_array(session)) == 0 &&
           json_object_set_new(object, "tiles", tf_json_tiles(session->chip)) == 0 &&
           json_object_set_new(object, "stacks", stacks) == 0 &&
           (!tf_job_checks(job) || tf_json_races(session, object)) &&
           (!tf_job_is_timed(job) || json_object_set_new(object, "timing", times_object(session)) == 0);
}
