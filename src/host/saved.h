/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The saved state of a chip: a stream of bytes that every room writes and reads by one function, tf_ROOM_state(). It
 * names the fields of the room once, for saving and for restoring.
 *
 * A state is read into a chip that was created with an equal configuration, and has not run. After a failure the rest
 * of a stream is neither written nor read. The caller tests for a failure at the end.
 *
 * Fields hold their bytes as the host has them. Pointers, decoded code and other caches are not saved: the reader makes
 * them anew. TF_SAVED_WHOLE() states the size of each struct beside its function, so that a new field leads its author
 * here.
 *
 * Thread: one at a time for a stream.
 */
#ifndef HOST_SAVED_H
#define HOST_SAVED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "host/zeroed.h"

struct tf_saved {
    bool reads;       /* the state comes from the stream; else it goes to the stream */
    const char *why;  /* NULL, or the failure: a constant sentence */
    uint8_t *buffer;  /* of `room` bytes */
    size_t at, bytes; /* place in the buffer; when reading, the bytes that it holds */
    size_t room;
    /* Empties the buffer, or fills it again: sets `at` and `bytes`. Returns false and sets `why`. */
    bool (*refill)(struct tf_saved *saved);
    struct tf_looked looked; /* memory whose untouched pages are neither written nor cleared */
};

/* The sentence of a reader that lacks memory. */
extern const char tf_saved_no_memory[];

/* The stream has failed. Only the first sentence is kept. */
void tf_saved_fail(struct tf_saved *saved, const char *why);

/* A refill for a stream that stays in memory: the buffer, from malloc(), becomes larger. */
bool tf_saved_grow(struct tf_saved *saved);

/* A reader's stream has failed unless the fields that were read fit, such as numbers that index arrays. Writers ignore
   it. */
void tf_saved_demand(struct tf_saved *saved, bool fits, const char *why);

/* Is the byte of a flag one that the host's bool can have? */
static inline bool tf_saved_is_flag(const bool *flag)
{
    uint8_t byte;
    memcpy(&byte, flag, sizeof byte);
    return byte <= 1;
}

/* Bytes of a field. */
void tf_saved_bytes(struct tf_saved *saved, void *data, size_t bytes);

/* Memory that is mostly zero, and may be large. Pages of zeros take no bytes in the stream, nor do 64 zero bytes in a
   page. */
void tf_saved_memory(struct tf_saved *saved, void *data, uint64_t bytes);
#define TF_SAVED_MEMORY(saved, field) tf_saved_memory((saved), &(field), sizeof(field))

/* A number that is no field: `value` is written, or ignored. Returns the number in the stream; 0 after a failure. */
uint64_t tf_saved_number(struct tf_saved *saved, uint64_t value);

/* tf_saved_number() with a limit: a larger number fails the stream of a reader, which gets 0. */
uint64_t tf_saved_count(struct tf_saved *saved, uint64_t value, uint64_t most);

/* Zeroed memory for an array that a reader reads next, to be freed. NULL: the stream is written, or the array is empty;
   or the host has no memory, which fails the stream. */
void *tf_saved_room(struct tf_saved *saved, size_t count, size_t bytes_each);

/* A field, or an array. */
#define TF_SAVED(saved, field) tf_saved_bytes((saved), &(field), sizeof(field))

/* The members of *object from `first` on, up to `end`, or up to the end of the struct. */
#define TF_SAVED_SPAN(saved, object, first, end)                            \
    tf_saved_bytes((saved), &(object)->first,                               \
                   (size_t)((const uint8_t *)(const void *)&(object)->end - \
                            (const uint8_t *)(const void *)&(object)->first))
#define TF_SAVED_FROM(saved, object, first)                                 \
    tf_saved_bytes((saved), &(object)->first,                               \
                   (size_t)((const uint8_t *)(const void *)((object) + 1) - \
                            (const uint8_t *)(const void *)&(object)->first))

/* The function that follows names all members of a struct, except those that can be made anew. After a change of the
   struct, update that function, then the size here. Sizes are those of 64-bit hosts. */
#define TF_SAVED_WHOLE(type, size) \
    _Static_assert(sizeof(type) == (size) || sizeof(void *) != 8, "a member was added or removed: save it?")

#endif
