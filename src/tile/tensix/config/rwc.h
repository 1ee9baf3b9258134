/* SPDX-License-Identifier: Apache-2.0 */
/* Row counters of the matrix and vector units, and address modifiers (TensixCoprocessor/RWCs.md). */
#ifndef TILE_TENSIX_CONFIG_RWC_H
#define TILE_TENSIX_CONFIG_RWC_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/config/state.h"

struct tf_tile;

/* ApplyAddrMod: changes a thread's counters by address modifier `modifier`. update_fidelity is false for SFPLOAD,
   SFPSTORE and SFPLOADMACRO. */
void tf_rwc_modify(struct tf_tile *tile, unsigned thread, unsigned modifier, bool update_fidelity);

/* ApplyAddrMod for SFPLOAD and SFPSTORE. Most of their modifiers only add to the counter of Dst, which is inline. */
static inline void tf_rwc_modify_dst(struct tf_tile *tile, struct tf_rwc *rwc, const uint16_t *config, unsigned thread,
                                     unsigned modifier)
{
    enum { INCREMENT = 0x3FF, MODES = 0x1C00 };
    config += modifier;
    uint32_t dst = config[TF_THREAD_CFG_ADDR_MOD_DST_SEC0_DestIncr >> 16];
    uint32_t others = config[TF_THREAD_CFG_ADDR_MOD_AB_SEC0_SrcAIncr >> 16] |
                      config[TF_THREAD_CFG_ADDR_MOD_BIAS_SEC0_BiasIncr >> 16] | rwc->extra | (dst & MODES);
    if (others == 0)
        rwc->dst = (rwc->dst + dst) & INCREMENT;
    else
        tf_rwc_modify(tile, thread, modifier, false);
}

#endif
