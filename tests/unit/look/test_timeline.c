/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Timelines, read again by Perfetto's rules: packets, interned names, tracks, times that do not go back, slices that
 * nest, flows that pair. Their events agree with the chip's own figures, and do not depend on threads.
 */
#include <stdio.h>
#include <stdlib.h>

#include "chip_wish.h"
#include "cli/workloads/common.h"
#include "cli/workloads/list.h"
#include "unit/look/schema.h"
#include "unit/look/wire.h"

#include "cli/workloads/workload.h"
#include "look/tracks/packets.h"
#include "look/timeline.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/state.h"

#define TRACKS_MAX 8192u
#define NAMES_MAX 8192u
#define MOMENTS_MAX 1000000u

enum { BEGIN = 1, END, INSTANT, COUNTER };
enum { CLOCKS = 6, TIME = 8, SEQUENCE = 10, EVENT, INTERNED, FLAGS, DEFAULTS = 59, TRACK = 60 };

struct track {
    struct wire name;
    uint64_t uuid, parent; /* a UUID is a sequence here */
    uint64_t counters;     /* ranks of its counter tracks, as bits */
    uint64_t time, depth;
    bool begun, timed, counter;
    bool name_known[NAMES_MAX], annotation_known[NAMES_MAX];
    struct wire open[64]; /* names of open slices */
};

/* An event of the track "B": a slice begins, or the last one ends. */
struct moment {
    uint64_t time;
    struct wire name;
    bool begins;
};

/* The figure of a counter track "matrix" of a tile, over time. */
struct share {
    uint64_t time;
    double percent;
};

struct reading {
    struct track *track; /* by sequence */
    bool partial;        /* flows may begin before the first event */
    struct moment *moment;
    size_t moments;
    struct share share[4096];
    size_t shares;
    struct wire names[NAMES_MAX];
    uint64_t events, slices, instructions, matrix, waits, calls, mains, issued, acted, answered, counters, last;
    uint64_t flow_max;
    uint8_t *flows; /* how often a flow was issued */
};

static bool has(struct wire text, const char *part)
{
    size_t bytes = strlen(part);
    for (const uint8_t *at = text.at; at + bytes <= text.end; at++)
        if (memcmp(at, part, bytes) == 0)
            return true;
    return false;
}

static struct track *track_of(struct reading *reading, uint64_t sequence)
{
    assert_true(sequence > 0 && sequence < TRACKS_MAX);
    return &reading->track[sequence];
}

static void read_track(struct reading *reading, struct track *track, struct wire packet)
{
    struct field field, part;
    assert_int_equal(wire_number(packet, FLAGS, 0), 1);
    assert_true(wire_find(packet, DEFAULTS, &part));
    assert_int_equal(wire_number(part.inside, 58, 0), 64);
    assert_true(wire_find(part.inside, 11, &field));
    uint64_t uuid = wire_number(field.inside, 11, 0);
    assert_true(wire_find(packet, TRACK, &part));
    assert_false(track->begun);
    track->begun = true;
    track->uuid = wire_number(part.inside, 1, 0);
    assert_int_equal(track->uuid, uuid);
    assert_ptr_equal(track, track_of(reading, uuid));
    track->parent = wire_number(part.inside, 5, 0);
    track->counter = wire_find(part.inside, 8, &field);
    if (track->counter) { /* viewers show counters in the order of their ranks */
        assert_true(wire_number(part.inside, 12, 0) < 64);
        const uint64_t rank = 1ull << wire_number(part.inside, 12, 0);
        assert_true((track_of(reading, track->parent)->counters & rank) == 0);
        track_of(reading, track->parent)->counters |= rank;
    }
    assert_true(wire_find(part.inside, 2, &field));
    track->name = field.inside;
    bool known = track->parent == 0;
    for (unsigned i = 1; i < TRACKS_MAX && !known; i++)
        known = reading->track[i].begun && reading->track[i].uuid == track->parent;
    assert_true(known);
}

static void read_names(struct reading *reading, struct track *track, struct wire interned)
{
    struct field entry, name;
    while (wire_next(&interned, &entry)) {
        uint64_t id = wire_number(entry.inside, 1, 0);
        assert_true(entry.number == 2 || entry.number == 3);
        assert_true(id > 0 && id < NAMES_MAX);
        assert_true(wire_find(entry.inside, 2, &name));
        (entry.number == 2 ? track->name_known : track->annotation_known)[id] = true;
        reading->names[id] = name.inside;
    }
}

