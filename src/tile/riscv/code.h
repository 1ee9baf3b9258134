/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decoded code. L1 is divided into pages of 1 KiB. When a hart first executes from a page, the whole page is decoded
 * into an array of operations, one for each instruction word. All tiles of a chip that have equal bytes at an address
 * share one decoded page.
 */
#ifndef TILE_RISCV_CODE_H
#define TILE_RISCV_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/arch.h"

#define TF_CODE_PAGE_BYTES 1024u
#define TF_CODE_PAGES (TF_L1_BYTES_MAX / TF_CODE_PAGE_BYTES)

struct tf_code_page;
struct tf_code_cache;

/* The decoded pages of one tile. */
struct tf_code_map {
    struct tf_code_cache *cache;
    struct tf_code_page **page;     /* TF_CODE_PAGES entries, NULL when not decoded; allocated on first use */
    uint8_t decoded[TF_CODE_PAGES]; /* not 0 when page[i] is not NULL; stores test it */
};

/*
 * Create and destroy a chip's cache of decoded pages, found by content, for cores with `extensions` (enum
 * tf_rv_extension, as bits). It is lock-free: any worker may look up and add pages at any time. NULL: no memory.
 */
struct tf_code_cache *tf_code_cache_create_as(unsigned extensions);

static inline struct tf_code_cache *tf_code_cache_create(void)
{
    return tf_code_cache_create_as(TF_EXT_ALL);
}

void tf_code_cache_destroy(struct tf_code_cache *cache);

struct tf_tile_arch;

/* Decode Tensix instructions in code as those of a family, whose opcodes are listed, before any page is decoded. */
void tf_code_cache_push_as(struct tf_code_cache *cache, const struct tf_tile_arch *family);

/* Decode for the interpreter that counts (count.h), before any page is decoded. */
void tf_code_cache_count(struct tf_code_cache *cache);

/* The same for the interpreter that tells a race checker (tile/check.h). A chip has one of the two. */
void tf_code_cache_check(struct tf_code_cache *cache);

/* Is the code of a tile decoded for one of these interpreters? */
bool tf_code_counted(const struct tf_code_map *map);
bool tf_code_checked(const struct tf_code_map *map);

struct tf_tile;

/* Who writes to a tile, other than its cores. */
enum tf_writer {
    TF_WROTE_PACKER,
    TF_WROTE_SCALAR,
    TF_WROTE_MOVER,
    TF_WROTE_OTHER, /* a request or an answer of the NOC, a debug or Ethernet device */
};

/* Drop the decoded pages of a range of L1, which was written from outside the tile's harts. */
void tf_code_written(struct tf_tile *tile, uint32_t address, uint32_t bytes, enum tf_writer writer);

/* Release all decoded pages of a tile. */
void tf_code_drop(struct tf_tile *tile);

struct tf_saved;

/* The saved state (host/saved.h), behind L1: which pages are decoded, and which of their words have been written since.
   Pages are decoded again from L1. tile->code_generation is the caller's. */
void tf_code_state(struct tf_saved *saved, struct tf_tile *tile);

#endif
