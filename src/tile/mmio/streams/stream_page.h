/* SPDX-License-Identifier: Apache-2.0 */
/* The registers of a stream that keep their values, and the page that holds them: only for stream.c and
   stream_registers.c. */
#ifndef TILE_MMIO_STREAMS_STREAM_PAGE_H
#define TILE_MMIO_STREAMS_STREAM_PAGE_H

#include <stddef.h>
#include <stdint.h>

#include "tile/mmio/mmio.h"
#include "tile/mmio/streams/stream_names.h"

#define DESTINATIONS 32u /* number of a multicast stream */
#define OFFSETS 8u       /* entries of the global offset table */

/* Sets of streams, besides those of stream_registers.h. */
#define ALL UINT64_MAX
#define GATHERS GATHER_STREAMS
#define OF_SCRATCH32 (GATHERS | DRAM)
#define FIRST 1ull

/* Registers that only keep their value. The columns are register, width in bits, and the streams that have it. */
/* clang-format off */
#define STORED(X)                                                                                              \
    X(ONETIME_MISC_CFG, 11, ALL)                                                                               \
    X(MISC_CFG, 24, ALL)                                                                                       \
    X(REMOTE_SRC, 24, ALL)                                                                                     \
    X(REMOTE_SRC_PHASE, 20, ALL)                                                                               \
    X(ACK_THRESHOLD, 4, ALL)                                                                                   \
    X(REMOTE_DEST, 18, ALL)                                                                                    \
    X(REMOTE_DEST_BUF_START_HI, 15, DRAM)                                                                      \
    X(REMOTE_DEST_WR_PTR, 17, ALL)                                                                             \
    X(REMOTE_DEST_MSG_INFO_BUF_SIZE, 3, ALL)                                                                   \
    X(REMOTE_DEST_MSG_INFO_WR_PTR, 17, ALL)                                                                    \
    X(REMOTE_DEST_MSG_INFO_WR_PTR_HI, 15, DRAM)                                                                \
    X(REMOTE_DEST_MSG_INFO_WRAP_WR_PTR, 9, ALL)                                                                \
    X(REMOTE_DEST_TRAFFIC, 7, ALL)                                                                             \
    X(BUF_START, 17, ALL)                                                                                      \
    X(BUF_SIZE, 17, ALL)                                                                                       \
    X(RD_PTR, 17, ALL)                                                                                         \
    X(WR_PTR, 17, ALL)                                                                                         \
    X(MSG_INFO_BUF_SIZE, 3, ALL)                                                                               \
    X(MSG_INFO_PTR, 17, ALL)                                                                                   \
    X(MSG_INFO_WR_PTR, 17, ALL)                                                                                \
    X(MCAST_DEST, 19, MULTICAST)                                                                               \
    X(MCAST_DEST_NUM, 6, MULTICAST)                                                                            \
    X(GATHER, 18, GATHERS)                                                                                     \
    X(GATHER_CLEAR, 24, GATHERS)                                                                               \
    X(CURR_PHASE_BASE, 20, ALL)                                                                                \
    X(CURR_PHASE, 20, ALL)                                                                                     \
    X(PHASE_AUTO_CFG_PTR_BASE, 17, ALL)                                                                        \
    X(MSG_HEADER_FORMAT, 21, FIRST)                                                                            \
    X(PHASE_AUTO_CFG_HEADER, 32, ALL)                                                                          \
    X(PERF_CONFIG, 16, FIRST)                                                                                  \
    X(SCRATCH, 24, DRAM)                                                                                       \
    X(SCRATCH_1, 24, DRAM)                                                                                     \
    X(SCRATCH_2, 24, DRAM)                                                                                     \
    X(SCRATCH_3, 24, DRAM)                                                                                     \
    X(SCRATCH_4, 24, DRAM)                                                                                     \
    X(SCRATCH_5, 24, DRAM)                                                                                     \
    X(MSG_BLOB_BUF_START, 17, ALL)                                                                             \
    X(LOCAL_SRC_MASK, 24, GATHERS)                                                                             \
    X(LOCAL_SRC_MASK_1, 24, GATHERS)                                                                           \
    X(LOCAL_SRC_MASK_2, 16, GATHERS)                                                                           \
    X(SCRATCH32, 32, OF_SCRATCH32)                                                                                \
    X(NEXT_RECEIVED_MSG_ADDR, 17, ALL) /* read-only; a store to RD_PTR computes it */                          \
    X(DEBUG_STATUS_SEL, 8, FIRST)
/* clang-format on */

enum slot {
    NO_SLOT,
#define X(index, width, streams) SLOT_##index,
    STORED(X)
#undef X
        SLOTS
};

/* All zero is the state after reset. */
struct tf_stream_page {
    uint32_t word[SLOTS];
    uint32_t space_available[DESTINATIONS]; /* words of destinations from 1 on; struct tf_stream has destination 0 */
    uint32_t offset[OFFSETS];
};

/* The bits of such a register, and the streams that have it. */
struct tf_stream_slot {
    uint32_t mask;
    uint64_t streams;
};

extern const uint8_t tf_stream_slot_of[INDICES]; /* NO_SLOT: the register keeps no value */
extern const struct tf_stream_slot tf_stream_slots[SLOTS];

static inline uint32_t tf_stream_page_get(const struct tf_stream *stream, enum slot slot)
{
    return stream->page != NULL ? stream->page->word[slot] : 0;
}

#endif