static void read_flow(struct reading *reading, const struct track *track, uint64_t flow, bool ends)
{
    assert_true(flow != 0);
    reading->flow_max = flow > reading->flow_max ? flow : reading->flow_max;
    assert_true(flow < 10000000);
    bool out = has(track->name, " out"), in = has(track->name, " in");
    assert_true(out || in || has(track->name, " answers"));
    assert_false(ends && (out || in));
    assert_true(out || reading->partial || reading->flows[flow] == 1 || reading->flows[flow] == 2);
    assert_true(!out || reading->flows[flow] == 0);
    if (out)
        reading->flows[flow] = 1;
    reading->issued += out;
    reading->acted += in;
    reading->answered += !out && !in;
}

/* Its group is in a tile; that of the mean over all tiles is in the chip. */
static bool is_of_tile(const struct reading *reading, const struct track *track)
{
    return wire_is(reading->track[track->parent].name, "utilization");
}

static void read_share(struct reading *reading, const struct track *track, struct wire event)
{
    struct field field;
    double percent;
    assert_true(wire_find(event, 44, &field) && reading->shares < sizeof reading->share / sizeof reading->share[0]);
    memcpy(&percent, &field.value, sizeof percent);
    assert_true(percent >= 0 && percent <= 300);
    reading->share[reading->shares++] = (struct share){track->time, percent};
}

static void read_event(struct reading *reading, struct track *track, struct wire event)
{
    struct field field;
    uint64_t type = wire_number(event, 9, 0), id = wire_number(event, 10, 0), count = 1;
    reading->events++;
    assert_true(type >= BEGIN && type <= COUNTER);
    assert_int_equal(type == COUNTER, track->counter);
    if (type == BEGIN || type == INSTANT)
        assert_true(id > 0 && id < NAMES_MAX && track->name_known[id]);
    for (struct wire at = event; wire_next(&at, &field);) {
        if (field.number == 4) {
            uint64_t name = wire_number(field.inside, 1, 0);
            assert_true(name < NAMES_MAX && track->annotation_known[name]);
            if (wire_is(reading->names[name], "count"))
                count = wire_number(field.inside, 3, 0);
        }
        if (field.number == 47 || field.number == 48)
            read_flow(reading, track, field.value, field.number == 48);
    }
    if (type == COUNTER && wire_is(track->name, "matrix") && is_of_tile(reading, track))
        read_share(reading, track, event);
    if (type == END) {
        assert_true(track->depth > 0);
        track->depth--;
    }
    if (wire_is(track->name, "B") && (type == BEGIN || type == END) && reading->moments < MOMENTS_MAX)
        reading->moment[reading->moments++] =
            (struct moment){track->time, type == BEGIN ? reading->names[id] : (struct wire){NULL, NULL}, type == BEGIN};
    if (type != BEGIN)
        return;
    assert_true(track->depth < 64);
    struct wire name = reading->names[id];
    bool wait = has(name, "waits"), unit = has(track->name, " ");
    if (track->depth > 0) /* nothing happens in a wait */
        assert_false(has(track->open[track->depth - 1], "waits"));
    track->open[track->depth++] = name;
    reading->slices++;
    reading->waits += wait;
    reading->instructions += unit ? count : 0;
    reading->matrix += has(track->name, " matrix") ? count : 0;
    reading->calls += !unit && !wait;
    reading->mains += wire_is(name, "main");
}

static void read_all(struct reading *reading, const char *data, size_t bytes)
{
    struct wire file = {(const uint8_t *)data, (const uint8_t *)data + bytes};
    struct field packet, part;
    char where[80] = "";
    const char *why = schema_check("Trace", file, where, sizeof where);
    if (why != NULL)
        fail_msg("%s: %s", where, why);
    reading->track = calloc(TRACKS_MAX, sizeof *reading->track);
    reading->flows = calloc(10000000, 1);
    reading->moment = calloc(MOMENTS_MAX, sizeof *reading->moment);
    assert_non_null(reading->moment);
    assert_non_null(reading->track);
    assert_non_null(reading->flows);
    while (wire_next(&file, &packet)) {
        assert_true(packet.number == 1 && packet.type == 2);
        struct track *track = track_of(reading, wire_number(packet.inside, SEQUENCE, 0));
        if (wire_find(packet.inside, TRACK, &part))
            read_track(reading, track, packet.inside);
        assert_true(track->begun);
        if (wire_find(packet.inside, CLOCKS, &part)) {
            assert_false(track->timed);
            track->timed = true;
            assert_true(wire_find(part.inside, 1, &part));
            assert_int_equal(wire_number(part.inside, 1, 0), 64);
            assert_int_equal(wire_number(part.inside, 3, 0), 1);
            track->time = wire_number(part.inside, 2, 0);
        }
        if (wire_find(packet.inside, INTERNED, &part))
            read_names(reading, track, part.inside);
        if (wire_find(packet.inside, EVENT, &part)) {
            assert_true(track->timed);
            track->time += wire_number(packet.inside, TIME, 0);
            reading->last = track->time > reading->last ? track->time : reading->last;
            read_event(reading, track, part.inside);
            if (track->counter)
                reading->counters++;
        }
    }
    for (unsigned i = 1; i < TRACKS_MAX; i++)
        assert_int_equal(reading->track[i].depth, 0);
}

