/* SPDX-License-Identifier: Apache-2.0 */
#include "look/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "debug/registers.h"
#include "look/tracks/busy.h"
#include "look/tracks/inlines.h"
#include "look/tracks/open_calls.h"
#include "look/tracks/packets.h"
#include "look/reasons.h"
#include "look/tracks/table.h"
#include "noc/event.h"
#include "tile/node_text.h"
#include "tile/numbered.h"
#include "tilefarm/tilefarm_links.h"
#include "tilefarm/tilefarm_system_run.h"
#include "tilefarm_address.h"

#define UNITS_MAX 16u
#define OPCODES 256u
#define NODES_MAX TF_NODES_MAX
#define PORTS_MAX 16u
#define FLOW_CHIP 56u /* where the number of a flow has that of the chip; NOC requests and packets have the rest */
#define FLOW_PORT 48u

/* Records of a core, in the order of cycles. */
enum record_kind { CALLED, RETURNED, WAITS, WAITED, INLINED, RAN };

struct record {
    uint64_t cycle;
    uint32_t
        value; /* of CALLED, the entry; of RETURNED, the number of calls that end; of INLINED, the node; of others, an
                       address */
    uint8_t kind, core;
    uint8_t state; /* of WAITS: enum tf_core_state; of RAN: the number of instructions */
    bool store;
};

/* What is known of the inlined calls that a core is in. */
struct inlined {
    const struct tf_inline_map *map; /* NULL: not made yet. Then all stretches of the core are recorded. */
    uint32_t changes;                /* tf_symbols_changes() of the map */
    uint32_t low, high;              /* addresses of the calls that are recorded */
};

struct records {
    struct record *record;
    uint32_t count, room;
    bool lost;
    bool opened[TF_TILE_CORES]; /* the calls that were open at the start of the timeline are recorded */
    struct inlined inlined[TF_TILE_CORES];
};

/* A row of equal instructions of a thread in a unit, one in each cycle. */
struct row {
    uint64_t begin, end;
    uint32_t name, count; /* a count of 0 means none */
};

struct unit_track {
    uint32_t track;
    struct row row;
};

struct node_tracks {
    uint32_t node, coprocessor, noc[2][3]; /* TF_NO_TRACK: not made yet; noc: requests, incoming requests, answers */
};

enum { NOC_OUT, NOC_IN, NOC_ANSWERS };

struct tile_tracks {
    uint32_t core[TF_TILE_CORES], marks[TF_TILE_CORES];
    struct unit_track unit[3][UNITS_MAX];
};

enum argument { ARG_ADDRESS, ARG_BYTES, ARG_COUNT, ARG_TID, ARGS };
static const char *const argument_names[ARGS] = {"address", "bytes", "count", "transaction"};

struct tf_timeline {
    struct tf_timeline_wish wish;
    struct tf_chip *chip;
    unsigned tiles; /* their number, because the chip may be gone at the end */
    struct tf_symbols *symbols;
    struct tf_packets *packets;
    struct tf_table functions; /* names, by core and entry */
    uint32_t *function;
    uint32_t functions_count, function_room;
    struct tf_table waits;          /* names, by core and address */
    struct tf_table requests_table; /* names, by step, kind and node */
    uint32_t *request_name;
    uint32_t request_names, request_room;
    uint32_t argument[ARGS];
    uint32_t opcode[OPCODES]; /* names; UINT32_MAX if not known yet */
    const char *unit[UNITS_MAX];
    unsigned units;
    uint32_t chip_track, executed_track, requests_track;
    uint64_t executed, cycle; /* value at the end of the last epoch */
    uint64_t issued;          /* value in this epoch */
    bool lost;
    struct records records[TF_NODES_MAX];
    struct tf_inline_maps *inlines;
    struct tf_calls_writer calls_writer;
    struct tf_open_calls calls[TF_NODES_MAX][TF_TILE_CORES];
    struct tf_busy *busy;
    unsigned busy_kind[UNITS_MAX]; /* by number of the unit */
    struct tile_tracks tile[TF_NODES_MAX];
    struct node_tracks node[NODES_MAX];
    uint32_t link[PORTS_MAX][2]; /* by port; [0]: what arrives; [1]: what is sent */
};

static uint32_t tile_track(void *user, unsigned tile);

/* What follows is of this chip. */
static void come(const struct tf_timeline *timeline)
{
    tf_packets_at(timeline->packets, timeline->wish.chip, 0);
}

