/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a core pushes many instructions to its open FIFO (PushTensixInstruction.md). The frontend classifies a word once.
 * A core that keeps the word keeps its class too, as a byte that only the frontend understands.
 */
#ifndef TILE_TENSIX_FRONTEND_PUSH_H
#define TILE_TENSIX_FRONTEND_PUSH_H

#include <stdint.h>

#include "tile/tensix/frontend/fifo.h"
#include "tile/tensix/frontend/kind.h"

typedef uint8_t tf_push_class;

/* The class of a word that has not been classified. */
#define TF_PUSH_UNCLASSIFIED ((tf_push_class)TF_KIND_UNKNOWN)

static inline tf_push_class tf_push_classify(uint32_t word)
{
    return tf_kind_of(word);
}

/* Its top bit: may a FIFO with a word of the class hold an instruction that is not passed in batches? */
static inline uint32_t tf_push_unbatched(tf_push_class of)
{
    return of - (TF_KIND_UNBATCHED + 1u);
}

/* Entries from the first free one on have been filled by tf_push_set(); unbatched: the union over their classes. */
static inline void tf_fifo_pushed(struct tf_fifo *fifo, unsigned count, uint32_t unbatched)
{
    fifo->count = (uint8_t)(fifo->count + count);
    fifo->unbatched |= unbatched >> 31 != 0;
}

#endif