static void release(struct reading *reading)
{
    free(reading->track);
    free(reading->flows);
    free(reading->moment);
}

/* --- a run --- */

/* The instructions that a core has executed. */
struct pcs {
    struct {
        uint64_t cycle;
        uint32_t pc;
    } at[MOMENTS_MAX];
    size_t count;
};

struct run {
    const char *workload;
    unsigned threads;
    uint64_t from, to, pause; /* pause: end the run after this cycle; 0: do not */
    uint64_t inlined_cycles;
    uint8_t cores[TF_NODES_MAX];
    struct pcs *pcs; /* of core B of tile 0; NULL: not wanted */
    void (*then)(struct run *run, struct tf_symbols *symbols);
    /* The outcome. */
    uint64_t hash, passed, cycles;
    struct tf_stats stats;
    char *data;
    size_t bytes;
};

/* What the callbacks of the chip get. */
struct seen {
    struct tf_timeline *timeline;
    struct pcs *pcs;
};

static void see_riscv(void *user, const struct tf_riscv_event *event)
{
    struct pcs *pcs = ((struct seen *)user)->pcs;
    assert_true(pcs->count < MOMENTS_MAX);
    pcs->at[pcs->count].cycle = event->cycle;
    pcs->at[pcs->count++].pc = event->pc;
}

static void see_noc(void *user, const struct tf_noc_event *event)
{
    tf_timeline_noc(((struct seen *)user)->timeline, event);
}

static void see_tensix(void *user, const struct tf_tensix_event *event)
{
    tf_timeline_tensix(((struct seen *)user)->timeline, event);
}

static void see_epoch(void *user, uint64_t cycle)
{
    tf_timeline_epoch(((struct seen *)user)->timeline, cycle);
}

static void waited(void *user, unsigned tile, unsigned core, const struct tf_core_of *of, uint64_t begin, uint64_t end)
{
    tf_timeline_waited(user, tile, core, of, begin, end);
}

static void called(void *user, unsigned tile, unsigned core, const struct tf_core_of *of, uint64_t cycle)
{
    tf_timeline_called(user, tile, core, of, cycle);
}

static void returned(void *user, unsigned tile, unsigned core, unsigned ended, uint64_t cycle)
{
    tf_timeline_returned(user, tile, core, ended, cycle);
}

static void ran(void *user, unsigned tile, unsigned core, const struct tf_core_of *of, uint32_t first, uint32_t end,
                uint64_t cycle)
{
    tf_timeline_ran(user, tile, core, of, first, end, cycle);
}

