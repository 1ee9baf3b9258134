/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wormhole B0 as data. Sources, in the public ISA documentation: WormholeB0/NoC/Coordinates.md and Diagrams/Src/NoC.lua
 * (the grid, names), NoC/MemoryMap.md (NIU registers, NOC_ENDPOINT_ID, where NIUs are), NoC/README.md (flits, packets),
 * NoC/Atomics.md, TensixTile/BabyRISCV/README.md (cores, memory sizes, memory map), TensixCoprocessor/SyncUnit.md,
 * DRAMTile/README.md; ttsim (config.h: sizes; tile.cpp: which DRAM node is a port of which channel).
 */
#include "tile/arch.h"
#include "tile/niu_words.h"
#include "tile/tensix/frontend/isa.h"

#define COLUMNS 10
#define ROWS 12

/* Nodes of the grid, with their number among their kind. */
/* clang-format off */
#define NIL        {TF_NODE_EMPTY, 0}
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
        [0xB0] = TF_AT_OWN_LOCAL, [0xB2] = TF_AT_NIU0,  [0xB3] = TF_AT_NIU1,  [0xB4 ... 0xB7] = TF_AT_OVERLAY,
        [0xB8] = TF_AT_MOP,       [0xC0] = TF_AT_MISSING, [0xE0] = TF_AT_GPRS, [0xE4] = TF_AT_PUSH0,
        [0xE5] = TF_AT_PUSH1,     [0xE6] = TF_AT_PUSH2, [0xE8] = TF_AT_PCBUF0, [0xE9] = TF_AT_PCBUF1,
        [0xEA] = TF_AT_PCBUF2,    [0xEC] = TF_AT_MAILBOX, [0xEF] = TF_AT_CONFIG,
    },
    .shared = 0xFFB1,
    .by_block = {[0x1] = TF_AT_MISSING, [0x2] = TF_AT_DEBUG, [0x3] = TF_AT_MISSING},
    .window = {
        [TF_AT_OWN_LOCAL] = {0xFFB00000, 0xFFB00FFF, TF_BY_NONE, TF_WORDS, 0},
        [TF_AT_DEBUG] = {0xFFB12000, 0xFFB12FFF, TF_BY_ALL, TF_WORDS, 0},
        [TF_AT_NIU0] = {0xFFB20000, 0xFFB2FFFF, TF_BY_ALL, TF_WORDS, 0},
        [TF_AT_NIU1] = {0xFFB30000, 0xFFB3FFFF, TF_BY_ALL, TF_WORDS, 0},
        [TF_AT_OVERLAY] = {0xFFB40000, 0xFFB7FFFF, TF_BY_ALL, TF_WORDS, 0},
        [TF_AT_MOP] = {0xFFB80000, 0xFFB80023, TF_BY_T, TF_WORDS, 0},
        [TF_AT_GPRS] = {0xFFE00000, 0xFFE00FFF, TF_BY_BT, TF_WORD_STORES, 0},
        [TF_AT_PUSH0] = {0xFFE40000, 0xFFE4FFFF, TF_BY_BT, TF_WORDS, 0},
        [TF_AT_PUSH1] = {0xFFE50000, 0xFFE5FFFF, TF_BY_BT, TF_WORDS, 0},
        [TF_AT_PUSH2] = {0xFFE60000, 0xFFE6FFFF, TF_BY_BT, TF_WORDS, 0},
        [TF_AT_PCBUF0] = {0xFFE80000, 0xFFE8FFFF, TF_BY_BT, TF_WORDS, 0},
        [TF_AT_PCBUF1] = {0xFFE90000, 0xFFE9FFFF, TF_BY_B, TF_WORDS, 0},
        [TF_AT_PCBUF2] = {0xFFEA0000, 0xFFEAFFFF, TF_BY_B, TF_WORDS, 0},
        [TF_AT_MAILBOX] = {0xFFEC0000, 0xFFEC3FFF, TF_BY_BT, TF_WORDS, 0},
        [TF_AT_CONFIG] = {0xFFEF0000, 0xFFEFFFFF, TF_BY_BT, TF_WORD_STORES, 0},
        /* TDMA-RISC, PIC, NC's instruction RAM: the hardware has them. */
        [TF_AT_MISSING] = {0xFFB00000, 0xFFFFFFFF, TF_BY_ALL, TF_ANY_SIZE, 0},
    },
};
/* clang-format on */

/* README.md of TensixCoprocessor, and data/wh/tensix_isa.json of ttsim: opcodes that the coprocessor lacks. */
#define ABSENT(X)   \
    X(CFGSHIFTMASK) \
    X(MOVDBGB2D)    \
    X(RESOURCEDECL) \
    X(SFPARECIP)    \
    X(SFPGT)        \
    X(SFPLE)        \
    X(SFPMUL24)     \
    X(STREAMWAIT)   \
    X(STREAMWRCFG)

