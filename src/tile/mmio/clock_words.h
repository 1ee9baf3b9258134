/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TILE_MMIO_CLOCK_WORDS_H
#define TILE_MMIO_CLOCK_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "tilefarm_address.h"

/* Is it the address of a word of the wall clock? Ethernet tiles may have another register there. */
static inline bool tf_clock_is_at(uint32_t address)
{
    const uint32_t first = TF_DEBUG_BASE + TF_DEBUG_CLOCK_L, last = TF_DEBUG_BASE + TF_DEBUG_CLOCK_H;
    return address % 4 == 0 && address - first <= last - first;
}

#endif
