/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shadow memory: for each word of a site's memory its last write and two of the reads since. Most blocks of 256 bytes
 * are written and read as a whole: then one cell serves for the block. Others take up to seven times their size. Pages
 * of 4 KiB are made with the first access, at most TF_SHADOW_PAGES_MAX for DRAM of a channel. What lies beyond is not
 * checked.
 */
#ifndef RACES_SHADOW_H
#define RACES_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TF_SHADOW_PAGE_BYTES 4096u
#define TF_SHADOW_BLOCK_BYTES 256u
#define TF_SHADOW_BLOCKS (TF_SHADOW_PAGE_BYTES / TF_SHADOW_BLOCK_BYTES)
#define TF_SHADOW_WORDS (TF_SHADOW_BLOCK_BYTES / 4)
#define TF_SHADOW_PAGES_MAX 4096u

/*
 * An access, in 64 bits: 0 is none; else slot + 1 (8 bits), bytes of the word (4), pc / 4 (20), and the time of the
 * actor (32). An access of a request has the slot TF_SLOT_REQUEST, and instead of a time the number of its record.
 */
typedef uint64_t tf_trace;

#define TF_SLOT_REQUEST 254u

#define TF_TRACE_BYTES_AT 52
#define TF_WORD_BYTES 15u /* all bytes of a word */

/* The trace of an access to these bytes of a word, from one to any. */
static inline tf_trace tf_trace_of_bytes(tf_trace trace, unsigned bytes)
{
    return (trace & ~((uint64_t)TF_WORD_BYTES << TF_TRACE_BYTES_AT)) | (uint64_t)bytes << TF_TRACE_BYTES_AT;
}

static inline tf_trace tf_trace_make(unsigned slot, unsigned bytes, uint32_t pc, uint32_t time)
{
    return tf_trace_of_bytes((uint64_t)(slot + 1) << 56 | (uint64_t)(pc / 4 & 0xFFFFF) << 32 | time, bytes);
}

static inline unsigned tf_trace_slot(tf_trace trace)
{
    return (unsigned)(trace >> 56) - 1;
}

static inline unsigned tf_trace_bytes(tf_trace trace)
{
    return (unsigned)(trace >> TF_TRACE_BYTES_AT & TF_WORD_BYTES);
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

/* The words of a block that was not accessed as a whole. */
struct tf_shadow_words {
    struct tf_cell cell[TF_SHADOW_WORDS];
    uint8_t synchronizes[TF_SHADOW_WORDS]; /* not 0: the word is polled, or changed by atomics; of state.h */
    struct tf_shadow_words *next;          /* of those that are not in use */
};

struct tf_shadow_page {
    uint64_t number;                                 /* address / TF_SHADOW_PAGE_BYTES */
    struct tf_shadow_page *next;                     /* in its bucket */
    struct tf_shadow_words *words[TF_SHADOW_BLOCKS]; /* NULL: all words of the block have the cell below */
    struct tf_cell whole[TF_SHADOW_BLOCKS];
};

#define TF_SHADOW_BUCKETS 512u

struct tf_shadow {
    struct tf_shadow_page *bucket[TF_SHADOW_BUCKETS]; /* of L1: a page in each */
    struct tf_shadow_words *spare;
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

/* The words of a block get cells of their own. NULL: no memory. */
struct tf_shadow_words *tf_shadow_split(struct tf_shadow *shadow, struct tf_shadow_page *page, unsigned block);

/* All words of a block have the cell of its first one; no word synchronizes. */
void tf_shadow_unite(struct tf_shadow *shadow, struct tf_shadow_page *page, unsigned block);

static inline unsigned tf_shadow_block(uint64_t address)
{
    return address % TF_SHADOW_PAGE_BYTES / TF_SHADOW_BLOCK_BYTES;
}

/* The words of the block of an address; NULL: no memory. */
static inline struct tf_shadow_words *tf_shadow_words(struct tf_shadow *shadow, uint64_t address)
{
    struct tf_shadow_page *page = tf_shadow_page(shadow, address);
    if (page == NULL)
        return NULL;
    unsigned block = tf_shadow_block(address);
    return page->words[block] != NULL ? page->words[block] : tf_shadow_split(shadow, page, block);
}

/* The index of an address among the words of its block. */
static inline unsigned tf_shadow_word(uint64_t address)
{
    return address % TF_SHADOW_BLOCK_BYTES / 4;
}

/* Forget all accesses to a range, which the host has written. */
void tf_shadow_forget(struct tf_shadow *shadow, uint64_t address, uint64_t bytes);

void tf_shadow_free(struct tf_shadow *shadow);

#endif
