/* SPDX-License-Identifier: Apache-2.0 */
#include "look/tracks/open_calls.h"

#include <stdlib.h>

#include "look/tracks/packets.h"
#include "look/tracks/table.h"

static void begin_slice(const struct tf_calls_writer *writer, uint32_t track, uint64_t cycle, uint32_t name)
{
    tf_packets_event(writer->packets, track, TF_SLICE_BEGIN, cycle, name, NULL);
}

static void end_slice(const struct tf_calls_writer *writer, uint32_t track, uint64_t cycle)
{
    if (tf_packets_depth(writer->packets, track) != 0)
        tf_packets_event(writer->packets, track, TF_SLICE_END, cycle, 0, NULL);
}

static uint32_t *last_of(const struct tf_open_calls *calls)
{
    return &calls->node[calls->count - 1];
}

/* Show the first inlined calls of a node, down to a depth. */
static void show(const struct tf_calls_writer *writer, struct tf_open_calls *calls, uint32_t track, uint32_t node,
                 uint32_t depth)
{
    if (depth <= calls->shown)
        return;
    while (tf_inline_depth(writer->inlines, node) > depth)
        node = tf_inline_parent(writer->inlines, node);
    show(writer, calls, track, tf_inline_parent(writer->inlines, node), depth - 1);
    begin_slice(writer, track, calls->begin[depth - 1],
                tf_packets_name(writer->packets, tf_inline_name(writer->inlines, node)));
    calls->shown = depth;
}

/* The innermost inlined call of the last call ends. */
static void leave_inlined(const struct tf_calls_writer *writer, struct tf_open_calls *calls, uint32_t track,
                          uint64_t cycle)
{
    uint32_t *node = last_of(calls);
    const uint32_t depth = tf_inline_depth(writer->inlines, *node);
    if (cycle - calls->begin[depth - 1] >= writer->least_cycles)
        show(writer, calls, track, *node, depth);
    if (depth == calls->shown) {
        end_slice(writer, track, cycle);
        calls->shown--;
    }
    *node = tf_inline_parent(writer->inlines, *node);
}

void tf_calls_inline(const struct tf_calls_writer *writer, struct tf_open_calls *calls, uint32_t track, uint64_t cycle,
                     uint32_t node)
{
    const struct tf_inline_maps *inlines = writer->inlines;
    uint32_t common = node;
    if (calls->count == 0)
        return;
    const uint32_t *open = last_of(calls);
    while (tf_inline_depth(inlines, common) > tf_inline_depth(inlines, *open))
        common = tf_inline_parent(inlines, common);
    while (*open != common) {
        if (tf_inline_depth(inlines, common) == tf_inline_depth(inlines, *open))
            common = tf_inline_parent(inlines, common);
        leave_inlined(writer, calls, track, cycle);
    }
    for (uint32_t depth = tf_inline_depth(inlines, common); depth < tf_inline_depth(inlines, node); depth++)
        calls->begin[depth] = cycle;
    *last_of(calls) = node;
}

void tf_calls_show(const struct tf_calls_writer *writer, struct tf_open_calls *calls, uint32_t track)
{
    if (calls->count != 0)
        show(writer, calls, track, *last_of(calls), tf_inline_depth(writer->inlines, *last_of(calls)));
}

bool tf_calls_enter(const struct tf_calls_writer *writer, struct tf_open_calls *calls, uint32_t track, uint64_t cycle,
                    uint32_t name)
{
    if (!tf_array_room((void **)&calls->node, calls->count, &calls->room, sizeof *calls->node))
        return false;
    tf_calls_show(writer, calls, track);
    calls->node[calls->count++] = TF_INLINE_NONE;
    calls->shown = 0;
    begin_slice(writer, track, cycle, name);
    return true;
}

void tf_calls_leave(const struct tf_calls_writer *writer, struct tf_open_calls *calls, uint32_t track, uint64_t cycle,
                    uint32_t number)
{
    for (; number != 0 && calls->count != 0; number--) {
        while (*last_of(calls) != TF_INLINE_NONE)
            leave_inlined(writer, calls, track, cycle);
        end_slice(writer, track, cycle);
        calls->count--;
        calls->shown = calls->count != 0 ? tf_inline_depth(writer->inlines, *last_of(calls)) : 0;
    }
}

void tf_calls_end(const struct tf_calls_writer *writer, struct tf_open_calls *calls, uint32_t track, uint64_t cycle)
{
    tf_calls_show(writer, calls, track);
    while (tf_packets_depth(writer->packets, track) != 0)
        end_slice(writer, track, cycle);
    free(calls->node);
    *calls = (struct tf_open_calls){.count = 0};
}
