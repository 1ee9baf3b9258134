/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What passes the gates of a tile, for who wants to be told of it. It is no part of the tile's state: noted while the
 * threads run, in lists of their own, in which cycles rise, and handed over when the tile has come to a stop.
 */
#ifndef TILE_TENSIX_DEBUG_TRACE_H
#define TILE_TENSIX_DEBUG_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tilefarm/tilefarm.h"

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

/* From now on, note what passes. False: no memory. */
bool tf_trace_begin(struct tf_tile *tile);
void tf_trace_end(struct tf_tile *tile);

/* Tell of what was noted, by cycle and, within a cycle, by thread, and forget it. False: some of it was lost. */
bool tf_trace_hand_over(struct tf_tile *tile, void (*on_tensix)(void *user, const struct tf_tensix_event *event),
                        void *user);

/* Make room for one entry more. False: no memory, which is noted. */
bool tf_trace_grow(struct tf_tensix_trace *trace, unsigned thread);

static inline void tf_trace_note(struct tf_tensix_trace *trace, unsigned thread, uint64_t cycle, uint32_t word,
                                 uint32_t pc)
{
    struct tf_trace_list *list = &trace->thread[thread];
    if (list->count < list->room || tf_trace_grow(trace, thread))
        list->entry[list->count++] = (struct tf_passed){.cycle = cycle, .word = word, .pc = pc};
}

#endif
