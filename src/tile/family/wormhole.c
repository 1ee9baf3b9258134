/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wormhole B0 as data. Sources, in the public ISA documentation: WormholeB0/NoC/Coordinates.md and Diagrams/Src/NoC.lua
 * (the grid, names), NoC/MemoryMap.md (NIU registers, NOC_ENDPOINT_ID, where NIUs are), NoC/README.md (flits, packets),
 * NoC/Atomics.md, TensixTile/BabyRISCV/README.md and EthernetTile/BabyRISCV/README.md (cores, memory sizes, memory
 * map), TensixCoprocessor/SyncUnit.md, DRAMTile/README.md, PCIExpressTile/README.md, ARCTile/README.md (their address
 * spaces); ttsim (config.h: sizes; tile.cpp: which DRAM node is a port of which channel).
 */
#include "tile/arch.h"
#include "tile/eth/tables.h"
#include "tile/times.h"
#include "tile/niu_words.h"
#include "tile/overlay.h"
#include "tile/family/wormhole_isa.h"

#define COLUMNS 10
#define ROWS 12
#define PACKET_BYTES 8192 /* bytes of data */

/* Nodes of the grid, with their number among their kind. */
/* clang-format off */
#define NIL(index) {TF_NODE_EMPTY, index} /* MemoryMap.md: indices differ from each other and from PCIe's */
#define TNS(tile)  {TF_NODE_TENSIX, tile}
#define ETH(tile)  {TF_NODE_ETH, tile}
#define MEM(group) {TF_NODE_DRAM, group}
#define PCI        {TF_NODE_PCIE, 2}
#define ARC        {TF_NODE_ARC, 0}
/* clang-format on */

#define TENSIX_IN_ROW 8

/* A row of Tensix tiles: columns 0 and 5, and its first tile. */
#define ROW(n, x0, x5) \
    x0, TNS(n), TNS((n) + 1), TNS((n) + 2), TNS((n) + 3), x5, TNS((n) + 4), TNS((n) + 5), TNS((n) + 6), TNS((n) + 7)

/* "Memory map" in TensixTile/BabyRISCV/README.md. */
/* clang-format off */
static const struct tf_map tensix_map = {
    .by_range = {
        TF_RANGES_ALIKE, TF_TENSIX_RANGES_ALIKE, [TF_RANGE(TF_IRAM_BASE)] = TF_AT_MISSING,
    },
    .shared = TF_DEBUG_BASE >> 16,
    .by_block = {
        [TF_BLOCK(TF_TDMA_BASE)] = TF_AT_TDMA, [TF_BLOCK(TF_DEBUG_BASE)] = TF_AT_DEBUG,
        [TF_BLOCK(TF_PIC_BASE)] = TF_AT_POLLED_PIC,
    },
    .window = {
        [TF_AT_OWN_LOCAL] = {TF_SPAN(TF_LOCAL_BASE, 0x1000), TF_BY_NONE, TF_WORDS, 0},
        [TF_AT_TDMA] = {TF_SPAN(TF_TDMA_BASE, TF_TDMA_BYTES), TF_BY_ALL, TF_WORDS, 0},
        TF_WINDOWS_ALIKE,
        [TF_AT_POLLED_PIC] = {TF_SPAN(TF_PIC_BASE, 0x34), TF_BY_ALL, TF_WORDS, 0},
        TF_TENSIX_WINDOWS_ALIKE,
        /* Loads from NC's instruction RAM, which never return. */
        [TF_AT_MISSING] = {TF_LOCAL_BASE, UINT32_MAX, TF_BY_ALL, TF_ANY_SIZE, 0},
    },
};
/* clang-format on */

