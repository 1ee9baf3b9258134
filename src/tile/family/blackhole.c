/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blackhole as data. Sources: BlackholeA0/NoC/Coordinates.md and its diagrams, MemoryMap.md (the grid, names,
 * NOC_ENDPOINT_ID, where NIUs are), TensixTile/BabyRISCV/README.md and EthernetTile/BabyRISCV/README.md (cores, memory
 * sizes), PCIExpressTile/README.md ("NoC to Host"), ttsim (config.h: streams of an Ethernet tile; tile.cpp and
 * data/bh/tile_regs.json: translated DRAM rows, the ARC tile).
 */
#include "tile/arch.h"
#include "tile/eth/tables.h"
#include "tile/times.h"

#define COLUMNS 17
#define ROWS 12

/* Nodes of the grid, with their number among their kind. */
/* clang-format off */
#define NIL        {TF_NODE_EMPTY, 0}
#define TNS(tile)  {TF_NODE_TENSIX, tile}
#define ETH(tile)  {TF_NODE_ETH, tile}
#define MEM(port)  {TF_NODE_DRAM, port}
#define PCI        {TF_NODE_PCIE, 2}
#define ARC        {TF_NODE_ARC, 0}
#define CPU(cpu)   {TF_NODE_L2CPU, cpu}
#define SEC        {TF_NODE_SECURITY, 0}
/* clang-format on */

#define TENSIX_IN_ROW 14

/* A row of Tensix tiles: its first tile, the channels of its two DRAM ports, column 8. */
#define ROW(n, west, east, x8)                                                                                 \
    MEM(west), TNS(n), TNS((n) + 1), TNS((n) + 2), TNS((n) + 3), TNS((n) + 4), TNS((n) + 5), TNS((n) + 6), x8, \
        MEM(east), TNS((n) + 7), TNS((n) + 8), TNS((n) + 9), TNS((n) + 10), TNS((n) + 11), TNS((n) + 12),      \
        TNS((n) + 13)

/*
 * Boards. Identifiers: board_upi_map in tt-umd's cluster_descriptor_types.hpp. Fused-off nodes differ from card to
 * card. These are those of blackhole_P100.yaml, blackhole_P150.yaml, blackhole_P300_both_mmio.yaml and, the most common
 * ones of its 32 chips, blackhole_galaxy.yaml in tt-umd's tests/cluster_descriptor_examples. They leave out the Tensix
 * columns that firmware from 19.5 on hides on a p150. The first board is ttsim's.
 */
static const struct tf_board boards[] = {
    {.name = "p150", .product = 0x40, .eth_off = 1u << 12 | 1u << 13},
    {.name = "p150a", .product = 0x40, .eth_off = 1u << 5 | 1u << 8},
    {.name = "p150b", .product = 0x41, .eth_off = 1u << 5 | 1u << 8},
    {.name = "p150c", .product = 0x42, .eth_off = 1u << 5 | 1u << 8},
    {.name = "p100", .product = 0x36, .columns_off = 1u << 7 | 1u << 10, .banks_off = 1u << 3, .eth_off = 0x3FFF},
    {.name = "p100a", .product = 0x43, .columns_off = 1u << 7 | 1u << 10, .banks_off = 1u << 3, .eth_off = 0x3FFF},
    {.name = "p300a", .product = 0x45, .columns_off = 1u << 10 | 1u << 16, .eth_off = 1u << 5 | 1u << 8},
    {.name = "p300b", .product = 0x44, .columns_off = 1u << 10 | 1u << 16, .eth_off = 1u << 5 | 1u << 8},
    {.name = "p300c", .product = 0x46, .columns_off = 1u << 10 | 1u << 16, .eth_off = 1u << 5 | 1u << 8},
    {.name = "ubb", .product = 0x47, .columns_off = 1u << 13, .eth_off = 1u << 5 | 1u << 8}, /* of a Galaxy */
};

/* The orders of nodes on the die: HARVESTING_NOC_LOCATIONS and get_chip_info() in tt-umd's blackhole sources. */
static const struct tf_fuse_arch fuse = {
    .board = boards,
    .boards = sizeof boards / sizeof boards[0],
    .columns = 14,
    .column = {1, 16, 2, 15, 3, 14, 4, 13, 5, 12, 6, 11, 7, 10},
    .eth_tiles = 14,
    .eth_off_min = 2,
    .unnamed_column = 8,
    .cpus = 4,
    .place_in_ids = true,
    .galaxy_type = "ubb_blackhole",
};