static void run(struct run *run, bool looking)
{
    const struct tf_workload *workload = tf_workload_find(run->workload);
    const struct tf_workload_options options = {.scale = 1, .seed = 1};
    struct tf_message message;
    struct chip_wish config;
    struct tf_chip *chip;
    void *state;
    chip_wish_init(&config);
    config.threads = run->threads;
    config.pin = false;
    struct seen seen = {.timeline = NULL, .pcs = run->pcs};
    config.user = &seen;
    if (run->pcs != NULL) {
        config.on_riscv = see_riscv;
        config.riscv_traced[0] = 1u << TF_CORE_B;
    }
    if (looking) {
        config.on_noc = see_noc;
        config.on_tensix = see_tensix;
        config.on_epoch = see_epoch;
    }
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    assert_int_equal(workload->setup(chip, &options, &state, &message), TF_OK);
    struct tf_symbols *symbols = tf_symbols_create();
    for (unsigned core = 0; core < TF_TILE_CORES; core++) {
        size_t bytes;
        const void *image = tf_workload_program(chip, workload, core, &bytes);
        assert_true(image == NULL || tf_symbols_add(symbols, image, bytes, 1u << core, NULL));
    }
    struct tf_cores *cores = NULL;
    FILE *file = open_memstream(&run->data, &run->bytes);
    const struct tf_timeline_wish wish = {
        .file = file, .cores = run->cores, .from = run->from, .to = run->to, .inlined_cycles = run->inlined_cycles};
    if (looking) {
        seen.timeline = tf_timeline_create(&wish, chip, symbols);
        const struct tf_follower follower = {
            .user = seen.timeline, .waited = waited, .called = called, .returned = returned, .ran = ran};
        cores = tf_cores_attach(chip, NULL, run->cores, &follower);
    }
    const struct tf_run_options until = {.pause_cycle = run->pause};
    assert_int_equal(tf_run(chip, &until, NULL), TF_OK);
    tf_stats(chip, &run->stats);
    run->hash = tf_state_hash(chip);
    for (unsigned i = 0; i < chip->tiles.tensix; i++)
        run->passed += chip->tiles.tile[i].tensix->frontend->passed;
    if (looking)
        tf_cores_settle(cores);
    tf_timeline_end(seen.timeline);
    assert_true(tf_timeline_close(seen.timeline));
    fclose(file);
    workload->release(state);
    tf_chip_destroy(chip);
    tf_cores_free(cores);
    if (run->then != NULL)
        run->then(run, symbols);
    tf_symbols_destroy(symbols);
}

static void holds_what_happened(void **state)
{
    static const char *const names[] = {WORKLOADS};
    (void)state;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        struct run one = {.workload = names[i], .threads = 2, .to = UINT64_MAX}, off = one;
        struct reading *reading = calloc(1, sizeof *reading);
        assert_non_null(reading);
        memset(one.cores, 0xFF, sizeof one.cores);
        run(&off, false);
        run(&one, true);
        assert_int_equal(one.hash, off.hash);
        read_all(reading, one.data, one.bytes);
        assert_int_equal(reading->issued, one.stats.noc_requests);
        assert_int_equal(reading->instructions, one.passed);
        assert_true(reading->last <= one.stats.cycles);
        assert_true(reading->mains > 0 && reading->calls > reading->mains && reading->counters > 0);
        assert_true(reading->waits > 0);
        assert_true(reading->acted >= reading->issued && reading->answered <= reading->acted);
        release(reading);
        free(reading);
        free(one.data);
        free(off.data);
    }
}

static void threads_do_not_show(void **state)
{
    (void)state;
    struct run a = {.workload = "cb", .threads = 1, .to = UINT64_MAX},
               b = {.workload = "cb", .threads = 3, .to = UINT64_MAX};
    memset(a.cores, 0xFF, sizeof a.cores);
    memset(b.cores, 0xFF, sizeof b.cores);
    run(&a, true);
    run(&b, true);
    assert_int_equal(a.bytes, b.bytes);
    assert_memory_equal(a.data, b.data, a.bytes);
    free(a.data);
    free(b.data);
}

/* Of a window, the calls that are open at its start come first, and all ends with it. */
static void window_and_choice(void **state)
{
    (void)state;
    struct run one = {.workload = "cb", .threads = 2, .from = 5000, .to = 9000};
    struct reading *reading = calloc(1, sizeof *reading);
    assert_non_null(reading);
    one.cores[3] = 1u << TF_CORE_B;
    run(&one, true);
    read_all(reading, one.data, one.bytes);
    unsigned cores = 0;
    for (unsigned i = 1; i < TRACKS_MAX; i++) {
        const struct track *track = &reading->track[i];
        assert_true(!track->timed || track->time <= 9000);
        cores += track->timed && wire_is(track->name, "B");
        assert_false(track->timed && (wire_is(track->name, "NC") || wire_is(track->name, "T1 matrix")));
    }
    assert_int_equal(cores, 1);
    assert_int_equal(reading->mains, 1);
    assert_true(reading->last <= 9000 && reading->slices > 2);
    release(reading);
    free(reading);
    free(one.data);
}

