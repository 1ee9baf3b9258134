/* SPDX-License-Identifier: Apache-2.0 */
/* Where a tile has its decoded code (code.h). */
#ifndef TILE_RISCV_CODE_MAP_H
#define TILE_RISCV_CODE_MAP_H

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

#endif
