/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The registers of a NIU by name, at their places on Blackhole. The layouts of other families (arch.h) are in terms of
 * these. Source: BlackholeA0/NoC/MemoryMap.md.
 */
#ifndef TILE_NIU_WORDS_H
#define TILE_NIU_WORDS_H

#include "tile/port.h"

/* Words of an initiator, by offset / 4. */
enum tf_niu_word {
    TF_NIU_TARG_LO,
    TF_NIU_TARG_MID,
    TF_NIU_TARG_HI,
    TF_NIU_RET_LO,
    TF_NIU_RET_MID,
    TF_NIU_RET_HI,
    TF_NIU_PACKET_TAG = TF_PORT_PACKET_TAG,
    TF_NIU_CTRL,
    TF_NIU_AT_LEN_BE,
    TF_NIU_AT_LEN_BE_1,
    TF_NIU_AT_DATA,
    TF_NIU_BRCST_EXCLUDE,
    TF_NIU_L1_ACC_AT_INSTRN,
    TF_NIU_CMD_CTRL = TF_PORT_CMD_CTRL,
};

/* The first words, which families have at the same places if they have them. NOC_CMD_CTRL comes last in all. */
#define TF_NIU_ALIKE (TF_NIU_AT_LEN_BE + 1)

/* Register offsets from NIU_BASE; those of initiator i repeat at i * 0x800. */
enum tf_niu_offset {
    TF_NIU_NODE_ID = 4 * TF_PORT_NODE_ID,
    TF_NIU_ENDPOINT_ID = 0x48,
    TF_NIU_CLEAR_TIDS = 0x60,
    TF_NIU_FIFO_STATUS = 0x64,
    TF_NIU_CONFIG = 0x100,
    TF_NIU_COUNTER = 0x200,
    TF_NIU_RTZ_NUM = 0x378,
    TF_NIU_RTZ_SOURCE = 0x37C,
    TF_NIU_INITIATOR_STRIDE = 0x800,
};

/* Configuration words, by (offset - 0x100) / 4. */
enum tf_niu_config {
    TF_NIU_CFG_0 = 0,
    TF_NIU_ROUTER_CFG_0 = 1,
    TF_NIU_ROUTER_CFG_1 = 2,
    TF_NIU_ROUTER_CFG_3 = 4,
    TF_NIU_X_TABLE = 6,
    TF_NIU_Y_TABLE = 12,
    TF_NIU_ID_LOGICAL = 18,
    TF_NIU_COL_MASK = 20,
    TF_NIU_ROW_MASK = 21,
    TF_NIU_DDR_TABLE = 22,
    TF_NIU_DDR_COL_SWAP = 28,
    TF_NIU_RTZ_CFG = 30,
    TF_NIU_RTZ_CLR = 31,
};

#endif
