/* SPDX-License-Identifier: Apache-2.0 */
/* What debug registers of the tile show of the coprocessor. Looking changes nothing that software could notice. */
#ifndef TILE_TENSIX_DEBUG_DEBUG_H
#define TILE_TENSIX_DEBUG_DEBUG_H

#include <stdbool.h>
#include <stdint.h>

struct tf_tile;

/* Word `word` (0..3) of the 128 bits that the debug daisychain shows of a signal. False: of no such one. */
bool tf_tensix_probe(const struct tf_tile *tile, uint32_t daisy, uint32_t signal, unsigned word, uint32_t *value);

/* The same for what cores and frontends wait for: into the 128 bits themselves, which are zero. */
bool tf_probe_waits(const struct tf_tile *tile, uint32_t daisy, uint32_t signal, unsigned word, uint32_t *bits);

/* Bits of a signal, from bit `first` on; there is room for one word more than are touched. */
static inline void tf_probe_put(uint32_t *bits, unsigned first, uint32_t value)
{
    uint64_t shifted = (uint64_t)value << first % 32;
    bits[first / 32] |= (uint32_t)shifted;
    bits[first / 32 + 1] |= (uint32_t)(shifted >> 32);
}

/* What DBG_ARRAY_RD_DATA shows for a DBG_ARRAY_RD_CMD. False: no source says. */
bool tf_tensix_array(struct tf_tile *tile, uint32_t command, uint32_t *value);

#endif
