/* SPDX-License-Identifier: Apache-2.0 */
/* What is fused off, in the masks of tt-umd's cluster descriptors. */
#ifndef TILE_HARVEST_H
#define TILE_HARVEST_H

#include "tile/arch.h"

/* Masks under the keys of a cluster descriptor. They count columns from the left, rows and L2CPU tiles from the top,
   and only those that the die has; DRAM channels and Ethernet tiles by their numbers. */
struct tf_harvest {
    uint32_t tensix; /* columns on Blackhole, rows on Wormhole */
    uint32_t dram, eth, cpus;
    uint32_t pcie; /* PCIe tiles without a host, in rows */
};

/* The kind of a node of the die, whether or not it is fused off. */
static inline unsigned tf_die_kind(const struct tf_arch *arch, unsigned node)
{
    return arch->off[node] != 0 ? arch->off[node] : arch->place[node].kind;
}

/* The masks of a board. */
void tf_harvest_of(const struct tf_arch *arch, const struct tf_board *board, struct tf_harvest *masks);

/* Let a board have these masks; `pcie` is left out. Returns NULL, or a sentence: the reason why the board is as it
   was. */
const char *tf_harvest_apply(const struct tf_arch *family, const struct tf_harvest *masks, struct tf_board *board);

#endif
