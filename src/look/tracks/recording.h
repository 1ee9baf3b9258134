/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one of several processes would have written to a timeline, as calls of packets.h in a temporary file. Each piece
 * of it has its place in the order of one process. replay.h makes the timeline of the recordings of all processes.
 */
#ifndef LOOK_TRACKS_RECORDING_H
#define LOOK_TRACKS_RECORDING_H

#include <stdio.h>

#include "look/tracks/event.h"

/* Calls come by stage, then by chip, then by order. */
struct tf_recorded_place {
    uint64_t stage, chip, order;
};

/* A piece of a recording: its place, and how many bytes of calls follow. */
struct tf_recorded_head {
    struct tf_recorded_place place;
    uint64_t bytes;
};

/* A call is one of these bytes, and what the struct says. Names and tracks have numbers from 0 on, as they come. */
enum tf_recorded_call { TF_RECORDED_NAME, TF_RECORDED_TRACK, TF_RECORDED_EVENT };

/* A text follows. */
struct tf_recorded_name {
    uint32_t bytes;
};

/* The unit of a counter track follows. */
struct tf_recorded_track {
    uint32_t parent, name;
    int32_t rank;
    uint32_t counter_bytes;
    uint8_t counts;
};

struct tf_recorded_event {
    uint64_t time;
    uint32_t track, name;
    uint8_t type, args; /* args: a struct tf_event_args follows */
};

struct tf_recording;

/* Begin a recording. stage: returns the present stage. NULL: no memory, or no temporary file. */
struct tf_recording *tf_recording_create(uint64_t (*stage)(void *user), void *user);
void tf_recording_free(struct tf_recording *recording);

/* The place of the next calls within the stage. */
void tf_recording_at(struct tf_recording *recording, unsigned chip, uint64_t order);

void tf_recording_name(struct tf_recording *recording, const char *text);
void tf_recording_track(struct tf_recording *recording, uint32_t parent, uint32_t name, int rank, const char *counter);
void tf_recording_event(struct tf_recording *recording, uint32_t track, enum tf_slice_type type, uint64_t time,
                        uint32_t name, const struct tf_event_args *args);

/* All of it, from the beginning; the recording keeps the file. NULL: some of it is lost. */
FILE *tf_recording_file(struct tf_recording *recording);

#endif
