/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/run/fill.h"

#include <string.h>

#include "tile/run/tile.h"
#include "tile/tensix/whole/fill.h"

void tf_tile_fill(struct tf_tile *tile, uint32_t (*next)(void *source), void *source)
{
    for (unsigned core = 0; core < tile->arch->cores; core++) {
        struct tf_hart *hart = &tile->hart[core];
        for (uint32_t at = 0; at < hart->local_bytes; at += 4) {
            const uint32_t word = next(source);
            memcpy(hart->local + at, &word, sizeof word);
        }
        hart->local_zero = false;
    }
    tf_tensix_fill(tile, next, source);
}
