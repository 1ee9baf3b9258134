/* SPDX-License-Identifier: Apache-2.0 */
/* Gives on_tensix, on_riscv and on_print what tiles have recorded: instructions of coprocessors and of cores, and what
   programs print. Traces of NOC requests are in farm/order/noc_log.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "farm/chip/chip.h"
#include "farm/chip/dram_tiles.h"
#include "farm/chip/found.h"
#include "farm/order/trace.h"
#include "farm/order/noc_log.h"
#include "host/assert.h"
#include "tile/riscv/hart/observed.h"
#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/disasm.h"
#include "tile/riscv/hart/memory.h"
#include "tile/riscv/exec/hosted.h"
#include "tile/observe.h"
#include "tile/tensix/isa/disasm.h"
#include "tile/tensix/debug/names.h"
#include "tile/tensix/frontend/trace.h"
#include "tile/tensix/isa/family.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/state.h"

#define TEXT_BYTES_MAX 4096u /* the longest text of a disassembled instruction */

/* The instructions that a tile's cores have retired since the last report. */
struct tf_riscv_trace {
    struct tf_observer observer;
    struct tf_riscv_event *event;
    size_t count, room;
    bool lost;
    uint64_t instret[TF_TILE_CORES]; /* instructions that were retired up to the last event; 0 before the first event */
};

#define ROOM_FIRST 1024u

static struct tf_riscv_event *next_event(struct tf_riscv_trace *trace)
{
    if (trace->count < trace->room)
        return &trace->event[trace->count++];
    size_t room = trace->room == 0 ? ROOM_FIRST : trace->room * 2;
    struct tf_riscv_event *event = realloc(trace->event, room * sizeof *event);
    if (event == NULL) {
        trace->lost = true;
        return NULL;
    }
    trace->event = event;
    trace->room = room;
    return &trace->event[trace->count++];
}

static uint32_t stored_value(struct tf_tile *tile, const struct tf_hart *hart, const struct tf_observed *observed)
{
    uint32_t value = hart->x[observed->insn.rs2];
    uint8_t *data;
    if (tf_hart_memory(tile, hart, observed->reach.address, observed->reach.bytes, &data)) {
        value = 0;
        memcpy(&value, data, observed->reach.bytes);
    }
    return value;
}

static void note_retired(struct tf_observer *observer, struct tf_tile *tile, struct tf_hart *hart,
                         const struct tf_observed *observed)
{
    struct tf_riscv_trace *trace = (struct tf_riscv_trace *)observer;
    uint64_t before = trace->instret[hart->core];
    trace->instret[hart->core] = hart->instret;
    struct tf_riscv_event *event = next_event(trace);
    if (event == NULL)
        return;
    uint8_t rd = tf_rv_destination(&observed->insn);
    bool scalar = tf_rv_is_listed(&observed->insn); /* events have no room for elements of a vector */
    bool stores = scalar && observed->reach.stores;
    *event = (struct tf_riscv_event){
        .tile = tile->coord,
        .core = hart->core,
        .bytes = scalar ? (uint8_t)observed->reach.bytes : 0,
        .loads = scalar && observed->reach.loads,
        .stores = stores,
        .rd = rd,
        .pc = observed->reach.pc,
        .instruction = observed->insn.word,
        .value = rd >= 32 ? hart->f[rd - 32] : hart->x[rd],
        .address = scalar ? observed->reach.address : 0,
        .stored = stores ? stored_value(tile, hart, observed) : 0,
        .cycle = observed->cycle,
        .skipped = before == 0 ? 0 : hart->instret - before - 1,
    };
}

static bool begin_riscv(struct tf_observers *observers, const struct tf_callbacks *call, struct tf_tiles *tiles)
{
    observers->riscv = calloc(tiles->tensix, sizeof *observers->riscv);
    if (observers->riscv == NULL)
        return false;
    for (unsigned i = 0; i < tiles->tensix; i++) {
        struct tf_riscv_trace *trace = &observers->riscv[i];
        struct tf_tile *tile = &tiles->tile[i];
        if (call->riscv_traced[i] == 0)
            continue;
        trace->observer =
            (struct tf_observer){.next = tile->observer, .cores = call->riscv_traced[i], .after = note_retired};
        tile->observer = &trace->observer;
    }
    return true;
}

