/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The call paths of one core, and the instructions executed on each. A path is a sequence of calls since the core came
 * out of reset. A return ends the calls up to the one with that return address. Any other jump stays on its path. An
 * interrupt counts as a call by the interrupted function.
 */
#ifndef LOOK_PATHS_H
#define LOOK_PATHS_H

#include <stdbool.h>
#include <stdint.h>

#define TF_PATHS_MAX 65536u /* deeper or more calls count for the path that makes them */

/* A stretch of instructions, and how often it was executed; or, with `end` 0, cycles of waiting at `first`. */
struct tf_spot {
    uint32_t first, end;
    uint64_t count;
};

struct tf_path {
    uint32_t parent; /* of path 0: 0 */
    uint32_t entry;  /* the first instruction of the function */
    uint32_t back;   /* the address to return to; an interrupt's: of the interrupted instruction */
    bool interrupt;
    uint32_t child, sibling; /* 0: none */
    struct tf_spot *spot;    /* a hash table; `count` 0: free */
    uint32_t spots, spot_room;
};

struct tf_paths {
    struct tf_path *path;
    uint32_t count, room;
    uint32_t now;   /* where the core is */
    uint32_t pc;    /* of its next instruction */
    uint64_t cycle; /* of that instruction */
    bool began, lost;
};

void tf_paths_free(struct tf_paths *paths);

/* The core begins at pc, in a cycle, or begins again there. False: no memory. */
bool tf_paths_begin(struct tf_paths *paths, uint32_t pc);

/* The call at paths->pc leads to `entry` and will return to `back`. Returns true if the core is on another path. */
bool tf_paths_call(struct tf_paths *paths, uint32_t entry, uint32_t back, bool interrupt);

/* The core returns to an address. Returns the number of calls that this ends; 0: it is no return. */
unsigned tf_paths_return(struct tf_paths *paths, uint32_t to);

/* Slow part of tf_paths_count(). */
void tf_paths_count_new(struct tf_paths *paths, uint32_t first, uint32_t end, uint64_t count);

static inline uint32_t tf_spot_place(uint32_t first, uint32_t end)
{
    return (first ^ end << 3 ^ first >> 7) / 4;
}

/* Add to what was executed on the path where the core is. */
static inline void tf_paths_count(struct tf_paths *paths, uint32_t first, uint32_t end, uint64_t count)
{
    struct tf_path *path = &paths->path[paths->now];
    if (path->spot_room != 0) {
        struct tf_spot *spot = &path->spot[tf_spot_place(first, end) & (path->spot_room - 1)];
        if (spot->first == first && spot->end == end && spot->count != 0) {
            spot->count += count;
            return;
        }
    }
    tf_paths_count_new(paths, first, end, count);
}

#endif
