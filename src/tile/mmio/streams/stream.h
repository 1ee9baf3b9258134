/* SPDX-License-Identifier: Apache-2.0 */
/* Overlay streams. Addresses lie in their window, and are 4-aligned. */
#ifndef TILE_MMIO_STREAMS_STREAM_H
#define TILE_MMIO_STREAMS_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/access.h"

struct tf_hash;
struct tf_mmio;
struct tf_saved;
struct tf_tile;

void tf_stream_fini(struct tf_mmio *mmio);
enum tf_access tf_stream_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
bool tf_stream_pops(const struct tf_tile *tile, uint32_t address); /* may a load have an effect? */
bool tf_stream_load_acts(const struct tf_tile *tile, uint32_t address);
enum tf_access tf_stream_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);
void tf_stream_hash(const struct tf_mmio *mmio, struct tf_hash *hash);
void tf_stream_state(struct tf_saved *saved, struct tf_mmio *mmio);

#endif