/* By tf_tile.index. Tiles of DRAM nodes get theirs when they are made. */
static bool begin_said(struct tf_observers *observers, struct tf_tiles *tiles)
{
    observers->said = calloc(TF_NODES_MAX, sizeof *observers->said);
    for (unsigned i = 0; observers->said != NULL && i < tiles->count; i++)
        tiles->tile[i].said = &observers->said[i];
    return observers->said != NULL;
}

/* Mark tiles as observed. */
static bool begin_ordered(struct tf_observers *observers, struct tf_tiles *tiles)
{
    observers->marker = calloc(tiles->count, sizeof *observers->marker);
    for (unsigned i = 0; observers->marker != NULL && i < tiles->count; i++)
        tiles->tile[i].observer = &observers->marker[i];
    return observers->marker != NULL;
}

bool tf_traces_begin(struct tf_observers *observers, const struct tf_callbacks *call, struct tf_tiles *tiles,
                     unsigned sites)
{
    if (tiles->rules.ordered && !begin_ordered(observers, tiles))
        return false;
    if (call->on_print != NULL && !begin_said(observers, tiles))
        return false;
    for (unsigned i = 0; i < tiles->tensix && call->on_tensix != NULL; i++)
        if (call->tensix_traced[i] && !tf_trace_begin(&tiles->tile[i]))
            return false;
    if (call->on_noc != NULL && (observers->noc_log = tf_noc_log_begin(sites, call->on_noc, call->user)) == NULL)
        return false;
    return call->on_riscv == NULL || begin_riscv(observers, call, tiles);
}

void tf_traces_end(struct tf_observers *observers, const struct tf_tiles *tiles)
{
    for (unsigned i = 0; observers->riscv != NULL && i < tiles->tensix; i++)
        free(observers->riscv[i].event);
    free(observers->riscv);
    for (unsigned i = 0; observers->said != NULL && i < TF_NODES_MAX; i++)
        tf_said_free(&observers->said[i]);
    free(observers->said);
    free(observers->marker);
    tf_noc_log_end(observers->noc_log);
}

/* Returns the place of the next event of a core, from a place on. */
static size_t next_of(const struct tf_riscv_trace *trace, unsigned core, size_t from)
{
    while (from < trace->count && trace->event[from].core != core)
        from++;
    return from;
}

/* In the order of cycles, and of cores within one. Cores were run in turns, and the events of each have an order. */
static void report_riscv(struct tf_worker *worker, struct tf_riscv_trace *trace)
{
    const struct tf_callbacks *call = &worker->chip->call;
    size_t at[TF_TILE_CORES];
    for (unsigned core = 0; core < TF_TILE_CORES; core++)
        at[core] = next_of(trace, core, 0);
    for (size_t i = 0; i < trace->count; i++) {
        unsigned first = TF_TILE_CORES;
        for (unsigned core = 0; core < TF_TILE_CORES; core++)
            if (at[core] < trace->count &&
                (first == TF_TILE_CORES || trace->event[at[core]].cycle < trace->event[at[first]].cycle))
                first = core;
        const size_t next = next_of(trace, first, at[first] + 1);
        TF_ASSERT(next == trace->count || trace->event[next].cycle >= trace->event[at[first]].cycle);
        call->on_riscv(call->user, &trace->event[at[first]]);
        at[first] = next;
    }
    worker->trace_lost |= trace->lost;
    trace->lost = false;
    trace->count = 0;
}

static void report_said(struct tf_worker *worker, const struct tf_tile *tile, struct tf_said *said)
{
    const struct tf_callbacks *call = &worker->chip->call;
    tf_said_sort(said);
    for (size_t i = 0; i < said->entries; i++) {
        const struct tf_said_text *entry = &said->entry[i];
        const struct tf_print_event event = {
            .tile = tile->coord,
            .core = entry->core,
            .mark = entry->mark,
            .pc = entry->pc,
            .cycle = entry->cycle,
            .text = said->text + entry->at,
            .bytes = entry->bytes,
        };
        call->on_print(call->user, &event);
    }
    worker->trace_lost |= said->lost;
    said->lost = false;
    said->entries = 0;
    said->bytes = 0;
}