/* Opcodes that tilefarm does not execute as Wormhole does yet. */
#define NOT_YET(X)   \
    X(MOVD2A)        \
    X(MOVDBGA2D)     \
    X(MOVD2B)        \
    X(MOVB2A)        \
    X(ZEROACC)       \
    X(ZEROSRC)       \
    X(MOVA2D)        \
    X(MOVB2D)        \
    X(TRNSPSRCB)     \
    X(SHIFTXA)       \
    X(SHIFTXB)       \
    X(CLREXPHIST)    \
    X(CONV3S1)       \
    X(CONV3S2)       \
    X(MPOOL3S1)      \
    X(APOOL3S1)      \
    X(MVMUL)         \
    X(ELWMUL)        \
    X(ELWADD)        \
    X(DOTPV)         \
    X(ELWSUB)        \
    X(MPOOL3S2)      \
    X(APOOL3S2)      \
    X(GMPOOL)        \
    X(GAPOOL)        \
    X(GATESRCRST)    \
    X(CLEARDVALID)   \
    X(SETRWC)        \
    X(INCRWC)        \
    X(MFCONV3S1)     \
    X(XMOV)          \
    X(PACR)          \
    X(UNPACR)        \
    X(UNPACR_NOP)    \
    X(PACR_SETREG)   \
    X(SETADC)        \
    X(SETADCXY)      \
    X(INCADCXY)      \
    X(ADDRCRXY)      \
    X(SETADCZW)      \
    X(INCADCZW)      \
    X(ADDRCRZW)      \
    X(SETDVALID)     \
    X(SETADCXX)      \
    X(SFPLOAD)       \
    X(SFPLOADI)      \
    X(SFPSTORE)      \
    X(SFPLUT)        \
    X(SFPMULI)       \
    X(SFPADDI)       \
    X(SFPDIVP2)      \
    X(SFPEXEXP)      \
    X(SFPEXMAN)      \
    X(SFPIADD)       \
    X(SFPSHFT)       \
    X(SFPSETCC)      \
    X(SFPMOV)        \
    X(SFPABS)        \
    X(SFPAND)        \
    X(SFPOR)         \
    X(SFPNOT)        \
    X(SFPLZ)         \
    X(SFPSETEXP)     \
    X(SFPSETMAN)     \
    X(SFPMAD)        \
    X(SFPADD)        \
    X(SFPMUL)        \
    X(SFPPUSHC)      \
    X(SFPPOPC)       \
    X(SFPSETSGN)     \
    X(SFPENCC)       \
    X(SFPCOMPC)      \
    X(SFPTRANSP)     \
    X(SFPXOR)        \
    X(SFP_STOCH_RND) \
    X(SFPNOP)        \
    X(SFPCAST)       \
    X(SFPCONFIG)     \
    X(SFPSWAP)       \
    X(SFPLOADMACRO)  \
    X(SFPSHFT2)      \
    X(SFPLUTFP32)

static const uint8_t opcodes[256] = {
#define X(name) [TF_OP_##name] = TF_OPCODE_ABSENT,
    ABSENT(X)
#undef X
#define X(name) [TF_OP_##name] = TF_OPCODE_NOT_YET,
        NOT_YET(X)
#undef X
};

/* clang-format off */
static const struct tf_field_move moves[] = {
    /* STALLWAIT.md, "Condition mask": C3 to C6 are the four packers. */
    {TF_OP_STALLWAIT, 0, 3, 0}, {TF_OP_STALLWAIT, 3, 1, 3}, {TF_OP_STALLWAIT, 4, 1, 3}, {TF_OP_STALLWAIT, 5, 1, 3},
    {TF_OP_STALLWAIT, 6, 1, 3}, {TF_OP_STALLWAIT, 7, 8, 4}, {TF_OP_STALLWAIT, 15, 9, 15},
    /* SETDMAREG_Special.md reads from four packers. */
    {TF_OP_SETDMAREG, 0, 7, 0}, {TF_OP_SETDMAREG, 7, 1, TF_MOVE_NOT_YET}, {TF_OP_SETDMAREG, 8, 16, 8},
    {0, 0, 0, 0},
};
/* clang-format on */

