/* SPDX-License-Identifier: Apache-2.0 */
/* Before anything acts on a site from outside. Inline, since each phase begins its visits with it: row
   `atomic1-inc-spread`. */
#ifndef FARM_REACH_H
#define FARM_REACH_H

#include "farm/chip/chip.h"
#include "farm/order/long.h"

/* Bring a site's tile up to the chip's time. By the worker that visits the site. */
static inline void tf_bring_up_to_date(struct tf_worker *worker, unsigned site)
{
    struct tf_chip *chip = worker->chip;
    struct tf_tile *tile = chip->fabric->node[site].tile;
    if (tile == NULL)
        return;
    if (tile->slice < chip->epochs.slice)
        tf_tile_catch_up(tile, &chip->schedule, chip->epochs.slice);
    tile->now = chip->epochs.cycles;
    if (chip->site[site].uncaptured != NULL)
        tf_capture_long_writes(&chip->site[site], &chip->fabric->node[site]);
}

#endif