static bool begin_parts(struct tf_timeline *timeline)
{
    const struct tf_timeline_wish *wish = &timeline->wish;
    timeline->packets = wish->packets != NULL ? wish->packets : tf_packets_create(wish->file, wish->compressed);
    timeline->inlines = tf_inline_maps_create(timeline->symbols);
    if (timeline->packets == NULL || timeline->inlines == NULL)
        return false;
    come(timeline);
    timeline->calls_writer = (struct tf_calls_writer){timeline->packets, timeline->inlines, wish->inlined_cycles};
    char name[24] = "chip";
    if (wish->packets != NULL)
        snprintf(name, sizeof name, "chip %u", wish->chip);
    timeline->chip_track = tf_packets_track(timeline->packets, TF_NO_TRACK, name, (int)wish->chip, NULL);
    const struct tf_busy_wish busy = {.packets = timeline->packets,
                                      .chip = timeline->chip,
                                      .from = timeline->chip->epochs.cycles,
                                      .chip_track = timeline->chip_track,
                                      .cores = wish->cores,
                                      .tile_track = tile_track,
                                      .user = timeline};
    timeline->busy = tf_busy_create(&busy);
    return timeline->busy != NULL;
}

static bool end_parts(struct tf_timeline *timeline)
{
    const bool fine = timeline->wish.packets != NULL || tf_packets_close(timeline->packets);
    tf_inline_maps_free(timeline->inlines);
    tf_busy_destroy(timeline->busy);
    free(timeline->functions.slot);
    free(timeline->function);
    free(timeline->waits.slot);
    free(timeline->requests_table.slot);
    free(timeline->request_name);
    free(timeline);
    return fine;
}

struct tf_timeline *tf_timeline_create(const struct tf_timeline_wish *wish, struct tf_chip *chip,
                                       struct tf_symbols *symbols)
{
    struct tf_timeline *timeline = calloc(1, sizeof *timeline);
    if (timeline == NULL)
        return NULL;
    timeline->wish = *wish;
    timeline->chip = chip;
    timeline->symbols = symbols;
    timeline->tiles = tf_chip_tiles(chip);
    if (!begin_parts(timeline)) {
        end_parts(timeline);
        return NULL;
    }
    for (unsigned i = 0; i < ARGS; i++)
        timeline->argument[i] = tf_packets_name(timeline->packets, argument_names[i]);
    memset(timeline->opcode, 0xFF, sizeof timeline->opcode);
    memset(timeline->tile, 0xFF, sizeof timeline->tile);
    for (unsigned i = 0; i < timeline->tiles; i++)
        for (unsigned unit = 0; unit < 3 * UNITS_MAX; unit++)
            timeline->tile[i].unit[unit / UNITS_MAX][unit % UNITS_MAX].row.count = 0;
    memset(timeline->node, 0xFF, sizeof timeline->node);
    memset(timeline->link, 0xFF, sizeof timeline->link);
    timeline->executed_track = tf_packets_track(timeline->packets, timeline->chip_track, "instructions in a cycle", 0,
                                                "instructions");
    timeline->requests_track = tf_packets_track(timeline->packets, timeline->chip_track, "NOC requests in an epoch", 1,
                                                "requests");
    return timeline;
}

static bool is_followed(const struct tf_timeline *timeline, unsigned tile, unsigned core)
{
    return (timeline->wish.cores[tile] >> core & 1) != 0;
}

static bool in_window(const struct tf_timeline *timeline, uint64_t cycle)
{
    return cycle >= timeline->wish.from && cycle < timeline->wish.to;
}

/* --- activity of cores: recorded by the worker of the tile --- */

static void add(struct tf_timeline *timeline, unsigned tile, struct record record)
{
    struct records *records = &timeline->records[tile];
    if (tf_array_room((void **)&records->record, records->count, &records->room, sizeof *records->record))
        records->record[records->count++] = record;
    else
        records->lost = true;
}

/* A call lies in the inlined calls of its site. */
static void add_calls(struct tf_timeline *timeline, unsigned tile, unsigned core, const struct tf_paths *paths,
                      uint32_t path)
{
    if (path != 0) {
        const struct tf_path *of = &paths->path[path];
        add_calls(timeline, tile, core, paths, of->parent);
        add(timeline, tile,
            (struct record){.cycle = timeline->wish.from,
                            .value = of->interrupt ? of->return_to : of->return_to - 4,
                            .kind = RAN,
                            .core = (uint8_t)core,
                            .state = 1});
    }
    add(timeline, tile,
        (struct record){
            .cycle = timeline->wish.from, .value = paths->path[path].entry, .kind = CALLED, .core = (uint8_t)core});
}

