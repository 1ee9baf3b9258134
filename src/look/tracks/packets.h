/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Track events in Perfetto's native format, streamed to a file. Each track is a packet sequence of its own. So an event
 * needs no track, and only the difference of its time to the event before. Names are interned.
 * Source: google/perfetto, protos/perfetto/trace/ and docs/reference/synthetic-track-event.md.
 */
#ifndef LOOK_TRACKS_PACKETS_H
#define LOOK_TRACKS_PACKETS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct tf_packets;

#define TF_NO_TRACK UINT32_MAX

enum tf_slice_type { TF_SLICE_BEGIN = 1, TF_SLICE_END, TF_SLICE_INSTANT, TF_SLICE_COUNTER };

/* The optional parts of an event. */
struct tf_event_args {
    uint64_t flow;  /* its flow, whose events arrows join; 0: none */
    bool flow_ends; /* it is the last event of its flow */
    unsigned count; /* of annotations in `arg` */
    struct {
        uint32_t name; /* tf_packets_name() */
        uint64_t value;
        bool hex;
    } arg[4];
    int64_t counter; /* of TF_SLICE_COUNTER: the value */
    bool real;       /* it is `share` instead */
    double share;
};

/* Begin a stream. compressed: as gzip. Returns NULL if the host has no memory. */
struct tf_packets *tf_packets_create(FILE *file, bool compressed);

/* Write the rest of the stream, and free it; the caller closes the file. Returns false if some of it is lost, because
   the host had no memory. */
bool tf_packets_close(struct tf_packets *packets);

/* Intern a name. Returns its number; equal texts have equal numbers. */
uint32_t tf_packets_name(struct tf_packets *packets, const char *text);

/* Make a track, and return its number. parent: TF_NO_TRACK for none. rank: its place among its siblings. counter: the
   unit of a counter track; NULL: a track of slices. */
uint32_t tf_packets_track(struct tf_packets *packets, uint32_t parent, const char *name, int rank, const char *counter);

/* Add an event to a track. time: in cycles; an earlier time than the last event's becomes the last event's. name: not
   used for TF_SLICE_END and TF_SLICE_COUNTER. args: NULL for none. */
void tf_packets_event(struct tf_packets *packets, uint32_t track, enum tf_slice_type type, uint64_t time, uint32_t name,
                      const struct tf_event_args *args);

/* The number of open slices of a track. */
unsigned tf_packets_depth(const struct tf_packets *packets, uint32_t track);

#endif