/* Many names, arguments, and a buffer that is written several times. */
static void packets_decode(void **state)
{
    (void)state;
    char *data;
    size_t bytes;
    FILE *file = open_memstream(&data, &bytes);
    struct tf_packets *packets = tf_packets_create(file, false);
    struct reading *reading = calloc(1, sizeof *reading);
    uint32_t tile = tf_packets_track(packets, TF_NO_TRACK, "tile", 0, NULL);
    uint32_t track = tf_packets_track(packets, tile, "B", 0, NULL), count = tf_packets_name(packets, "count");
    for (uint64_t i = 0; i < 200000; i++) {
        char name[16];
        snprintf(name, sizeof name, "f%u", (unsigned)(i % 5000));
        const struct tf_event_args args = {.count = 1, .arg = {{.name = count, .value = i << 40}}};
        tf_packets_event(packets, track, TF_SLICE_BEGIN, i << 20, tf_packets_name(packets, name), &args);
        tf_packets_event(packets, track, TF_SLICE_END, (i << 20) - (i > 0), 0, NULL); /* counts as the last time */
    }
    assert_int_equal(tf_packets_depth(packets, track), 0);
    assert_true(tf_packets_close(packets));
    fclose(file);
    read_all(reading, data, bytes);
    assert_int_equal(reading->events, 400000);
    assert_int_equal(reading->last, 199999ull << 20);
    release(reading);
    free(reading);
    free(data);
}

/* The check of the schema finds fields that are wrong. */
static void wrong_fields_are_found(void **state)
{
    static const struct {
        uint8_t bytes[8], count;
        const char *why;
    } cases[] = {
        {{0x0A, 2, 0x40, 5}, 4, NULL},                                         /* packet { timestamp: 5 } */
        {{0x12, 0}, 2, "the message has no such field"},                       /* Trace has no field 2 */
        {{0x0A, 2, 0x58, 5}, 4, "it must have a length"},                      /* packet { track_event: 5 } */
        {{0x0A, 4, 0x5A, 2, 0x48, 9}, 6, "the enumeration has no such value"}, /* track_event { type: 9 } */
        {{0x0A, 4, 0x40, 5, 0x40, 6}, 6, "it stands there twice"},             /* timestamp: 5 timestamp: 6 */
        {{0x0A, 5, 0x5A, 3, 0xF8, 2, 1}, 7, "it must have 8 bytes"},           /* track_event { flow_ids: 1 } */
    };
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char where[80];
        const char *why = schema_check("Trace", (struct wire){cases[i].bytes, cases[i].bytes + cases[i].count}, where,
                                       sizeof where);
        if (cases[i].why == NULL)
            assert_null(why);
        else
            assert_string_equal(why, cases[i].why);
    }
}

/* The slices that are open at a place must be its function, and in it the inlined calls that DWARF has there. */
static unsigned check_place(struct tf_symbols *symbols, uint32_t pc, const struct wire *open, unsigned depth)
{
    struct tf_inlined calls[TF_INLINED_MAX];
    const struct tf_program *program;
    uint32_t start;
    const char *name = tf_symbols_function_in(symbols, 0, TF_CORE_B, pc, &start, &program);
    assert_non_null(name);
    const unsigned count = tf_symbols_inlined(symbols, program, pc, calls);
    assert_true(depth > count);
    assert_true(wire_is(open[depth - count - 1], name));
    for (unsigned i = 0; i < count; i++)
        assert_true(wire_is(open[depth - 1 - i], calls[i].name));
    return count;
}

static void compare_places(struct run *run, struct tf_symbols *symbols)
{
    struct reading *reading = calloc(1, sizeof *reading);
    struct wire open[64];
    unsigned depth = 0, inlined = 0, compared = 0;
    size_t next = 0;
    assert_non_null(reading);
    reading->partial = run->from != 0;
    read_all(reading, run->data, run->bytes);
    for (size_t i = 0; i < run->pcs->count; i++) {
        for (; next < reading->moments && reading->moment[next].time <= run->pcs->at[i].cycle; next++) {
            if (reading->moment[next].begins)
                open[depth++] = reading->moment[next].name;
            else
                depth--;
        }
        if (run->pcs->at[i].cycle < run->from || run->pcs->at[i].cycle >= run->to)
            continue;
        if (depth != 0 && !has(open[depth - 1], "waits")) /* the core polls: the loop is skipped or traced */
            inlined += check_place(symbols, run->pcs->at[i].pc, open, depth), compared++;
    }
    assert_true(compared > 1000 && inlined > compared / 10);
    release(reading);
    free(reading);
}

