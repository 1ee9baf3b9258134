/* SPDX-License-Identifier: Apache-2.0 */
#include "look/tracks/recording.h"

#include <stdlib.h>
#include <string.h>

#define BUFFER_BYTES (1u << 16)

struct tf_recording {
    FILE *file;
    uint64_t (*stage)(void *user);
    void *user;
    struct tf_recorded_place place; /* of the next call, but for its stage */
    struct tf_recorded_head head;   /* of the calls in the buffer */
    uint8_t *buffer;
    size_t room;
    bool lost;
};

struct tf_recording *tf_recording_create(uint64_t (*stage)(void *user), void *user)
{
    struct tf_recording *recording = calloc(1, sizeof *recording);
    if (recording == NULL)
        return NULL;
    recording->file = tmpfile();
    recording->stage = stage;
    recording->user = user;
    if (recording->file != NULL)
        return recording;
    free(recording);
    return NULL;
}

void tf_recording_free(struct tf_recording *recording)
{
    if (recording == NULL)
        return;
    fclose(recording->file);
    free(recording->buffer);
    free(recording);
}

static void flush(struct tf_recording *recording)
{
    const size_t bytes = recording->head.bytes;
    if (bytes != 0 && (fwrite(&recording->head, sizeof recording->head, 1, recording->file) != 1 ||
                       fwrite(recording->buffer, 1, bytes, recording->file) != bytes))
        recording->lost = true;
    recording->head.bytes = 0;
}

static void put(struct tf_recording *recording, const void *data, size_t bytes)
{
    if (recording->head.bytes + bytes > recording->room) {
        const size_t room = 2 * (recording->head.bytes + bytes) + BUFFER_BYTES;
        uint8_t *more = realloc(recording->buffer, room);
        if (more == NULL) {
            recording->lost = true;
            return;
        }
        recording->buffer = more;
        recording->room = room;
    }
    if (bytes != 0)
        memcpy(recording->buffer + recording->head.bytes, data, bytes);
    recording->head.bytes += bytes;
}

void tf_recording_at(struct tf_recording *recording, unsigned chip, uint64_t order)
{
    recording->place.chip = chip;
    recording->place.order = order;
}

static void begin(struct tf_recording *recording, enum tf_recorded_call call)
{
    const uint8_t byte = (uint8_t)call;
    recording->place.stage = recording->stage(recording->user);
    if (recording->head.bytes > BUFFER_BYTES ||
        memcmp(&recording->place, &recording->head.place, sizeof recording->place) != 0)
        flush(recording);
    recording->head.place = recording->place;
    put(recording, &byte, sizeof byte);
}

void tf_recording_name(struct tf_recording *recording, const char *text)
{
    const struct tf_recorded_name name = {.bytes = (uint32_t)strlen(text)};
    begin(recording, TF_RECORDED_NAME);
    put(recording, &name, sizeof name);
    put(recording, text, name.bytes);
}

void tf_recording_track(struct tf_recording *recording, uint32_t parent, uint32_t name, int rank, const char *counter)
{
    struct tf_recorded_track track;
    memset(&track, 0, sizeof track);
    track.parent = parent;
    track.name = name;
    track.rank = rank;
    track.counts = counter != NULL;
    track.counter_bytes = counter != NULL ? (uint32_t)strlen(counter) : 0;
    begin(recording, TF_RECORDED_TRACK);
    put(recording, &track, sizeof track);
    put(recording, counter, track.counter_bytes);
}

void tf_recording_event(struct tf_recording *recording, uint32_t track, enum tf_slice_type type, uint64_t time,
                        uint32_t name, const struct tf_event_args *args)
{
    struct tf_recorded_event event;
    memset(&event, 0, sizeof event);
    event.time = time;
    event.track = track;
    event.name = name;
    event.type = (uint8_t)type;
    event.args = args != NULL;
    begin(recording, TF_RECORDED_EVENT);
    put(recording, &event, sizeof event);
    put(recording, args, args != NULL ? sizeof *args : 0);
}

FILE *tf_recording_file(struct tf_recording *recording)
{
    flush(recording);
    if (recording->lost || fflush(recording->file) != 0)
        return NULL;
    rewind(recording->file);
    return recording->file;
}
