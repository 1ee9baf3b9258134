/* SPDX-License-Identifier: Apache-2.0 */
/* A timeline of a system: each chip has a root track, and each packet of a link joins its two ends by a flow. */
#include <stdio.h>
#include <stdlib.h>

#include "system_wish.h"
#include "unit/look/schema.h"
#include "unit/look/wire.h"

#include "cli/systems/workload.h"
#include "look/tracks/packets.h"
#include "look/timeline.h"

#define TRACKS_MAX 1024u
#define FLOWS_MAX 65536u
#define CHIPS_MAX 8u

enum { BEGIN = 1, END, INSTANT };
enum { SEQUENCE = 10, EVENT, TRACK = 60, FLOW = 47, FLOW_ENDS = 48 };

struct reading {
    struct {
        uint64_t parent;
        struct wire name;
    } track[TRACKS_MAX]; /* by UUID */
    struct {
        uint64_t flow;
        uint64_t from, to; /* chips; + 1 */
    } packet[FLOWS_MAX];
    uint64_t packets, arrived;
};

static bool begins(struct wire text, const char *start)
{
    const size_t bytes = strlen(start);
    return (size_t)(text.end - text.at) >= bytes && memcmp(text.at, start, bytes) == 0;
}

/* The number of the chip that a track belongs to. */
static unsigned chip_of(const struct reading *reading, uint64_t uuid)
{
    while (reading->track[uuid].parent != 0)
        uuid = reading->track[uuid].parent;
    assert_true(begins(reading->track[uuid].name, "chip "));
    return reading->track[uuid].name.at[5] - (unsigned)'0';
}

static void read_packet(struct reading *reading, uint64_t track, struct wire event)
{
    const bool sent = begins(reading->track[track].name, "link to");
    struct field field;
    if (!sent && !begins(reading->track[track].name, "link from"))
        return;
    if (wire_number(event, 9, 0) == END)
        return;
    assert_int_equal(wire_number(event, 9, 0), sent ? BEGIN : INSTANT);
    assert_true(wire_find(event, sent ? FLOW : FLOW_ENDS, &field));
    const unsigned chip = chip_of(reading, track);
    uint64_t i = 0;
    while (i < reading->packets && reading->packet[i].flow != field.value)
        i++;
    if (sent) {
        assert_true(i == reading->packets && i < FLOWS_MAX);
        reading->packet[reading->packets].flow = field.value;
        reading->packet[reading->packets++].from = chip + 1;
    } else {
        assert_true(i < reading->packets && reading->packet[i].to == 0);
        assert_true(reading->packet[i].from != chip + 1);
        reading->packet[i].to = chip + 1;
        reading->arrived++;
    }
}

static void read_all(struct reading *reading, const char *data, size_t bytes)
{
    struct wire file = {(const uint8_t *)data, (const uint8_t *)data + bytes};
    struct field packet, part, name;
    char where[80] = "";
    const char *why = schema_check("Trace", file, where, sizeof where);
    if (why != NULL)
        fail_msg("%s: %s", where, why);
    while (wire_next(&file, &packet)) {
        const uint64_t track = wire_number(packet.inside, SEQUENCE, 0); /* equal to the UUID of the track */
        assert_true(track > 0 && track < TRACKS_MAX);
        if (wire_find(packet.inside, TRACK, &part)) {
            assert_int_equal(wire_number(part.inside, 1, 0), track);
            reading->track[track].parent = wire_number(part.inside, 5, 0);
            assert_true(wire_find(part.inside, 2, &name));
            reading->track[track].name = name.inside;
        }
        if (wire_find(packet.inside, EVENT, &part))
            read_packet(reading, track, part.inside);
    }
}

/* --- a run --- */

struct run {
    struct tf_timeline *timeline[CHIPS_MAX];
    struct tf_packets *packets; /* NULL: nobody looks */
    uint64_t heard, bytes_heard, latest;
};

static void see_noc(void *user, const struct tf_noc_event *event)
{
    tf_timeline_noc(*(struct tf_timeline **)user, event);
}

static void see_epoch(void *user, uint64_t cycle)
{
    tf_timeline_epoch(*(struct tf_timeline **)user, cycle);
}

