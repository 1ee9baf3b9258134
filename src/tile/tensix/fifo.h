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

static inline void tf_fifo_put(struct tf_fifo *fifo, const struct tf_push *push)
{
    fifo->entry[(fifo->first + fifo->count) % TF_FIFO_ENTRIES] = *push;
    fifo->count++;
}

#endif