/* "Memory map" in EthernetTile/BabyRISCV/README.md. */
/* clang-format off */
static const struct tf_map eth_map = {
    .by_range = {
        TF_RANGES_ALIKE,
        [TF_RANGE(TF_ETH_LINK_BASE) ... TF_RANGE(TF_ETH_LINK_BASE) + 2] = TF_AT_ETH_LINK,
        [TF_RANGE(TF_IRAM_BASE)] = TF_AT_MISSING,
    },
    .shared = TF_DEBUG_BASE >> 16,
    .by_block = {
        [TF_BLOCK(TF_DEBUG_BASE)] = TF_AT_DEBUG, [TF_BLOCK(TF_PIC_BASE)] = TF_AT_POLLED_PIC,
    },
    .window = {
        [TF_AT_OWN_LOCAL] = {TF_SPAN(TF_LOCAL_BASE, 0x1000), TF_BY_NONE, TF_WORDS, 0},
        TF_WINDOWS_ALIKE,
        [TF_AT_POLLED_PIC] = {TF_SPAN(TF_PIC_BASE, 0x34), TF_BY_ALL, TF_WORDS, 0},
        [TF_AT_ETH_LINK] = {TF_SPAN(TF_ETH_LINK_BASE, 0x30000), TF_BY_ALL, TF_WORDS, 0},
        /* Loads from the core's instruction RAM, which never return. */
        [TF_AT_MISSING] = {TF_LOCAL_BASE, UINT32_MAX, TF_BY_ALL, TF_ANY_SIZE, 0},
    },
};
/* clang-format on */

/* clang-format off */
/* data/wh/tile_regs.json of ttsim: the registers by which programs count. */
#define COUNTERS                                                                                             \
    {0, TF_OVERLAY_REMOTE_SRC, 1, 0},                                                                        \
    {3, TF_OVERLAY_REMOTE_DEST_BUF_START, 1, 0},                                                             \
    {4, TF_OVERLAY_REMOTE_DEST_BUF_SIZE, 1, 0},                                                              \
    {34, TF_OVERLAY_SPACE_AVAILABLE_UPDATE, 1, 0},                                                           \
    {64, TF_OVERLAY_SPACE_AVAILABLE, 32, 0} /* of each destination */

/*
 * Those of AsGeneralUse.md and of the pages on phases, with their numbers in Wormhole's noc_overlay_parameters.h.
 */
#define PLACES                                                                                               \
    COUNTERS,                                                                                                \
    {1, TF_OVERLAY_REMOTE_SRC_PHASE, 1, 0},                                                                  \
    {2, TF_OVERLAY_REMOTE_DEST, 1, 0},                                                                       \
    {5, TF_OVERLAY_REMOTE_DEST_WR_PTR, 1, 0},                                                                \
    {6, TF_OVERLAY_BUF_START, 2, 0},                                                                         \
    {8, TF_OVERLAY_MSG_INFO_PTR, 1, 0},                                                                      \
    {9, TF_OVERLAY_REMOTE_DEST_MSG_INFO_WR_PTR, 1, 0},                                                       \
    {10, TF_OVERLAY_MISC_CFG, 1, 0},                                                                         \
    {11, TF_OVERLAY_CURR_PHASE, 1, 0},                                                                       \
    {12, TF_OVERLAY_PHASE_AUTO_CFG_PTR, 1, 0},                                                               \
    {13, TF_OVERLAY_MCAST_DEST, 2, 0},                                                                       \
    {15, TF_OVERLAY_GATHER, 1, 4},                                                                           \
    {17, TF_OVERLAY_MSG_HEADER_FORMAT, 1, 14},                                                               \
    {18, TF_OVERLAY_NUM_MSGS_RECEIVED, 1, 0},                                                                \
    {20, TF_OVERLAY_NEXT_SIZE, 1, 0},                                                                        \
    {19, TF_OVERLAY_NEXT_RECEIVED_MSG_ADDR, 1, 0},                                                           \
    {21, TF_OVERLAY_MSG_INFO_CLEAR, 2, 0},                                                                   \
    {24, TF_OVERLAY_RD_PTR, 2, 0},                                                                           \
    {26, TF_OVERLAY_MSG_INFO_WR_PTR, 1, 0},                                                                  \
    {27, TF_OVERLAY_PHASE_ADVANCE, 1, 0},                                                                    \
    {28, TF_OVERLAY_BUF_SPACE_AVAILABLE, 1, 0},                                                              \
    {29, TF_OVERLAY_SOURCE_ENDPOINT_NEW_MSG_INFO, 2, 0},                                                     \
    {32, TF_OVERLAY_DEST_PHASE_READY_UPDATE, 2, 0},                                                          \
    {35, TF_OVERLAY_WAIT_STATUS, 1, 0},                                                                      \
    {36, TF_OVERLAY_PHASE_AUTO_CFG_HEADER, 1, 0},                                                            \
    {38, TF_OVERLAY_ZERO_MASK_AND, 1, 0},                                                                    \
    {40, TF_OVERLAY_ACK_THRESHOLD, 1, 0},                                                                    \
    {41, TF_OVERLAY_MSG_INFO_CAN_PUSH_NEW_MSG, 1, 0},                                                        \
    {42, TF_OVERLAY_COMPRESS, 1, 0},                                                                         \
    {43, TF_OVERLAY_GATHER_CLEAR, 1, 17}, /* a place of Blackhole's that only keeps bits of the same streams */ \
    {44, TF_OVERLAY_REMOTE_DEST_TRAFFIC, 1, 4},                                                              \
    {48, TF_OVERLAY_LOCAL_SRC_MASK, 3, 0},                                                                   \
    {60, TF_OVERLAY_SET_MSG_HEADER, 4, 0},                                                                   \
    {128, TF_OVERLAY_MSG_INFO, 96, 0}, /* 16 entries */                                                      \
    {226, TF_OVERLAY_DEBUG_STATUS + 2, 1, 0},                                                                \
    {234, TF_OVERLAY_BLOB_AUTO_CFG_DONE, 2, 0},                                                              \
    {246, TF_OVERLAY_BLOB_NEXT_AUTO_CFG_DONE, 1, 0},                                                         \
    {242, TF_OVERLAY_REMOTE_DEST_BUF_START_HI, 1, 0},                                                        \
    {243, TF_OVERLAY_REMOTE_DEST_MSG_INFO_WR_PTR_HI, 1, 0},                                                  \
    {244, TF_OVERLAY_CURR_PHASE_BASE, 1, 0},                                                                 \
    {245, TF_OVERLAY_PHASE_AUTO_CFG_PTR_BASE, 1, 0},                                                         \
    {248, TF_OVERLAY_SCRATCH, 6, 0}
