/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TILE_WORD_H
#define TILE_WORD_H

#include "tile/state.h"

/* An aligned word of L1, to which others may store at the same time. */
static inline uint32_t tf_tile_word(const struct tf_tile *tile, uint32_t address)
{
    return __atomic_load_n((const uint32_t *)(const void *)(tile->l1 + address), __ATOMIC_RELAXED);
}

#endif
