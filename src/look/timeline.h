/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A timeline for Perfetto. It shows calls and waits of cores, and the instructions of the coprocessor by thread and
 * unit. It shows NOC requests as flows from issue to landing, and counters. A cycle is a nanosecond there. The timeline
 * is written while the chip runs; memory holds the events of one epoch only. docs/debugging.md lists the tracks.
 */
#ifndef LOOK_TIMELINE_H
#define LOOK_TIMELINE_H

#include <stdio.h>

#include "debug/symbols.h"
#include "look/cores.h"

struct tf_timeline;

struct tf_packets;
struct tf_packet_event;

struct tf_timeline_wish {
    struct tf_packets *packets; /* the stream of a file that several chips share; NULL: the timeline has its own */
    unsigned chip;              /* number of the chip in such a file */
    FILE *file;                 /* of its own stream */
    bool compressed;
    const uint8_t *cores;    /* by tile, as bits */
    uint64_t from, to;       /* cycles; events before `from`, or at `to` and later, are left out */
    uint64_t inlined_cycles; /* shorter inlined calls are left out, unless there is something in them */
};

/* Begin a timeline of a chip, before it runs. symbols must outlive it. Returns NULL if the host has no memory. */
struct tf_timeline *tf_timeline_create(const struct tf_timeline_wish *wish, struct tf_chip *chip,
                                       struct tf_symbols *symbols);

/* The callbacks for struct tf_follower (cores.h). They skip cores that the wish does not name. */
void tf_timeline_waited(struct tf_timeline *timeline, unsigned tile, unsigned core, const struct tf_core_of *of,
                        uint64_t begin, uint64_t end);
void tf_timeline_called(struct tf_timeline *timeline, unsigned tile, unsigned core, const struct tf_core_of *of,
                        uint64_t cycle);
void tf_timeline_returned(struct tf_timeline *timeline, unsigned tile, unsigned core, unsigned ended, uint64_t cycle);

void tf_timeline_ran(struct tf_timeline *timeline, unsigned tile, unsigned core, const struct tf_core_of *of,
                     uint32_t first, uint32_t end, uint64_t cycle);

/* The callbacks for on_noc, on_tensix, marks of on_print, and the end of each epoch. */
void tf_timeline_noc(struct tf_timeline *timeline, const struct tf_noc_event *event);
void tf_timeline_tensix(struct tf_timeline *timeline, const struct tf_tensix_event *event);
void tf_timeline_mark(struct tf_timeline *timeline, const struct tf_print_event *event);
void tf_timeline_epoch(struct tf_timeline *timeline, uint64_t cycle);

/* A packet of a link of a system. sent: it is the chip's own; else it arrives there. */
void tf_timeline_packet(struct tf_timeline *timeline, const struct tf_packet_event *event, bool sent);

/* The run has ended, and its chip is still there: write what needs the chip. `timeline` may be NULL. */
void tf_timeline_end(struct tf_timeline *timeline);

/* End open slices, write the rest, and free the timeline. Returns false if some of it is lost, because the host had no
   memory. */
bool tf_timeline_close(struct tf_timeline *timeline);

#endif