/* clang-format on */

static const struct tf_stream_place tensix_stream_places[] = {PLACES, {0, 0, 0, 0}};

/* An Ethernet tile has 8 bits of LOCAL_SRC_MASK + 1, and no bits of the next word. Blackhole's register 255 reads 0. */
static const struct tf_stream_place eth_stream_places[] = {
    {49, TF_OVERLAY_LOCAL_SRC_MASK_1, 1, 8},
    {50, 255, 1, 0},
    PLACES,
    {0, 0, 0, 0},
};

#define NO TF_NIU_NO_WORD

/* NoC/MemoryMap.md */
/* clang-format off */
static const struct tf_niu_arch niu = {
    .initiator_stride_log2 = 10,
    .word = {
        TF_NIU_TARG_LO, TF_NIU_TARG_MID, NO, TF_NIU_RET_LO, TF_NIU_RET_MID, NO, TF_NIU_PACKET_TAG, TF_NIU_CTRL,
        TF_NIU_AT_LEN_BE, TF_NIU_AT_DATA, TF_NIU_CMD_CTRL, TF_NIU_NODE_ID / 4, TF_NIU_ENDPOINT_ID / 4,
        NO, NO, NO, NO, NO,
    },
    .address_high_bits = 4,
    .writes_back = true,
    .pending = 0x54,
    .debug_first = 0x300, /* of the router, then of the NIU */
    .debug_bytes = 0x100,
    .range = {
        {0x050, 0x04, TF_NIU_CLEAR_TIDS},
        {0x100, 0x18, TF_NIU_CONFIG}, /* NIU_CFG_0, ROUTER_CFG_0..4 */
        {0x118, 0x10, TF_NIU_CONFIG + 4 * TF_NIU_X_TABLE},
        {0x128, 0x10, TF_NIU_CONFIG + 4 * TF_NIU_Y_TABLE},
        {0x138, 0x04, TF_NIU_CONFIG + 4 * TF_NIU_ID_LOGICAL},
        {0x200, 0x100, TF_NIU_COUNTER},
    },
};
/* clang-format on */

/*
 * Boards. Identifiers: board_upi_map in tt-umd's cluster_descriptor_types.hpp. Fused-off rows differ from chip to chip.
 * These are those of wormhole_N150.yaml and of the first chip in wormhole_N300.yaml, in tt-umd's
 * tests/cluster_descriptor_examples. The first board is ttsim's, which has all rows.
 */