/* data/wh/tile_regs.json of ttsim: the registers by which programs count. */
static const struct tf_stream_place stream_places[] = {
    {0, 4},    /* REMOTE_SRC */
    {3, 8},    /* REMOTE_DEST_BUF_START */
    {4, 10},   /* REMOTE_DEST_BUF_SIZE */
    {34, 270}, /* REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE */
    {64, 297}, /* REMOTE_DEST_BUF_SPACE_AVAILABLE */
    {0, 0},
};

#define NO TF_NIU_NO_WORD

/* NoC/MemoryMap.md */
/* clang-format off */
static const struct tf_niu_arch niu = {
    .initiator_stride = 0x400,
    .word = {
        TF_NIU_TARG_LO, TF_NIU_TARG_MID, NO, TF_NIU_RET_LO, TF_NIU_RET_MID, NO, TF_NIU_PACKET_TAG, TF_NIU_CTRL,
        TF_NIU_AT_LEN_BE, TF_NIU_AT_DATA, TF_NIU_CMD_CTRL, TF_NIU_NODE_ID / 4, TF_NIU_ENDPOINT_ID / 4,
        NO, NO, NO, NO, NO,
    },
    .address_high_bits = 4,
    .pending = 0x54,
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

/* BabyRISCV/README.md: RV32IM, and fence as a nop. */
#define HAS (TF_EXT_I | TF_EXT_M)

/* clang-format off */
const struct tf_arch tf_arch_wormhole = {
    .name = "wormhole",
    .title = "Wormhole",
    .grid_x = COLUMNS,
    .grid_y = ROWS,
    .pcie_node = TF_NODES_MAX, /* (0, 3); its windows to the host are missing */
    .tile = {
        [TF_TILE_TENSIX] = {
            .family = "Wormhole",
            .kind = TF_TILE_TENSIX,
            .node = TF_NODE_TENSIX,
            .tiles = 80,
            .cores = 5,
            .coprocessor = true,
            .mutexes = 0xFD, /* 0, and 2 to 7 */
            .opcode = opcodes,
            .move = moves,
            .config = &tf_config_wormhole,
            .streams = 64,
            .stream_place = stream_places,
            .debug_bytes = 0x220,
            .no_debug_bus = true,
            .l1_bytes = 1464 * 1024,
            .local_bytes = {
                [TF_CORE_B] = 4096, [TF_CORE_NC] = 4096, [TF_CORE_T0] = 2048, [TF_CORE_T1] = 2048, [TF_CORE_T2] = 2048,
            },
            .extensions = {HAS, HAS, HAS, HAS, HAS},
            .core_name = {"B", "NC", "T0", "T1", "T2"},
            .map = &tensix_map,
        },
    },
    .dram = {.channels = 6, .channel_bytes = 1ull << 31},
    .coords = {
        .entry_bits = 4,
        .entries_in_word = 8,
        .raw_entries = 16,
        /* Entries 0 to 15 are raw; those of 10 and more are off the grid. */
        .x = {
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
            0, 5,                           /* PCIe, ARC and DRAM; DRAM */
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
        .niu_first = 0xFFB20000,
        .niu_bytes = 0x10000,
        .niu_high = 0xF00000000,
        .niu_high_of_empty = 0xF00000000,
    },
    .noc = {
        .flit_log2 = 5,
        .mask_bytes = 32,
        .dram_align = 32,
        .packet_bytes = 8192,
        .inline_masked = true,
        .atomics = 1u << 1 | 1u << 3 | 1u << 4 | 1u << 6 | 1u << 7,
        .no_such_atomic = "the NIUs of Wormhole have no such atomic",
    },
    .niu = &niu,
    .place = {
        MEM(0), ETH(1), ETH(3), ETH(5), ETH(7), MEM(2), ETH(6), ETH(4), ETH(2), ETH(0),
        ROW(0 * TENSIX_IN_ROW, MEM(0), MEM(2)),
        ROW(1 * TENSIX_IN_ROW, NIL, MEM(3)),
        ROW(2 * TENSIX_IN_ROW, PCI, MEM(4)),
        ROW(3 * TENSIX_IN_ROW, NIL, MEM(4)),
        ROW(4 * TENSIX_IN_ROW, MEM(1), MEM(5)),
        MEM(1), ETH(9), ETH(11), ETH(13), ETH(15), MEM(5), ETH(14), ETH(12), ETH(10), ETH(8),
        ROW(5 * TENSIX_IN_ROW, MEM(1), MEM(5)),
        ROW(6 * TENSIX_IN_ROW, NIL, MEM(4)),
        ROW(7 * TENSIX_IN_ROW, NIL, MEM(3)),
        ROW(8 * TENSIX_IN_ROW, ARC, MEM(3)),
        ROW(9 * TENSIX_IN_ROW, MEM(0), MEM(2)),
    },
};
/* clang-format on */
