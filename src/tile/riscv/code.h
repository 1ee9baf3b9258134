/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decoded code. L1 is seen as pages of 1 KiB. A page that a hart executes from is decoded once, whole, into an array
 * of operations, one for each instruction word, and shared by every tile of the chip that has the same bytes at the
 * same address.
 */
#ifndef TILE_RISCV_CODE_H
#define TILE_RISCV_CODE_H

#include <stdint.h>

#include "tile/arch.h"

#define TF_CODE_PAGE_BYTES 1024u
#define TF_CODE_PAGES (TF_L1_BYTES_MAX / TF_CODE_PAGE_BYTES)

struct tf_code_page;
struct tf_code_cache;

/* What a tile has decoded. */
struct tf_code_map {
    struct tf_code_cache *cache;
    struct tf_code_page **page;        /* TF_CODE_PAGES entries, NULL when not decoded; allocated on first use */
    uint8_t decoded[TF_CODE_PAGES];    /* not 0 when page[i] is; what stores test */
};

/*
 * The chip's decoded pages, by content, for cores with `extensions` (enum tf_rv_extension, as bits). Lock-free: any
 * worker may look up and add at any time. NULL: no memory.
 */
struct tf_code_cache *tf_code_cache_create_as(unsigned extensions);

static inline struct tf_code_cache *tf_code_cache_create(void)
{
    return tf_code_cache_create_as(TF_EXT_ALL);
}

void tf_code_cache_destroy(struct tf_code_cache *cache);

/* Free what no tile uses any more. Only while no tile runs. */
void tf_code_cache_trim(struct tf_code_cache *cache);

struct tf_tile;

/* Bytes of the tile's L1 were written from outside: decoded pages that they touch are dropped. */
void tf_code_written(struct tf_tile *tile, uint32_t address, uint32_t bytes);

/* Give back all decoded pages of a tile. */
void tf_code_drop(struct tf_tile *tile);

#endif
