/* SPDX-License-Identifier: Apache-2.0 */
/* Events of tracks (packets.h). */
#ifndef LOOK_TRACKS_EVENT_H
#define LOOK_TRACKS_EVENT_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
