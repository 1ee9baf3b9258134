/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HOST_ZEROED_H
#define HOST_ZEROED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/*
 * Memory of zeros for state of which most is never touched: whole pages, which cost neither time nor memory before they
 * are written to (malloc would write the zeros). NULL: there is none. Given back with the same size; NULL is no memory.
 */
void *tf_zeroed_take(size_t bytes);
void tf_zeroed_give(void *memory, size_t bytes);

/*
 * All of it is about to be written to: the host finds pages for it at once, several times sooner than one by one as
 * they are touched. What is read before it is written to is found twice, and the second time interrupts each core on
 * which another thread of the process runs. Nothing in it changes; where the host cannot do it, nothing happens.
 */
void tf_zeroed_touch(void *memory, size_t bytes);

#define TF_ZEROED_PAGE_BYTES 4096u
#define TF_ZEROED_LOOK_PAGES 512u

/*
 * Which of up to TF_ZEROED_LOOK_PAGES pages, `memory` being at the start of the first, may hold anything but zeros, as
 * far as the host tells without their being read: to read a page that has never been touched costs time, and memory for
 * a table. All of them, where it does not tell.
 */
void tf_zeroed_look(const void *memory, size_t pages, bool *touched);

/* Zeros at the start of a line of the host's cache, as tiles want it; all of it is touched. For free(). */
static inline void *tf_zeroed_lines(size_t bytes)
{
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    return memory != NULL ? memset(memory, 0, bytes) : NULL;
}

#endif