/* Each instruction of a core lies in the slices of its function and of its inlined calls. */
static void inlined_calls_are_slices(void **state)
{
    static const uint64_t from[] = {0, 5000};
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct run one = {.workload = "cb", .threads = 2, .from = from[i], .to = 9000, .pause = 10000};
        one.then = compare_places;
        one.pcs = calloc(1, sizeof *one.pcs);
        assert_non_null(one.pcs);
        one.cores[0] = 1u << TF_CORE_B;
        run(&one, true);
        free(one.pcs);
        free(one.data);
    }
}

struct slice {
    uint64_t begin, end;
    struct wire name;
    bool holds; /* another slice */
};

/* Make slices of moments. Returns their number; those that are open at the end are left out. */
static size_t slices_of(const struct reading *reading, struct slice *slice)
{
    struct slice open[64];
    unsigned depth = 0;
    size_t count = 0;
    for (size_t i = 0; i < reading->moments; i++) {
        const struct moment *moment = &reading->moment[i];
        if (moment->begins) {
            for (unsigned j = 0; j < depth; j++)
                open[j].holds = true;
            assert_true(depth < 64);
            open[depth++] = (struct slice){.begin = moment->time, .name = moment->name};
        } else {
            open[--depth].end = moment->time;
            slice[count++] = open[depth];
        }
    }
    return count;
}

static bool is_among(const struct slice *wanted, const struct slice *slice, size_t count)
{
    const size_t bytes = (size_t)(wanted->name.end - wanted->name.at);
    for (size_t i = 0; i < count; i++)
        if (slice[i].begin == wanted->begin && slice[i].end == wanted->end &&
            (size_t)(slice[i].name.end - slice[i].name.at) == bytes &&
            memcmp(slice[i].name.at, wanted->name.at, bytes) == 0)
            return true;
    return false;
}

/* Without short inlined calls, all slices are among those of a timeline with them, and none that is long is missing. */
static void short_inlined_calls_are_left_out(void **state)
{
    enum { LEAST = 20 };
    struct run all = {.workload = "cb", .threads = 2, .to = 9000, .pause = 10000};
    (void)state;
    all.cores[0] = 1u << TF_CORE_B;
    struct run some = all;
    some.inlined_cycles = LEAST;
    struct reading *full = calloc(1, sizeof *full), *brief = calloc(1, sizeof *brief);
    struct slice *of_full = calloc(MOMENTS_MAX, sizeof *of_full), *of_brief = calloc(MOMENTS_MAX, sizeof *of_brief);
    assert_true(full != NULL && brief != NULL && of_full != NULL && of_brief != NULL);
    run(&all, true);
    run(&some, true);
    read_all(full, all.data, all.bytes);
    read_all(brief, some.data, some.bytes);
    const size_t fulls = slices_of(full, of_full), briefs = slices_of(brief, of_brief);
    assert_true(briefs > 10 && briefs < fulls / 2);
    for (size_t i = 0; i < briefs; i++)
        assert_true(is_among(&of_brief[i], of_full, fulls));
    for (size_t i = 0; i < fulls; i++)
        if (of_full[i].end - of_full[i].begin >= LEAST)
            assert_true(is_among(&of_full[i], of_brief, briefs));
    release(full);
    release(brief);
    free(full);
    free(brief);
    free(of_full);
    free(of_brief);
    free(all.data);
    free(some.data);
}

/* The share of a unit, summed over time, is the number of its instructions. */
static void shares_add_up(void **state)
{
    (void)state;
    struct run one = {.workload = "eltwise", .threads = 2, .to = UINT64_MAX, .pause = 30000};
    struct reading *reading = calloc(1, sizeof *reading);
    double sum = 0;
    assert_non_null(reading);
    one.cores[3] = 0xFF;
    run(&one, true);
    read_all(reading, one.data, one.bytes);
    assert_true(reading->shares > 1);
    for (size_t i = 0; i < reading->shares; i++) {
        const uint64_t end = i + 1 < reading->shares ? reading->share[i + 1].time : one.stats.cycles;
        sum += reading->share[i].percent / 100 * (double)(end - reading->share[i].time);
    }
    assert_true(reading->matrix > 0);
    assert_int_equal((uint64_t)(sum + 0.5), reading->matrix);
    release(reading);
    free(reading);
    free(one.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_fields_are_found), cmocka_unit_test(packets_decode),
        cmocka_unit_test(holds_what_happened),    cmocka_unit_test(threads_do_not_show),
        cmocka_unit_test(window_and_choice),      cmocka_unit_test(inlined_calls_are_slices),
        cmocka_unit_test(shares_add_up),          cmocka_unit_test(short_inlined_calls_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