/* Will the timeline record an event? The calls that are open at its first event come before it. */
static bool opens(struct tf_timeline *timeline, unsigned tile, unsigned core, const struct tf_paths *paths,
                  uint64_t cycle, bool in_calls)
{
    struct records *records = &timeline->records[tile];
    if (!in_window(timeline, cycle))
        return false;
    if (!records->opened[core] && in_calls && paths->began)
        add_calls(timeline, tile, core, paths, paths->current);
    records->opened[core] = true;
    return true;
}

/* The calls around the core's next instruction are to be recorded, whichever they are. */
static void forget_inlined(struct tf_timeline *timeline, unsigned tile, unsigned core)
{
    struct inlined *inlined = &timeline->records[tile].inlined[core];
    inlined->low = inlined->high = 0;
}

/* A record for each place of a stretch at which the inlined calls change. */
static void add_inlined(struct tf_timeline *timeline, unsigned tile, unsigned core, uint32_t first, uint32_t end,
                        uint64_t cycle)
{
    struct inlined *inlined = &timeline->records[tile].inlined[core];
    for (uint32_t at = first; at < end && in_window(timeline, cycle);) {
        if (at < inlined->low || at >= inlined->high) {
            const uint32_t node = tf_inline_at(inlined->map, at, &inlined->low, &inlined->high);
            add(timeline, tile, (struct record){.cycle = cycle, .value = node, .kind = INLINED, .core = (uint8_t)core});
        }
        const uint32_t next = inlined->high < end ? inlined->high : end;
        cycle += (next - at) / 4;
        at = next;
    }
}

void tf_timeline_ran(struct tf_timeline *timeline, unsigned tile, unsigned core, const struct tf_core_of *of,
                     uint32_t first, uint32_t end, uint64_t cycle)
{
    struct inlined *inlined = &timeline->records[tile].inlined[core];
    if (first >= inlined->low && end <= inlined->high)
        return;
    if (!is_followed(timeline, tile, core) || !opens(timeline, tile, core, &of->paths, cycle, true))
        return;
    if (inlined->map != NULL && inlined->changes == tf_symbols_changes(timeline->symbols)) {
        add_inlined(timeline, tile, core, first, end, cycle);
        return;
    }
    inlined->map = NULL;
    forget_inlined(timeline, tile, core);
    for (uint32_t count; first < end; first += 4 * count, cycle += count) {
        count = (end - first) / 4 < UINT8_MAX ? (end - first) / 4 : UINT8_MAX;
        add(timeline, tile,
            (struct record){
                .cycle = cycle, .value = first, .kind = RAN, .core = (uint8_t)core, .state = (uint8_t)count});
    }
}

void tf_timeline_waited(struct tf_timeline *timeline, unsigned tile, unsigned core, const struct tf_core_of *of,
                        uint64_t begin, uint64_t end)
{
    const struct tf_timeline_wish *wish = &timeline->wish;
    if (!is_followed(timeline, tile, core) || of->wait.idle || end <= wish->from || begin >= wish->to)
        return;
    begin = begin < wish->from ? wish->from : begin;
    end = end > wish->to ? wish->to : end;
    if (!opens(timeline, tile, core, &of->paths, begin, true))
        return;
    add(timeline, tile,
        (struct record){.cycle = begin,
                        .value = of->wait.address,
                        .kind = WAITS,
                        .core = (uint8_t)core,
                        .state = of->wait.state,
                        .store = of->wait.store});
    add(timeline, tile, (struct record){.cycle = end, .kind = WAITED, .core = (uint8_t)core});
}

void tf_timeline_called(struct tf_timeline *timeline, unsigned tile, unsigned core, const struct tf_core_of *of,
                        uint64_t cycle)
{
    bool first = !timeline->records[tile].opened[core];
    forget_inlined(timeline, tile, core);
    if (!is_followed(timeline, tile, core) || !opens(timeline, tile, core, &of->paths, cycle, true) ||
        (first && of->paths.began))
        return; /* the new call was already recorded as open */
    add(timeline, tile,
        (struct record){
            .cycle = cycle, .value = of->paths.path[of->paths.current].entry, .kind = CALLED, .core = (uint8_t)core});
}

