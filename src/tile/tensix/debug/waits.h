/* SPDX-License-Identifier: Apache-2.0 */
/* Signals on the debug daisychain that show what cores and frontends wait for. */
#ifndef TILE_TENSIX_DEBUG_WAITS_H
#define TILE_TENSIX_DEBUG_WAITS_H

#include <stdbool.h>
#include <stdint.h>

struct tf_tile;

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

#endif