static void see_packet(void *user, const struct tf_packet_event *event)
{
    struct run *run = user;
    run->heard++;
    run->bytes_heard += event->bytes;
    run->latest = event->arrives > run->latest ? event->arrives : run->latest;
    assert_true(event->sent < event->arrives && event->cycles <= event->sent);
    tf_timeline_packet(run->timeline[event->from.chip], event, true);
    tf_timeline_packet(run->timeline[event->to.chip], event, false);
}

static void prepare_chip(void *user, unsigned chip, struct chip_wish *config)
{
    struct run *run = user;
    if (run->packets == NULL)
        return;
    config->on_noc = see_noc;
    config->on_epoch = see_epoch;
    config->user = &run->timeline[chip];
}

/* Run a workload of systems. looking: write a timeline, too. Returns the hash of the end. */
static uint64_t run_system(const char *name, unsigned threads, bool looking, struct run *run, char **data,
                           size_t *bytes, struct tf_link_stats *sum)
{
    const struct tf_workload_options options = {.scale = 2, .seed = 1};
    uint8_t all[TF_NODES_MAX];
    struct tf_symbols *symbols = tf_symbols_create();
    struct tf_message message = {""};
    struct system_wish config;
    struct tf_cluster cluster;
    struct tf_system *system;
    void *work = NULL;
    FILE *file = open_memstream(data, bytes);
    *run = (struct run){.packets = looking ? tf_packets_create(file, false) : NULL};
    assert_int_equal(tf_cluster_find(name, &cluster, &message), TF_OK);
    system_wish_init(&config);
    config.cluster = &cluster;
    config.chip.threads = threads;
    config.on_chip = prepare_chip;
    config.on_packet = looking ? see_packet : NULL;
    config.user = run;
    assert_int_equal(system_wish_create(&config, &system, &message), TF_OK);
    assert_int_equal(tf_system_ring.setup(system, &options, &work, &message), TF_OK);
    memset(all, 0xFF, sizeof all);
    for (unsigned i = 0; looking && i < cluster.chips; i++) {
        const struct tf_timeline_wish wish = {.packets = run->packets, .chip = i, .cores = all, .to = UINT64_MAX};
        run->timeline[i] = tf_timeline_create(&wish, tf_system_chip(system, i), symbols);
    }
    assert_int_equal(tf_system_run(system, NULL, NULL), TF_OK);
    *sum = (struct tf_link_stats){.packets = 0};
    struct tf_link_stats stats;
    for (unsigned i = 0; tf_link_stats(system, i, &stats) == TF_OK; i++) {
        sum->packets += stats.packets;
        sum->bytes += stats.bytes;
    }
    const uint64_t hash = tf_system_hash(system);
    for (unsigned i = 0; i < CHIPS_MAX; i++) {
        tf_timeline_end(run->timeline[i]);
        assert_true(tf_timeline_close(run->timeline[i]));
    }
    assert_true(tf_packets_close(run->packets));
    fclose(file);
    tf_system_ring.release(work);
    assert_true(tf_system_cycles(system) >= run->latest);
    tf_system_destroy(system);
    tf_symbols_destroy(symbols);
    return hash;
}

static void packets_join_chips(void **state)
{
    (void)state;
    struct reading *reading = calloc(1, sizeof *reading);
    struct tf_link_stats sum;
    struct run run;
    char *data, *none;
    size_t bytes;
    assert_non_null(reading);
    const uint64_t hash = run_system("n300", 1, false, &run, &none, &bytes, &sum);
    assert_int_equal(run.heard, 0);
    assert_true(run_system("n300", 1, true, &run, &data, &bytes, &sum) == hash);
    read_all(reading, data, bytes);
    assert_true(sum.packets != 0);
    assert_int_equal(run.heard, sum.packets);
    assert_int_equal(run.bytes_heard, sum.bytes);
    assert_int_equal(reading->packets, sum.packets);
    assert_int_equal(reading->arrived, sum.packets);
    free(reading);
    free(data);
    free(none);
}

static void threads_do_not_show(void **state)
{
    (void)state;
    struct tf_link_stats sum;
    struct run run;
    char *one, *three;
    size_t bytes, same;
    const uint64_t hash = run_system("p300", 1, true, &run, &one, &bytes, &sum);
    assert_true(run_system("p300", 3, true, &run, &three, &same, &sum) == hash);
    assert_int_equal(bytes, same);
    assert_memory_equal(one, three, bytes);
    free(one);
    free(three);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_join_chips),
        cmocka_unit_test(threads_do_not_show),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