void tf_timeline_returned(struct tf_timeline *timeline, unsigned tile, unsigned core, unsigned ended, uint64_t cycle)
{
    forget_inlined(timeline, tile, core);
    if (timeline->records[tile].opened[core] && in_window(timeline, cycle))
        add(timeline, tile, (struct record){.cycle = cycle, .value = ended, .kind = RETURNED, .core = (uint8_t)core});
}

/* --- tracks --- */

/* A tile whose core has done something, so that there is one. */
static const struct tf_tile *tile_of(const struct tf_timeline *timeline, unsigned tile)
{
    return tf_chip_tile(timeline->chip, tile);
}

static struct node_tracks *node_of(struct tf_timeline *timeline, struct tf_coord at)
{
    unsigned number = tf_node_number(timeline->chip->arch, at);
    struct node_tracks *tracks = &timeline->node[number];
    char name[TF_NODE_TEXT_BYTES];
    if (tracks->node != TF_NO_TRACK)
        return tracks;
    const struct tf_node *node = &timeline->chip->fabric->node[number];
    tf_node_text(timeline->chip->arch, at, name);
    const uint32_t parent = timeline->wish.packets != NULL ? timeline->chip_track : TF_NO_TRACK;
    tracks->node = tf_packets_track(timeline->packets, parent, name, (int)(node->kind * 256u + node->index), NULL);
    return tracks;
}

static uint32_t tile_track(void *user, unsigned tile)
{
    struct tf_timeline *timeline = user;
    return node_of(timeline, tile_of(timeline, tile)->coord)->node;
}

static uint32_t core_track(struct tf_timeline *timeline, unsigned tile, unsigned core)
{
    uint32_t *track = &timeline->tile[tile].core[core];
    if (*track == TF_NO_TRACK)
        *track = tf_packets_track(timeline->packets, node_of(timeline, tile_of(timeline, tile)->coord)->node,
                                  tile_of(timeline, tile)->arch->core_name[core], (int)core, NULL);
    return *track;
}

static uint32_t noc_track(struct tf_timeline *timeline, struct tf_coord at, unsigned noc, unsigned which)
{
    static const char *const names[2][3] = {{"NOC 0 out", "NOC 0 in", "NOC 0 answers"},
                                            {"NOC 1 out", "NOC 1 in", "NOC 1 answers"}};
    struct node_tracks *node = node_of(timeline, at);
    if (node->noc[noc][which] == TF_NO_TRACK)
        node->noc[noc][which] = tf_packets_track(timeline->packets, node->node, names[noc][which],
                                                 (int)(10 + 3 * noc + which), NULL);
    return node->noc[noc][which];
}

/* --- cores --- */

static uint32_t function_name(struct tf_timeline *timeline, unsigned tile, unsigned core, uint32_t entry)
{
    bool made;
    uint32_t start,
        at = tf_table_take(&timeline->functions, tile * TF_TILE_CORES + core, entry, timeline->functions_count, &made);
    if (at == UINT32_MAX || (made && !tf_array_room((void **)&timeline->function, timeline->functions_count,
                                                    &timeline->function_room, sizeof *timeline->function)))
        return timeline->lost = true, 0;
    if (made) {
        char text[16];
        const int number = tf_symbols_tile(timeline->chip->arch, tile_of(timeline, tile)->coord);
        const char *name = tf_symbols_function(timeline->symbols, (unsigned)number, core, entry, &start);
        snprintf(text, sizeof text, "0x%x", entry);
        timeline->function[timeline->functions_count++] = tf_packets_name(timeline->packets,
                                                                          name == NULL ? text : name);
    }
    return timeline->function[at];
}

/* Write the name of a word of memory: that of its variable, or its address. */
static void memory_text(struct tf_timeline *timeline, const struct tf_tile *tile, unsigned core, uint32_t address,
                        char *text, size_t bytes)
{
    uint32_t start = 0;
    const int number = tf_symbols_tile(timeline->chip->arch, tile->coord);
    const char *name = tf_symbols_variable(timeline->symbols, (unsigned)number, core, address, &start);
    if (name == NULL)
        snprintf(text, bytes, "the word at 0x%x", address);
    else if (address == start)
        snprintf(text, bytes, "%s", name);
    else
        snprintf(text, bytes, "%s+%u", name, address - start);
}

