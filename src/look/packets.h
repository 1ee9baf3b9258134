/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Track events in Perfetto's native format, streamed to a file. Source: google/perfetto, protos/perfetto/trace/ and
 * docs/reference/synthetic-track-event.md. Each track is a packet sequence of its own, so that an event holds neither
 * its track nor its whole time; names are interned.
 */
#ifndef LOOK_PACKETS_H
#define LOOK_PACKETS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct tf_packets;

#define TF_NO_TRACK UINT32_MAX

enum tf_slice_type { TF_SLICE_BEGIN = 1, TF_SLICE_END, TF_SLICE_INSTANT, TF_SLICE_COUNTER };

/* What an event may have beside its name. */
struct tf_event_args {
    uint64_t flow; /* 0: none; arrows join the events of a flow */
    bool flow_ends;
    unsigned count; /* of the annotations */
    struct {
        uint32_t name; /* tf_packets_name() */
        uint64_t value;
        bool hex;
    } arg[4];
    int64_t counter;
};

/* compressed: as gzip. NULL: no memory. */
struct tf_packets *tf_packets_create(FILE *file, bool compressed);

/* Write what is buffered, and free. False: the host had no memory for some of it. */
bool tf_packets_close(struct tf_packets *packets);

/* The number of a name; equal texts have equal numbers. */
uint32_t tf_packets_name(struct tf_packets *packets, const char *text);

/* A new track. parent: TF_NO_TRACK for none. rank: its place among its siblings. counter: the unit, or NULL. */
uint32_t tf_packets_track(struct tf_packets *packets, uint32_t parent, const char *name, int rank, const char *counter);

/* An event of a track. Times of a track never go back: an earlier time counts as the last one. */
void tf_packets_event(struct tf_packets *packets, uint32_t track, enum tf_slice_type type, uint64_t time, uint32_t name,
                      const struct tf_event_args *args);

/* How many slices of a track are open. */
unsigned tf_packets_depth(const struct tf_packets *packets, uint32_t track);

#endif
