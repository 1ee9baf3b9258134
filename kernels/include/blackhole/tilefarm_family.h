/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blackhole's constants for device programs. Each family has a header of this name; -I chooses one. Sources:
 * BlackholeA0/NoC/{MemoryMap,Coordinates}.md, BlackholeA0/TensixTile/BabyRISCV/{README,CSRs}.md.
 */
#ifndef TILEFARM_FAMILY_H
#define TILEFARM_FAMILY_H

#define TF_K_FAMILY "blackhole" /* as options name it; each program contains it */

/* Tensix tiles stand in rows of 14, x = 1..7 and 10..16, y = 2..11. */
#define TF_K_TILES 140u
#define TF_K_ROW 14u
#define TF_K_ROWS 10u
#define TF_K_CORES 5u
#define TF_K_X(tile) ((tile) % TF_K_ROW < 7 ? (tile) % TF_K_ROW + 1 : (tile) % TF_K_ROW + 3)
#define TF_K_Y(tile) ((tile) / TF_K_ROW + 2)
#define TF_K_TILE_AT(x, y) (((y)-2) * TF_K_ROW + ((x) < 8 ? (x)-1 : (x)-3))

/* A NIU that translates coordinates takes NOC 0 coordinates on NOC 1, too. */
#define TF_K_NOC_1_AS_NOC_0 1
#define TF_K_X_LAST 16u /* of the grid */
#define TF_K_Y_LAST 11u

/* Bit i: the family has the NOC atomic with opcode i, NOC_AT_LEN_BE 15:12. */
#define TF_K_NOC_ATOMICS 0xFFFFu

/* DRAM channels, and a node of each: translated coordinates, equal on both NOCs. */
#define TF_K_DRAM_CHANNELS 8u
#define TF_K_DRAM_XY(noc, channel) ((17 + (channel) / 4) | (12 + (channel) % 4 * 3) << 6)

/* How many address modifiers an instruction can name. Operands of TF_PACK_EACH() for PACRs of one row of Dst, and of
   four rows. How many 16-bit numbers of L1 an unpacker takes as a row. */
#define TF_K_ADDR_MODS 8u
#define TF_K_PACK_ROW 16u
#define TF_K_PACK_ROWS 16u
#define TF_K_PACK_SELECT 0 /* read_intf_sel of PACR: 0 means all four */
#define TF_K_PACKERS 1
#define TF_K_UNPACK_ROW 32

/* ETH_TXQ_STATUS_CMD_ONGOING_BIT (EthernetTxRx.md). */
#define TF_K_TXQ_ONGOING (1u << 16)

#ifndef __ASSEMBLER__

#define TF_K_FENCE "fence"
#define TF_K_LOADS_MATCH_FIRST_BYTE 0 /* a load waits only for queued stores with its own address */

/* Registers of a NIU, by offset. Add i * TF_NOC_INITIATOR_BYTES for initiator i, 0..3. */
#define TF_NOC_INITIATOR_BYTES 0x800u
#define TF_NOC_NODE_ID 0x44u
#define TF_NOC_ID_LOGICAL 0x148u /* of the NIU: coordinates of this tile, as translated */
#define TF_NOC_MASK_BYTES 64u    /* under a byte mask */
#define TF_NOC_COORDS_IN_HI 1    /* 0: they begin at bit 4 of NOC_*_ADDR_MID */

/* Registers of overlay streams, by number. */
enum tf_stream_register {
    TF_STREAM_ACKED = 8,     /* STREAM_REMOTE_DEST_BUF_START: pages taken out */
    TF_STREAM_RECEIVED = 10, /* STREAM_REMOTE_DEST_BUF_SIZE: pages put in */
    TF_STREAM_SPACE_AVAILABLE = 297,
    TF_STREAM_SPACE_UPDATE = 270, /* a store of n << 6 adds n to the space available */
};

enum tf_niu_register {
    TF_NOC_TARG_ADDR_LO = 0x00,
    TF_NOC_TARG_ADDR_MID = 0x04,
    TF_NOC_TARG_ADDR_HI = 0x08,
    TF_NOC_RET_ADDR_LO = 0x0C,
    TF_NOC_RET_ADDR_MID = 0x10,
    TF_NOC_RET_ADDR_HI = 0x14,
    TF_NOC_PACKET_TAG = 0x18,
    TF_NOC_CTRL = 0x1C,
    TF_NOC_AT_LEN_BE = 0x20,
    TF_NOC_AT_LEN_BE_1 = 0x24,
    TF_NOC_AT_DATA = 0x28,
    TF_NOC_BRCST_EXCLUDE = 0x2C,
    TF_NOC_CMD_CTRL = 0x40,
};

#define TF_TT_CONDITION_BITS 13u

/* Conditions of STALLWAIT. */
enum tf_tt_condition {
    TF_TT_SCALAR_MEMORY = 1 << 0, /* requests of the scalar unit in flight */
    TF_TT_UNPACKER_0 = 1 << 1,
    TF_TT_UNPACKER_1 = 1 << 2,
    TF_TT_PACKER = 1 << 3,
    TF_TT_MATRIX = 1 << 4,
    TF_TT_SRCA_UNPACKER = 1 << 5, /* the unpacker does not own its bank yet */
    TF_TT_SRCB_UNPACKER = 1 << 6,
    TF_TT_SRCA_MATRIX = 1 << 7, /* the matrix unit does not own its bank yet */
    TF_TT_SRCB_MATRIX = 1 << 8,
    TF_TT_MOVER = 1 << 9,
    TF_TT_RISCV = 1 << 10, /* this core's own stores to GPRs, configuration, TDMA-RISC */
    TF_TT_VECTOR = 1 << 11,
    TF_TT_CONFIG = 1 << 12,
};

#endif
#endif
