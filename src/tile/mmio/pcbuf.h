/* SPDX-License-Identifier: Apache-2.0 */
/* PCBufs and TTSync. Addresses lie in their window, and are 4-aligned. */
#ifndef TILE_MMIO_PCBUF_H
#define TILE_MMIO_PCBUF_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/access.h"

struct tf_hash;
struct tf_mmio;
struct tf_tile;

enum tf_access tf_pcbuf_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
enum tf_access tf_pcbuf_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);
bool tf_pcbuf_load_acts(const struct tf_tile *tile, unsigned from);
bool tf_pcbuf_would_block(struct tf_tile *tile, unsigned from, uint32_t address, bool store);
void tf_pcbuf_discard(struct tf_tile *tile, unsigned thread);
void tf_pcbuf_hash(const struct tf_mmio *mmio, struct tf_hash *hash);

#endif
