/* SPDX-License-Identifier: Apache-2.0 */
/* The saved state of a tile (host/saved.h). */
#include "tile/eth/eth.h"
#include "tile/mmio/map/saved.h"
#include "tile/run/saved.h"
#include "host/saved.h"
#include "tile/riscv/code/code.h"
#include "tile/riscv/hart.h"
#include "tile/riscv/saved.h"
#include "tile/riscv/hart/settle.h"
#include "tile/riscv/timed/timed.h"
#include "tile/tensix/whole/saved.h"
#include "tile/fault_fits.h"
#include "tile/run/tile.h"

TF_SAVED_WHOLE(struct tf_fault, 200);
TF_SAVED_WHOLE(struct tf_tile, 18368); /* observers and explorers are not saved */

static void faults_state(struct tf_saved *saved, struct tf_tile *tile)
{
    struct tf_fault_log *faults = &tile->faults;
    faults->count = (unsigned)tf_saved_count(saved, faults->count, TF_TILE_FAULTS_MAX);
    for (unsigned i = 0; i < faults->count; i++) {
        const struct tf_fault *fault = &faults->entry[i];
        TF_SAVED(saved, faults->entry[i]);
        tf_saved_demand(saved, tf_fault_fits(fault) && fault->tile.x == tile->coord.x && fault->tile.y == tile->coord.y,
                        "it is damaged: a fault of a tile is invalid");
    }
    TF_SAVED(saved, faults->dropped);
    TF_SAVED(saved, faults->dropped_hazards);
}

/* pages_decoded is not saved. Tiles share decoded pages, and threads decide which tile decodes a page first. Decoded
   code comes last, because it is made from L1. Making it does not count as a change of L1. */
void tf_tile_state(struct tf_saved *saved, struct tf_tile *tile)
{
    tf_tile_settle(tile);
    if (tf_tile_dozes(tile)) /* not saved: after a restore, time has passed up to the end of the last slice */
        tf_tile_rouse(tile);
    if (saved->reads)
        tf_tile_unsettle(tile);
    TF_SAVED_SPAN(saved, tile, cycle, code_generation);
    TF_SAVED(saved, tile->pollers);
    TF_SAVED(saved, tile->computes);
    TF_SAVED(saved, tile->slice_log2);
    TF_SAVED(saved, tile->wakes);
    TF_SAVED(saved, tile->patience);
    tf_saved_demand(saved, tf_saved_is_flag(&tile->computes) && tile->slice_log2 < 32,
                    "it is damaged: the length of a tile's next slice is invalid");
    TF_SAVED(saved, tile->irq_lines);
    TF_SAVED(saved, tile->search);
    TF_SAVED(saved, tile->figures.executed);
    TF_SAVED(saved, tile->stale);
    TF_SAVED_MEMORY(saved, tile->stale_page);
    for (unsigned core = 0; core < tile->arch->cores; core++)
        tf_hart_state(saved, tile, &tile->hart[core]);
    tf_timed_state(saved, tile);
    tf_mmio_state(saved, tile);
    if (tile->mmio.eth != NULL)
        tf_eth_state(saved, tile);
    if (tile->tensix != NULL)
        tf_tensix_state(saved, tile);
    tf_saved_memory(saved, tile->l1, tf_code_bytes(tile->arch));
    faults_state(saved, tile);
    tf_code_state(saved, tile);
    TF_SAVED(saved, tile->code_generation);
}
