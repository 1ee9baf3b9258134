/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HOST_COPY_H
#define HOST_COPY_H

#include <stddef.h>
#include <string.h>

/*
 * memcpy() from the host into the chip's memory. Long blocks bypass the caches, and evict nothing: row `host-write`
 * pays for it (27 GB/s; 15 without it).
 */
void tf_copy_in(void *to, const void *from, size_t bytes);

#define TF_COPY_VECTOR_BYTES 4096u /* from this length on, memcpy() uses string instructions */

void tf_copy_packet(void *to, const void *from, size_t bytes);

/* memcpy() within the chip's memory, and out of it. It uses vectors where these are faster than string instructions.
   Row `copy-8k` of Wormhole pays for it. */
static inline void tf_copy_between(void *to, const void *from, size_t bytes)
{
    if (bytes < TF_COPY_VECTOR_BYTES)
        memcpy(to, from, bytes);
    else
        tf_copy_packet(to, from, bytes);
}

#endif
