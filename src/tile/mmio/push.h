/* SPDX-License-Identifier: Apache-2.0 */
/* Cores push instructions to the coprocessor: by .ttinsn, or by a store to a window (PushTensixInstruction.md). */
#ifndef TILE_MMIO_PUSH_H
#define TILE_MMIO_PUSH_H

#include "tile/state.h"
#include "tile/tensix/whole/tensix.h"

/* The thread that a core pushes to through window `number`: for B the window selects it. */
static inline unsigned tf_mmio_pushed_thread(unsigned core, unsigned number)
{
    return core == TF_CORE_B ? number : core - TF_CORE_T0;
}

/* B or a T core pushes an instruction through one of its windows; the tile has a coprocessor. */
static inline enum tf_access tf_mmio_push(struct tf_tile *tile, unsigned core, unsigned window, uint32_t word)
{
    unsigned thread = tf_mmio_pushed_thread(core, window);
    if (tf_mmio_push_lost(&tile->mmio, thread))
        return TF_ACCESS_OK;
    return tf_tensix_push(tile, thread, word, core == TF_CORE_B, core, tile->hart[core].pc);
}

#endif