/* As in blackhole_140_arch.yaml of tt-umd. */
static const char soc_features[] = "features:\n"
                                   "  unpacker:\n"
                                   "    version: 2\n"
                                   "    inline_srca_trans_without_srca_trans_instr: True\n"
                                   "  math:\n"
                                   "    dst_size_alignment: 32768\n"
                                   "  packer:\n"
                                   "    version: 2\n"
                                   "  overlay:\n"
                                   "    version: 2\n";

/* A p150 with two Ethernet tiles fused off. */
static const struct tf_telemetry telemetry[] = {
    {1, 0x400},       /* board id, high: p150 */
    {2, 1},           /* board id, low */
    {3, 1},           /* ASIC id */
    {4, 0},           /* harvesting state */
    {11, 40u << 16},  /* temperature of the chip, 16.16 degrees */
    {13, 35u << 16},  /* temperature of the board */
    {14, 1000},       /* AI clock, MHz */
    {15, 900},        /* AXI clock */
    {16, 540},        /* ARC clock */
    {21, 0x0FFF},     /* mask of live Ethernet tiles */
    {22, 0x5555},     /* GDDR: all eight channels trained */
    {28, 0x120C0000}, /* firmware bundle 18.12 */
    {32, 1},          /* heartbeat */
    {52, 0},          /* ASIC location */
    {38, 1},          /* PCIe usage: x16 */
    {35, 0x0FFF},     /* Ethernet tiles enabled: 12 and 13 are fused off */
    {61, 0},          /* ASIC id, high */
    {62, 1},          /* ASIC id, low */
    {34, 0x3FFF},     /* Tensix columns enabled, in the order of the die */
    {36, 0xFF},       /* GDDR enabled */
    {37, 0xF},        /* L2CPU tiles enabled */
    {40, 1},          /* the NOCs translate coordinates */
};

/* "Memory map" in TensixTile/BabyRISCV/README.md; BackendConfiguration.md, "RISCV read". */
/* clang-format off */
static const struct tf_map tensix_map = {
    .by_range = {
        TF_RANGES_ALIKE, TF_TENSIX_RANGES_ALIKE, [TF_RANGE(TF_DST_BASE)] = TF_AT_DST,
    },
    .shared = TF_DEBUG_BASE >> 16,
    .by_block = {
        [TF_BLOCK(TF_TDMA_BASE)] = TF_AT_TDMA, [TF_BLOCK(TF_DEBUG_BASE)] = TF_AT_DEBUG,
        [TF_BLOCK(TF_PIC_BASE)] = TF_AT_PIC,
        [TF_BLOCK(TF_LOCAL_OF_B_BASE) ... TF_BLOCK(TF_LOCAL_OF_B_BASE) + 1] = TF_AT_LOCAL_B,
        [TF_BLOCK(TF_LOCAL_OF_NC_BASE) ... TF_BLOCK(TF_LOCAL_OF_NC_BASE) + 1] = TF_AT_LOCAL_NC,
        [TF_BLOCK(TF_LOCAL_OF_T_BASE(0)) ... TF_BLOCK(TF_LOCAL_OF_T_BASE(0)) + 1] = TF_AT_LOCAL_T0,
        [TF_BLOCK(TF_LOCAL_OF_T_BASE(1)) ... TF_BLOCK(TF_LOCAL_OF_T_BASE(1)) + 1] = TF_AT_LOCAL_T1,
        [TF_BLOCK(TF_LOCAL_OF_T_BASE(2)) ... TF_BLOCK(TF_LOCAL_OF_T_BASE(2)) + 1] = TF_AT_LOCAL_T2,
    },
    .window = {
        [TF_AT_OWN_LOCAL] = {TF_SPAN(TF_LOCAL_BASE, TF_LOCAL_BYTES), TF_BY_NONE, TF_WORDS, 0},
        [TF_AT_TDMA] = {TF_SPAN(TF_TDMA_BASE, TF_TDMA_BYTES), TF_BY_BT, TF_WORDS, 0},
        TF_WINDOWS_ALIKE,
        [TF_AT_PIC] = {TF_SPAN(TF_PIC_BASE, TF_PIC_BYTES), TF_BY_ALL, TF_WORDS, TF_AT_PC_SNAPSHOT},
        [TF_AT_PC_SNAPSHOT] = {TF_SPAN(TF_PC_SNAPSHOT_BASE, TF_PC_SNAPSHOT_BYTES), TF_BY_ALL, TF_WORDS, 0},
        /* In the push and PCBuf windows, the device checks the accesses of T cores. */
        TF_TENSIX_WINDOWS_ALIKE,
        [TF_AT_DST] = {TF_SPAN(TF_DST_BASE, TF_DST_BYTES), TF_BY_T, TF_ANY_SIZE, 0},
        /* The RAM of each T core appears twice. */
        [TF_AT_LOCAL_B] = {TF_SPAN(TF_LOCAL_OF_B_BASE, TF_LOCAL_BYTES), TF_BY_ALL, TF_ANY_SIZE, 0},
        [TF_AT_LOCAL_NC] = {TF_SPAN(TF_LOCAL_OF_NC_BASE, TF_LOCAL_BYTES), TF_BY_ALL, TF_ANY_SIZE, 0},
        [TF_AT_LOCAL_T0] = {TF_SPAN(TF_LOCAL_OF_T_BASE(0), TF_LOCAL_BYTES), TF_BY_ALL, TF_ANY_SIZE, 0},
        [TF_AT_LOCAL_T1] = {TF_SPAN(TF_LOCAL_OF_T_BASE(1), TF_LOCAL_BYTES), TF_BY_ALL, TF_ANY_SIZE, 0},
        [TF_AT_LOCAL_T2] = {TF_SPAN(TF_LOCAL_OF_T_BASE(2), TF_LOCAL_BYTES), TF_BY_ALL, TF_ANY_SIZE, 0},
    },
};
/* clang-format on */

