/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calls that are open on a core's track of a timeline, and the inlined calls (inlines.h) in each. A call is a slice
 * from its start on. An inlined call becomes a slice once it has lasted for some cycles, or once something is shown in
 * it: loops enter and leave inlined functions each few cycles.
 */
#ifndef LOOK_TRACKS_OPEN_CALLS_H
#define LOOK_TRACKS_OPEN_CALLS_H

#include "debug/symbols.h"
#include "look/tracks/inlines.h"

struct tf_packets;

/* Where slices go. Constant. */
struct tf_calls_writer {
    struct tf_packets *packets;
    const struct tf_inline_maps *inlines;
    uint64_t least_cycles; /* of an inlined call that is shown */
};

/* Of one core. Begin with zeros. */
struct tf_open_calls {
    uint32_t *node; /* of each open call: the inlined calls in it */
    uint32_t count, room;
    uint32_t shown;                 /* of the inlined calls in the last call: how many are slices */
    uint64_t begin[TF_INLINED_MAX]; /* cycles of the inlined calls in the last call */
};

/* The core calls a function. name: that of its slice. Returns false if the host has no memory. */
bool tf_calls_enter(const struct tf_calls_writer *writer, struct tf_open_calls *calls, uint32_t track, uint64_t cycle,
                    uint32_t name);

/* Its last calls end, and the inlined calls in them. */
void tf_calls_leave(const struct tf_calls_writer *writer, struct tf_open_calls *calls, uint32_t track, uint64_t cycle,
                    uint32_t number);

/* The last call goes on in the inlined calls of a node. Those that it was in before go on, too. */
void tf_calls_inline(const struct tf_calls_writer *writer, struct tf_open_calls *calls, uint32_t track, uint64_t cycle,
                     uint32_t node);

/* Something in the last call will be shown: so are the inlined calls around it. */
void tf_calls_show(const struct tf_calls_writer *writer, struct tf_open_calls *calls, uint32_t track);

/* End all slices of the track, and free the memory. */
void tf_calls_end(const struct tf_calls_writer *writer, struct tf_open_calls *calls, uint32_t track, uint64_t cycle);

#endif