static uint32_t wait_name(struct tf_timeline *timeline, unsigned number, const struct record *record)
{
    const struct tf_tile *tile = tile_of(timeline, number);
    const uint64_t core = number * TF_TILE_CORES + record->core;
    const uint32_t known = tf_table_find(&timeline->waits, core, record->value);
    if (known != UINT32_MAX)
        return known;
    bool made;
    char text[TF_REGISTER_TEXT_BYTES + 80], name[TF_REGISTER_TEXT_BYTES];
    const enum tf_reason reason = tf_reason_of(tile, record->core, record->value);
    if (reason == TF_REASON_STREAM)
        snprintf(name, sizeof name, "circular buffer %u (a stream)",
                 (record->value - TF_STREAM_BASE) / TF_STREAM_BYTES);
    else if (reason == TF_REASON_L1 || reason == TF_REASON_LOCAL)
        memory_text(timeline, tile, record->core, record->value, name, sizeof name);
    else if (!tf_register_text(timeline->chip->arch, record->value, name, sizeof name))
        snprintf(name, sizeof name, "%s", tf_reason_name(reason));
    snprintf(text, sizeof text, "waits for %s", name);
    const uint32_t new = tf_packets_name(timeline->packets, text);
    timeline->lost |= tf_table_take(&timeline->waits, core, record->value, new, &made) == UINT32_MAX;
    return new;
}

static void end_wait(struct tf_timeline *timeline, unsigned tile, const struct record *record)
{
    const uint32_t track = core_track(timeline, tile, record->core);
    if (tf_packets_depth(timeline->packets, track) != 0)
        tf_packets_event(timeline->packets, track, TF_SLICE_END, record->cycle, 0, NULL);
}

/* Make the map of a core that has none, or whose programs have changed. */
static const struct tf_inline_map *map_of(struct tf_timeline *timeline, unsigned tile, unsigned core)
{
    struct inlined *inlined = &timeline->records[tile].inlined[core];
    const int number = tf_symbols_tile(timeline->chip->arch, tile_of(timeline, tile)->coord);
    if (inlined->map == NULL) {
        inlined->map = tf_inline_map_of(timeline->inlines, (unsigned)number, core);
        inlined->changes = tf_symbols_changes(timeline->symbols);
        timeline->lost |= inlined->map == NULL;
    }
    return inlined->map;
}

static void put_inlined(struct tf_timeline *timeline, unsigned tile, unsigned core, uint64_t cycle, uint32_t node)
{
    tf_calls_inline(&timeline->calls_writer, &timeline->calls[tile][core], core_track(timeline, tile, core), cycle,
                    node);
}

static void put_stretch(struct tf_timeline *timeline, unsigned tile, const struct record *record)
{
    const struct tf_inline_map *map = map_of(timeline, tile, record->core);
    const uint32_t end = record->value + 4u * record->state;
    for (uint32_t at = record->value, low, high; map != NULL && at < end; at = high) {
        const uint32_t node = tf_inline_at(map, at, &low, &high);
        put_inlined(timeline, tile, record->core, record->cycle + (at - record->value) / 4, node);
    }
}

static void put_call(struct tf_timeline *timeline, unsigned tile, const struct record *record)
{
    if (!tf_calls_enter(&timeline->calls_writer, &timeline->calls[tile][record->core],
                        core_track(timeline, tile, record->core), record->cycle,
                        function_name(timeline, tile, record->core, record->value)))
        timeline->lost = true;
}

static void put_return(struct tf_timeline *timeline, unsigned tile, const struct record *record)
{
    tf_calls_leave(&timeline->calls_writer, &timeline->calls[tile][record->core],
                   core_track(timeline, tile, record->core), record->cycle, record->value);
}

static void put_wait(struct tf_timeline *timeline, unsigned tile, const struct record *record)
{
    struct tf_event_args args = {.count = 1};
    args.arg[0].name = timeline->argument[ARG_ADDRESS];
    args.arg[0].value = record->value;
    args.arg[0].hex = true;
    tf_calls_show(&timeline->calls_writer, &timeline->calls[tile][record->core],
                  core_track(timeline, tile, record->core));
    tf_packets_event(timeline->packets, core_track(timeline, tile, record->core), TF_SLICE_BEGIN, record->cycle,
                     wait_name(timeline, tile, record), &args);
}

static void put_record(struct tf_timeline *timeline, unsigned tile, const struct record *record)
{
    switch ((enum record_kind)record->kind) {
    case CALLED: put_call(timeline, tile, record); break;
    case RETURNED: put_return(timeline, tile, record); break;
    case WAITS: put_wait(timeline, tile, record); break;
    case WAITED: end_wait(timeline, tile, record); break;
    case INLINED: put_inlined(timeline, tile, record->core, record->cycle, record->value); break;
    case RAN: put_stretch(timeline, tile, record); break;
    }
}

