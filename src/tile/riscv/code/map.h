/* SPDX-License-Identifier: Apache-2.0 */
/* Where a tile has its decoded code (code.h). */
#ifndef TILE_RISCV_CODE_MAP_H
#define TILE_RISCV_CODE_MAP_H

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
    struct tf_code_page **room;     /* TF_CODE_PAGES entries, NULL when not decoded. Few are ever written */
    struct tf_code_page **page;     /* these, once a page was decoded, or NULL */
    struct tf_code_page *spare;     /* a list of pages that the tile needs no more */
    uint8_t decoded[TF_CODE_PAGES]; /* not 0 when page[i] is not NULL; stores test it. Written by the owner alone */
};

/* Is code decoded in the page of an address in L1? Thread: the tile's owner. */
static inline bool tf_code_near(const struct tf_code_map *map, uint32_t address)
{
    return map->decoded[address / TF_CODE_PAGE_BYTES] != 0;
}

/* Is code decoded in a page of a range of L1? Any worker (R7 of docs/design.md). */
static inline bool tf_code_in(const struct tf_code_map *map, uint32_t address, uint32_t bytes)
{
    const uint8_t *page = map->decoded + address / TF_CODE_PAGE_BYTES;
    const uint8_t *last = map->decoded + (address + bytes - 1) / TF_CODE_PAGE_BYTES;
    uint8_t any = 0;
    for (; page <= last; page++)
        any |= __atomic_load_n(page, __ATOMIC_RELAXED);
    return any != 0;
}

/* tf_code_in() of a word. */
static inline bool tf_code_near_word(const struct tf_code_map *map, uint32_t address)
{
    return __atomic_load_n(&map->decoded[address / TF_CODE_PAGE_BYTES], __ATOMIC_RELAXED) != 0;
}

#endif
