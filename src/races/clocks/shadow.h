/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shadow memory. For each word of a site's memory it keeps the last write and two of the reads since. Most blocks of
 * 256 bytes are written and read as a whole, and need one cell only. In other blocks each word has a cell, which takes
 * up to seven times the size of the block. A page of 4 KiB is made with the first access to it. A site has at most
 * TF_SHADOW_PAGES_MAX pages; accesses beyond them are not checked.
 */
#ifndef RACES_CLOCKS_SHADOW_H
#define RACES_CLOCKS_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tilefarm_address.h"

#define TF_SHADOW_PAGE_BYTES 4096u
#define TF_SHADOW_BLOCK_BYTES 256u
#define TF_SHADOW_BLOCKS (TF_SHADOW_PAGE_BYTES / TF_SHADOW_BLOCK_BYTES)
#define TF_SHADOW_WORDS (TF_SHADOW_BLOCK_BYTES / 4)
#define TF_SHADOW_PAGES_MAX 4096u

/*
 * An access to a word, in 64 bits. 0 is no access. From the top bit: slot + 1 (8 bits), a mask of the bytes (4),
 * pc / 4 (20, of which the top one is for instruction RAM), and the time of the actor (32). An access of a NOC request
 * has slot TF_SLOT_REQUEST, and the number of its record in place of the time.
 */
typedef uint64_t tf_trace;

#define TF_SLOT_REQUEST 254u
#define TF_SLOT_HOST 253u /* in place of the pc: the number of the pause */

#define TF_TRACE_BYTES_AT 52
#define TF_WORD_BYTES 15u /* all bytes of a word */
#define TF_TRACE_IRAM (1u << 19)

/* Returns the trace with another mask of bytes. */
static inline tf_trace tf_trace_of_bytes(tf_trace trace, unsigned bytes)
{
    return (trace & ~((uint64_t)TF_WORD_BYTES << TF_TRACE_BYTES_AT)) | (uint64_t)bytes << TF_TRACE_BYTES_AT;
}

static inline tf_trace tf_trace_make(unsigned slot, unsigned bytes, uint32_t pc, uint32_t time)
{
    const uint32_t place = (pc / 4 & (TF_TRACE_IRAM - 1)) | (pc >= TF_IRAM_BASE ? TF_TRACE_IRAM : 0);
    return tf_trace_of_bytes((uint64_t)(slot + 1) << 56 | (uint64_t)place << 32 | time, bytes);
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
    const uint32_t place = (uint32_t)(trace >> 32);
    return (place & (TF_TRACE_IRAM - 1)) * 4 + ((place & TF_TRACE_IRAM) != 0 ? TF_IRAM_BASE : 0);
}

static inline uint32_t tf_trace_time(tf_trace trace)
{
    return (uint32_t)trace;
}

/* The accesses to a word, or to a whole block. */
struct tf_cell {
    tf_trace write, read[2];
};

/* The words of a block that was not accessed as a whole. */
struct tf_shadow_words {
    struct tf_cell cell[TF_SHADOW_WORDS];
    uint8_t synchronizes[TF_SHADOW_WORDS]; /* MARK_* of state.h; 0: the word is not polled, and no atomic changes it */
    struct tf_shadow_words *next;          /* in the list of free ones */
};

struct tf_shadow_page {
    uint64_t number;                                 /* address / TF_SHADOW_PAGE_BYTES */
    struct tf_shadow_page *next;                     /* in its bucket */
    struct tf_shadow_words *words[TF_SHADOW_BLOCKS]; /* NULL: `whole` serves for all words of the block */
    struct tf_cell whole[TF_SHADOW_BLOCKS];
};

#define TF_SHADOW_BUCKETS 512u

struct tf_shadow {
    struct tf_shadow_page *bucket[TF_SHADOW_BUCKETS]; /* hash table; with L1, each bucket has at most one page */
    struct tf_shadow_words *spare;                    /* the list of free ones */
    uint32_t pages;
    bool full; /* an access was not recorded: no memory, or too many pages */
};

/* Find or make the page of an address. Returns NULL if the host has no memory, or if there are too many pages. */
struct tf_shadow_page *tf_shadow_make(struct tf_shadow *shadow, uint64_t address);

/* tf_shadow_make(), fast if the page exists. */
static inline struct tf_shadow_page *tf_shadow_page(struct tf_shadow *shadow, uint64_t address)
{
    uint64_t number = address / TF_SHADOW_PAGE_BYTES;
    struct tf_shadow_page *page = shadow->bucket[number % TF_SHADOW_BUCKETS];
    return page != NULL && page->number == number ? page : tf_shadow_make(shadow, address);
}

/* Give each word of a block a cell of its own, a copy of the whole block's cell. Returns NULL if the host has no
   memory. */
struct tf_shadow_words *tf_shadow_split(struct tf_shadow *shadow, struct tf_shadow_page *page, unsigned block);

/* Let the cell of the first word serve for the block. All words have equal cells, and none synchronizes. */
void tf_shadow_unite(struct tf_shadow *shadow, struct tf_shadow_page *page, unsigned block);

/* The index of an address's block in its page. */
static inline unsigned tf_shadow_block(uint64_t address)
{
    return address % TF_SHADOW_PAGE_BYTES / TF_SHADOW_BLOCK_BYTES;
}

/* The cells of the words in the block of an address; splits the block if needed. Returns NULL if the host has no
   memory. */
static inline struct tf_shadow_words *tf_shadow_words(struct tf_shadow *shadow, uint64_t address)
{
    struct tf_shadow_page *page = tf_shadow_page(shadow, address);
    if (page == NULL)
        return NULL;
    unsigned block = tf_shadow_block(address);
    return page->words[block] != NULL ? page->words[block] : tf_shadow_split(shadow, page, block);
}

/* The index of an address's word in its block. */
static inline unsigned tf_shadow_word(uint64_t address)
{
    return address % TF_SHADOW_BLOCK_BYTES / 4;
}

/* Forget all accesses to a range. */
void tf_shadow_forget(struct tf_shadow *shadow, uint64_t address, uint64_t bytes);

/* Free all pages. */
void tf_shadow_free(struct tf_shadow *shadow);

#endif
