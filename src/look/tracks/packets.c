/* SPDX-License-Identifier: Apache-2.0 */
#include "look/tracks/packets.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "look/tracks/proto.h"
#include "look/tracks/recording.h"
#include "look/tracks/table.h"

#define BUFFER_BYTES (1u << 20)
#define EVENT_BYTES_MAX 256u
#define INCREMENTAL_CLOCK 64u /* clock of a sequence: each time is the distance from the last one */
#define TRACE_CLOCK 6u        /* BOOTTIME, with a nanosecond for each cycle */
#define FIRST_UUID 1u

/* Fields of the messages. */
enum { TRACE_PACKET = 1 };
enum { PACKET_CLOCKS = 6, PACKET_TIME = 8, PACKET_SEQUENCE = 10, PACKET_EVENT, PACKET_INTERNED, PACKET_FLAGS };
enum { PACKET_DEFAULTS = 59, PACKET_TRACK = 60 };
enum { FLAG_CLEARED = 1, FLAG_NEEDS_STATE = 2 };
enum { DEFAULTS_EVENT = 11, DEFAULTS_CLOCK = 58 };
enum { CLOCKS_CLOCK = 1, CLOCK_ID = 1, CLOCK_TIME, CLOCK_INCREMENTAL };
enum { TRACK_UUID = 1, TRACK_NAME, TRACK_PARENT = 5, TRACK_COUNTER = 8, TRACK_ORDERING = 11, TRACK_RANK };
enum { ORDERING_EXPLICIT = 3, COUNTER_UNIT_NAME = 6 };
enum { EVENT_ANNOTATION = 4, EVENT_TYPE = 9, EVENT_NAME, EVENT_TRACK, EVENT_COUNTER = 30, EVENT_REAL = 44 };
enum { EVENT_FLOW = 47, EVENT_FLOW_ENDS = 48 };
enum { ANNOTATION_NAME = 1, ANNOTATION_NUMBER = 3, ANNOTATION_POINTER = 7 };
enum { INTERNED_EVENTS = 2, INTERNED_ANNOTATIONS = 3, INTERNED_ID = 1, INTERNED_NAME = 2 };

struct track {
    uint64_t last;   /* time of its last event */
    uint32_t *known; /* names that its sequence has interned, as bits: names of events, then of annotations */
    uint32_t words;  /* number of bits for each of the two */
    uint32_t depth;
    uint32_t parent;
    const char *name;
    const char *counter;
    int rank;
    bool begun, parent_only;
};

struct tf_packets {
    struct tf_recording *recording; /* NULL: packets are written */
    FILE *file;
    z_stream *stream; /* NULL without compression */
    uint8_t *packed;
    struct tf_proto out;
    struct tf_table names;
    char **name;
    uint32_t name_count, name_room;
    struct track *track;
    uint32_t tracks, track_room;
    bool lost;
};