static void put_cores(struct tf_timeline *timeline)
{
    for (unsigned tile = 0; tile < timeline->tiles; tile++) {
        struct records *records = &timeline->records[tile];
        for (uint32_t i = 0; i < records->count; i++)
            put_record(timeline, tile, &records->record[i]);
        records->count = 0;
        timeline->lost |= records->lost;
    }
}

/* Marks have tracks of their own: the calls of the epoch are not written yet, and times of a track must not
   decrease. */
void tf_timeline_mark(struct tf_timeline *timeline, const struct tf_print_event *event)
{
    int tile = tf_tile_index(timeline->chip->arch, event->tile);
    if (tile < 0 || !is_followed(timeline, (unsigned)tile, event->core) || !in_window(timeline, event->cycle))
        return;
    come(timeline);
    uint32_t *track = &timeline->tile[tile].marks[event->core];
    if (*track == TF_NO_TRACK) {
        char name[64];
        snprintf(name, sizeof name, "%s marks", tile_of(timeline, tile)->arch->core_name[event->core]);
        *track = tf_packets_track(timeline->packets, node_of(timeline, event->tile)->node, name, (int)event->core,
                                  NULL);
    }
    tf_packets_event(timeline->packets, *track, TF_SLICE_INSTANT, event->cycle,
                     tf_packets_name(timeline->packets, event->text), NULL);
}

/* --- the coprocessor --- */

static unsigned unit_of(struct tf_timeline *timeline, const char *name)
{
    unsigned i = 0;
    name = name == NULL ? "thread" : name;
    while (i < timeline->units && timeline->unit[i] != name && strcmp(timeline->unit[i], name) != 0)
        i++;
    if (i == timeline->units && i < UNITS_MAX)
        timeline->unit[timeline->units] = name, timeline->busy_kind[timeline->units++] = tf_busy_unit(name);
    return i < UNITS_MAX ? i : UNITS_MAX - 1;
}

static uint32_t opcode_name(struct tf_timeline *timeline, uint32_t instruction)
{
    uint32_t *name = &timeline->opcode[instruction >> 24];
    char text[128];
    if (*name != UINT32_MAX)
        return *name;
    tf_tensix_text(NULL, instruction, text, sizeof text);
    text[strcspn(text, " ")] = '\0';
    *name = tf_packets_name(timeline->packets, text);
    return *name;
}

static void put_row(struct tf_timeline *timeline, struct unit_track *unit)
{
    struct tf_event_args args = {.count = unit->row.count > 1};
    if (unit->row.count == 0)
        return;
    args.arg[0].name = timeline->argument[ARG_COUNT];
    args.arg[0].value = unit->row.count;
    tf_packets_event(timeline->packets, unit->track, TF_SLICE_BEGIN, unit->row.begin, unit->row.name, &args);
    tf_packets_event(timeline->packets, unit->track, TF_SLICE_END, unit->row.end, 0, NULL);
    unit->row.count = 0;
}

static void make_unit_track(struct tf_timeline *timeline, unsigned tile, unsigned thread, unsigned unit)
{
    struct node_tracks *node = node_of(timeline, tile_of(timeline, tile)->coord);
    char name[64];
    if (node->coprocessor == TF_NO_TRACK)
        node->coprocessor = tf_packets_track(timeline->packets, node->node, "coprocessor", 5, NULL);
    snprintf(name, sizeof name, "T%u %s", thread, timeline->unit[unit]);
    timeline->tile[tile].unit[thread][unit].track = tf_packets_track(timeline->packets, node->coprocessor, name,
                                                                     (int)(thread * UNITS_MAX + unit), NULL);
}

void tf_timeline_tensix(struct tf_timeline *timeline, const struct tf_tensix_event *event)
{
    int tile = tf_tile_index(timeline->chip->arch, event->tile);
    if (tile < 0 || !(timeline->wish.cores[tile] >> (TF_CORE_T0 + event->thread) & 1) ||
        !in_window(timeline, event->cycle))
        return;
    come(timeline);
    unsigned number = unit_of(timeline, event->unit);
    struct unit_track *unit = &timeline->tile[tile].unit[event->thread][number];
    uint32_t name = opcode_name(timeline, event->instruction);
    tf_busy_count(timeline->busy, (unsigned)tile, timeline->busy_kind[number]);
    if (unit->track == TF_NO_TRACK)
        make_unit_track(timeline, (unsigned)tile, event->thread, number);
    if (unit->row.count != 0 && unit->row.name == name && unit->row.end == event->cycle) {
        unit->row.end++;
        unit->row.count++;
        return;
    }
    put_row(timeline, unit);
    unit->row = (struct row){.begin = event->cycle, .end = event->cycle + 1, .name = name, .count = 1};
}

