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

struct tf_saved;

#define TF_PATHS_MAX 65536u /* deeper or more calls count for the path that makes them */

/* A stretch of instructions (addresses `first` to `end`) and how often it was executed. With `end` 0: the cycles that
   the core has waited at `first`. */
struct tf_spot {
    uint32_t first, end;
    uint64_t count;
};

/* A call path: the path of the caller, and a function. */
struct tf_path {
    uint32_t parent;    /* index of the caller's path; of path 0: 0 */
    uint32_t entry;     /* address of the function's first instruction */
    uint32_t return_to; /* return address; of an interrupt: the interrupted instruction */
    bool interrupt;
    uint32_t child, sibling; /* 0: none */
    struct tf_spot *spot;    /* a hash table; `count` 0: free */
    uint32_t spots, spot_room;
};

/* The call paths of a core: a tree. */
struct tf_paths {
    struct tf_path *path;
    uint32_t count, room;
    uint32_t current; /* index of the core's current path */
    uint32_t pc;      /* of its next instruction */
    uint64_t cycle;   /* of that instruction */
    bool began;       /* tf_paths_begin() was called */
    bool lost;        /* the host had no memory for a path or a spot */
};

void tf_paths_free(struct tf_paths *paths);

/* Write or read all of it (host/saved.h). Paths that read are empty. */
void tf_paths_state(struct tf_saved *saved, struct tf_paths *paths);

/* The core comes out of reset and begins at pc. Returns false if the host has no memory. */
bool tf_paths_begin(struct tf_paths *paths, uint32_t pc);

/* The instruction at paths->pc calls `entry`, and the call will return to `return_to`. Returns true if the core is on a
   new path. */
bool tf_paths_call(struct tf_paths *paths, uint32_t entry, uint32_t return_to, bool interrupt);

/* The core jumps to an address by a return. Returns the number of calls that end; 0: no call returns there. */
unsigned tf_paths_return(struct tf_paths *paths, uint32_t to);

/* The slow part of tf_paths_count(). */
void tf_paths_count_new(struct tf_paths *paths, uint32_t first, uint32_t end, uint64_t count);

/* The hash of a spot. */
static inline uint32_t tf_spot_place(uint32_t first, uint32_t end)
{
    return (first ^ end << 3 ^ first >> 7) / 4;
}

/* Add a count to a spot of the core's current path. */
static inline void tf_paths_count(struct tf_paths *paths, uint32_t first, uint32_t end, uint64_t count)
{
    struct tf_path *path = &paths->path[paths->current];
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
