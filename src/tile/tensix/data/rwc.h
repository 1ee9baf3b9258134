/* SPDX-License-Identifier: Apache-2.0 */
/* Row counters of the matrix and vector units, and address modifiers (TensixCoprocessor/RWCs.md). */
#ifndef TILE_TENSIX_DATA_RWC_H
#define TILE_TENSIX_DATA_RWC_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/config/state.h"

struct tf_tile;

/* ApplyAddrMod: changes a thread's counters by address modifier `modifier`. update_fidelity is false for SFPLOAD,
   SFPSTORE and SFPLOADMACRO. */
void tf_rwc_modify(struct tf_tile *tile, unsigned thread, unsigned modifier, bool update_fidelity);

/* Words of ThreadConfig: three sections of a modifier in sequence, for SrcA and SrcB, for Dst, for the extra bit. */
struct tf_rwc_sections {
    uint32_t ab, dst, bias;
};

void tf_rwc_modify_counters(struct tf_rwc *rwc, struct tf_rwc_sections by, bool update_fidelity);

/* As tf_rwc_modify(), by the thread's counters and words of ThreadConfig. A modifier that does nothing is inline. */
static inline void tf_rwc_modify_by(struct tf_rwc *rwc, const uint16_t *config, unsigned modifier, bool update_fidelity)
{
    /* Blackhole's instructions select one of eight, without ADDR_MOD_SET_Base. The extra bit is that of RWCs.md. */
    const uint16_t *section = &config[rwc->extra ? modifier | 4 : modifier];
    const struct tf_rwc_sections by = {
        .ab = section[TF_THREAD_CFG_ADDR_MOD_AB_SEC0_SrcAIncr >> 16],
        .dst = section[TF_THREAD_CFG_ADDR_MOD_DST_SEC0_DestIncr >> 16],
        .bias = section[TF_THREAD_CFG_ADDR_MOD_BIAS_SEC0_BiasClear >> 16],
    };
    if ((by.ab | by.dst | by.bias) != 0)
        tf_rwc_modify_counters(rwc, by, update_fidelity);
}

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
