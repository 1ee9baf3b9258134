/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/explore/cores/cores.h"
#include "tile/explore/cores/explore.h"

#include <stdlib.h>
#include <string.h>

#include "tile/explore/lag.h"
#include "tile/explore/noted.h"
#include "tile/explore/transfers.h"
#include "tile/explore/units.h"
#include "tile/riscv/code/code.h"
#include "tile/tensix/srcbanks.h"

/* Lines come in order: a line that is due waits for those before it. */
static void land_lines(struct tf_tile *tile)
{
    struct tf_explorer *explorer = tile->explore;
    while (explorer->packed != NULL && explorer->packed->due <= tile->slice.tick) {
        struct tf_packed_lines *lines = explorer->packed;
        memcpy(tile->l1 + lines->address, lines->data, lines->bytes);
        tf_tile_l1_written(tile, lines->address, lines->bytes);
        if (explorer->noted != NULL) {
            const struct tf_noted_access access = {.cycle = tile->slice.deadline,
                                                   .address = lines->address,
                                                   .tile = tile->index,
                                                   .kind = TF_NOTED_PACK,
                                                   .core = lines->core,
                                                   .pc = lines->pc};
            tf_noted_add(tile, &access, lines->bytes);
        }
        explorer->packed = lines->next;
        free(lines);
    }
    if (explorer->packed == NULL)
        explorer->packed_end = &explorer->packed;
}

static void slow_down(struct tf_tile *tile, struct tf_hart *hart)
{
    struct tf_explorer *explorer = tile->explore;
    const struct tf_decide_where where = {.pc = hart->pc, .cycle = hart->cycle};
    if (hart->state != TF_CORE_RUNNING || hart->cycle >= tile->slice.deadline + explorer->slice_cycles)
        return;
    const uint32_t value = tf_decide(&explorer->decider, TF_FREE_CORE, hart->core, where);
    if (value >= TF_EXPLORE_PAUSE)
        explorer->core[hart->core].pause = (struct tf_core_pause){.accesses = value / TF_EXPLORE_PAUSE,
                                                                  .slices = value % TF_EXPLORE_PAUSE,
                                                                  .decision = explorer->decider.count};
    else
        hart->cycle += (uint64_t)value * explorer->slice_cycles;
}

void tf_explore_slice(struct tf_tile *tile)
{
    for (unsigned core = 0; core < tile->arch->cores; core++) {
        struct tf_hart *hart = &tile->hart[core];
        if ((tile->explore->released & 1u << core) != 0)
            hart->cycle += tf_explored_reset(tile, core);
        if (tile->explore->core[core].pending_count != 0)
            tf_explored_due(tile, hart);
        slow_down(tile, hart);
    }
    tile->explore->released = 0;
    if (tile->explore->packed != NULL)
        land_lines(tile);
    tf_explored_lag_due(tile);
    tf_explored_unpack_due(tile);
    tf_explored_transfers_due(tile);
}

bool tf_explore_pending(const struct tf_tile *tile)
{
    unsigned pending_count = 0;
    for (unsigned core = 0; core < tile->arch->cores; core++)
        pending_count += tile->explore->core[core].pending_count;
    return pending_count != 0 || tile->explore->packed != NULL || tile->explore->unpack[TF_SRC_A].valid ||
           tile->explore->unpack[TF_SRC_B].valid || tile->explore->move.valid || tile->explore->request_count != 0 ||
           tf_explored_lagging(tile);
}

bool tf_explore_attach(struct tf_tile *tile, const struct tf_plan *plan, uint32_t slice_cycles)
{
    struct tf_explorer *explorer = calloc(1, sizeof *explorer);
    if (explorer == NULL)
        return false;
    explorer->decider.plan = plan;
    explorer->leaves_reset = tf_explored_reset;
    explorer->decider.tile = tile->index;
    explorer->packed_end = &explorer->packed;
    explorer->slice_cycles = slice_cycles;
    explorer->observer = (struct tf_observer){.next = tile->observer};
    tile->observer = &explorer->observer;
    tile->explore = explorer;
    return true;
}

void tf_explore_detach(struct tf_tile *tile)
{
    struct tf_explorer *explorer = tile->explore;
    if (explorer == NULL)
        return;
    while (explorer->packed != NULL) {
        struct tf_packed_lines *lines = explorer->packed;
        explorer->packed = lines->next;
        free(lines);
    }
    tf_noted_free(tile);
    tf_explored_lag_free(tile);
    free(explorer->decider.made);
    free(explorer);
    tile->explore = NULL;
}
