/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a hart; tile/riscv/hart.h says what it is. */
#ifndef TILE_RISCV_HART_STATE_H
#define TILE_RISCV_HART_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/riscv/hart/csr_state.h"
#include "tile/riscv/hart/park.h"

/* The fields that each turn touches come first, in few cache lines: 700 harts exceed the host's nearest cache. */
struct tf_hart {
    _Alignas(64) uint32_t x[33]; /* x[32] swallows writes to x0 */
    uint32_t f[32];              /* follows x: the interpreter numbers them 33..64 */
    uint32_t pc;
    uint8_t core;    /* enum tf_core */
    uint8_t state;   /* enum tf_core_state */
    bool watched;    /* the debug interface checks each instruction (observe.h) */
    bool yielded;    /* stopped before an access, since others of the tile come first; see order.h */
    bool searches;   /* loads may be searches (tile/search/search.h) */
    bool overtaken;  /* later instructions overtake a load, or have (explore/cores/loads.c) */
    bool local_zero; /* the local RAM has not been written since it was cleared */
    bool v_written;  /* vector registers have been, since reset; else all are 0 */
    uint32_t local_bytes;
    uint64_t cycle; /* of the next instruction */
    uint64_t instret;
    uint8_t *local;        /* core-local RAM */
    uint32_t wait_address; /* of the blocked access */
    bool wait_store;
    bool wait_tried; /* it has been tried again in the order of the tile; else `cycle` is that of the first try */
    bool touched;    /* tf_zeroed_touch() has been called for local RAM and park notes */
    struct tf_park park;
    struct tf_csrs csr;
    uint8_t *v; /* vector registers (riscv/vector); NULL: the core has none */
};

#endif