/* --- requests --- */

static bool is_chosen(const struct tf_timeline *timeline, struct tf_coord at)
{
    const int tile = tf_numbered_tile(timeline->chip->arch, at);
    return tile >= 0 && timeline->wish.cores[tile] != 0;
}

/* Names are "atomic to tile 29 (3,4)" at the initiator, and "atomic of tile 0 (1,2)" at the target. */
static uint32_t request_name(struct tf_timeline *timeline, const struct tf_noc_event *event)
{
    static const char *const before[] = {[TF_NOC_LANDED] = "answer: ", [TF_NOC_REFUSED] = "refused: "};
    struct tf_coord other = event->step == TF_NOC_ACTED ? event->initiator : event->target;
    bool made, many = event->multicast && event->step == TF_NOC_ISSUED;
    uint64_t key = (unsigned)event->step << 8 | (unsigned)event->kind << 4 | event->multicast;
    uint32_t at = tf_table_take(&timeline->requests_table, key,
                                many ? UINT64_MAX : tf_node_number(timeline->chip->arch, other),
                                timeline->request_names, &made);
    if (at == UINT32_MAX || (made && !tf_array_room((void **)&timeline->request_name, timeline->request_names,
                                                    &timeline->request_room, sizeof *timeline->request_name)))
        return timeline->lost = true, 0;
    if (!made)
        return timeline->request_name[at];
    char text[96], node[TF_NODE_TEXT_BYTES] = "";
    const char *between = many ? "" : event->step == TF_NOC_ACTED ? " of " : " to ";
    if (!many)
        tf_node_text(timeline->chip->arch, other, node);
    snprintf(text, sizeof text, "%s%s%s%s%s", event->step <= TF_NOC_REFUSED ? before[event->step] : "",
             event->multicast ? "multicast " : "", tf_noc_kind_name(event->kind), between, node);
    timeline->request_name[timeline->request_names++] = tf_packets_name(timeline->packets, text);
    return timeline->request_name[at];
}

static void add_argument(struct tf_timeline *timeline, struct tf_event_args *args, enum argument name, uint64_t value,
                         bool hex)
{
    args->arg[args->count].name = timeline->argument[name];
    args->arg[args->count].value = value;
    args->arg[args->count++].hex = hex;
}

void tf_timeline_noc(struct tf_timeline *timeline, const struct tf_noc_event *event)
{
    struct tf_event_args args = {.flow = (uint64_t)timeline->wish.chip << FLOW_CHIP | event->request};
    struct tf_coord at = event->initiator;
    unsigned which = NOC_ANSWERS;
    timeline->issued += event->step == TF_NOC_ISSUED;
    tf_busy_noc(timeline->busy, event);
    if (!in_window(timeline, event->cycle) ||
        (!is_chosen(timeline, event->initiator) && !is_chosen(timeline, event->target)))
        return;
    come(timeline);
    if (event->step == TF_NOC_ISSUED) {
        which = NOC_OUT;
        add_argument(timeline, &args, ARG_ADDRESS, event->address, true);
        add_argument(timeline, &args, ARG_BYTES, event->bytes, false);
        add_argument(timeline, &args, ARG_TID, event->tid, false);
    } else if (event->step == TF_NOC_ACTED) {
        which = NOC_IN;
        at = event->target;
        add_argument(timeline, &args, ARG_ADDRESS, event->address, true);
        add_argument(timeline, &args, ARG_BYTES, event->bytes, false);
    } else {
        at = event->step == TF_NOC_REFUSED ? event->initiator : event->answer;
        args.flow_ends = !event->multicast;
    }
    tf_packets_event(timeline->packets, noc_track(timeline, at, event->noc, which), TF_SLICE_INSTANT, event->cycle,
                     request_name(timeline, event), &args);
}

/* --- packets of links --- */

