/* SPDX-License-Identifier: Apache-2.0 */
/* Row counters of the matrix and vector units, and address modifiers (TensixCoprocessor/RWCs.md). */
#ifndef TILE_TENSIX_RWC_H
#define TILE_TENSIX_RWC_H

#include <stdbool.h>
#include <stdint.h>

struct tf_tile;

struct tf_rwc {
    uint16_t dst, dst_cr;  /* 10 bits */
    uint8_t srca, srca_cr; /* 6 bits */
    uint8_t srcb, srcb_cr; /* 6 bits */
    uint8_t fidelity;      /* 2 bits */
    uint8_t extra;         /* ExtraAddrModBit */
};

/* ApplyAddrMod: change a thread's counters as address modifier `modifier` says. update_fidelity: all but SFPLOAD,
   SFPSTORE and SFPLOADMACRO. */
void tf_rwc_modify(struct tf_tile *tile, unsigned thread, unsigned modifier, bool update_fidelity);

void tf_exec_SETRWC(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_INCRWC(struct tf_tile *tile, unsigned thread, uint32_t word);

#endif
