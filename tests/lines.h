/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for rigs. */
#ifndef TESTS_LINES_H
#define TESTS_LINES_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Zeroed memory that is aligned to a cache line and touched; release it with free(). NULL: no memory. */
static inline void *zeroed_lines(size_t bytes)
{
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    return memory != NULL ? memset(memory, 0, bytes) : NULL;
}

#define MAPPED_GUARD_BYTES 4096u /* on hosts with larger pages there is no guard */

/*
 * Zeroed memory of many pages; only those that are touched take time. AddressSanitizer marks all bytes of malloc() and
 * of free(), and a rig of 3 MiB took 300 page faults. An access after the last page faults. NULL: no memory.
 */
static inline void *mapped_take(size_t bytes)
{
    const size_t pages = (bytes + MAPPED_GUARD_BYTES - 1) / MAPPED_GUARD_BYTES * MAPPED_GUARD_BYTES;
    char *memory = mmap(NULL, pages + MAPPED_GUARD_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    mprotect(memory + pages, MAPPED_GUARD_BYTES, PROT_NONE);
    return memory;
}

static inline void mapped_give(void *memory, size_t bytes)
{
    const size_t pages = (bytes + MAPPED_GUARD_BYTES - 1) / MAPPED_GUARD_BYTES * MAPPED_GUARD_BYTES;
    munmap(memory, pages + MAPPED_GUARD_BYTES);
}

#endif
