/* SPDX-License-Identifier: Apache-2.0 */
#include "look/paths.h"

#include <stdlib.h>

#include "host/saved.h"

#define PATHS_FIRST 16u
#define SPOTS_FIRST 8u
#define SPOTS_MOST (1u << 24)

void tf_paths_free(struct tf_paths *paths)
{
    for (uint32_t i = 0; i < paths->count; i++)
        free(paths->path[i].spot);
    free(paths->path);
    *paths = (struct tf_paths){.count = 0};
}

/* Make a new path. Returns 0 if there are too many, or if the host has no memory. */
static uint32_t add(struct tf_paths *paths, uint32_t parent, uint32_t entry, uint32_t return_to, bool interrupt)
{
    if (paths->count == paths->room) {
        uint32_t room = paths->room == 0 ? PATHS_FIRST : paths->room * 2;
        struct tf_path *path = room > TF_PATHS_MAX ? NULL : realloc(paths->path, room * sizeof *path);
        if (path == NULL) {
            paths->lost |= room <= TF_PATHS_MAX;
            return 0;
        }
        paths->path = path;
        paths->room = room;
    }
    paths->path[paths->count] =
        (struct tf_path){.parent = parent, .entry = entry, .return_to = return_to, .interrupt = interrupt};
    return paths->count++;
}

bool tf_paths_begin(struct tf_paths *paths, uint32_t pc)
{
    if (paths->count == 0)
        add(paths, 0, pc, 0, false);
    paths->current = 0;
    paths->began = paths->count != 0;
    return paths->began;
}

bool tf_paths_call(struct tf_paths *paths, uint32_t entry, uint32_t return_to, bool interrupt)
{
    for (uint32_t i = paths->path[paths->current].child; i != 0; i = paths->path[i].sibling)
        if (paths->path[i].entry == entry && paths->path[i].return_to == return_to) {
            paths->current = i;
            return true;
        }
    uint32_t made = add(paths, paths->current, entry, return_to, interrupt);
    if (made == 0)
        return false;
    paths->path[made].sibling = paths->path[paths->current].child;
    paths->path[paths->current].child = made;
    paths->current = made;
    return true;
}

unsigned tf_paths_return(struct tf_paths *paths, uint32_t to)
{
    unsigned calls = 0;
    for (uint32_t i = paths->current; i != 0; i = paths->path[i].parent) {
        calls++;
        if (paths->path[i].return_to == to) {
            paths->current = paths->path[i].parent;
            return calls;
        }
    }
    return 0;
}

static struct tf_spot *place_of(struct tf_spot *spot, uint32_t room, uint32_t first, uint32_t end)
{
    uint32_t at = tf_spot_place(first, end) & (room - 1);
    while (spot[at].count != 0 && (spot[at].first != first || spot[at].end != end))
        at = (at + 1) & (room - 1);
    return &spot[at];
}

static bool grow(struct tf_path *path)
{
    uint32_t room = path->spot_room == 0 ? SPOTS_FIRST : path->spot_room * 2;
    struct tf_spot *spot = calloc(room, sizeof *spot);
    if (spot == NULL)
        return false;
    for (uint32_t i = 0; i < path->spot_room; i++)
        if (path->spot[i].count != 0)
            *place_of(spot, room, path->spot[i].first, path->spot[i].end) = path->spot[i];
    free(path->spot);
    path->spot = spot;
    path->spot_room = room;
    return true;
}

void tf_paths_count_new(struct tf_paths *paths, uint32_t first, uint32_t end, uint64_t count)
{
    struct tf_path *path = &paths->path[paths->current];
    if (count == 0)
        return;
    if (path->spots + path->spots / 2 >= path->spot_room && !grow(path)) {
        paths->lost = true;
        return;
    }
    struct tf_spot *spot = place_of(path->spot, path->spot_room, first, end);
    if (spot->count == 0) {
        spot->first = first;
        spot->end = end;
        path->spots++;
    }
    spot->count += count;
}

static void path_state(struct tf_saved *saved, struct tf_path *path)
{
    TF_SAVED_SPAN(saved, path, parent, spot);
    TF_SAVED_FROM(saved, path, spots);
    tf_saved_demand(saved, path->spot_room <= SPOTS_MOST && (path->spot_room & (path->spot_room - 1)) == 0,
                    "counters of a call are damaged");
    if (saved->reads) {
        path->spot = saved->why == NULL && path->spot_room != 0 ? calloc(path->spot_room, sizeof *path->spot) : NULL;
        if (path->spot == NULL && path->spot_room != 0) {
            tf_saved_fail(saved, tf_saved_no_memory);
            path->spots = path->spot_room = 0;
        }
    }
    tf_saved_bytes(saved, path->spot, path->spot_room * sizeof *path->spot);
}

void tf_paths_state(struct tf_saved *saved, struct tf_paths *paths)
{
    uint32_t count = (uint32_t)tf_saved_count(saved, paths->count, TF_PATHS_MAX);
    TF_SAVED(saved, paths->current);
    TF_SAVED(saved, paths->pc);
    TF_SAVED(saved, paths->cycle);
    TF_SAVED(saved, paths->began);
    TF_SAVED(saved, paths->lost);
    if (saved->reads) {
        paths->path = count != 0 ? calloc(count, sizeof *paths->path) : NULL;
        if (paths->path == NULL && count != 0)
            tf_saved_fail(saved, tf_saved_no_memory);
        paths->count = paths->room = paths->path != NULL ? count : 0;
    }
    for (uint32_t i = 0; i < paths->count; i++) {
        const struct tf_path *path = &paths->path[i];
        path_state(saved, &paths->path[i]);
        tf_saved_demand(saved, path->parent <= i && path->child < count && path->sibling < count,
                        "the calls of a core are damaged");
    }
    tf_saved_demand(saved, paths->current < count || count == 0, "the calls of a core are damaged");
}
