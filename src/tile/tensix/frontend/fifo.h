/* SPDX-License-Identifier: Apache-2.0 */
/* The two FIFOs of a thread's frontend that software can observe (Diagrams/Out/TensixFrontend_BH.svg). */
#ifndef TILE_TENSIX_FRONTEND_FIFO_H
#define TILE_TENSIX_FRONTEND_FIFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "host/assert.h"
#include "host/hostile.h"
#include "tile/tensix/isa/isa.h"

#define TF_FIFO_ENTRIES 32u
/* The T core's FIFO is open while it holds no more entries than this (PushTensixInstruction.md). */
#define TF_FIFO_OPEN TF_UNLESS_HOSTILE(28u, 0u)
/* The FIFO between MOP expander and replay expander. */
#define TF_MID_ENTRIES TF_UNLESS_HOSTILE(8u, 1u)

/* An instruction in a FIFO. */
struct tf_push {
    uint64_t arrival; /* cycle of the store */
    uint32_t word;
    uint32_t pc;        /* of the store; of the MOP or REPLAY that it comes from */
    uint16_t resources; /* that Auto TTSync counts until it has passed the gate; ttsync.h */
    bool from_b;
    uint8_t kind;     /* of the word, enum tf_kind */
    uint32_t padding; /* 0: a saved chip has the bytes of the struct */
};

_Static_assert(offsetof(struct tf_push, pc) == offsetof(struct tf_push, word) + 4 &&
                   offsetof(struct tf_push, kind) == offsetof(struct tf_push, resources) + 3,
               "tf_push_set() writes them together, on a little-endian host");

/* Kinds of entries in a FIFO, as a mask, for tf_frontend_may_occupy(). */
enum tf_fifo_holds { TF_HOLDS_MOP = 1 << 0, TF_HOLDS_REPLAY = 1 << 1, TF_HOLDS_OCCUPANT = 1 << 2 };

/* The kinds, enum tf_fifo_holds, of an instruction in a FIFO. */
static inline uint8_t tf_fifo_held_by(uint32_t word)
{
    if (word >> 24 == TF_OP_MOP)
        return TF_HOLDS_MOP;
    if (word >> 24 == TF_OP_REPLAY)
        return TF_HOLDS_REPLAY;
    return tf_tensix_may_occupy(word) ? TF_HOLDS_OCCUPANT : 0;
}

struct tf_fifo {
    struct tf_push entry[TF_FIFO_ENTRIES];
    uint8_t first, count;
    /* Not part of the state (row `thcon`, workload `pipeline`). */
    bool unbatched; /* an entry pushed since the last search may be of a kind up to TF_KIND_UNBATCHED */
    uint8_t holds;  /* kinds that the last search found, enum tf_fifo_holds */
    uint64_t until; /* a head that arrived later is past all entries that it found */
};

static inline struct tf_push *tf_fifo_head(struct tf_fifo *fifo)
{
    return &fifo->entry[fifo->first];
}

static inline void tf_fifo_pop(struct tf_fifo *fifo)
{
    TF_ASSERT(fifo->count != 0);
    fifo->first = (fifo->first + 1) % TF_FIFO_ENTRIES;
    fifo->count--;
}

/* May an entry be of a kind up to TF_KIND_UNBATCHED? */
static inline bool tf_fifo_may_hold(const struct tf_fifo *fifo)
{
    return fifo->unbatched || (fifo->holds != 0 && fifo->count != 0);
}

/* An entry by its distance from the head, which is less than the number of entries. */
static inline const struct tf_push *tf_fifo_entry(const struct tf_fifo *fifo, unsigned index)
{
    return &fifo->entry[(fifo->first + index) % TF_FIFO_ENTRIES];
}

/* The newest entry of a FIFO that has any. */
static inline const struct tf_push *tf_fifo_last(const struct tf_fifo *fifo)
{
    return tf_fifo_entry(fifo, fifo->count - 1u);
}

/* The first free entry. */
static inline struct tf_push *tf_fifo_room(struct tf_fifo *fifo)
{
    TF_ASSERT(fifo->count < TF_FIFO_ENTRIES);
    return &fifo->entry[(fifo->first + fifo->count) % TF_FIFO_ENTRIES];
}

/* The entry after another one. */
static inline struct tf_push *tf_fifo_next(struct tf_fifo *fifo, struct tf_push *entry)
{
    return entry == &fifo->entry[TF_FIFO_ENTRIES - 1] ? fifo->entry : entry + 1;
}

/* Fills an entry for a T core; `above` is the pc << 32. Writes are as wide as later reads, so that the host forwards
   the stores. */
static inline void tf_push_set(struct tf_push *push, uint32_t word, uint8_t kind, uint64_t arrival, uint64_t above)
{
    uint64_t word_and_pc = word | above;
    uint32_t rest = (uint32_t)kind << 24;
    push->arrival = arrival;
    memcpy(&push->word, &word_and_pc, sizeof word_and_pc);
    memcpy(&push->resources, &rest, sizeof rest);
}

/* The kind of an entry that Auto TTSync does not count; of another entry a number above all kinds. */
static inline uint32_t tf_push_uncounted_kind(const struct tf_push *push)
{
    uint32_t rest;
    memcpy(&rest, &push->resources, sizeof rest);
    return rest << 8 | rest >> 24;
}

static inline void tf_fifo_put(struct tf_fifo *fifo, const struct tf_push *push)
{
    *tf_fifo_room(fifo) = *push;
    fifo->count++;
    fifo->unbatched |= push->kind <= TF_KIND_UNBATCHED;
}

#endif
