/* SPDX-License-Identifier: Apache-2.0 */
#include "look/tracks/replay.h"

#include <stdlib.h>
#include <string.h>

#include "look/tracks/packets.h"
#include "look/tracks/recording.h"
#include "look/tracks/table.h"

/* A recording that is being read. Its names and tracks have other numbers in the timeline. */
struct input {
    FILE *file;
    struct tf_recorded_head head; /* of the next piece */
    bool ended;
    uint8_t *piece;
    size_t room, bytes, at; /* of the piece */
    uint32_t *name, *track;
    uint32_t names, name_room, tracks, track_room;
    char **text; /* of names and counters */
    uint32_t texts, text_room;
    bool broken;
};

static bool breaks(struct input *input)
{
    input->broken = true;
    return false;
}

static void find_piece(struct input *input)
{
    const size_t count = fread(&input->head, 1, sizeof input->head, input->file);
    input->ended = count == 0;
    if (count != 0 && count != sizeof input->head)
        breaks(input);
}

static bool read_piece(struct input *input)
{
    const size_t bytes = input->head.bytes;
    if (bytes > input->room) {
        uint8_t *more = realloc(input->piece, bytes);
        if (more == NULL)
            return breaks(input);
        input->piece = more;
        input->room = bytes;
    }
    input->at = 0;
    input->bytes = fread(input->piece, 1, bytes, input->file);
    return input->bytes == bytes || breaks(input);
}

static bool get(struct input *input, void *data, size_t bytes)
{
    if (input->broken || bytes > input->bytes - input->at)
        return breaks(input);
    memcpy(data, input->piece + input->at, bytes);
    input->at += bytes;
    return true;
}

/* A text that lives as long as the input. NULL: no memory. */
static const char *get_text(struct input *input, uint32_t bytes)
{
    char *text = bytes <= input->bytes - input->at ? malloc((size_t)bytes + 1) : NULL;
    if (text == NULL || !get(input, text, bytes) ||
        !tf_array_room((void **)&input->text, input->texts, &input->text_room, sizeof *input->text)) {
        free(text);
        breaks(input);
        return NULL;
    }
    text[bytes] = '\0';
    return input->text[input->texts++] = text;
}

/* What a number of the recording is in the timeline. */
static uint32_t mapped(struct input *input, const uint32_t *map, uint32_t count, uint32_t number)
{
    if (number < count)
        return map[number];
    breaks(input);
    return 0;
}

static void add_name(struct tf_packets *packets, struct input *input)
{
    struct tf_recorded_name name;
    const char *text = get(input, &name, sizeof name) ? get_text(input, name.bytes) : NULL;
    if (text == NULL)
        return;
    if (tf_array_room((void **)&input->name, input->names, &input->name_room, sizeof *input->name))
        input->name[input->names++] = tf_packets_name(packets, text);
    else
        breaks(input);
}

static void add_track(struct tf_packets *packets, struct input *input)
{
    struct tf_recorded_track track;
    if (!get(input, &track, sizeof track))
        return;
    const char *counter = track.counts ? get_text(input, track.counter_bytes) : NULL;
    const uint32_t parent = track.parent == TF_NO_TRACK ? TF_NO_TRACK
                                                        : mapped(input, input->track, input->tracks, track.parent);
    const uint32_t name = mapped(input, input->name, input->names, track.name);
    if (!tf_array_room((void **)&input->track, input->tracks, &input->track_room, sizeof *input->track))
        breaks(input);
    else if (!input->broken)
        input->track[input->tracks++] = tf_packets_track(packets, parent, tf_packets_text(packets, name), track.rank,
                                                         counter);
}

static void add_event(struct tf_packets *packets, struct input *input)
{
    struct tf_recorded_event event;
    struct tf_event_args args = {.count = 0};
    if (!get(input, &event, sizeof event) || (event.args && !get(input, &args, sizeof args)))
        return;
    for (unsigned i = 0; i < args.count && i < sizeof args.arg / sizeof args.arg[0]; i++)
        args.arg[i].name = mapped(input, input->name, input->names, args.arg[i].name);
    const bool named = event.type == TF_SLICE_BEGIN || event.type == TF_SLICE_INSTANT;
    const uint32_t name = named ? mapped(input, input->name, input->names, event.name) : 0;
    const uint32_t track = mapped(input, input->track, input->tracks, event.track);
    if (!input->broken)
        tf_packets_event(packets, track, (enum tf_slice_type)event.type, event.time, name, event.args ? &args : NULL);
}

static void replay_piece(struct tf_packets *packets, struct input *input)
{
    if (!read_piece(input))
        return;
    while (!input->broken && input->at < input->bytes)
        switch ((enum tf_recorded_call)input->piece[input->at++]) {
        case TF_RECORDED_NAME: add_name(packets, input); break;
        case TF_RECORDED_TRACK: add_track(packets, input); break;
        case TF_RECORDED_EVENT: add_event(packets, input); break;
        default: breaks(input); break;
        }
}

static bool is_before(const struct tf_recorded_place *a, const struct tf_recorded_place *b)
{
    if (a->stage != b->stage)
        return a->stage < b->stage;
    return a->chip != b->chip ? a->chip < b->chip : a->order < b->order;
}

/* The recording whose next piece is the first one. NULL: all have ended, or one is broken. */
static struct input *first_of(struct input *input, unsigned count)
{
    struct input *first = NULL;
    for (unsigned i = 0; i < count; i++) {
        if (input[i].broken)
            return NULL;
        if (!input[i].ended && (first == NULL || is_before(&input[i].head.place, &first->head.place)))
            first = &input[i];
    }
    return first;
}

static bool end(struct input *input)
{
    for (uint32_t i = 0; i < input->texts; i++)
        free(input->text[i]);
    free(input->text);
    free(input->name);
    free(input->track);
    free(input->piece);
    return !input->broken;
}

bool tf_packets_replay(struct tf_packets *packets, FILE *const *recording, unsigned count)
{
    struct input *input = calloc(count, sizeof *input), *next;
    bool fine = input != NULL;
    for (unsigned i = 0; i < count && fine; i++) {
        input[i].file = recording[i];
        find_piece(&input[i]);
    }
    while (fine && (next = first_of(input, count)) != NULL) {
        replay_piece(packets, next);
        find_piece(next);
    }
    for (unsigned i = 0; i < count && input != NULL; i++)
        fine &= end(&input[i]);
    free(input);
    return fine;
}