struct tf_packets *tf_packets_create(FILE *file, bool compressed)
{
    struct tf_packets *packets = calloc(1, sizeof *packets);
    if (packets == NULL)
        return NULL;
    packets->file = file;
    if (compressed) {
        packets->stream = calloc(1, sizeof *packets->stream);
        packets->packed = malloc(BUFFER_BYTES);
        if (packets->stream == NULL || packets->packed == NULL ||
            deflateInit2(packets->stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
            free(packets->stream);
            free(packets->packed);
            free(packets);
            return NULL;
        }
    }
    return packets;
}

struct tf_packets *tf_packets_record(struct tf_recording *recording)
{
    struct tf_packets *packets = calloc(1, sizeof *packets);
    if (packets != NULL)
        packets->recording = recording;
    return packets;
}

void tf_packets_at(struct tf_packets *packets, unsigned chip, uint64_t order)
{
    if (packets->recording != NULL)
        tf_recording_at(packets->recording, chip, order);
}

static void deflate_all(struct tf_packets *packets, bool last)
{
    z_stream *stream = packets->stream;
    stream->next_in = packets->out.data;
    stream->avail_in = (unsigned)packets->out.bytes;
    do {
        stream->next_out = packets->packed;
        stream->avail_out = BUFFER_BYTES;
        deflate(stream, last ? Z_FINISH : Z_NO_FLUSH);
        fwrite(packets->packed, 1, BUFFER_BYTES - stream->avail_out, packets->file);
    } while (stream->avail_out == 0);
}

static void write_out(struct tf_packets *packets, bool last)
{
    if (packets->stream != NULL)
        deflate_all(packets, last);
    else if (packets->out.bytes != 0)
        fwrite(packets->out.data, 1, packets->out.bytes, packets->file);
    packets->out.bytes = 0;
}

bool tf_packets_close(struct tf_packets *packets)
{
    if (packets == NULL)
        return true;
    write_out(packets, true);
    bool fine = !packets->lost && !packets->out.lost;
    if (packets->stream != NULL)
        deflateEnd(packets->stream);
    for (uint32_t i = 0; i < packets->name_count; i++)
        free(packets->name[i]);
    for (uint32_t i = 0; i < packets->tracks; i++)
        free(packets->track[i].known);
    free(packets->names.slot);
    free(packets->name);
    free(packets->track);
    free(packets->stream);
    free(packets->packed);
    tf_proto_free(&packets->out);
    tf_recording_free(packets->recording);
    free(packets);
    return fine;
}

uint32_t tf_packets_name(struct tf_packets *packets, const char *text)
{
    bool made;
    uint32_t at = tf_table_take(&packets->names, tf_table_key(text), strlen(text), packets->name_count, &made);
    if (at == UINT32_MAX)
        return packets->lost = true, 0;
    if (!made)
        return at;
    char *copy = strdup(text);
    if (copy == NULL ||
        !tf_array_room((void **)&packets->name, packets->name_count, &packets->name_room, sizeof *packets->name)) {
        free(copy);
        return packets->lost = true, 0;
    }
    packets->name[packets->name_count++] = copy;
    if (packets->recording != NULL)
        tf_recording_name(packets->recording, text);
    return at;
}

const char *tf_packets_text(const struct tf_packets *packets, uint32_t name)
{
    return name < packets->name_count ? packets->name[name] : "";
}

uint32_t tf_packets_track(struct tf_packets *packets, uint32_t parent, const char *name, int rank, const char *counter)
{
    if (!tf_array_room((void **)&packets->track, packets->tracks, &packets->track_room, sizeof *packets->track)) {
        packets->lost = true;
        return TF_NO_TRACK;
    }
    uint32_t text = tf_packets_name(packets, name);
    if (packets->lost)
        return TF_NO_TRACK;
    packets->track[packets->tracks] =
        (struct track){.parent = parent, .name = packets->name[text], .rank = rank, .counter = counter};
    if (packets->recording != NULL)
        tf_recording_track(packets->recording, parent, text, rank, counter);
    return packets->tracks++;
}

/* Write the packet that describes a track, after those of its parents. */
static void describe(struct tf_packets *packets, uint32_t number)
{
    struct track *track = &packets->track[number];
    struct tf_proto *out = &packets->out;
    if (track->begun)
        return;
    track->begun = track->parent_only = true;
    if (track->parent != TF_NO_TRACK)
        describe(packets, track->parent);
    size_t packet = tf_proto_begin(out, TRACE_PACKET);
    tf_proto_number(out, PACKET_SEQUENCE, number + 1);
    tf_proto_number(out, PACKET_FLAGS, FLAG_CLEARED);
    size_t defaults = tf_proto_begin(out, PACKET_DEFAULTS);
    tf_proto_number(out, DEFAULTS_CLOCK, INCREMENTAL_CLOCK);
    size_t event = tf_proto_begin(out, DEFAULTS_EVENT);
    tf_proto_number(out, EVENT_TRACK, FIRST_UUID + number);
    tf_proto_end(out, event);
    tf_proto_end(out, defaults);
    size_t descriptor = tf_proto_begin(out, PACKET_TRACK);
    tf_proto_number(out, TRACK_UUID, FIRST_UUID + number);
    tf_proto_text(out, TRACK_NAME, track->name);
    if (track->parent != TF_NO_TRACK)
        tf_proto_number(out, TRACK_PARENT, FIRST_UUID + track->parent);
    if (track->counter != NULL) {
        size_t counter = tf_proto_begin(out, TRACK_COUNTER);
        tf_proto_text(out, COUNTER_UNIT_NAME, track->counter);
        tf_proto_end(out, counter);
    }
    tf_proto_number(out, TRACK_ORDERING, ORDERING_EXPLICIT);
    tf_proto_number(out, TRACK_RANK, (uint64_t)(int64_t)track->rank);
    tf_proto_end(out, descriptor);
    tf_proto_end(out, packet);
}

static void put_clock(struct tf_proto *out, unsigned clock, uint64_t time, bool incremental)
{
    size_t message = tf_proto_begin(out, CLOCKS_CLOCK);
    tf_proto_number(out, CLOCK_ID, clock);
    tf_proto_number(out, CLOCK_TIME, time);
    if (incremental)
        tf_proto_number(out, CLOCK_INCREMENTAL, 1);
    tf_proto_end(out, message);
}

/* Give the sequence of a track a clock, at the first event. */
static void begin(struct tf_packets *packets, uint32_t number, uint64_t time)
{
    struct tf_proto *out = &packets->out;
    describe(packets, number);
    size_t packet = tf_proto_begin(out, TRACE_PACKET);
    tf_proto_number(out, PACKET_SEQUENCE, number + 1);
    size_t clocks = tf_proto_begin(out, PACKET_CLOCKS);
    put_clock(out, INCREMENTAL_CLOCK, time, true);
    put_clock(out, TRACE_CLOCK, time, false);
    tf_proto_end(out, clocks);
    tf_proto_end(out, packet);
    packets->track[number].last = time;
}

/* Does a sequence lack a name? If so, the name is marked as interned. */
static bool is_new(struct tf_packets *packets, struct track *track, uint32_t name, bool annotation)
{
    if (name / 32 >= track->words) {
        uint32_t words = packets->name_room / 32 + 1, *known = calloc(2 * words, sizeof *known);
        if (known == NULL)
            return packets->lost = true, false;
        if (track->words != 0) {
            memcpy(known, track->known, track->words * sizeof *known);
            memcpy(known + words, track->known + track->words, track->words * sizeof *known);
        }
        free(track->known);
        track->known = known;
        track->words = words;
    }
    uint32_t *word = &track->known[name / 32 + (annotation ? track->words : 0)], bit = 1u << name % 32;
    bool fresh = (*word & bit) == 0;
    *word |= bit;
    return fresh;
}

static void intern(struct tf_packets *packets, uint32_t number, uint32_t name, bool annotation)
{
    struct tf_proto *out = &packets->out;
    if (!is_new(packets, &packets->track[number], name, annotation))
        return;
    size_t packet = tf_proto_begin(out, TRACE_PACKET);
    tf_proto_number(out, PACKET_SEQUENCE, number + 1);
    tf_proto_number(out, PACKET_FLAGS, FLAG_NEEDS_STATE);
    size_t interned = tf_proto_begin(out, PACKET_INTERNED);
    size_t entry = tf_proto_begin(out, annotation ? INTERNED_ANNOTATIONS : INTERNED_EVENTS);
    tf_proto_number(out, INTERNED_ID, name + 1);
    tf_proto_text(out, INTERNED_NAME, packets->name[name]);
    tf_proto_end(out, entry);
    tf_proto_end(out, interned);
    tf_proto_end(out, packet);
}

/* --- single events, written without the general encoder --- */

static unsigned put_number(uint8_t *to, unsigned field, uint64_t value)
{
    unsigned bytes = tf_varint(to, field << 3 | TF_PROTO_VARINT);
    return bytes + tf_varint(to + bytes, value);
}

static unsigned put_fixed64(uint8_t *to, unsigned field, uint64_t value)
{
    unsigned bytes = tf_varint(to, field << 3 | TF_PROTO_FIXED64);
    memcpy(to + bytes, &value, sizeof value);
    return bytes + (unsigned)sizeof value;
}

/* Write the length of a message, which precedes it, in one or two bytes. */
static unsigned put_length(uint8_t *to, unsigned field, const uint8_t *data, unsigned bytes)
{
    unsigned head = tf_varint(to, field << 3 | TF_PROTO_LENGTH);
    head += tf_varint(to + head, bytes);
    memcpy(to + head, data, bytes);
    return head + bytes;
}

static unsigned put_args(uint8_t *to, const struct tf_event_args *args)
{
    unsigned bytes = 0;
    if (args->flow != 0)
        bytes += put_fixed64(to, args->flow_ends ? EVENT_FLOW_ENDS : EVENT_FLOW, args->flow);
    for (unsigned i = 0; i < args->count; i++) {
        uint8_t inner[2 * TF_VARINT_BYTES_MAX];
        unsigned length = put_number(inner, ANNOTATION_NAME, args->arg[i].name + 1);
        length += put_number(inner + length, args->arg[i].hex ? ANNOTATION_POINTER : ANNOTATION_NUMBER,
                             args->arg[i].value);
        bytes += put_length(to + bytes, EVENT_ANNOTATION, inner, length);
    }
    return bytes;
}

static unsigned put_counter(uint8_t *to, const struct tf_event_args *args)
{
    uint64_t bits;
    memcpy(&bits, &args->share, sizeof bits);
    return args->real ? put_fixed64(to, EVENT_REAL, bits) : put_number(to, EVENT_COUNTER, (uint64_t)args->counter);
}

/* Make room for an event. Returns NULL if the host has no memory. */
static uint8_t *event_room(struct tf_packets *packets)
{
    struct tf_proto *out = &packets->out;
    if (out->bytes > BUFFER_BYTES - EVENT_BYTES_MAX)
        write_out(packets, false);
    if (out->room >= out->bytes + EVENT_BYTES_MAX)
        return out->data + out->bytes;
    size_t room = out->room > 2 * BUFFER_BYTES ? out->room * 2 : 2 * BUFFER_BYTES;
    uint8_t *data = realloc(out->data, room);
    if (data == NULL)
        return packets->lost = true, NULL;
    out->data = data;
    out->room = room;
    return out->data + out->bytes;
}

static void write_event(struct tf_packets *packets, uint32_t number, enum tf_slice_type type, uint64_t time,
                        uint32_t name, const struct tf_event_args *args)
{
    struct track *track = &packets->track[number];
    uint8_t event[EVENT_BYTES_MAX / 2], packet[EVENT_BYTES_MAX];
    unsigned bytes, packet_bytes;
    if (!track->begun || track->parent_only)
        begin(packets, number, time);
    track->parent_only = false;
    bool named = type == TF_SLICE_BEGIN || type == TF_SLICE_INSTANT;
    if (named)
        intern(packets, number, name, false);
    for (unsigned i = 0; args != NULL && i < args->count; i++)
        intern(packets, number, args->arg[i].name, true);
    bytes = put_number(event, EVENT_TYPE, type);
    if (named)
        bytes += put_number(event + bytes, EVENT_NAME, name + 1);
    if (args != NULL)
        bytes += put_args(event + bytes, args);
    if (type == TF_SLICE_COUNTER)
        bytes += put_counter(event + bytes, args);
    uint64_t written = time < track->last ? track->last : time;
    packet_bytes = put_number(packet, PACKET_TIME, written - track->last);
    packet_bytes += put_number(packet + packet_bytes, PACKET_SEQUENCE, number + 1);
    packet_bytes += put_length(packet + packet_bytes, PACKET_EVENT, event, bytes);
    track->last = written;
    uint8_t *to = event_room(packets);
    if (to != NULL)
        packets->out.bytes += put_length(to, TRACE_PACKET, packet, packet_bytes);
}

void tf_packets_event(struct tf_packets *packets, uint32_t number, enum tf_slice_type type, uint64_t time,
                      uint32_t name, const struct tf_event_args *args)
{
    if (number == TF_NO_TRACK || packets->lost)
        return;
    if (packets->recording != NULL)
        tf_recording_event(packets->recording, number, type, time, name, args);
    else
        write_event(packets, number, type, time, name, args);
    packets->track[number].depth += type == TF_SLICE_BEGIN;
    packets->track[number].depth -= type == TF_SLICE_END;
}

unsigned tf_packets_depth(const struct tf_packets *packets, uint32_t track)
{
    return track == TF_NO_TRACK || packets->lost ? 0 : packets->track[track].depth;
}