/* "Memory map" in EthernetTile/BabyRISCV/README.md. */
/* clang-format off */
static const struct tf_map eth_map = {
    .by_range = {
        TF_RANGES_ALIKE,
        [TF_RANGE(TF_ETH_LINK_BASE) ... TF_RANGE(TF_ETH_LINK_BASE) + 1] = TF_AT_ETH_LINK,
    },
    .shared = TF_DEBUG_BASE >> 16,
    .by_block = {
        [TF_BLOCK(TF_DEBUG_BASE)] = TF_AT_DEBUG, [TF_BLOCK(TF_ETH_CONTROL_BASE)] = TF_AT_ETH_CONTROL,
    },
    .window = {
        [TF_AT_OWN_LOCAL] = {TF_SPAN(TF_LOCAL_BASE, TF_LOCAL_BYTES), TF_BY_NONE, TF_WORDS, 0},
        TF_WINDOWS_ALIKE,
        [TF_AT_ETH_CONTROL] = {TF_SPAN(TF_ETH_CONTROL_BASE, TF_ETH_CONTROL_BYTES), TF_BY_ALL, TF_WORDS, 0},
        [TF_AT_ETH_LINK] = {TF_SPAN(TF_ETH_LINK_BASE, TF_ETH_LINK_BYTES), TF_BY_ALL, TF_WORDS, 0},
    },
};

