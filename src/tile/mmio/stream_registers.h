/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of a stream of the NOC overlay under short names: only for stream.c and the files of phases. */
#ifndef TILE_MMIO_STREAM_REGISTERS_H
#define TILE_MMIO_STREAM_REGISTERS_H

#include "tile/state.h"
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

/* The value of a register that only keeps its value, by Blackhole's number. */
uint32_t tf_stream_kept(const struct tf_stream *stream, unsigned index);
void tf_stream_keep(struct tf_stream *stream, unsigned index, uint32_t value);
uint32_t tf_stream_space(const struct tf_stream *stream, unsigned destination);
void tf_stream_add_space(struct tf_stream *stream, unsigned destination, uint32_t lines);
bool tf_stream_can(const struct tf_tile *tile, unsigned number, uint64_t streams); /* is it among those? */
bool tf_stream_keeps(struct tf_stream *stream); /* false: no memory. Before the first tf_stream_keep() */

#endif
