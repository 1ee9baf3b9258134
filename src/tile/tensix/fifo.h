/* SPDX-License-Identifier: Apache-2.0 */
/* The two FIFOs of a thread's frontend that can be seen from outside (Diagrams/Out/TensixFrontend_BH.svg). */
#ifndef TILE_TENSIX_FIFO_H
#define TILE_TENSIX_FIFO_H

#include <stdbool.h>
#include <stdint.h>

#define TF_FIFO_ENTRIES 32u
#define TF_FIFO_OPEN 28u   /* the first FIFO takes more while it holds no more than this (PushTensixInstruction.md) */
#define TF_MID_ENTRIES 8u  /* the FIFO between MOP expander and replay expander */

/* An instruction on its way to the gate. */
struct tf_push {
    uint64_t arrival;   /* cycle of the store */
    uint32_t word;
    uint32_t pc;        /* of the store; of the MOP or REPLAY that it comes from */
    uint16_t resources; /* that Auto TTSync counts until it has passed the gate; ttsync.h */
    bool from_b;
};

struct tf_fifo {
    struct tf_push entry[TF_FIFO_ENTRIES];
    uint8_t first, count;
};

static inline struct tf_push *tf_fifo_head(struct tf_fifo *fifo)
{
    return &fifo->entry[fifo->first];
}

static inline void tf_fifo_pop(struct tf_fifo *fifo)
{
    fifo->first = (fifo->first + 1) % TF_FIFO_ENTRIES;
    fifo->count--;
}

/* Entry `behind` the last. */
static inline struct tf_push *tf_fifo_room(struct tf_fifo *fifo, unsigned behind)
{
    return &fifo->entry[(fifo->first + fifo->count + behind) % TF_FIFO_ENTRIES];
}

/* As a T core pushes it. Field by field: a copy, read wider than it was written, would wait for the writes. */
static inline void tf_push_set(struct tf_push *push, uint32_t word, uint64_t arrival, uint32_t pc)
{
    push->arrival = arrival;
    push->word = word;
    push->pc = pc;
    push->resources = 0;
    push->from_b = false;
}

static inline void tf_fifo_put(struct tf_fifo *fifo, const struct tf_push *push)
{
    fifo->entry[(fifo->first + fifo->count) % TF_FIFO_ENTRIES] = *push;
    fifo->count++;
}

#endif
