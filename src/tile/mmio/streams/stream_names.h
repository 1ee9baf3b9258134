/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of a stream of the NOC overlay under short names: only for files of streams and their phases. */
#ifndef TILE_MMIO_STREAMS_STREAM_NAMES_H
#define TILE_MMIO_STREAMS_STREAM_NAMES_H

#include "tile/overlay.h"

enum {
#define X(name, number) name = number,
    TF_OVERLAY_REGISTERS(X)
#undef X
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

/* Sets of streams by their capabilities: README.md, "Stream Capabilities". */
#define MULTICAST 0xFull
#define GATHER_STREAMS 0x3Full
#define DRAM 0xF0Full

#define WORDS_MASK 0x1FFFFu /* 17 bits: a count or an address of 16-byte words */

#endif