/* docs/dram-cores.md. Nothing public says what the interrupt controller and the overlay there do. */
static const struct tf_map dram_map = {
    .by_range = {
        [TF_RANGE(TF_LOCAL_BASE)] = TF_AT_OWN_LOCAL,
        [TF_RANGE(TF_NIU_BASE(0))] = TF_AT_NIU0, [TF_RANGE(TF_NIU_BASE(1))] = TF_AT_NIU1,
        [TF_RANGE(TF_STREAM_BASE) ... TF_RANGE(TF_STREAM_BASE) + 3] = TF_AT_MISSING,
    },
    .shared = TF_DEBUG_BASE >> 16,
    .by_block = {
        [TF_BLOCK(TF_DEBUG_BASE)] = TF_AT_DEBUG, [TF_BLOCK(TF_PIC_BASE)] = TF_AT_MISSING,
        [TF_BLOCK(TF_ETH_CONTROL_BASE)] = TF_AT_DRAM_CONTROL,
    },
    .below = TF_AT_DRAM_DMA,
    .window = {
        [TF_AT_OWN_LOCAL] = {TF_SPAN(TF_LOCAL_BASE, TF_LOCAL_BYTES), TF_BY_NONE, TF_WORDS, 0},
        TF_WINDOWS_ALIKE,
        [TF_AT_DRAM_CONTROL] = {TF_SPAN(TF_ETH_CONTROL_BASE, TF_ETH_CONTROL_BYTES), TF_BY_ALL, TF_WORDS, 0},
        [TF_AT_DRAM_DMA] = {TF_SPAN(TF_DMA_BASE, TF_DMA_BYTES), TF_BY_ALL, TF_WORDS, TF_AT_DRAM_MISSING},
        [TF_AT_DRAM_MISSING] = {TF_SPAN(TF_GDDR_BASE, TF_GDDR_BYTES), TF_BY_ALL, TF_WORDS, 0},
        [TF_AT_MISSING] = {TF_SPAN(TF_PIC_BASE, TF_STREAM_BASE + TF_STREAMS_BYTES - TF_PIC_BASE), TF_BY_ALL, TF_WORDS,
                           0},
    },
};

/* InstructionSet.md: only T2 has vectors; B and NC have interrupts. */
#define B_HAS (TF_EXT_ALL & ~TF_EXT_V)
#define T_HAS (B_HAS & ~TF_EXT_MACHINE)

/* The core of a DRAM tile. tt-metal compiles for it as for B. Interrupts need the controller. */
static const struct tf_tile_arch dram_core = {
    .family = "Blackhole",
    .kind = TF_TILE_DRAM,
    .node = TF_NODE_DRAM,
    .cores = 1,
    .l1_bytes = 128 * 1024,
    .local_bytes = {8192},
    .extensions = {T_HAS},
    .core_name = {"DRISC"},
    .map = &dram_map,
    .times = &tf_times_blackhole,
};

