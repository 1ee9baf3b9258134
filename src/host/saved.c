/* SPDX-License-Identifier: Apache-2.0 */
#include "host/saved.h"

#include <stdlib.h>
#include <string.h>

#include "host/extremes.h"
#include "host/zeroed.h"
#include "host/zeros.h"

const char tf_saved_no_memory[] = "too little memory for it";

void tf_saved_fail(struct tf_saved *saved, const char *why)
{
    if (saved->why == NULL)
        saved->why = why;
}

bool tf_saved_grow(struct tf_saved *saved)
{
    uint8_t *larger = realloc(saved->buffer, saved->room * 2);
    if (larger == NULL) {
        tf_saved_fail(saved, tf_saved_no_memory);
        return false;
    }
    saved->buffer = larger;
    saved->room *= 2;
    return true;
}

void tf_saved_demand(struct tf_saved *saved, bool fits, const char *why)
{
    if (saved->reads && !fits)
        tf_saved_fail(saved, why);
}

/* The number of bytes that can be moved next; 0 if none are left, or if the stream has failed. */
static size_t room(struct tf_saved *saved)
{
    if (saved->why != NULL)
        return 0;
    size_t end = saved->reads ? saved->bytes : saved->room;
    if (saved->at == end && !saved->refill(saved))
        return 0;
    return (saved->reads ? saved->bytes : saved->room) - saved->at;
}

void tf_saved_bytes(struct tf_saved *saved, void *data, size_t bytes)
{
    uint8_t *at = data;
    while (bytes != 0) {
        size_t piece = room(saved);
        if (piece == 0)
            break;
        piece = tf_min(piece, bytes);
        if (saved->reads)
            memcpy(at, saved->buffer + saved->at, piece);
        else
            memcpy(saved->buffer + saved->at, at, piece);
        saved->at += piece;
        at += piece;
        bytes -= piece;
    }
}

uint64_t tf_saved_number(struct tf_saved *saved, uint64_t value)
{
    TF_SAVED(saved, value);
    return saved->why == NULL ? value : 0;
}

uint64_t tf_saved_count(struct tf_saved *saved, uint64_t value, uint64_t most)
{
    value = tf_saved_number(saved, value);
    if (value <= most)
        return value;
    tf_saved_fail(saved, "it is damaged: a count is too large");
    return 0;
}

void *tf_saved_room(struct tf_saved *saved, size_t count, size_t bytes_each)
{
    if (!saved->reads || count == 0)
        return NULL;
    void *room = calloc(count, bytes_each);
    if (room == NULL)
        tf_saved_fail(saved, tf_saved_no_memory);
    return room;
}

/* Memory is saved by pages, and a page by blocks. Each page begins with its number and the set of its blocks. */
#define PAGE_BYTES TF_ZEROED_PAGE_BYTES
#define BLOCK_BYTES (PAGE_BYTES / 64)
#define NO_PAGE UINT64_MAX

static size_t least(uint64_t a, uint64_t b)
{
    return (size_t)(a < b ? a : b);
}

static void write_page(struct tf_saved *saved, uint8_t *page, size_t bytes, uint64_t number)
{
    uint64_t blocks = 0;
    for (size_t at = 0; at < bytes; at += BLOCK_BYTES)
        blocks |= (uint64_t)!tf_zeros(page + at, least(BLOCK_BYTES, bytes - at)) << at / BLOCK_BYTES;
    if (blocks == 0)
        return;
    tf_saved_number(saved, number);
    tf_saved_number(saved, blocks);
    for (; blocks != 0; blocks &= blocks - 1) {
        size_t at = (size_t)__builtin_ctzll(blocks) * BLOCK_BYTES;
        tf_saved_bytes(saved, page + at, least(BLOCK_BYTES, bytes - at));
    }
}

static void read_page(struct tf_saved *saved, uint8_t *page, size_t bytes)
{
    uint64_t blocks = tf_saved_number(saved, 0);
    size_t most = (bytes + BLOCK_BYTES - 1) / BLOCK_BYTES;
    if (most < 64 && blocks >> most != 0) {
        tf_saved_fail(saved, "it is damaged: a page of memory is too long");
        return;
    }
    for (; blocks != 0; blocks &= blocks - 1) {
        size_t at = (size_t)__builtin_ctzll(blocks) * BLOCK_BYTES;
        tf_saved_bytes(saved, page + at, least(BLOCK_BYTES, bytes - at));
    }
}

/* Zero the memory unless it is known to be zero. */
static void clear(uint8_t *data, uint64_t bytes, const bool *touched)
{
    for (uint64_t at = 0; at < bytes; at += PAGE_BYTES) {
        size_t length = least(PAGE_BYTES, bytes - at);
        if (*touched++ && !tf_zeros(data + at, length))
            memset(data + at, 0, length);
    }
}

static void write_pages(struct tf_saved *saved, uint8_t *data, uint64_t bytes, const bool *touched, uint64_t number)
{
    for (uint64_t at = 0; at < bytes; at += PAGE_BYTES, number++)
        if (*touched++)
            write_page(saved, data + at, least(PAGE_BYTES, bytes - at), number);
}

static void read_pages(struct tf_saved *saved, uint8_t *data, uint64_t bytes)
{
    uint64_t number;
    while ((number = tf_saved_number(saved, NO_PAGE)) != NO_PAGE && saved->why == NULL) {
        uint64_t at = number * PAGE_BYTES;
        if (number >= (bytes + PAGE_BYTES - 1) / PAGE_BYTES)
            tf_saved_fail(saved, "it is damaged: a page lies outside its memory");
        else
            read_page(saved, data + at, least(PAGE_BYTES, bytes - at));
    }
}

void tf_saved_memory(struct tf_saved *saved, void *data, uint64_t bytes)
{
    const uint64_t piece = (uint64_t)TF_ZEROED_LOOK_PAGES * PAGE_BYTES;
    bool touched[TF_ZEROED_LOOK_PAGES];
    for (uint64_t at = 0; at < bytes; at += piece) {
        size_t length = least(piece, bytes - at);
        tf_zeroed_ask(&saved->looked, (uint8_t *)data + at, length, touched);
        if (saved->reads)
            clear((uint8_t *)data + at, length, touched);
        else
            write_pages(saved, (uint8_t *)data + at, length, touched, at / PAGE_BYTES);
    }
    if (saved->reads)
        read_pages(saved, data, bytes);
    else
        tf_saved_number(saved, NO_PAGE);
}
