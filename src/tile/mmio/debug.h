/* SPDX-License-Identifier: Apache-2.0 */
/* Debug registers of a tile. Addresses lie in their window, and are 4-aligned. */
#ifndef TILE_MMIO_DEBUG_H
#define TILE_MMIO_DEBUG_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/access.h"

struct tf_hash;
struct tf_mmio;
struct tf_tile;

void tf_debug_init(struct tf_tile *tile);
enum tf_access tf_debug_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
enum tf_access tf_debug_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);
bool tf_debug_load_acts(const struct tf_tile *tile, uint32_t offset);
bool tf_debug_peek(const struct tf_tile *tile, uint32_t offset, uint32_t *value); /* false: a load may have an effect */
void tf_debug_hash(const struct tf_mmio *mmio, struct tf_hash *hash);

#endif
