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

/*
 * Finds out which pages may hold anything but zeros, without reading them: to read an untouched page costs time, and
 * memory for a page table. `memory` is the start of the first page; pages is at most TF_ZEROED_LOOK_PAGES. If the host
 * does not tell, every page counts as touched. Row `save` pays for it (a third).
 */
void tf_zeroed_look(const void *memory, size_t pages, bool *touched);

/* Memory whose pages were looked at once, for many small parts of it. {0}: none. */
struct tf_looked {
    const uint8_t *memory; /* the start of a page, and NULL if there is none */
    size_t bytes;
    bool *touched; /* for each page */
    int pagemap;   /* an open file, for looks at other memory; -1: the host does not tell */
};

/* Until tf_looked_end() the caller changes only parts of the memory that it has asked about. If the host has no memory
   for the marks, each page counts as touched. */
void tf_looked_begin(struct tf_looked *looked, const void *memory, size_t bytes);
void tf_looked_end(struct tf_looked *looked);

/* Is this range part of the memory, and does it hold nothing but zeros because it was never written to? */
bool tf_looked_zero(const struct tf_looked *looked, const void *data, size_t bytes);

/*
 * Which parts of TF_ZEROED_PAGE_BYTES, from `data` on, may hold anything but zeros? At most TF_ZEROED_LOOK_PAGES of
 * them. Memory that was not looked at is asked about if that pays: if it is as large as the L1 of a tile. Parts of
 * other memory count as touched. looked: NULL if there is none.
 */
void tf_zeroed_ask(const struct tf_looked *looked, const uint8_t *data, uint64_t bytes, bool *touched);

#endif
