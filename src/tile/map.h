/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The register windows of a kind of tile as data: addresses, the cores that may access them, and the sizes of accesses.
 * The device of a window performs the access (mmio/map/map.c).
 */
#ifndef TILE_MAP_H
#define TILE_MAP_H

#include <stdint.h>

#include "tilefarm_address.h"

/* The devices of all families. Devices in one line differ in their users. */
enum tf_window_id {
    TF_AT_NOTHING,
    TF_AT_OWN_LOCAL, /* a core's own RAM; the core itself handles accesses */
    TF_AT_TDMA,
    TF_AT_DEBUG,
    TF_AT_PIC,
    TF_AT_POLLED_PIC, /* of cores without interrupts */
    TF_AT_PC_SNAPSHOT,
    TF_AT_NIU0,
    TF_AT_NIU1,
    TF_AT_OVERLAY,
    TF_AT_MOP,
    TF_AT_ETH_CONTROL,
    TF_AT_ETH_LINK,
    TF_AT_DST,
    TF_AT_GPRS,
    TF_AT_PUSH0,
    TF_AT_PUSH1,
    TF_AT_PUSH2,
    TF_AT_PCBUF0,
    TF_AT_PCBUF1,
    TF_AT_PCBUF2,
    TF_AT_MAILBOX,
    TF_AT_CONFIG,
    TF_AT_DRAM_CONTROL,
    TF_AT_DRAM_DMA,
    TF_AT_DRAM_MISSING, /* the GDDR controller and its PHY */
    TF_AT_MISSING,      /* the hardware has a device there, but tilefarm has none */
    TF_AT_LOCAL_B,
    TF_AT_LOCAL_NC,
    TF_AT_LOCAL_T0,
    TF_AT_LOCAL_T1,
    TF_AT_LOCAL_T2, /* a core's RAM, slow path */
    TF_WINDOWS
};

/* Users of a window, as bits: cores by number (enum tf_core; E0 and E1 are B and NC), then the NOC. */
enum tf_window_user {
    TF_BY_B = 1 << 0,
    TF_BY_NC = 1 << 1,
    TF_BY_T = 7 << 2,
    TF_BY_NOC = 1 << 5,
    TF_BY_BT = TF_BY_B | TF_BY_T,
    TF_BY_ALL = TF_BY_BT | TF_BY_NC | TF_BY_NOC,
    TF_BY_NONE = 0,
};

/* Sizes of accesses. TF_WORD_STORES: loads of any size, stores of words. */
enum tf_window_sizes { TF_WORDS, TF_WORD_STORES, TF_ANY_SIZE };

/* The addresses of a window that begins at `base`, its index in by_range, and that in by_block. */
#define TF_SPAN(base, bytes) (base), (base) + (bytes)-1
#define TF_RANGE(base) ((base) >> 16 & 0xFF)
#define TF_BLOCK(base) ((base) >> 12 & 0xF)

/* Entries of by_range and of `window` that tiles of all families share. */
/* clang-format off */
#define TF_RANGES_ALIKE                                                                                    \
    [TF_RANGE(TF_LOCAL_BASE)] = TF_AT_OWN_LOCAL,                                                           \
    [TF_RANGE(TF_NIU_BASE(0))] = TF_AT_NIU0, [TF_RANGE(TF_NIU_BASE(1))] = TF_AT_NIU1,                      \
    [TF_RANGE(TF_STREAM_BASE) ... TF_RANGE(TF_STREAM_BASE) + 3] = TF_AT_OVERLAY
#define TF_WINDOWS_ALIKE                                                                                   \
    [TF_AT_DEBUG] = {TF_SPAN(TF_DEBUG_BASE, TF_DEBUG_BYTES), TF_BY_ALL, TF_WORDS, 0},                      \
    [TF_AT_NIU0] = {TF_SPAN(TF_NIU_BASE(0), TF_NIU_BYTES), TF_BY_ALL, TF_WORDS, 0},                        \
    [TF_AT_NIU1] = {TF_SPAN(TF_NIU_BASE(1), TF_NIU_BYTES), TF_BY_ALL, TF_WORDS, 0},                        \
    [TF_AT_OVERLAY] = {TF_SPAN(TF_STREAM_BASE, TF_STREAMS_BYTES), TF_BY_ALL, TF_WORDS, 0}
