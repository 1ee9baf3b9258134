/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of a stream of the NOC overlay that have an effect, by Blackhole's numbers: noc_overlay_parameters.h. Those
   without an effect are STORED() in stream.c. Only for that file and those of phases. */
#ifndef TILE_MMIO_STREAM_REGISTERS_H
#define TILE_MMIO_STREAM_REGISTERS_H

#include "tile/mmio/parts.h"

enum {
    SOURCE_ENDPOINT_NEW_MSG_INFO = 0,
    NUM_MSGS_RECEIVED_INC = 1,
    ONETIME_MISC_CFG = 2,
    MISC_CFG = 3,
    REMOTE_SRC = 4,
    REMOTE_SRC_PHASE = 5,
    ACK_THRESHOLD = 6,
    REMOTE_DEST = 7,
    REMOTE_DEST_BUF_START = 8,
    REMOTE_DEST_BUF_START_HI = 9,
    REMOTE_DEST_BUF_SIZE = 10,
    REMOTE_DEST_WR_PTR = 11,
    REMOTE_DEST_MSG_INFO_WR_PTR = 13,
    REMOTE_DEST_MSG_INFO_WR_PTR_HI = 14,
    BUF_START = 17,
    BUF_SIZE = 18,
    RD_PTR = 19,
    WR_PTR = 20,
    MSG_INFO_PTR = 22,
    MSG_INFO_WR_PTR = 23,
    MCAST_DEST = 24,
    MCAST_DEST_NUM = 25,
    GATHER = 26,
    GATHER_CLEAR = 27, /* Wormhole's */
    CURR_PHASE_BASE = 28,
    CURR_PHASE = 29,
    PHASE_AUTO_CFG_PTR_BASE = 30,
    PHASE_AUTO_CFG_PTR = 31,
    RELOAD_PHASE_BLOB = 32,
    MSG_HEADER_FORMAT = 33,
    PHASE_AUTO_CFG_HEADER = 34,
    SCRATCH = 36, /* Wormhole's SCRATCH + 0 */
    GLOBAL_OFFSET_TABLE = 207,
    LOCAL_SRC_MASK = 224, /* three words */
    WAIT_STATUS = 257,
    NUM_MSGS_RECEIVED = 259,
    BUF_SPACE_AVAILABLE = 260,
    NEXT_RECEIVED_MSG_ADDR = 262,
    NEXT_SIZE = 263,
    MULTI_MSG_CLEAR = 264,
    MSG_INFO_CLEAR = 265,
    MSG_DATA_CLEAR = 266,
    PHASE_ADVANCE = 267,
    DEST_PHASE_READY_UPDATE = 268,
    SRC_READY_UPDATE = 269,
    SPACE_AVAILABLE_UPDATE = 270,
    ZERO_MASK_AND = 272,
    MSG_INFO_CAN_PUSH_NEW_MSG = 275,
    COMPRESS = 276,
    GLOBAL_OFFSET_TABLE_RD = 279,
    BLOB_AUTO_CFG_DONE = 288,
    BLOB_NEXT_AUTO_CFG_DONE = 290,
    SET_MSG_HEADER = 291,
    SPACE_AVAILABLE = 297,
    MSG_INFO = 329,
    DEBUG_STATUS = 501,
    INDICES = 512,
};

/* Fields of MISC_CFG. */
enum {
    FROM_GATHER = 1 << 3,
    FROM_SOFTWARE = 1 << 4,
    FROM_STREAM = 1 << 5,
    TO_SOFTWARE = 1 << 6,
    TO_GATHER = 1 << 7,
    TO_STREAM = 1 << 8,
    AUTO_CONFIG = 1 << 9,
    AUTO_ADVANCE = 1 << 10,
    SRC_CHANGE = 1 << 12,
    DEST_CHANGE = 1 << 13,
    NO_FLOW_CTRL = 1 << 14,
    DEST_NO_FLOW_CTRL = 1 << 15,
    SOURCE_MULTICASTS = 1 << 16,
    NO_FLUSH = 1 << 17,
};

/* Sets of streams by what they can do: README.md, "Stream Capabilities". */
#define MULTICAST 0xFull
#define GATHER_STREAMS 0x3Full
#define DRAM 0xF0Full

#define WORDS_MASK 0x1FFFFu /* 17 bits: a count or an address of 16-byte words */

/* What a register keeps, by Blackhole's number; it is one of those that only keep their value. */
uint32_t tf_stream_kept(const struct tf_stream *stream, unsigned index);
void tf_stream_keep(struct tf_stream *stream, unsigned index, uint32_t value);
uint32_t tf_stream_space(const struct tf_stream *stream, unsigned destination);
void tf_stream_add_space(struct tf_stream *stream, unsigned destination, uint32_t lines);
bool tf_stream_can(const struct tf_tile *tile, unsigned number, uint64_t streams); /* is it among those? */
bool tf_stream_keeps(struct tf_stream *stream); /* false: no memory. Before the first tf_stream_keep() */

#endif
