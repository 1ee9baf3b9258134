/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inlined calls around each address of a core's code. A list of calls, each inside of the one before, is a node of
 * a tree: its last call is the node's own, and the calls before are its parent. Cores with equal programs share a map.
 * Workers may look up addresses while the chip runs; maps are made by one thread, while it does not.
 */
#ifndef LOOK_TRACKS_INLINES_H
#define LOOK_TRACKS_INLINES_H

#include "debug/symbols.h"

struct tf_inline_maps;
struct tf_inline_map;

#define TF_INLINE_NONE 0u /* the node without a call, which is the root */

/* Make an empty set of maps. symbols must outlive it. Returns NULL if the host has no memory. */
struct tf_inline_maps *tf_inline_maps_create(struct tf_symbols *symbols);
void tf_inline_maps_free(struct tf_inline_maps *maps);

/* The map of a core; tile: as for tf_symbols_function(). Returns NULL if the host has no memory. */
const struct tf_inline_map *tf_inline_map_of(struct tf_inline_maps *maps, unsigned tile, unsigned core);

/* The node of an address. It holds from address *low up to *high, without *high. */
uint32_t tf_inline_at(const struct tf_inline_map *map, uint32_t address, uint32_t *low, uint32_t *high);

/* The parent of a node; the number of its calls; the name of its last call. */
uint32_t tf_inline_parent(const struct tf_inline_maps *maps, uint32_t node);
unsigned tf_inline_depth(const struct tf_inline_maps *maps, uint32_t node);
const char *tf_inline_name(const struct tf_inline_maps *maps, uint32_t node);

#endif
