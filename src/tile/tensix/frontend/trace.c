/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/frontend/trace.h"

#include <stdlib.h>

#include "tile/tensix/isa/isa.h"
#include "tile/tensix/state.h"

#define ROOM_FIRST 256u

bool tf_trace_begin(struct tf_tile *tile)
{
    tile->tensix->trace = calloc(1, sizeof *tile->tensix->trace);
    return tile->tensix->trace != NULL;
}

void tf_trace_end(struct tf_tile *tile)
{
    struct tf_tensix_trace *trace = tile->tensix->trace;
    for (unsigned t = 0; trace != NULL && t < TF_TENSIX_THREADS; t++)
        free(trace->thread[t].entry);
    free(trace);
    tile->tensix->trace = NULL;
}

bool tf_trace_grow(struct tf_tensix_trace *trace, unsigned t)
{
    struct tf_trace_list *list = &trace->thread[t];
    size_t room = list->room == 0 ? ROOM_FIRST : list->room * 2;
    struct tf_passed *entry = realloc(list->entry, room * sizeof *entry);
    if (entry == NULL) {
        trace->lost = true;
        return false;
    }
    list->entry = entry;
    list->room = room;
    return true;
}

/* The thread whose next entry is the earliest; TF_TENSIX_THREADS if no entry is left. */
static unsigned earliest(const struct tf_tensix_trace *trace, const size_t *next)
{
    unsigned first = TF_TENSIX_THREADS;
    uint64_t cycle = UINT64_MAX;
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++) {
        const struct tf_trace_list *list = &trace->thread[t];
        if (next[t] < list->count && list->entry[next[t]].cycle < cycle) {
            cycle = list->entry[next[t]].cycle;
            first = t;
        }
    }
    return first;
}

bool tf_trace_hand_over(struct tf_tile *tile, void (*on_tensix)(void *user, const struct tf_tensix_event *event),
                        void *user)
{
    struct tf_tensix_trace *trace = tile->tensix->trace;
    size_t next[TF_TENSIX_THREADS] = {0};
    for (unsigned t; (t = earliest(trace, next)) != TF_TENSIX_THREADS;) {
        const struct tf_passed *passed = &trace->thread[t].entry[next[t]++];
        const struct tf_tensix_event event = {
            .tile = tile->coord,
            .thread = (uint8_t)t,
            .cycle = passed->cycle,
            .instruction = passed->word,
            .pc = passed->pc,
            .unit = tf_tensix_unit_name(tf_tensix_ops[passed->word >> 24].unit),
        };
        on_tensix(user, &event);
    }
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++)
        trace->thread[t].count = 0;
    bool lost = trace->lost;
    trace->lost = false;
    return !lost;
}
