/* SPDX-License-Identifier: Apache-2.0 */
/* Fetching lines of memory ahead of their use. */
#ifndef HOST_FETCH_H
#define HOST_FETCH_H

/*
 * Fetch a line that will be written. On x86-64 the compiler turns __builtin_prefetch(line, 1) into a prefetch for
 * reading, because the first such processors had no other. But if another core has read the line, the store waits for
 * that core. The prefetcher of a core reads beyond the last tile of its worker: rows atomic1-*, on several threads.
 * Processors that lack PREFETCHW ignore it.
 */
static inline void tf_fetch_to_write(const void *line)
{
#if defined(__x86_64__)
    __asm__ volatile("prefetchw %0" : : "m"(*(const char *)line));
#else
    __builtin_prefetch(line, 1);
#endif
}

#endif
