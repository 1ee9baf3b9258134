/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The L1 cache tag search accelerator: loads of B from a line of L1 that the configuration names give the result of a
 * search. Source: BlackholeA0/TensixTile/BabyRISCV/L1CacheTagSearchAccel.md. L0 data caches are not modelled, so that
 * no load hits one. While an operation is switched on, B executes one instruction at a time. A loop that searches does
 * not park.
 */
#ifndef TILE_SEARCH_SEARCH_H
#define TILE_SEARCH_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

struct tf_tile;
struct tf_hart;

#define TF_SEARCH_FIRST 212u /* word of Config */
#define TF_SEARCH_WORDS 8u

/* The word `index` of Config changes from `old` to `value`: hardware may latch words TF_SEARCH_FIRST and on. */
void tf_search_configured(struct tf_tile *tile, const uint32_t *config, unsigned index, uint32_t old, uint32_t value);

/* Is a load of B from an address of L1 an operation? hart->searches is set. */
bool tf_search_reads(const struct tf_tile *tile, uint32_t address);

enum tf_search {
    TF_SEARCH_NOT,   /* an ordinary load */
    TF_SEARCH_DONE,  /* *value is the result */
    TF_SEARCH_FAULT, /* recorded */
};

/* B loads from an address of L1, and hart->searches is set. */
enum tf_search tf_search_load(struct tf_tile *tile, struct tf_hart *hart, uint32_t insn, uint32_t address,
                              unsigned size, uint32_t *value);

#endif
