/* SPDX-License-Identifier: Apache-2.0 */
/* What debug registers of the tile show of the coprocessor. Looking changes nothing that software could notice. */
#ifndef TILE_TENSIX_PROBE_H
#define TILE_TENSIX_PROBE_H

#include <stdbool.h>
#include <stdint.h>

struct tf_tile;

/* Word `word` (0..3) of the 128 bits that the debug daisychain shows of a signal. False: of no such one. */
bool tf_tensix_probe(const struct tf_tile *tile, uint32_t daisy, uint32_t signal, unsigned word, uint32_t *value);

/* What DBG_ARRAY_RD_DATA shows for a DBG_ARRAY_RD_CMD. False: no source says. */
bool tf_tensix_array(struct tf_tile *tile, uint32_t command, uint32_t *value);

#endif
