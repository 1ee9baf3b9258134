/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A record of the instructions that pass a tile's wait gates, for tf_config.on_tensix. It is not part of the tile's
 * state. Each thread appends to a list of its own, in order of cycles; the lists are merged when the tile has stopped.
 */
#ifndef TILE_TENSIX_FRONTEND_TRACE_H
#define TILE_TENSIX_FRONTEND_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tilefarm/tilefarm_events.h"

struct tf_tile;

struct tf_passed {
    uint64_t cycle;
    uint32_t word, pc;
};

struct tf_tensix_trace {
    struct tf_trace_list {
        struct tf_passed *entry;
        size_t count, room;
    } thread[3];
    bool lost; /* the host had no memory for some of it */
};

/* Starts the record. Returns false if the host has no memory. */
bool tf_trace_begin(struct tf_tile *tile);
void tf_trace_end(struct tf_tile *tile);

/* Passes the record to on_tensix by cycle and, within a cycle, by thread; empties it. Returns false if some of it was
   lost. */
bool tf_trace_hand_over(struct tf_tile *tile, void (*on_tensix)(void *user, const struct tf_tensix_event *event),
                        void *user);

/* Makes room for one more entry. Returns false if the host has no memory; trace->lost is set. */
bool tf_trace_grow(struct tf_tensix_trace *trace, unsigned thread);

static inline void tf_trace_note(struct tf_tensix_trace *trace, unsigned thread, uint64_t cycle, uint32_t word,
                                 uint32_t pc)
{
    struct tf_trace_list *list = &trace->thread[thread];
    if (list->count < list->room || tf_trace_grow(trace, thread))
        list->entry[list->count++] = (struct tf_passed){.cycle = cycle, .word = word, .pc = pc};
}

#endif
