/* SPDX-License-Identifier: Apache-2.0 */
/* The constants of the toy family for device programs (../toy_family.c). It has no overlay and no Ethernet tiles. */
#ifndef TILEFARM_FAMILY_H
#define TILEFARM_FAMILY_H

#define TF_K_FAMILY "toy"

/* Two tiles, at (0,1) and (2,1). */
#define TF_K_TILES 2u
#define TF_K_ROW 2u
#define TF_K_ROWS 1u
#define TF_K_CORES 5u
#define TF_K_X(tile) (2 * (tile))
#define TF_K_Y(tile) 1u
#define TF_K_TILE_AT(x, y) (((y)-1) * TF_K_ROW + (x) / 2)
#define TF_K_NOC_1_AS_NOC_0 1
#define TF_K_X_LAST 2u
#define TF_K_Y_LAST 2u
#define TF_K_NOC_ATOMICS 0x001Au
#define TF_K_DRAM_CHANNELS 1u
#define TF_K_DRAM_XY(noc, channel) (9 | 9 << 6)

/* Two packers, of one read interface each. */
#define TF_K_ADDR_MODS 4u
#define TF_K_PACK_ROW 16u
#define TF_K_PACK_ROWS 16u
#define TF_K_PACK_SELECT 3
#define TF_K_PACKERS 2
#define TF_K_UNPACK_ROW 32

#ifndef __ASSEMBLER__

#define TF_K_FENCE "fence"
#define TF_K_LOADS_MATCH_FIRST_BYTE 0

/* Registers of a NIU: a form that neither chip has. */
#define TF_NOC_INITIATOR_BYTES 0x400u
#define TF_NOC_NODE_ID 0x30u
#define TF_NOC_ID_LOGICAL 0x148u
#define TF_NOC_MASK_BYTES 32u
#define TF_NOC_COORDS_IN_HI 0

enum tf_stream_register {
    TF_STREAM_ACKED = 8,
    TF_STREAM_RECEIVED = 10,
    TF_STREAM_SPACE_AVAILABLE = 297,
    TF_STREAM_SPACE_UPDATE = 270,
};

enum tf_niu_register {
    TF_NOC_TARG_ADDR_LO = 0x00,
    TF_NOC_TARG_ADDR_MID = 0x04,
    TF_NOC_RET_ADDR_LO = 0x0C,
    TF_NOC_RET_ADDR_MID = 0x10,
    TF_NOC_PACKET_TAG = 0x18,
    TF_NOC_CTRL = 0x1C,
    TF_NOC_AT_LEN_BE = 0x20,
    TF_NOC_AT_DATA = 0x28,
    TF_NOC_CMD_CTRL = 0x2C,
};

#define TF_TT_CONDITION_BITS 13u

enum tf_tt_condition {
    TF_TT_SCALAR_MEMORY = 1 << 0,
    TF_TT_UNPACKER_0 = 1 << 1,
    TF_TT_UNPACKER_1 = 1 << 2,
    TF_TT_PACKER = 1 << 3,
    TF_TT_MATRIX = 1 << 4,
    TF_TT_SRCA_UNPACKER = 1 << 5,
    TF_TT_SRCB_UNPACKER = 1 << 6,
    TF_TT_SRCA_MATRIX = 1 << 7,
    TF_TT_SRCB_MATRIX = 1 << 8,
    TF_TT_MOVER = 1 << 9,
    TF_TT_RISCV = 1 << 10,
    TF_TT_VECTOR = 1 << 11,
    TF_TT_CONFIG = 1 << 12,
};

#endif
#endif
