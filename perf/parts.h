/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the programs that measure parts. */
#ifndef PERF_PARTS_H
#define PERF_PARTS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Processor time of this thread. Other work on the host does not count in it. */
static inline double cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static inline void *must(void *memory_or_null)
{
    if (memory_or_null == NULL) {
        fputs("no memory\n", stderr);
        exit(1);
    }
    return memory_or_null;
}

/* Zeroed memory that is aligned to a cache line and touched; release it with free(). */
static inline void *zeroed_lines(size_t bytes)
{
    return memset(must(aligned_alloc(64, (bytes + 63) / 64 * 64)), 0, bytes);
}

#endif