void tf_trace_report(struct tf_worker *worker, struct tf_tile *tile)
{
    const struct tf_chip *chip = worker->chip;
    if (tile->tensix != NULL && TF_HOOK(tile->tensix->trace) != NULL)
        worker->trace_lost |= !tf_trace_hand_over(tile, chip->call.on_tensix, chip->call.user);
    if (chip->observers.riscv != NULL && tile->index < chip->tiles.tensix &&
        (chip->observers.riscv[tile->index].count != 0 || chip->observers.riscv[tile->index].lost))
        report_riscv(worker, &chip->observers.riscv[tile->index]);
    if (tile->said != NULL && (tile->said->entries != 0 || tile->said->lost))
        report_said(worker, tile, tile->said);
}

/* Has a program printed since the last report? */
static bool any_said(const struct tf_workers *workers)
{
    bool any = false;
    for (unsigned i = 0; i < workers->count; i++) {
        any |= tf_has_found(&workers->worker[i], TF_FOUND_SAID);
        workers->worker[i].found.what &= ~(unsigned)TF_FOUND_SAID;
    }
    return any;
}

/* With parking off, a quiet tile executes its loops only when a request reaches it, or when the host asks for progress.
   The loops are executed here, so that a trace of cores shows them in their epoch. */
static void execute_loops(struct tf_chip *chip)
{
    tf_forks_settle_all(&chip->forks, chip->fabric);
    tf_tiles_catch_up(&chip->tiles, chip->fabric, &chip->schedule, chip->epochs.tick);
}

void tf_traces_report(struct tf_chip *chip)
{
    const struct tf_observers *observers = &chip->observers;
    if (observers->riscv != NULL && !chip->rules.parking && chip->rules.mode == TF_MODE_DETERMINISTIC)
        execute_loops(chip);
    bool traces = chip->call.on_tensix != NULL || observers->riscv != NULL;
    if (observers->said != NULL) /* workers do not note this in relaxed mode */
        traces |= any_said(&chip->workers) || chip->rules.mode == TF_MODE_RELAXED;
    if (!traces && TF_HOOK(observers->noc_log) == NULL) /* most runs: row `atomic-inc-1t` */
        return;
    tf_noc_report_landed(observers->noc_log, chip->fabric, &chip->epochs);
    const unsigned tiles = traces ? tf_chip_tiles(chip) : 0; /* it counts them: row `dram-write-1t` */
    for (unsigned i = 0; i < tiles; i++)
        if (tf_chip_tile(chip, i) != NULL)
            tf_trace_report(&chip->workers.worker[0], tf_chip_tile(chip, i));
    tf_noc_report_rest(observers->noc_log, chip->fabric, &chip->epochs);
    chip->workers.worker[0].trace_lost |= tf_noc_log_lost(observers->noc_log);
}

size_t tf_tensix_text(const struct tf_arch *arch, uint32_t instruction, char *text, size_t bytes)
{
    return (size_t)tf_tensix_disassemble_named(arch, instruction, text,
                                               (unsigned)(bytes > TEXT_BYTES_MAX ? TEXT_BYTES_MAX : bytes));
}

size_t tf_riscv_text(const struct tf_arch *arch, uint32_t instruction, uint32_t pc, char *text, size_t bytes)
{
    arch = tf_arch_or_default(arch);
    bytes = bytes > TEXT_BYTES_MAX ? TEXT_BYTES_MAX : bytes;
    uint32_t tensix = instruction >> 2 | instruction << 30;
    const struct tf_tensix_op *op = tf_tensix_op((uint8_t)(tensix >> 24));
    const struct tf_tile_arch *tile = &arch->tile[TF_TILE_TENSIX];
    if ((instruction & 3) == 3 || op == NULL || tile->opcode == NULL)
        return (size_t)tf_riscv_disassemble(instruction, pc, text, (unsigned)bytes);
    switch (tf_family_word(tile, &tensix)) {
    case TF_WORD_ABSENT:
        return (size_t)snprintf(text, bytes, ".word 0x%08x # %s has no %s", tensix, arch->title, op->mnemonic);
    case TF_WORD_RESERVED:
        return (size_t)snprintf(text, bytes, ".word 0x%08x # %s of %s with reserved bits set", tensix, op->mnemonic,
                                arch->title);
    default: return (size_t)tf_tensix_disassemble_of(tile, tensix, text, (unsigned)bytes);
    }
}