static const struct tf_board boards[] = {
    {.name = "n150-full", .product = 0x18},
    {.name = "n150", .product = 0x18, .rows_off = 1u << 8},
    {.name = "n300", .product = 0x14, .rows_off = 1u << 1 | 1u << 8},
    {.name = "ubb", .product = 0x35}, /* of a Galaxy */
};

/* The order of rows on the die: HARVESTING_NOC_LOCATIONS in tt-umd's wormhole_implementation.hpp. */
static const struct tf_fuse_arch fuse = {
    .board = boards,
    .boards = sizeof boards / sizeof boards[0],
    .rows = 10,
    .row = {11, 1, 10, 2, 9, 3, 8, 4, 7, 5},
    .eth_tiles = 16,
    .galaxy_type = "ubb",
};

/* Tags of ARCTile/Telemetry.md, with the values that ttsim gives (tile.cpp). Where ttsim gives none, the value is the
   page's example. */
static const struct tf_telemetry telemetry[] = {
    {1, 0x180},       /* board id, high: n150 */
    {2, 1},           /* board id, low */
    {3, 1},           /* ASIC id */
    {4, 0},           /* harvesting state */
    {5, 100},         /* time between updates of the telemetry, ms */
    {6, 795},         /* core voltage, mV */
    {7, 15},          /* core power, W */
    {8, 19},          /* core current, A */
    {9, 0x03E80320},  /* limits of the voltage, mV */
    {10, 83},         /* temperature at which the board is switched off */
    {11, 40u << 16},  /* temperature of the chip, 16.16 degrees */
    {13, 35u << 16},  /* temperature of the board */
    {14, 1000},       /* AI clock, MHz */
    {15, 900},        /* AXI clock: the tag of ttsim and tt-umd; the page says 25 */
    {16, 540},        /* ARC clock */
    {21, 0xFFFF},     /* mask of live Ethernet tiles */
    {22, 0x555},      /* GDDR: all six channels trained */
    {23, 12000},      /* GDDR: MT/s */
    {24, 0x0006E000}, /* firmware of Ethernet tiles 6.14.0, as in their L1 */
    {26, 0x05090000}, /* firmware of the board's controller: application */
    {27, 0x81020000}, /* and boot loader */
    {28, 0x12040000}, /* firmware bundle 18.4 */
    {29, 0x02210100}, /* firmware of this tile */
    {31, 0xFFFFFFFF}, /* fan: none */
    {32, 1},          /* heartbeat */
    {40, 1},          /* coordinates are translated */
    {52, 0},          /* ASIC location */
    {55, 160},        /* limit of the current */
    {56, 75},         /* temperature at which clocks are throttled */
    {57, 0x56020D27}, /* when this tile's firmware was built */
    {58, 0x00030303}, /* tt-flash */
    {63, 1000},       /* limit of the AI clock */
    {64, 85},         /* limit of the power */
};

/* Telemetry.md, "Legacy Style Telemetry". */
static const struct tf_older_telemetry
    older_telemetry
        [] =
            {
                {0, 0, 0, 32, 0, 0xBA5E0001}, /* the marker of its start */
                {4, 1, 0, 32, 0, 0},           {5, 2, 0, 32, 0, 0},   {6, 29, 0, 32, 0, 0},
                {11, 24, 0, 32, 0, 0},         {12, 27, 0, 32, 0, 0}, {13, 26, 0, 32, 0, 0},
                {14, 0, 0, 32, 0, 0x02222222}, /* GDDR: trained, 16 - 2 * 2 GT/s */
                {23, 31, 0, 32, 0, 0},         {24, 14, 0, 16, 0, 0}, {24, 63, 0, 16, 16, 0},
                {25, 15, 0, 32, 0, 0},         {26, 16, 0, 32, 0, 0}, {28, 6, 0, 32, 0, 0},
                {29, 11, 12, 16, 0, 0},        {31, 13, 16, 8, 0, 0}, {32, 7, 0, 16, 0, 0},
                {32, 64, 0, 16, 16, 0},        {33, 8, 0, 16, 0, 0},  {33, 55, 0, 16, 16, 0},
                {34, 9, 0, 32, 0, 0},          {35, 56, 0, 16, 0, 0}, {35, 10, 0, 16, 16, 0},
                {36, 57, 0, 32, 0, 0},         {46, 58, 0, 32, 0, 0}, {49, 28, 0, 32, 0, 0},
};

