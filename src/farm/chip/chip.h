/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of a chip that every room of the farm uses. */
#ifndef FARM_CHIP_H
#define FARM_CHIP_H

#include "farm/chip/state.h"
#include "tile/slice.h"

/* Seconds by the host's clock, or by the clock of a rehearsed host. */
static inline double tf_chip_seconds(const struct tf_chip *chip)
{
    return chip->rehearsal == NULL ? tf_seconds() : tf_rehearsed_seconds(chip->rehearsal);
}

/* The chip's time, in cycles. */
static inline uint64_t tf_chip_cycles(const struct tf_chip *chip)
{
    return chip->epochs.cycles;
}

/* The chip's next slice is `slice`, which is not 0. Thread: the calling one, while no worker runs. */
static inline void tf_chip_pass(struct tf_chip *chip, uint64_t slice)
{
    chip->epochs.slice = slice;
    chip->epochs.cycles = tf_slice_end(&chip->schedule, slice - 1);
}

/* The site that a node belongs to. */
static inline unsigned tf_site_of(const struct tf_chip *chip, unsigned node)
{
    return chip->fabric->node[node].site;
}

static inline unsigned tf_chip_tensix_tiles(const struct tf_chip *chip)
{
    return chip->arch->tile[TF_TILE_TENSIX].tiles;
}

static inline unsigned tf_node_number(const struct tf_chip *chip, struct tf_coord coord)
{
    return (unsigned)coord.y * chip->arch->grid_x + coord.x;
}

#endif