/* Windows that only Tensix tiles have. */
#define TF_TENSIX_RANGES_ALIKE                                                                             \
    [TF_RANGE(TF_MOP_CFG_BASE)] = TF_AT_MOP, [TF_RANGE(TF_GPR_BASE)] = TF_AT_GPRS,                         \
    [TF_RANGE(TF_INSTRN_BUF_OF(0))] = TF_AT_PUSH0, [TF_RANGE(TF_INSTRN_BUF_OF(1))] = TF_AT_PUSH1,          \
    [TF_RANGE(TF_INSTRN_BUF_OF(2))] = TF_AT_PUSH2, [TF_RANGE(TF_PC_BUF_OF(0))] = TF_AT_PCBUF0,             \
    [TF_RANGE(TF_PC_BUF_OF(1))] = TF_AT_PCBUF1, [TF_RANGE(TF_PC_BUF_OF(2))] = TF_AT_PCBUF2,                \
    [TF_RANGE(TF_MAILBOX_BASE)] = TF_AT_MAILBOX, [TF_RANGE(TF_CFG_BASE)] = TF_AT_CONFIG
#define TF_TENSIX_WINDOWS_ALIKE                                                                            \
    [TF_AT_MOP] = {TF_SPAN(TF_MOP_CFG_BASE, TF_MOP_CFG_BYTES), TF_BY_T, TF_WORDS, 0},                      \
    [TF_AT_GPRS] = {TF_SPAN(TF_GPR_BASE, TF_GPR_BYTES), TF_BY_BT, TF_WORD_STORES, 0},                      \
    [TF_AT_PUSH0] = {TF_SPAN(TF_INSTRN_BUF_OF(0), TF_INSTRN_BUF_BYTES), TF_BY_BT, TF_WORDS, 0},            \
    [TF_AT_PUSH1] = {TF_SPAN(TF_INSTRN_BUF_OF(1), TF_INSTRN_BUF_BYTES), TF_BY_BT, TF_WORDS, 0},            \
    [TF_AT_PUSH2] = {TF_SPAN(TF_INSTRN_BUF_OF(2), TF_INSTRN_BUF_BYTES), TF_BY_BT, TF_WORDS, 0},            \
    [TF_AT_PCBUF0] = {TF_SPAN(TF_PC_BUF_OF(0), TF_PC_BUF_BYTES), TF_BY_BT, TF_WORDS, 0},                   \
    [TF_AT_PCBUF1] = {TF_SPAN(TF_PC_BUF_OF(1), TF_PC_BUF_BYTES), TF_BY_B, TF_WORDS, 0},                    \
    [TF_AT_PCBUF2] = {TF_SPAN(TF_PC_BUF_OF(2), TF_PC_BUF_BYTES), TF_BY_B, TF_WORDS, 0},                    \
    [TF_AT_MAILBOX] = {TF_SPAN(TF_MAILBOX_BASE, TF_MAILBOXES_BYTES), TF_BY_BT, TF_WORDS, 0},               \
    [TF_AT_CONFIG] = {TF_SPAN(TF_CFG_BASE, TF_CFG_BYTES), TF_BY_BT, TF_WORD_STORES, 0}
/* clang-format on */

struct tf_window {
    uint32_t first, last; /* addresses */
    uint8_t reached_by;   /* enum tf_window_user */
    uint8_t sizes;        /* enum tf_window_sizes */
    uint8_t next;         /* as enum tf_window_id: the window from last + 1 on in the same block, if there is one */
};

/*
 * A tile's windows. by_range[bits 23:16] has the window of an address 0xFFxxxxxx. Several windows share the range
 * `shared`: there by_block[bits 15:12] has it. The address must lie within that window, or within the one after it.
 */
struct tf_map {
    uint8_t by_range[256];
    uint8_t by_block[16];
    uint8_t below;   /* the first window below 0xFF000000 */
    uint16_t shared; /* bits 31:16 of the addresses of that range */
    struct tf_window window[TF_WINDOWS];
};

/* The window that an address of the tile's registers belongs to, or TF_AT_NOTHING. */
static inline enum tf_window_id tf_map_find(const struct tf_map *map, uint32_t address)
{
    unsigned id = address >> 24 != 0xFF          ? map->below
                  : address >> 16 == map->shared ? map->by_block[address >> 12 & 0xF]
                                                 : map->by_range[address >> 16 & 0xFF];
    if (address > map->window[id].last)
        id = map->window[id].next;
    if (address < map->window[id].first || address > map->window[id].last)
        return TF_AT_NOTHING;
    return (enum tf_window_id)id;
}

#endif
