/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decoded code. L1 is divided into pages of 1 KiB. When a hart first executes from a page, the whole page is decoded
 * into an array of operations, one for each instruction word. All tiles of a chip that have equal bytes at an address
 * share one decoded page: row `memory` pays for that (twice as much without it).
 */
#ifndef TILE_RISCV_CODE_CODE_H
#define TILE_RISCV_CODE_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/riscv/code/map.h"
#include "tile/observe.h"

/* The handlers of the interpreter, by enum tf_handler: a function for each instance (interp/instances.h). */
struct tf_code_instances {
    const void *const *(*plain)(void), *const *(*counted)(void), *const *(*checked)(void), *const *(*both)(void);
    const void *const *(*explored)(void), *const *(*ordered)(void);
};

/*
 * Create and destroy a chip's cache of decoded pages, found by content, for cores with `extensions` (enum
 * tf_rv_extension, as bits). Any worker may look up and add pages at any time; to look one up takes no lock. Returns
 * NULL if the host has no memory.
 */
struct tf_code_cache *tf_code_cache_create(unsigned extensions, const struct tf_code_instances *instances);

void tf_code_cache_destroy(struct tf_code_cache *cache);

/* The pages are not in huge pages: this is a chip that forks, or that may never run. */
void tf_code_cache_sparse(struct tf_code_cache *cache);

struct tf_tile_arch;

/* Decode Tensix instructions in code as those of a family, whose opcodes are listed, before any page is decoded. */
void tf_code_cache_push_as(struct tf_code_cache *cache, const struct tf_tile_arch *family);

/* The registers of a line of fast words, as bits, that a burst of stores may include while the line is storable. By
   default it may include all. Call this before any page is decoded. */
void tf_code_cache_bursts(struct tf_code_cache *cache, uint16_t registers);

/* Decode for the interpreter that counts (count.h), before any page is decoded. */
void tf_code_cache_count(struct tf_code_cache *cache);

/* Decode for the interpreter that reports to a race checker (tile/check.h), before any page is decoded. */
void tf_code_cache_check(struct tf_code_cache *cache);

/* Decode for the interpreter of chips that explore (tile/explore), checked or not, before any page is decoded. */
void tf_code_cache_explore(struct tf_code_cache *cache);

/* Decode for the interpreter that claims accesses to memory (tile/order/order.h), before any page is decoded. */
void tf_code_cache_order(struct tf_code_cache *cache);

/* Decode for the loop of timing mode, before any page is decoded. handlers: tf_timed_handlers() (interp/timed.h). */
void tf_code_cache_time(struct tf_code_cache *cache, const void *const *handlers);

/* Is the code of a tile decoded for one of these interpreters? */
bool tf_code_counted(const struct tf_code_map *map);
bool tf_code_checked(const struct tf_code_map *map);
bool tf_code_explored(const struct tf_code_map *map);
bool tf_code_ordered(const struct tf_code_map *map);
bool tf_code_timed(const struct tf_code_map *map);

struct tf_tile;

/* The tile's page at an address in L1, decoded now if necessary. Returns NULL if the host has no memory. */
struct tf_code_page *tf_code_page_make(struct tf_tile *tile, uint32_t address);

/* The instruction word at a pc that can be fetched, as it is in memory now. */
uint32_t tf_code_word(const struct tf_tile *tile, uint32_t pc);

/* A hart has changed the word at this address, which lies in a decoded page. */
void tf_code_stored(struct tf_tile *tile, uint32_t address);

/* Decode the word of a TF_H_STALE operation. */
void tf_code_refresh(struct tf_tile *tile, struct tf_code_page *page, unsigned index);

/* Drop the decoded pages of a range of L1, which was written from outside the tile's harts. */
void tf_code_written(struct tf_tile *tile, uint32_t address, uint32_t bytes, enum tf_writer writer);

/* Bytes of L1 were written from outside: drop decoded code there. In relaxed mode any worker may call this, and the
   owner drops the code before its next slice. */
void tf_tile_l1_written(struct tf_tile *tile, uint32_t address, uint32_t bytes);

/* Relaxed mode: drop the decoded pages that tf_tile_l1_written() has noted since. Thread: the owner. */
void tf_code_drop_stale(struct tf_tile *tile);

/* Release all decoded pages of a tile. */
void tf_code_drop(struct tf_tile *tile);

struct tf_saved;

/* The saved state (host/saved.h), after L1: which pages are decoded, and which of their words have been written since.
   Pages are decoded again from L1. tile->code_generation is the caller's. */
void tf_code_state(struct tf_saved *saved, struct tf_tile *tile);

#endif
