/* SPDX-License-Identifier: Apache-2.0 */
/* Blackhole as data. Sources: BlackholeA0/NoC/Coordinates.md (the grid), TensixTile/BabyRISCV/README.md and
   EthernetTile/README.md (memory sizes). */
#include "tile/arch.h"

#define NIL TF_NODE_EMPTY
#define TNS TF_NODE_TENSIX
#define ETH TF_NODE_ETH
#define MEM TF_NODE_DRAM
#define PCI TF_NODE_PCIE
#define ARC TF_NODE_ARC
#define CPU TF_NODE_L2CPU
#define SEC TF_NODE_SECURITY

/* A Tensix row: only column 8 differs between them. */
#define ROW(x8) MEM, TNS, TNS, TNS, TNS, TNS, TNS, TNS, x8, MEM, TNS, TNS, TNS, TNS, TNS, TNS, TNS

const struct tf_arch tf_arch_blackhole = {
    .name = "blackhole",
    .grid_x = TF_GRID_X_MAX,
    .grid_y = TF_GRID_Y_MAX,
    .l1_bytes = TF_L1_BYTES,
    .eth_l1_bytes = 512 * 1024,
    .local_bytes = {
        [TF_CORE_B] = 8192, [TF_CORE_NC] = 8192, [TF_CORE_T0] = 4096, [TF_CORE_T1] = 4096, [TF_CORE_T2] = 4096,
    },
    .kind = {
        MEM, NIL, PCI, NIL, NIL, NIL, NIL, NIL, ARC, MEM, NIL, PCI, NIL, NIL, NIL, NIL, NIL,
        MEM, ETH, ETH, ETH, ETH, ETH, ETH, ETH, NIL, MEM, ETH, ETH, ETH, ETH, ETH, ETH, ETH,
        ROW(SEC),
        ROW(CPU),
        ROW(NIL),
        ROW(CPU),
        ROW(NIL),
        ROW(CPU),
        ROW(NIL),
        ROW(CPU),
        ROW(NIL),
        ROW(NIL),
    },
};
