/* SPDX-License-Identifier: Apache-2.0 */
/* The view that the tile's debug registers have of the coprocessor. Software notices no effect of a read. */
#ifndef TILE_TENSIX_DEBUG_DEBUG_H
#define TILE_TENSIX_DEBUG_DEBUG_H

#include <stdbool.h>
#include <stdint.h>

struct tf_tile;

/* Reads word `word` (0..3) of the 128 bits of a signal on the debug daisychain. Returns false if there is no such
   signal. */
bool tf_tensix_signal(const struct tf_tile *tile, uint32_t daisy, uint32_t signal, unsigned word, uint32_t *value);

/* Sets the 128 bits, which the caller has cleared, of a signal that shows what cores and frontends wait for. Returns
   false if there is no such signal. */
bool tf_signal_of_waits(const struct tf_tile *tile, uint32_t daisy, uint32_t signal, unsigned word, uint32_t *bits);

/* Ors a value into a signal's bits, from bit `first` on. `bits` needs one word more than the value reaches. */
static inline void tf_signal_put(uint32_t *bits, unsigned first, uint32_t value)
{
    uint64_t shifted = (uint64_t)value << first % 32;
    bits[first / 32] |= (uint32_t)shifted;
    bits[first / 32 + 1] |= (uint32_t)(shifted >> 32);
}

/* Reads DBG_ARRAY_RD_DATA for a DBG_ARRAY_RD_CMD. Returns false if no source defines the command. */
bool tf_tensix_debug_array(struct tf_tile *tile, uint32_t command, uint32_t *value);

#endif
