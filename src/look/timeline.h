/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A timeline for Perfetto. It has calls and waits of cores, and instructions of the coprocessor by thread and unit. It
 * has NOC requests as flows from issue to landing, and counters. A cycle is a nanosecond there. It is written as the
 * chip runs; memory holds what cores did in one epoch. docs/debugging.md lists the tracks.
 */
#ifndef LOOK_TIMELINE_H
#define LOOK_TIMELINE_H

#include <stdio.h>

#include "debug/symbols.h"
#include "look/cores.h"

struct tf_timeline;

struct tf_timeline_wish {
    FILE *file;
    bool compressed;
    const uint8_t *cores; /* by Tensix tile, as bits */
    uint64_t from, to;    /* cycles; events at or behind `to` are left out */
};

/* NULL: no memory. symbols: outlive it. */
struct tf_timeline *tf_timeline_create(const struct tf_timeline_wish *wish, struct tf_chip *chip,
                                       struct tf_symbols *symbols);

/* For struct tf_follower of cores.h. Cores that were not chosen are left out. */
void tf_timeline_waited(struct tf_timeline *timeline, unsigned tile, unsigned core, const struct tf_core_of *of,
                        uint64_t begin, uint64_t end);
void tf_timeline_called(struct tf_timeline *timeline, unsigned tile, unsigned core, const struct tf_core_of *of,
                        uint64_t cycle);
void tf_timeline_returned(struct tf_timeline *timeline, unsigned tile, unsigned core, unsigned ended, uint64_t cycle);

/* For on_noc, on_tensix and marks of on_print, and at the end of each epoch. */
void tf_timeline_noc(struct tf_timeline *timeline, const struct tf_noc_event *event);
void tf_timeline_tensix(struct tf_timeline *timeline, const struct tf_tensix_event *event);
void tf_timeline_mark(struct tf_timeline *timeline, const struct tf_print_event *event);
void tf_timeline_epoch(struct tf_timeline *timeline, uint64_t cycle);

/* End what is open, and free. False: the host had no memory for some of it. */
bool tf_timeline_close(struct tf_timeline *timeline);

#endif
