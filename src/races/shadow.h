/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shadow memory: for each word of a site's memory its last write and two of the reads since. Pages of 4 KiB are made
 * with the first access, so that it takes six times the memory that a program touches, and no more than
 * TF_SHADOW_PAGES_MAX pages for DRAM of a channel. What lies beyond is not checked.
 */
#ifndef RACES_SHADOW_H
#define RACES_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TF_SHADOW_PAGE_BYTES 4096u
#define TF_SHADOW_WORDS (TF_SHADOW_PAGE_BYTES / 4)
#define TF_SHADOW_PAGES_MAX 4096u

/*
 * An access, in 64 bits: 0 is none; else slot + 1 (8 bits), bytes of the word (4), pc / 4 (20), and the time of the
 * actor (32). An access of a request has the slot TF_SLOT_REQUEST, and instead of a time the number of its record.
 */
typedef uint64_t tf_trace;

#define TF_SLOT_REQUEST 254u

static inline tf_trace tf_trace_make(unsigned slot, unsigned bytes, uint32_t pc, uint32_t time)
{
    return (uint64_t)(slot + 1) << 56 | (uint64_t)bytes << 52 | (uint64_t)(pc / 4 & 0xFFFFF) << 32 | time;
}

static inline unsigned tf_trace_slot(tf_trace trace)
{
    return (unsigned)(trace >> 56) - 1;
}

static inline unsigned tf_trace_bytes(tf_trace trace)
{
    return (unsigned)(trace >> 52 & 15);
}

static inline uint32_t tf_trace_pc(tf_trace trace)
{
    return (uint32_t)(trace >> 32 & 0xFFFFF) * 4;
}

static inline uint32_t tf_trace_time(tf_trace trace)
{
    return (uint32_t)trace;
}

struct tf_cell {
    tf_trace write, read[2];
};

struct tf_shadow_page {
    uint64_t number;                       /* address / TF_SHADOW_PAGE_BYTES */
    struct tf_shadow_page *next;           /* in its bucket */
    uint8_t synchronizes[TF_SHADOW_WORDS]; /* not 0: the word is polled, or changed by atomics */
    struct tf_cell cell[TF_SHADOW_WORDS];
};

#define TF_SHADOW_BUCKETS 512u

struct tf_shadow {
    struct tf_shadow_page *bucket[TF_SHADOW_BUCKETS]; /* of L1: a page in each */
    uint32_t pages;
    bool full; /* an access was not noted: no memory, or too many pages */
};

/* The page of an address; NULL: none can be made. */
struct tf_shadow_page *tf_shadow_make(struct tf_shadow *shadow, uint64_t address);

static inline struct tf_shadow_page *tf_shadow_page(struct tf_shadow *shadow, uint64_t address)
{
    uint64_t number = address / TF_SHADOW_PAGE_BYTES;
    struct tf_shadow_page *page = shadow->bucket[number % TF_SHADOW_BUCKETS];
    return page != NULL && page->number == number ? page : tf_shadow_make(shadow, address);
}

/* Forget all accesses to a range, which the host has written. */
void tf_shadow_forget(struct tf_shadow *shadow, uint64_t address, uint64_t bytes);

void tf_shadow_free(struct tf_shadow *shadow);

#endif