const struct tf_arch tf_arch_blackhole = {
    .name = "blackhole",
    .title = "Blackhole",
    .grid_x = COLUMNS,
    .grid_y = ROWS,
    .pcie_node = 2, /* (2, 0); the other PCIe tile is idle */
    .tile = {
        [TF_TILE_TENSIX] = {
            .family = "Blackhole",
            .kind = TF_TILE_TENSIX,
            .node = TF_NODE_TENSIX,
            .tiles = 140,
            .cores = 5,
            .coprocessor = true,
            .mutexes = 1u << 0 | 1u << 2 | 1u << 3 | 1u << 4,
            .streams = 64,
            .l1_bytes = 1536 * 1024,
            .local_bytes = {
                [TF_CORE_B] = 8192, [TF_CORE_NC] = 8192, [TF_CORE_T0] = 4096, [TF_CORE_T1] = 4096, [TF_CORE_T2] = 4096,
            },
            .extensions = {B_HAS, B_HAS, T_HAS, T_HAS, T_HAS | TF_EXT_V},
            .core_name = TF_TENSIX_CORE_NAMES,
            .map = &tensix_map,
            .times = &tf_times_blackhole,
        },
        [TF_TILE_ETH] = {
            .family = "Blackhole",
            .kind = TF_TILE_ETH,
            .node = TF_NODE_ETH,
            .tiles = 14,
            .cores = 2,
            .streams = 32,
            .l1_bytes = 512 * 1024,
            .l1_lost = 256, /* the published base firmware stores up to 0x800F0 */
            .local_bytes = {8192, 8192},
            .extensions = {B_HAS, B_HAS},
            .core_name = {"E0", "E1"},
            .map = &eth_map,
            .times = &tf_times_blackhole,
            .eth = &tf_eth_blackhole,
        },
    },
    .dram = {.channels = 8, .channel_bytes = 1ull << 32, .core = &dram_core},
    .coords = {
        .entry_bits = 5,
        .entries_in_word = 6,
        .x = {
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, /* translated to themselves */
            0, 9,                                       /* DRAM */
            2,                                          /* PCIe */
            1, 16, 2, 15, 3, 14, 4, 13, 5, 12, 6, 11,   /* Ethernet tiles 0..11, from both ends inwards */
        },
        .y = {
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,       /* translated to themselves */
            0, 1, 11, 2, 10, 3, 9, 4, 8, 5, 7, 6,       /* DRAM ports, channel by channel */
            0,                                          /* PCIe */
            1,                                          /* Ethernet */
            3, 9, 5, 7,                                 /* L2CPU tiles 0..3 */
            2,                                          /* the security tile */
        },
        .name = {
            [TF_NODE_TENSIX] = {1, 16, 2, 11},
            [TF_NODE_DRAM] = {17, 18, 12, 23},
            [TF_NODE_PCIE] = {19, 19, 24, 24},
            [TF_NODE_ETH] = {20, 31, 25, 25},
            [TF_NODE_L2CPU] = {0, 16, 26, 29},
            [TF_NODE_SECURITY] = {0, 16, 30, 30},
        },
        .rows_as_given = 1u << 0 | 1u << 1,
        .silent_columns = 1u << 0 | 1u << 8 | 1u << 9,
        .silent_rows = 1u << 0 | 1u << 1,
        .endpoint_type = {
            [TF_NODE_TENSIX] = 0x0100, [TF_NODE_ETH] = 0x0200, [TF_NODE_DRAM] = 0x0800, [TF_NODE_PCIE] = 0x0300,
            [TF_NODE_ARC] = 0x0500, [TF_NODE_L2CPU] = 0x0901, [TF_NODE_SECURITY] = 0x0A00,
        },
    },
    .space = {
        .registers_first = 0xFF000000,
        .niu_first = TF_NIU_BASE(0),
        .niu_bytes = TF_NIU_BYTES,
        .niu_high = 0xFFFFFFFF00000000,
        .niu_copies_first = 0xFFFFFFFFFF000000,
        .niu_copies_bytes = 0x1000000,
        .pcie_dbi_first = 0xF800000000000000,
        .pcie_dbi_bytes = 0x0400000000000000,
        .core_l1_first = 0x2000000000,
        .core_l1_bytes = 0x20000,
        .core_registers = 0xFFB12000,
        .arc_csm_first = 0x10000000,
        .arc_csm_bytes = TF_ARC_CSM_BYTES,
        .arc_apb_first = 0x80000000,
        .arc_apb_bytes = 0x100000,
        .arc_niu_first = 0x80050000,
        .arc_niu_stride = 0x8000,
        .arc_niu_bytes = 0x1000,
    },
    .noc = {
        .flit_log2 = 6,
        .mask_bytes = 64,
        .dram_align = 64,
        .packet_bytes = 16384,
        .inline_unsafe = true,
        .emu_spec_atomics = true,
        .atomics = 0xFFFF,
    },
    .pcie = {.iatu_first = 0x1000, .iatu_words = 9},
    .arc = {.telemetry = telemetry, .telemetry_entries = sizeof telemetry / sizeof telemetry[0]},
    .board = {.name = "p150", .product = 0x40, .eth_off = 1u << 12 | 1u << 13},
    .fuse = &fuse,
    .soc_features = soc_features,
    .clock_mhz = 1350,
    .eth_gbps = 400,
    .eth_info = 0x7CFC0,
    .place = {
        MEM(0), NIL, PCI, NIL, NIL, NIL, NIL, NIL, ARC, MEM(4), NIL, PCI, NIL, NIL, NIL, NIL, NIL,
        MEM(0), ETH(0), ETH(2), ETH(4), ETH(6), ETH(8), ETH(10), ETH(12), NIL,
        MEM(4), ETH(13), ETH(11), ETH(9), ETH(7), ETH(5), ETH(3), ETH(1),
        ROW(0 * TENSIX_IN_ROW, 1, 5, SEC),
        ROW(1 * TENSIX_IN_ROW, 1, 5, CPU(0)),
        ROW(2 * TENSIX_IN_ROW, 2, 6, NIL),
        ROW(3 * TENSIX_IN_ROW, 3, 7, CPU(2)),
        ROW(4 * TENSIX_IN_ROW, 3, 7, NIL),
        ROW(5 * TENSIX_IN_ROW, 3, 7, CPU(3)),
        ROW(6 * TENSIX_IN_ROW, 2, 6, NIL),
        ROW(7 * TENSIX_IN_ROW, 2, 6, CPU(1)),
        ROW(8 * TENSIX_IN_ROW, 1, 5, NIL),
        ROW(9 * TENSIX_IN_ROW, 0, 4, NIL),
    },
};
/* clang-format on */
