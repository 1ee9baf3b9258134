/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HOST_ZEROED_H
#define HOST_ZEROED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Zeroed memory in whole pages. A page costs neither time nor memory until it is written to. That suits large state,
 * where programs touch only a small part. take returns NULL if the host has no memory. give takes an equal size; NULL
 * is ignored. Less than a page comes from malloc(). Row `startup` pays for it.
 */
void *tf_zeroed_take(size_t bytes);
void tf_zeroed_give(void *memory, size_t bytes);

/*
 * Zeroed memory that is used densely, in huge pages where the host has them: the first `touched` bytes are mapped at
 * once. A huge page costs as much time as a hundred usual ones, and a chip would touch a thousand of them at its start.
 * give_dense takes the same number of bytes; NULL is ignored. Rows `startup` and `recorded-calls` pay for it.
 */
void *tf_zeroed_take_dense(size_t bytes, size_t touched);
void tf_zeroed_give_dense(void *memory, size_t bytes);

/*
 * Maps the pages of memory that is about to be written to. One call is several times faster than a page fault for each
 * page. A page that is read first and written later faults twice, and the second fault interrupts every core that runs
 * a thread of the process. Contents do not change. Does nothing on hosts without MADV_POPULATE_WRITE.
 * Rows `startup` and `small-runs` pay for it (7 to 9 %).
 */
void tf_zeroed_touch(void *memory, size_t bytes);

#define TF_ZEROED_PAGE_BYTES 4096u
#define TF_ZEROED_LOOK_PAGES 512u

/* What the host tells of the pages of this process. One that is open for many looks saves three calls of the host for
   each. */
struct tf_pagemap {
    int file; /* -1: the host does not tell */
};
struct tf_pagemap tf_pagemap_open(void);
void tf_pagemap_close(struct tf_pagemap *pagemap);

/*
 * Finds out which pages may hold anything but zeros, without reading them: to read an untouched page costs time, and
 * memory for a page table. `memory` is the start of the first page; pages is at most TF_ZEROED_LOOK_PAGES. If the host
 * does not tell, every page counts as touched. pagemap: NULL opens and closes it. Row `save` pays for it (a third).
 */
void tf_zeroed_look(const struct tf_pagemap *pagemap, const void *memory, size_t pages, bool *touched);

/* tf_zeroed_look() of at most TF_ZEROED_LOOK_PAGES pages, if that pays: for large memory, such as the L1 of a tile. It
   need not start with a page of the host: touched[i] is of the bytes from i * TF_ZEROED_PAGE_BYTES. Pages of small
   memory count as touched. */
void tf_zeroed_ask(const struct tf_pagemap *pagemap, const uint8_t *data, uint64_t bytes, bool *touched);

/* Is memory all zeros? */
bool tf_zeroed_is(const uint8_t *data, uint64_t bytes);

#endif
