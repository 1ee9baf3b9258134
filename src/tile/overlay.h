/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers of the NOC overlay's streams. They have the names and numbers of Blackhole: noc_overlay_parameters.h of
 * tt_metal/hw/inc/blackhole/noc. A family may have them elsewhere (struct tf_stream_place).
 */
#ifndef TILE_OVERLAY_H
#define TILE_OVERLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tilefarm_address.h"

/* clang-format off */
#define TF_OVERLAY_REGISTERS(X) \
    X(SOURCE_ENDPOINT_NEW_MSG_INFO, 0)                 \
    X(NUM_MSGS_RECEIVED_INC, 1)                        \
    X(ONETIME_MISC_CFG, 2)                             \
    X(MISC_CFG, 3)                                     \
    X(REMOTE_SRC, 4)                                   \
    X(REMOTE_SRC_PHASE, 5)                             \
    X(ACK_THRESHOLD, 6)                                \
    X(REMOTE_DEST, 7)                                  \
    X(REMOTE_DEST_BUF_START, 8)                        \
    X(REMOTE_DEST_BUF_START_HI, 9)                     \
    X(REMOTE_DEST_BUF_SIZE, 10)                        \
    X(REMOTE_DEST_WR_PTR, 11)                          \
    X(REMOTE_DEST_MSG_INFO_BUF_SIZE, 12)               \
    X(REMOTE_DEST_MSG_INFO_WR_PTR, 13)                 \
    X(REMOTE_DEST_MSG_INFO_WR_PTR_HI, 14)              \
    X(REMOTE_DEST_MSG_INFO_WRAP_WR_PTR, 15)            \
    X(REMOTE_DEST_TRAFFIC, 16)                         \
    X(BUF_START, 17)                                   \
    X(BUF_SIZE, 18)                                    \
    X(RD_PTR, 19)                                      \
    X(WR_PTR, 20)                                      \
    X(MSG_INFO_BUF_SIZE, 21)                           \
    X(MSG_INFO_PTR, 22)                                \
    X(MSG_INFO_WR_PTR, 23)                             \
    X(MCAST_DEST, 24)                                  \
    X(MCAST_DEST_NUM, 25)                              \
    X(GATHER, 26)                                      \
    X(GATHER_CLEAR, 27)                                \
    X(CURR_PHASE_BASE, 28)                             \
    X(CURR_PHASE, 29)                                  \
    X(PHASE_AUTO_CFG_PTR_BASE, 30)                     \
    X(PHASE_AUTO_CFG_PTR, 31)                          \
    X(RELOAD_PHASE_BLOB, 32)                           \
    X(MSG_HEADER_FORMAT, 33)                           \
    X(PHASE_AUTO_CFG_HEADER, 34)                       \
    X(PERF_CONFIG, 35)                                 \
    X(SCRATCH, 36)                                     \
    X(SCRATCH_1, 37)                                   \
    X(SCRATCH_2, 38)                                   \
    X(SCRATCH_3, 39)                                   \
    X(SCRATCH_4, 40)                                   \
    X(SCRATCH_5, 41)                                   \
    X(MSG_BLOB_BUF_START, 206)                         \
    X(GLOBAL_OFFSET_TABLE, 207)                        \
    X(LOCAL_SRC_MASK, 224)                             \
    X(LOCAL_SRC_MASK_1, 225)                           \
    X(LOCAL_SRC_MASK_2, 226)                           \
    X(SCRATCH32, 256)                                  \
    X(WAIT_STATUS, 257)                                \
    X(NUM_MSGS_RECEIVED, 259)                          \
    X(BUF_SPACE_AVAILABLE, 260)                        \
    X(NEXT_RECEIVED_MSG_ADDR, 262)                     \
    X(NEXT_SIZE, 263)                                  \
    X(MULTI_MSG_CLEAR, 264)                            \
    X(MSG_INFO_CLEAR, 265)                             \
    X(MSG_DATA_CLEAR, 266)                             \
    X(PHASE_ADVANCE, 267)                              \
    X(DEST_PHASE_READY_UPDATE, 268)                    \
    X(SRC_READY_UPDATE, 269)                           \
    X(SPACE_AVAILABLE_UPDATE, 270)                     \
    X(ZERO_MASK_AND, 272)                              \
    X(MSG_INFO_CAN_PUSH_NEW_MSG, 275)                  \
    X(COMPRESS, 276)                                   \
    X(GLOBAL_OFFSET_TABLE_RD, 279)                     \
    X(BLOB_AUTO_CFG_DONE, 288)                         \
    X(BLOB_NEXT_AUTO_CFG_DONE, 290)                    \
    X(SET_MSG_HEADER, 291)                             \
    X(SPACE_AVAILABLE, 297)                            \
    X(MSG_INFO, 329)                                   \
    X(DEBUG_STATUS_SEL, 499)                           \
    X(DEBUG_STATUS, 501)
/* clang-format on */

enum tf_overlay_register {
#define X(name, number) TF_OVERLAY_##name = number,
    TF_OVERLAY_REGISTERS(X)
#undef X
};

/* The counters of a circular buffer's stream: pages taken out, and pages put in. */
enum {
    TF_OVERLAY_PAGES_TAKEN = TF_OVERLAY_REMOTE_DEST_BUF_START,
    TF_OVERLAY_PAGES_PUT = TF_OVERLAY_REMOTE_DEST_BUF_SIZE
};

/*
 * A range of a family's registers: its first number there, and in Blackhole's numbers. `count` registers; the last
 * entry has 0. `bits`: their width where Blackhole's are wider; 0: the width is equal.
 */
struct tf_stream_place {
    uint16_t number, common;
    uint8_t count, bits;
};

/* The family's number of a register, which it has. `place`: its list; NULL: it is Blackhole's. */
static inline unsigned tf_overlay_number(const struct tf_stream_place *place, unsigned common)
{
    while (place != NULL && place->count != 0 && common - place->common >= place->count)
        place++;
    return place != NULL ? place->number + common - place->common : common;
}

/* The register with a number of the family. Returns false if the family has none. */
static inline bool tf_overlay_find(const struct tf_stream_place *place, unsigned number, unsigned *common,
                                   uint32_t *bits)
{
    *common = number;
    *bits = UINT32_MAX;
    if (place == NULL)
        return true;
    while (place->count != 0 && number - place->number >= place->count)
        place++;
    if (place->bits != 0)
        *bits = (1u << place->bits) - 1;
    *common = number - place->number + place->common;
    return place->count != 0;
}

/* The address of a stream's register. */
static inline uint32_t tf_overlay_address(const struct tf_stream_place *place, unsigned stream, unsigned common)
{
    return TF_STREAM_BASE + stream * TF_STREAM_BYTES + 4 * tf_overlay_number(place, common);
}

#endif