static uint32_t link_track(struct tf_timeline *timeline, unsigned port, bool sent, struct tf_cluster_end other)
{
    uint32_t *track = &timeline->link[port][sent];
    struct tf_coord at;
    char name[64];
    if (*track != TF_NO_TRACK || tf_port_coord(timeline->chip->arch, port, &at) != TF_OK)
        return *track;
    snprintf(name, sizeof name, "link %s chip %u, port %u", sent ? "to" : "from", other.chip, other.port);
    *track = tf_packets_track(timeline->packets, node_of(timeline, at)->node, name, sent ? 20 : 21, NULL);
    return *track;
}

void tf_timeline_packet(struct tf_timeline *timeline, const struct tf_packet_event *event, bool sent)
{
    static const char *const names[] = {
        [TF_PACKET_RAW] = "raw packet", [TF_PACKET_L1] = "write", [TF_PACKET_REGISTER] = "register write"};
    const uint64_t begin = sent ? event->sent - event->cycles : event->arrives, end = sent ? event->sent : begin;
    struct tf_event_args args = {.flow_ends = !sent};
    struct tf_coord at;
    if (!in_window(timeline, begin) ||
        tf_port_coord(timeline->chip->arch, sent ? event->from.port : event->to.port, &at) != TF_OK ||
        !is_chosen(timeline, at))
        return;
    tf_packets_at(timeline->packets, event->from.chip,
                  ((uint64_t)event->from.port << FLOW_CHIP | event->number << 1 | !sent) + 1);
    const uint32_t track = sent ? link_track(timeline, event->from.port, true, event->to)
                                : link_track(timeline, event->to.port, false, event->from);
    args.flow = 1ull << 63 | (uint64_t)event->from.chip << FLOW_CHIP | (uint64_t)event->from.port << FLOW_PORT |
                event->number;
    add_argument(timeline, &args, ARG_ADDRESS, event->address, true);
    add_argument(timeline, &args, ARG_BYTES, event->bytes, false);
    tf_packets_event(timeline->packets, track, sent ? TF_SLICE_BEGIN : TF_SLICE_INSTANT, begin,
                     tf_packets_name(timeline->packets, names[event->kind]), &args);
    if (sent)
        tf_packets_event(timeline->packets, track, TF_SLICE_END, end, 0, NULL);
}

/* --- epochs --- */

static void put_counter(struct tf_timeline *timeline, uint32_t track, uint64_t cycle, int64_t value)
{
    struct tf_event_args args = {.counter = value};
    tf_packets_event(timeline->packets, track, TF_SLICE_COUNTER, cycle, 0, &args);
}

static bool shows(const void *user, uint64_t cycle)
{
    return in_window(user, cycle);
}

void tf_timeline_epoch(struct tf_timeline *timeline, uint64_t cycle)
{
    struct tf_stats stats;
    come(timeline);
    put_cores(timeline);
    tf_stats(timeline->chip, &stats);
    tf_busy_epoch(timeline->busy, cycle, shows, false);
    if (cycle > timeline->cycle && in_window(timeline, timeline->cycle)) {
        put_counter(timeline, timeline->executed_track, timeline->cycle,
                    (int64_t)((stats.instructions - timeline->executed) / (cycle - timeline->cycle)));
        put_counter(timeline, timeline->requests_track, timeline->cycle, (int64_t)timeline->issued);
    }
    timeline->executed = stats.instructions;
    timeline->issued = 0;
    timeline->cycle = cycle;
}

void tf_timeline_end(struct tf_timeline *timeline)
{
    if (timeline == NULL)
        return;
    come(timeline);
    tf_busy_epoch(timeline->busy, timeline->cycle, shows, true);
}

static void end_tile(struct tf_timeline *timeline, unsigned tile, uint64_t cycle)
{
    for (unsigned unit = 0; unit < 3 * UNITS_MAX; unit++)
        put_row(timeline, &timeline->tile[tile].unit[unit / UNITS_MAX][unit % UNITS_MAX]);
    for (unsigned core = 0; core < TF_TILE_CORES; core++)
        tf_calls_end(&timeline->calls_writer, &timeline->calls[tile][core], timeline->tile[tile].core[core], cycle);
}

bool tf_timeline_close(struct tf_timeline *timeline)
{
    if (timeline == NULL)
        return true;
    uint64_t end = timeline->cycle < timeline->wish.to ? timeline->cycle : timeline->wish.to;
    come(timeline);
    put_cores(timeline);
    for (unsigned tile = 0; tile < timeline->tiles; tile++) {
        end_tile(timeline, tile, end);
        free(timeline->records[tile].record);
    }
    const bool whole = !timeline->lost;
    return end_parts(timeline) && whole;
}
