/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Constants of Wormhole B0 for device programs. Each family has a header of this name; -I chooses one. Sources:
 * WormholeB0/NoC/{MemoryMap,Coordinates,Atomics}.md, WormholeB0/TensixTile/BabyRISCV/README.md.
 *
 * These cores execute fence as a nop. To keep two stores to different regions in order on silicon, a program loads the
 * first one back (MemoryOrdering.md).
 */
#ifndef TILEFARM_FAMILY_H
#define TILEFARM_FAMILY_H

#define TF_K_FAMILY "wormhole" /* as options name it; each program contains it */

/* Tensix tiles stand in rows of 8, x = 1..4 and 6..9, y = 1..5 and 7..11. */
#define TF_K_TILES 80u
#define TF_K_ROW 8u
#define TF_K_ROWS 10u
#define TF_K_CORES 5u
#define TF_K_X(tile) ((tile) % TF_K_ROW < 4 ? (tile) % TF_K_ROW + 1 : (tile) % TF_K_ROW + 2)
#define TF_K_Y(tile) ((tile) / TF_K_ROW < 5 ? (tile) / TF_K_ROW + 1 : (tile) / TF_K_ROW + 2)
#define TF_K_TILE_AT(x, y) (((y) < 6 ? (y)-1 : (y)-2) * TF_K_ROW + ((x) < 5 ? (x)-1 : (x)-2))

/* Programs use raw coordinates, which differ between the NOCs, whether the NIU translates or not. */
#define TF_K_NOC_1_AS_NOC_0 0
#define TF_K_X_LAST 9u /* of the grid */
#define TF_K_Y_LAST 11u

/* First of six words of Config: reset PCs of T0 to T2, a mask that enables them, reset PC of NC, its enable bit
   (TensixTile/SoftReset.md). */
#define TF_K_RESET_CONFIG 158u

/* Bit i: the family has the NOC atomic with opcode i, NOC_AT_LEN_BE 15:12. */
#define TF_K_NOC_ATOMICS 0x00DAu

/* DRAM channels, and a node of each: (0, 0), (0, 5), (5, 0), (5, 2), (5, 3), (5, 5). */
#define TF_K_DRAM_CHANNELS 6u
#define TF_K_DRAM_XY(noc, channel) \
    tf_xy(noc, (channel) < 2 ? 0 : 5, (channel) < 2 ? (channel)*5 : (0x5320u >> ((channel)-2) * 4 & 15))

/* How many address modifiers an instruction can name. Operands of TF_PACK_EACH() for PACRs of one row of Dst, and of
   four rows. How many 16-bit numbers of L1 an unpacker takes as a row. */
#define TF_K_ADDR_MODS 4u
#define TF_K_PACK_ROW 16u
#define TF_K_PACK_ROWS 64u
#define TF_K_PACK_SELECT 15 /* read_intf_sel of PACR: all four packers */
#define TF_K_PACKERS 4      /* each packs a face of the tile */
#define TF_K_UNPACK_ROW 16

#ifndef __ASSEMBLER__

#define TF_K_FENCE ""                 /* keeps only the compiler's order */
#define TF_K_LOADS_MATCH_FIRST_BYTE 1 /* a load waits only for queued stores with its own address */

/* Registers of a NIU, by offset. Add i * TF_NOC_INITIATOR_BYTES for initiator i, 0..3. */
#define TF_NOC_INITIATOR_BYTES 0x400u
#define TF_NOC_NODE_ID 0x2Cu
#define TF_NOC_MASK_BYTES 32u /* under a byte mask */
#define TF_NOC_COORDS_IN_HI 0 /* 0: they begin at bit 4 of NOC_*_ADDR_MID */

/* Registers of overlay streams, by number. */
enum tf_stream_register {
    TF_STREAM_ACKED = 3,    /* STREAM_REMOTE_DEST_BUF_START: pages taken out */
    TF_STREAM_RECEIVED = 4, /* STREAM_REMOTE_DEST_BUF_SIZE: pages put in */
    TF_STREAM_SPACE_AVAILABLE = 64,
    TF_STREAM_SPACE_UPDATE = 34, /* a store of n << 6 adds n to the space available */
};

enum tf_niu_register {
    TF_NOC_TARG_ADDR_LO = 0x00,
    TF_NOC_TARG_ADDR_MID = 0x04,
    TF_NOC_RET_ADDR_LO = 0x0C,
    TF_NOC_RET_ADDR_MID = 0x10,
    TF_NOC_PACKET_TAG = 0x18,
    TF_NOC_CTRL = 0x1C,
    TF_NOC_AT_LEN_BE = 0x20,
    TF_NOC_AT_DATA = 0x24,
    TF_NOC_CMD_CTRL = 0x28,
};

#define TF_TT_CONDITION_BITS 15u

/* Conditions of STALLWAIT. */
enum tf_tt_condition {
    TF_TT_SCALAR_MEMORY = 1 << 0, /* requests of the scalar unit in flight */
    TF_TT_UNPACKER_0 = 1 << 1,
    TF_TT_UNPACKER_1 = 1 << 2,
    TF_TT_PACKER = 15 << 3, /* any of four */
    TF_TT_MATRIX = 1 << 7,
    TF_TT_SRCA_UNPACKER = 1 << 8, /* the unpacker does not own its bank yet */
    TF_TT_SRCB_UNPACKER = 1 << 9,
    TF_TT_SRCA_MATRIX = 1 << 10, /* the matrix unit does not own its bank yet */
    TF_TT_SRCB_MATRIX = 1 << 11,
    TF_TT_MOVER = 1 << 12,
    TF_TT_RISCV = 1 << 13, /* this core's own stores to GPRs, configuration, TDMA-RISC */
    TF_TT_VECTOR = 1 << 14,
};

#endif
#endif
