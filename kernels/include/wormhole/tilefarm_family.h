/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Constants of Wormhole B0 for device programs. Each family has a header of this name; -I chooses one. Sources:
 * WormholeB0/NoC/{MemoryMap,Coordinates,Atomics}.md, WormholeB0/TensixTile/BabyRISCV/README.md.
 *
 * fence is a nop on these cores. A program that needs the order of two accesses to different regions on silicon loads
 * its first store back (MemoryOrdering.md).
 */
#ifndef TILEFARM_FAMILY_H
#define TILEFARM_FAMILY_H

#define TF_K_FAMILY "wormhole" /* as options name it; programs carry it */

/* Tensix tiles stand in rows of 8, x = 1..4 and 6..9, y = 1..5 and 7..11. */
#define TF_K_TILES 80u
#define TF_K_ROW 8u
#define TF_K_ROWS 10u
#define TF_K_CORES 5u
#define TF_K_X(tile) ((tile) % TF_K_ROW < 4 ? (tile) % TF_K_ROW + 1 : (tile) % TF_K_ROW + 2)
#define TF_K_Y(tile) ((tile) / TF_K_ROW < 5 ? (tile) / TF_K_ROW + 1 : (tile) / TF_K_ROW + 2)
#define TF_K_TILE_AT(x, y) (((y) < 6 ? (y)-1 : (y)-2) * TF_K_ROW + ((x) < 5 ? (x)-1 : (x)-2))

/* The raw coordinates that these programs use are those of each NOC, whether the NIU translates or not. */
#define TF_K_NOC_1_AS_NOC_0 0
#define TF_K_X_LAST 9u /* of the grid */
#define TF_K_Y_LAST 11u

/* Words of Config with the addresses at which T0 to T2 leave reset, which of them count, and the same of NC
   (TensixTile/SoftReset.md). */
#define TF_K_RESET_CONFIG 158u

/* Opcodes of NOC atomics that there are, NOC_AT_LEN_BE 15:12, as bits. */
#define TF_K_NOC_ATOMICS 0x00DAu

/* DRAM channels, and a node of each: (0, 0), (0, 5), (5, 0), (5, 2), (5, 3), (5, 5). */
#define TF_K_DRAM_CHANNELS 6u
#define TF_K_DRAM_XY(noc, channel) \
    tf_xy(noc, (channel) < 2 ? 0 : 5, (channel) < 2 ? (channel)*5 : (0x5320u >> ((channel)-2) * 4 & 15))

/* The number of address modifiers that an instruction can name. The number of data that a PACR takes of one row of Dst,
   or of four. The number of 16-bit numbers that an unpacker takes as a row of L1. */
#define TF_K_ADDR_MODS 4u
#define TF_K_PACK_ROW 16u
#define TF_K_PACK_ROWS 64u
#define TF_K_PACK_SELECT 15 /* read_intf_sel of PACR: all four packers, */
#define TF_K_PACKERS 4      /* each with a face of the tile */
#define TF_K_UNPACK_ROW 16

#ifndef __ASSEMBLER__

#define TF_K_FENCE ""                 /* for the compiler alone */
#define TF_K_LOADS_MATCH_FIRST_BYTE 1 /* a load waits only for stores in the queue that begin where it does */

/* Registers of a NIU; those of initiator i are i * TF_NOC_INITIATOR_BYTES further on. */
#define TF_NOC_INITIATOR_BYTES 0x400u
#define TF_NOC_NODE_ID 0x2Cu
#define TF_NOC_MASK_BYTES 32u /* that a byte mask covers */
#define TF_NOC_COORDS_IN_HI 0 /* else above bit 4 of NOC_*_ADDR_MID */

/* Registers of overlay streams, by number. */
enum tf_stream_register {
    TF_STREAM_ACKED = 3,    /* STREAM_REMOTE_DEST_BUF_START: pages taken out */
    TF_STREAM_RECEIVED = 4, /* STREAM_REMOTE_DEST_BUF_SIZE: pages put in */
    TF_STREAM_SPACE_AVAILABLE = 64,
    TF_STREAM_SPACE_UPDATE = 34, /* (n << 6): adds n to the space available */
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
