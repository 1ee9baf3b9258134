/* SPDX-License-Identifier: Apache-2.0 */
/* Blackhole as data. Sources: BlackholeA0/NoC/Coordinates.md (the grid), TensixTile/BabyRISCV/README.md and
   EthernetTile/BabyRISCV/README.md (cores, memory sizes), ttsim's config.h (streams of an Ethernet tile). */
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
    .tile = {
        [TF_TILE_TENSIX] = {
            .kind = TF_TILE_TENSIX,
            .node = TF_NODE_TENSIX,
            .tiles = TF_TENSIX_TILES,
            .cores = TF_TILE_CORES,
            .coprocessor = true,
            .streams = 64,
            .l1_bytes = TF_L1_BYTES,
            .local_bytes = {
                [TF_CORE_B] = 8192, [TF_CORE_NC] = 8192, [TF_CORE_T0] = 4096, [TF_CORE_T1] = 4096, [TF_CORE_T2] = 4096,
            },
            .core_name = {"B", "NC", "T0", "T1", "T2"},
        },
        [TF_TILE_ETH] = {
            .kind = TF_TILE_ETH,
            .node = TF_NODE_ETH,
            .tiles = TF_ETH_TILES,
            .cores = 2,
            .streams = 32,
            .l1_bytes = 512 * 1024,
            .local_bytes = {8192, 8192},
            .core_name = {"E0", "E1"},
        },
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
