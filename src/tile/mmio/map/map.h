/* SPDX-License-Identifier: Apache-2.0 */
/* The registers of a tile, by address (tile/map.h). */
#ifndef TILE_MMIO_MAP_MAP_H
#define TILE_MMIO_MAP_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/access.h"
#include "tile/map.h"

struct tf_hash;
struct tf_tile;

/* Of an Ethernet tile: after tf_eth_create(). */
void tf_mmio_init(struct tf_tile *tile);
void tf_mmio_fini(struct tf_tile *tile);

/*
 * Access by `from` (0..4 a core, TF_FROM_NOC). The address is neither in L1 nor, for a core, in its own local RAM. size
 * is 1, 2 or 4 bytes; *value is zero-extended. tile->cycle is the cycle of the access. A fault of a core is recorded.
 * For a fault of the NOC the caller charges the initiator, with the sentence of tf_mmio_why(). *pure: the load has no
 * effect, and its value may be an input of parking. Another hart, the coprocessor or a delivery may change it; time
 * alone does not.
 */
enum tf_access tf_mmio_load(struct tf_tile *tile, unsigned from, uint32_t address, unsigned size, uint32_t *value,
                            bool *pure);
enum tf_access tf_mmio_store(struct tf_tile *tile, unsigned from, uint32_t address, unsigned size, uint32_t value);

/* tf_mmio_load() where the caller knows the window that tf_map_find() gives for the address; load_word: an aligned
   word. Row `cb` pays. */
enum tf_access tf_mmio_load_at(struct tf_tile *tile, unsigned from, enum tf_window_id window, uint32_t address,
                               unsigned size, uint32_t *value, bool *pure);
enum tf_access tf_mmio_load_word_at(struct tf_tile *tile, unsigned from, enum tf_window_id window, uint32_t address,
                                    uint32_t *value, bool *pure);
enum tf_access tf_mmio_store_at(struct tf_tile *tile, unsigned from, enum tf_window_id window, uint32_t address,
                                unsigned size, uint32_t value);

/* tf_mmio_load_acts() (acts.h), where the answer depends on the register. */
bool tf_mmio_load_acts_on(const struct tf_tile *tile, unsigned from, enum tf_window_id window, uint32_t address);

/* Would the access that blocked still block? No side effects. */
bool tf_mmio_would_block(struct tf_tile *tile, unsigned from, uint32_t address, bool store);

void tf_mmio_hash(struct tf_tile *tile, struct tf_hash *hash);

#endif