/* As in wormhole_b0_8x10.yaml of tt-umd. */
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

/* BabyRISCV/README.md: RV32IM, and fence as a nop. */
#define HAS (TF_EXT_I | TF_EXT_M)

/* clang-format off */
const struct tf_arch tf_arch_wormhole = {
    .name = "wormhole",
    .title = "Wormhole",
    .driver_name = "wormhole_b0",
    .grid_x = COLUMNS,
    .grid_y = ROWS,
    .pcie_node = 3 * COLUMNS, /* (0, 3) */
    .tile = {
        [TF_TILE_TENSIX] = {
            .family = "Wormhole",
            .kind = TF_TILE_TENSIX,
            .node = TF_NODE_TENSIX,
            .tiles = 80,
            .cores = 5,
            .coprocessor = true,
            .mutexes = 0xFD, /* 0, and 2 to 7 */
            .opcode = tf_wormhole_opcodes,
            .form = tf_wormhole_forms,
            .field_name = tf_wormhole_field_names,
            .config = &tf_config_wormhole,
            .units = {
                .edition = TF_EDITION_WORMHOLE,
                .keeps_rotated_lanes = true,
                .unpack_row_data = 16,
                .unpack_counters_by_name = true,
                .unpack_rows_end = true,
                .fp8_ordinary = true,
                .one_fp8 = true,
                .packers = 4,
                .no_vector_stalls = true,
                .throttle_as_set = true,
                .moves_by_format = true,
            },
            .streams = 64,
            .stream_place = tensix_stream_places,
            .stream_phases = true,
            .packet_lines = PACKET_BYTES / 16,
            .debug_bytes = 0x220,
            .signals_of_page = true,
            .l1_bytes = 1464 * 1024,
            .iram_bytes = 16 * 1024,
            .iram_core = TF_CORE_NC,
            .local_bytes = {
                [TF_CORE_B] = 4096, [TF_CORE_NC] = 4096, [TF_CORE_T0] = 2048, [TF_CORE_T1] = 2048, [TF_CORE_T2] = 2048,
            },
            .extensions = {HAS, HAS, HAS, HAS, HAS},
            .no_l0 = true,
            .keeps_local = true,
            .rounds_addresses = true,
            .single_step = true,
            .debug_bugs = true,
            .core_name = TF_TENSIX_CORE_NAMES,
            .map = &tensix_map,
            .times = &tf_times_wormhole,
        },
        [TF_TILE_ETH] = {
            .family = "Wormhole",
            .kind = TF_TILE_ETH,
            .node = TF_NODE_ETH,
            .tiles = 16,
            .cores = 1,
            .streams = 32,
            .stream_place = eth_stream_places,
            .eth_streams = true,
            .stream_phases = true,
            .packet_lines = PACKET_BYTES / 16,
            .debug_bytes = 0x220,
            .signals_of_page = true,
            .l1_bytes = 256 * 1024,
            .iram_bytes = 16 * 1024,
            .local_bytes = {4096},
            .extensions = {HAS},
            .no_l0 = true,
            .keeps_local = true,
            .rounds_addresses = true,
            .single_step = true,
            .debug_bugs = true,
            .core_name = {"E"},
            .map = &eth_map,
            .times = &tf_times_wormhole,
            .eth = &tf_eth_wormhole,
        },
    },
    .dram = {.channels = 6, .channel_bytes = 1ull << 31},
    .coords = {
        .entry_bits = 4,
        .entries_in_word = 8,
        .raw_entries = 16,
        .x_entries = 26,
        .y_entries = 28,
        /* Entries 0 to 15 are raw; those of 10 and more are off the grid. */
        .x = {
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
            0, 5,                           /* PCIe, ARC, and DRAM */
            1, 2, 3, 4, 6, 7, 8, 9,         /* Tensix tiles */
        },
        .y = {
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
            0, 6,                           /* Ethernet tiles */
            1, 2, 3, 4, 5, 7, 8, 9, 10, 11, /* Tensix tiles: no row is harvested */
        },
        .name = {
            [TF_NODE_EMPTY] = {16, 25, 16, 27},
            [TF_NODE_TENSIX] = {16, 25, 16, 27},
            [TF_NODE_ETH] = {16, 25, 16, 27},
            [TF_NODE_DRAM] = {16, 25, 16, 27},
            [TF_NODE_PCIE] = {16, 25, 16, 27},
            [TF_NODE_ARC] = {16, 25, 16, 27},
        },
        .silent_columns = 1u << 0 | 1u << 5,
        .silent_rows = 1u << 0 | 1u << 6,
        .endpoint_type = {
            [TF_NODE_TENSIX] = 0x0000, [TF_NODE_ETH] = 0x0200, [TF_NODE_DRAM] = 0x0800, [TF_NODE_PCIE] = 0x0300,
            [TF_NODE_ARC] = 0x0500, [TF_NODE_EMPTY] = 0x0300,
        },
        .dram_groups = true,
    },
    .space = {
        .registers_first = 0xFF000000,
        .niu_first = TF_NIU_BASE(0),
        .niu_bytes = TF_NIU_BYTES,
        .niu_high = 0xF00000000,
        .niu_high_of_empty = 0xF00000000,
        .niu_copies_first = 0xF00000000,
        .niu_copies_bytes = 0x100000000,
        .niu_repeat_bytes = 0x1000,
        .dram_nius_first = 0x100080000,
        .dram_nius_stride = 0x8000,
        .dram_nius_ports = 3,
        .dram_nius_row = {1, 2, 1, 2, 1, 2}, /* tt-umd's tests/api/test_noc.cpp */
        .arc_csm_first = 0x810000000,
        .arc_csm_bytes = TF_ARC_CSM_BYTES,
        /* Where tt-umd reads the older telemetry without asking for its address: smbus_arc_telemetry_reader.hpp. */
        .arc_telemetry_first = 0x820078D60,
        .arc_telemetry_bytes = 0x100,
        .arc_dram_bytes = 0x800000000,
        .arc_apb_first = 0x880000000,
        .arc_apb_bytes = 0x100000,
        .arc_niu_first = 0x880050000,
        .arc_niu_stride = 0x8000,
        .arc_niu_bytes = 0x1000,
    },
    .noc = {
        .flit_log2 = 5,
        .mask_bytes = 32,
        .dram_align = 32,
        .packet_bytes = PACKET_BYTES,
        .inline_masked = true,
        .edge_answers_as_zero = true,
        .atomics = 1u << 1 | 1u << 3 | 1u << 4 | 1u << 6 | 1u << 7,
        .no_such_atomic = "the NIUs of Wormhole have no such atomic",
    },
    .niu = &niu,
    .pcie = {
        .iatu_first = 0x1200,
        .iatu_words = 7,
        .host_first = 0x800000000,
        .host_bytes = 0xFFFE0000,
        .inbound = true,
    },
    .arc = {
        .telemetry = telemetry,
        .telemetry_entries = sizeof telemetry / sizeof telemetry[0],
        .messages_in_scratch = true,
        .post_code = 0xC0DE0001,
        .older = older_telemetry,
        .older_entries = sizeof older_telemetry / sizeof older_telemetry[0],
    },
    .board = {.name = "n150-full", .product = 0x18},
    .fuse = &fuse,
    .clock_mhz = 1000,
    .eth_gbps = 100,
    .soc_features = soc_features,
    .place = {
        MEM(0), ETH(1), ETH(3), ETH(5), ETH(7), MEM(2), ETH(6), ETH(4), ETH(2), ETH(0),
        ROW(0 * TENSIX_IN_ROW, MEM(0), MEM(2)),
        ROW(1 * TENSIX_IN_ROW, NIL(0), MEM(3)),
        ROW(2 * TENSIX_IN_ROW, PCI, MEM(4)),
        ROW(3 * TENSIX_IN_ROW, NIL(1), MEM(4)),
        ROW(4 * TENSIX_IN_ROW, MEM(1), MEM(5)),
        MEM(1), ETH(9), ETH(11), ETH(13), ETH(15), MEM(5), ETH(14), ETH(12), ETH(10), ETH(8),
        ROW(5 * TENSIX_IN_ROW, MEM(1), MEM(5)),
        ROW(6 * TENSIX_IN_ROW, NIL(3), MEM(4)),
        ROW(7 * TENSIX_IN_ROW, NIL(4), MEM(3)),
        ROW(8 * TENSIX_IN_ROW, ARC, MEM(3)),
        ROW(9 * TENSIX_IN_ROW, MEM(0), MEM(2)),
    },
};
/* clang-format on */
