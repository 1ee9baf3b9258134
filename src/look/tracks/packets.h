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

#include "look/tracks/event.h"

struct tf_packets;
struct tf_recording;

/* Begin a stream. compressed: as gzip. Returns NULL if the host has no memory. */
struct tf_packets *tf_packets_create(FILE *file, bool compressed);

/* The same, but for one of several processes: all calls go to a recording (recording.h), which tf_packets_close()
   frees. */
struct tf_packets *tf_packets_record(struct tf_recording *recording);

/* Who makes the next calls: something of a chip, whose calls are in the order of that number. */
void tf_packets_at(struct tf_packets *packets, unsigned chip, uint64_t order);

/* Write the rest of the stream, and free it; the caller closes the file. Returns false if some of it is lost, because
   the host had no memory. */
bool tf_packets_close(struct tf_packets *packets);

/* Intern a name. Returns its number; equal texts have equal numbers. */
uint32_t tf_packets_name(struct tf_packets *packets, const char *text);

/* The text of an interned name. */
const char *tf_packets_text(const struct tf_packets *packets, uint32_t name);

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
