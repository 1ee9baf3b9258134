/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table. It maps a pair of numbers to an index of an array that its user keeps. A struct tf_table of zeros is
   empty. */
#ifndef LOOK_TRACKS_TABLE_H
#define LOOK_TRACKS_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "host/mix.h"

struct tf_table_slot {
    uint64_t a, b;
    uint32_t index, used;
};

struct tf_table {
    struct tf_table_slot *slot;
    uint32_t count, room; /* room: a power of two */
};

/* The slot of a pair, or the free slot where it belongs. The table has room. */
static inline uint32_t tf_table_at(const struct tf_table *table, uint64_t a, uint64_t b)
{
    uint32_t at = (uint32_t)(tf_mix_pair(a, b) >> 32) & (table->room - 1);
    while (table->slot[at].used && (table->slot[at].a != a || table->slot[at].b != b))
        at = (at + 1) & (table->room - 1);
    return at;
}

/* Double the room. Returns false if the host has no memory. */
static inline bool tf_table_grow(struct tf_table *table)
{
    struct tf_table bigger = {.count = table->count, .room = table->room == 0 ? 64 : table->room * 2};
    bigger.slot = calloc(bigger.room, sizeof *bigger.slot);
    if (bigger.slot == NULL)
        return false;
    for (uint32_t i = 0; i < table->room; i++)
        if (table->slot[i].used)
            bigger.slot[tf_table_at(&bigger, table->slot[i].a, table->slot[i].b)] = table->slot[i];
    free(table->slot);
    *table = bigger;
    return true;
}

/* The index of a pair. A pair that is not in the table gets the index `next`, and *made is true. UINT32_MAX: no memory.
   */
static inline uint32_t tf_table_take(struct tf_table *table, uint64_t a, uint64_t b, uint32_t next, bool *made)
{
    *made = false;
    if (table->count >= table->room / 2 && !tf_table_grow(table))
        return UINT32_MAX;
    struct tf_table_slot *slot = &table->slot[tf_table_at(table, a, b)];
    if (!slot->used) {
        *slot = (struct tf_table_slot){.a = a, .b = b, .index = next, .used = 1};
        table->count++;
        *made = true;
    }
    return slot->index;
}

/* The hash of a text, as a number for a pair. */
static inline uint64_t tf_table_key(const char *text)
{
    uint64_t hash = TF_FNV_FIRST;
    for (; *text != '\0'; text++)
        hash = tf_mix_fnv(hash, (uint8_t)*text);
    return hash;
}

/* The index of a pair; UINT32_MAX: it is not in the table. */
static inline uint32_t tf_table_find(const struct tf_table *table, uint64_t a, uint64_t b)
{
    if (table->room == 0)
        return UINT32_MAX;
    const struct tf_table_slot *slot = &table->slot[tf_table_at(table, a, b)];
    return slot->used ? slot->index : UINT32_MAX;
}

/* Make room for one more element in an array of `count` elements, by doubling it. bytes: of an element. Returns false
   if the host has no memory. */
static inline bool tf_array_room(void **array, uint32_t count, uint32_t *room, size_t bytes)
{
    if (count < *room)
        return true;
    uint32_t more = *room == 0 ? 64 : *room * 2;
    void *bigger = realloc(*array, more * bytes);
    if (bigger == NULL)
        return false;
    *array = bigger;
    *room = more;
    return true;
}

#endif
