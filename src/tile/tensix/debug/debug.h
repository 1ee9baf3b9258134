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

/* Reads DBG_ARRAY_RD_DATA for a DBG_ARRAY_RD_CMD. Returns false if no source defines the command. */
bool tf_tensix_debug_array(struct tf_tile *tile, uint32_t command, uint32_t *value);

#endif
