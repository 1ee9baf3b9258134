/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for rigs. */
#ifndef TESTS_LINES_H
#define TESTS_LINES_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Zeroed memory that is aligned to a cache line and touched; release it with free(). NULL: no memory. */
static inline void *zeroed_lines(size_t bytes)
{
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    return memory != NULL ? memset(memory, 0, bytes) : NULL;
}

#endif
