/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of cores to Dst. */
#ifndef TILE_TENSIX_WHOLE_DST_WINDOW_H
#define TILE_TENSIX_WHOLE_DST_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/access.h"

struct tf_tile;

/* TF_DST_BASE of T0..T2 ("RISCV access to Dst"): size 1, 2 or 4, address aligned to it. */
enum tf_access tf_dst_load(struct tf_tile *tile, unsigned from, uint32_t address, unsigned size, uint32_t *value,
                           bool *pure);
enum tf_access tf_dst_store(struct tf_tile *tile, unsigned from, uint32_t address, unsigned size, uint32_t value);

#endif
