/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tile control, debug and status registers. Sources: BlackholeA0/TensixTile/{TileControlDebugStatus,SoftReset}.md,
 * PushTensixInstruction.md "Debug registers", BackendConfiguration.md "Debug registers"; offsets also in ttsim's
 * data/bh/tile_regs.json.
 */
#include "tile/mmio/debug.h"

#include <string.h>

#include "tile/check.h"
#include "tile/mmio/dram.h"
#include "tile/mmio/eth_tile.h"
#include "tile/mmio/clock.h"
#include "tile/mmio/core_debug.h"
#include "tile/mmio/daisychain.h"
#include "tile/mmio/reset.h"
#include "tile/mmio/mailbox.h"
#include "tile/mmio/pcbuf.h"
#include "tile/state.h"
#include "tile/riscv/control/control.h"
#include "tile/riscv/hart/access_fault.h"
#include "tile/tensix/configure/config.h"
#include "tile/tensix/debug/debug.h"
#include "tile/tensix/whole/tensix.h"
#include "tile/tensix/whole/window.h"

/* The behaviour of a register. */
enum kind {
    NONE,
    STORED,    /* keeps the stored value: power, clock gating, debug and performance settings */
    READ_ONLY, /* stores are discarded; the tile sets the value */
    SOFT_RESET,
    CFG_READ, /* a store reads a word of backend configuration into CFG_DATA */
    BUS_DATA, /* daisychain.c */
    BUS_L1_CTRL,
    ARRAY_DATA,  /* lets the debugger see Dst */
    RISC_CNTL_0, /* triggers an access to a core's debug registers */
    PUSH_CTRL0,  /* pushes Tensix instructions past the cores */
    PUSH_STATUS,
    CLOCK, /* clock.c */
};

/* clang-format off */
#define REGISTERS(X)                                                                                           \
    THREE(X, TF_DEBUG_PERF_INSTRN_THREAD, STORED) THREE(X, TF_DEBUG_PERF_TDMA_UNPACK, STORED) /* nothing is counted */ \
    THREE(X, TF_DEBUG_PERF_FPU, STORED)                                                                        \
    THREE(X, TF_DEBUG_PERF_L1, STORED) X(TF_DEBUG_PERF_ALL, STORED)                                            \
    X(TF_DEBUG_BUS_L1_FIRST, STORED) X(TF_DEBUG_BUS_L1_LAST, STORED) X(TF_DEBUG_BUS_L1_CTRL, BUS_L1_CTRL)      \
    X(TF_DEBUG_BUS_CTRL, STORED)                                                                               \
    X(TF_DEBUG_CFG_READ, CFG_READ)                                                                             \
    X(TF_DEBUG_BUS_DATA, BUS_DATA)                                                                             \
    X(TF_DEBUG_ARRAY_ENABLE, STORED) X(TF_DEBUG_ARRAY_COMMAND, STORED)                                         \
    X(TF_DEBUG_FEATURE_DISABLE, STORED)                                                                        \
    X(TF_DEBUG_ARRAY_DATA, ARRAY_DATA)                                                                         \
    X(TF_DEBUG_CG_CTRL_HYST0, STORED) X(TF_DEBUG_CG_CTRL_HYST1, STORED) X(TF_DEBUG_CG_CTRL_HYST2, STORED)      \
    X(TF_DEBUG_CFG_DATA, READ_ONLY)                                                                            \
    X(TF_DEBUG_RISC_CNTL_0, RISC_CNTL_0)                                                                       \
    X(TF_DEBUG_RISC_CNTL_1, STORED)                                                                            \
    X(TF_DEBUG_RISC_STATUS_0, READ_ONLY) X(TF_DEBUG_RISC_STATUS_1, READ_ONLY)                                  \
    X(TF_DEBUG_PC_BUF_OVERRIDE, STORED)                                                                        \
    X(TF_DEBUG_INVALID_INSTRN, READ_ONLY) /* such instructions are faults here */                              \
    X(TF_DEBUG_PUSH_CTRL0, PUSH_CTRL0) X(TF_DEBUG_PUSH_CTRL1, STORED)                                          \
    X(TF_DEBUG_PUSH_STATUS, PUSH_STATUS)                                                                       \
    TWO(X, TF_DEBUG_STOCH_RND_MASK, STORED) X(TF_DEBUG_FPU_STICKY_BITS, STORED)                                \
    TWO(X, TF_DEBUG_PREFETCH, STORED)                                                                          \
    THREE(X, TF_DEBUG_PERF_TDMA_PACK, STORED)                                                                  \
    THREE(X, TF_DEBUG_PERF_OUT, READ_ONLY) THREE(X, TF_DEBUG_PERF_OUT + 12, READ_ONLY)                         \
    THREE(X, TF_DEBUG_PERF_OUT + 24, READ_ONLY) X(TF_DEBUG_PERF_OUT_LAST, READ_ONLY)                           \
    X(TF_DEBUG_SOFT_RESET_0, SOFT_RESET)                                                                       \
    X(TF_DEBUG_BREAKPOINT, STORED) X(TF_DEBUG_BREAKPOINT + 4, READ_ONLY) X(TF_DEBUG_BREAKPOINT + 8, STORED)    \
    X(TF_DEBUG_ECC, STORED) X(TF_DEBUG_ECC + 4, READ_ONLY) /* no bit ever flips */                             \
    X(TF_DEBUG_WATCHDOG, CLOCK) X(TF_DEBUG_WATCHDOG_CNTL, CLOCK) X(TF_DEBUG_WATCHDOG_STATUS, CLOCK)            \
    X(TF_DEBUG_CLOCK_L, CLOCK) X(TF_DEBUG_CLOCK_LIVE_H, CLOCK) X(TF_DEBUG_CLOCK_H, CLOCK)                      \
    X(TF_DEBUG_TIMESTAMP, CLOCK) X(TF_DEBUG_TIMESTAMP_CNTL, CLOCK) X(TF_DEBUG_TIMESTAMP_STATUS, CLOCK)         \
    THREE(X, TF_DEBUG_TIMESTAMP_BUFFERS, CLOCK) X(TF_DEBUG_TIMESTAMP_END, CLOCK)                               \
    X(TF_DEBUG_PERF_MUX_CTRL, STORED) X(TF_DEBUG_L1_READBACK_OFFSET, STORED) X(TF_DEBUG_LFSR_HIT_MASK, STORED) \
    X(TF_DEBUG_DISABLE_RESET, STORED)                                                                          \
    THREE(X, TF_DEBUG_TRISC0_RESET_PC, STORED)                                                                 \
    X(TF_DEBUG_TRISC_RESET_PC_OVERRIDE, STORED)                                                                \
    X(TF_DEBUG_NCRISC_RESET_PC, STORED) X(TF_DEBUG_NCRISC_RESET_PC_OVERRIDE, STORED)                           \
    X(TF_DEBUG_DEST_CG_CTRL, STORED) X(TF_DEBUG_CG_CTRL_EN, STORED) X(TF_DEBUG_CG_KICK, STORED)
#define TWO(X, first, kind) X(first, kind) X((first) + 4, kind)
#define THREE(X, first, kind) TWO(X, first, kind) X((first) + 8, kind)
/* clang-format on */

static const uint8_t kind_of[TF_DEBUG_WORDS] = {
#define X(offset, kind) [(offset) / 4] = kind,
    REGISTERS(X)
#undef X
};

#define NO_REGISTER "no debug register has this address"

#define TENSIX_RESET_BITS 0x00FFFFFFu /* for a DRAM tile nobody says which there are */

/* The bits of SOFT_RESET_0 that exist. */
static uint32_t reset_bits(const struct tf_tile *tile)
{
    return tile->arch->kind == TF_TILE_ETH ? tile->mmio.eth_calls->reset_bits(tile) : TENSIX_RESET_BITS;
}

static uint32_t held_by(const struct tf_tile *tile, uint32_t value)
{
    const bool alone = tile->arch->kind == TF_TILE_ETH && tile->arch->cores == 1;
    return alone && (value & tf_debug_reset_bit(tile, 0)) ? TF_DEBUG_HELD : 0;
}

/* The value of a load from SOFT_RESET_0. A core's bit says whether it is in reset, for any reason. In an Ethernet tile
   the value is the stored value, since the firmware may hold the core. */
static uint32_t soft_reset(const struct tf_tile *tile)
{
    uint32_t bits = tile->mmio.debug.soft_reset;
    if (tile->arch->kind == TF_TILE_ETH)
        return bits & ~TF_DEBUG_HELD;
    for (unsigned core = 0; core < tile->arch->cores; core++) {
        uint32_t bit = tf_debug_reset_bit(tile, core);
        bits = tile->hart[core].state == TF_CORE_RESET ? bits | bit : bits & ~bit;
    }
    return bits;
}

static void enter_reset(struct tf_tile *tile, unsigned core)
{
    if (TF_HOOK(tile->check) != NULL && tile->check->held != NULL)
        tile->check->held(tile->check, core);
    tf_hart_reset(tile, &tile->hart[core]);
    tf_core_debug_reset(tile, core);
    if (core != TF_CORE_NC) /* it has no mailboxes */
        tf_mailbox_discard(tile, core);
}

/* SoftReset.md: Blackhole's DISABLE_RESET keeps the RAM; Wormhole's cores have no reset of it. */
static bool keeps_local(const struct tf_tile *tile, unsigned core)
{
    return tile->arch->keeps_local || tf_debug_keeps_ram(tile, core);
}

/* On the chip the core waits up to 2048 cycles while its local RAM is cleared. Here that takes no time. */
static void leave_reset(struct tf_tile *tile, unsigned core)
{
    struct tf_hart *hart = &tile->hart[core];
    if (core >= TF_CORE_T0)
        tf_pcbuf_discard(tile, core - TF_CORE_T0);
    if (!hart->local_zero && !keeps_local(tile, core))
        memset(hart->local, 0, hart->local_bytes);
    hart->local_zero = false;
    if (tile->arch->kind == TF_TILE_ETH)
        tile->mmio.eth_calls->leave_reset(tile, core);
    else
        tf_hart_release(tile, hart, tf_mmio_reset_pc(tile, core), tile->cycle);
}

static bool starts(const struct tf_tile *tile, unsigned core)
{
    return tile->arch->kind != TF_TILE_ETH || tile->mmio.eth_calls->starts(tile, core);
}

static void store_soft_reset(struct tf_tile *tile, uint32_t value)
{
    tile->mmio.debug.soft_reset = (value & reset_bits(tile)) | held_by(tile, value);
    for (unsigned core = 0; core < tile->arch->cores; core++) {
        bool held = tile->hart[core].state == TF_CORE_RESET;
        bool hold = value & tf_debug_reset_bit(tile, core);
        if (hold && !held)
            enter_reset(tile, core);
        else if (!hold && held && starts(tile, core))
            leave_reset(tile, core);
    }
    if (tile->tensix != NULL)
        tf_tensix_reset(tile);
}

static enum tf_access load_array(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value)
{
    const uint32_t *word = tile->mmio.debug.word;
    *value = 0;
    if (!(word[TF_DEBUG_ARRAY_ENABLE / 4] & 1))
        return TF_ACCESS_OK;
    if (tile->tensix != NULL && tf_tensix_debug_array(tile, word[TF_DEBUG_ARRAY_COMMAND / 4], value))
        return TF_ACCESS_OK;
    return tf_mmio_fault(tile, from, TF_FAULT_UNPREDICTABLE, address,
                         "of the debug array, pages describe only words of Dst");
}

/* CFGREG_RD_CNTL: read the word of backend configuration that B would read. */
static enum tf_access store_cfg_read(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    if (tile->tensix == NULL)
        return tf_mmio_fault(tile, from, TF_FAULT_UNIMPLEMENTED, address, "the tile has no Tensix coprocessor");
    uint32_t index = value & 0x7FF, data = 0;
    bool pure;
    if (index >= tf_config_window_words(tile) ||
        tf_tensix_load(tile, TF_CORE_B, TF_CFG_BASE + index * 4, &data, &pure) != TF_ACCESS_OK)
        return tf_mmio_fault(tile, from, TF_FAULT_UNDEFINED, address, "no such word of backend configuration");
    tile->mmio.debug.word[TF_DEBUG_CFG_READ / 4] = value;
    tile->mmio.debug.word[TF_DEBUG_CFG_DATA / 4] = data;
    return TF_ACCESS_OK;
}

/*
 * The debug bus takes FIFOs, or gives them back, in cycle tile->cycle. T cores push ahead of the order, so later pushes
 * may already lie there. A push of this cycle is earlier if its T core comes before the core that stores.
 */
static void take_fifos(struct tf_tile *tile, unsigned from, uint32_t changed)
{
    for (unsigned thread = 0; thread < TF_PCBUFS && tile->tensix != NULL; thread++) {
        uint64_t first = tile->cycle + (from > TF_CORE_T0 + thread);
        if ((changed >> thread & 1) != 0 && tf_mmio_push_lost(&tile->mmio, thread))
            tf_tensix_lose_pushes(tile, thread, first);
        else if ((changed >> thread & 1) != 0)
            tf_tensix_keep_pushes(tile, thread, first);
    }
}

/* INSTRN_BUF_CTRL0: bit i gives the debug bus thread i's FIFO, a rising bit 4 + i pushes INSTRN_BUF_CTRL1. */
static enum tf_access store_push_ctrl(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    uint32_t *word = tile->mmio.debug.word;
    uint32_t rising = value & ~word[TF_DEBUG_PUSH_CTRL0 / 4], changed = value ^ word[TF_DEBUG_PUSH_CTRL0 / 4];
    word[TF_DEBUG_PUSH_CTRL0 / 4] = value & 0xFF;
    take_fifos(tile, from, changed);
    for (unsigned thread = 0; thread < TF_PCBUFS; thread++) {
        if (!(rising >> (4 + thread) & 1) || !(value >> thread & 1))
            continue;
        if (tile->tensix == NULL)
            return tf_mmio_fault(tile, from, TF_FAULT_UNIMPLEMENTED, address, "the tile has no Tensix coprocessor");
        unsigned core = from < TF_TILE_CORES ? from : TF_CORE_NONE;
        uint32_t pc = from < TF_TILE_CORES ? tile->hart[from].pc : 0;
        if (tf_tensix_push(tile, thread, word[TF_DEBUG_PUSH_CTRL1 / 4], true, core, pc) == TF_ACCESS_BLOCK)
            return tf_mmio_fault(tile, from, TF_FAULT_UNDEFINED, address,
                                 "a push through the debug bus into a full instruction FIFO");
    }
    return TF_ACCESS_OK;
}

/* INSTRN_BUF_STATUS: bit i is clear when thread i's FIFO is full, bit 4 + i set when it is empty. */
static uint32_t push_status(const struct tf_tile *tile)
{
    uint32_t status = 0;
    for (unsigned thread = 0; thread < TF_PCBUFS; thread++) {
        bool full = tile->tensix != NULL && tf_tensix_push_full(tile, thread);
        bool empty = tile->tensix == NULL || tf_tensix_push_empty(tile, thread);
        status |= (uint32_t)!full << thread | (uint32_t)empty << (4 + thread);
    }
    return status;
}

/*
 * tt-umd starts tiles with a program that writes Wormhole's reset PCs at their offsets there
 * (tests/test_utils/assembly_programs_for_tests.hpp). These lie beyond Blackhole's last register, and silicon takes the
 * stores.
 */
static bool taken_for_nothing(const struct tf_tile *tile, uint32_t offset)
{
    return tile->arch->debug_bytes == 0 && offset >= 0x278 && offset <= 0x28C;
}

static enum kind find(const struct tf_tile *tile, uint32_t offset)
{
    if (tile->arch->debug_bytes != 0 && offset >= tile->arch->debug_bytes)
        return NONE;
    if (tile->mmio.eth_calls != NULL && tile->mmio.eth_calls->is_spare(tile, offset))
        return STORED;
    return offset / 4 < TF_DEBUG_WORDS ? (enum kind)kind_of[offset / 4] : NONE;
}

bool tf_debug_peek(const struct tf_tile *tile, uint32_t offset, uint32_t *value)
{
    enum kind kind = find(tile, offset);
    *value = tile->mmio.debug.word[offset / 4 % TF_DEBUG_WORDS];
    if (kind == SOFT_RESET)
        *value = soft_reset(tile);
    return kind == SOFT_RESET || kind == STORED;
}

bool tf_debug_load_acts(const struct tf_tile *tile, uint32_t offset)
{
    return find(tile, offset) == CLOCK && tf_clock_load_acts(tile, offset);
}

enum tf_access tf_debug_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure)
{
    uint32_t offset = address & 0xFFF;
    switch (find(tile, offset)) {
    case NONE: return tf_mmio_fault(tile, from, TF_FAULT_UNDEFINED, address, NO_REGISTER);
    case SOFT_RESET: *value = soft_reset(tile); return TF_ACCESS_OK;
    case BUS_DATA: *pure = false; return tf_daisychain_load(tile, from, address, value);
    case ARRAY_DATA: *pure = false; return load_array(tile, from, address, value);
    case PUSH_STATUS: *value = push_status(tile); return TF_ACCESS_OK;
    case CLOCK:
        *pure = !tf_clock_passes(tile, offset);
        *value = tf_clock_load(tile, offset);
        return TF_ACCESS_OK;
    default: *value = tile->mmio.debug.word[offset / 4]; return TF_ACCESS_OK;
    }
}

enum tf_access tf_debug_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    uint32_t offset = address & 0xFFF;
    uint32_t old;
    switch (find(tile, offset)) {
    case NONE:
        if (taken_for_nothing(tile, offset))
            return TF_ACCESS_OK;
        return tf_mmio_fault(tile, from, TF_FAULT_UNDEFINED, address, NO_REGISTER);
    case STORED: tile->mmio.debug.word[offset / 4] = value; return TF_ACCESS_OK;
    case SOFT_RESET: store_soft_reset(tile, value); return TF_ACCESS_OK;
    case CFG_READ: return store_cfg_read(tile, from, address, value);
    case RISC_CNTL_0:
        old = tile->mmio.debug.word[offset / 4];
        tile->mmio.debug.word[offset / 4] = value;
        return tf_core_debug_command(tile, from, old);
    case BUS_L1_CTRL: return tf_daisychain_store_l1(tile, from, address, value);
    case PUSH_CTRL0: return store_push_ctrl(tile, from, address, value);
    case CLOCK: return tf_clock_store(tile, from, offset, value);
    default: /* read-only registers */ return TF_ACCESS_OK;
    }
}

void tf_debug_init(struct tf_tile *tile)
{
    tf_clock_init(&tile->mmio.debug);
    tile->mmio.debug.soft_reset = tile->arch->kind == TF_TILE_ETH    ? reset_bits(tile)
                                  : tile->arch->kind == TF_TILE_DRAM ? tf_debug_reset_bit(tile, 0)
                                                                     : 0;
}

static void hash_timestamper(const struct tf_timestamper *stamper, struct tf_hash *hash)
{
    for (unsigned i = 0; i < 2; i++) {
        tf_hash_u32(hash, stamper->buffer[i].valid | stamper->buffer[i].full << 1 | stamper->buffer[i].overflow << 2);
        tf_hash_u32(hash, stamper->buffer[i].start);
        tf_hash_u32(hash, stamper->buffer[i].end);
        tf_hash_u32(hash, stamper->buffer[i].position);
    }
    tf_hash_bytes(hash, stamper->pending, stamper->pending_count * sizeof stamper->pending[0]);
    tf_hash_u32(hash, stamper->pending_count);
    tf_hash_u32(hash, stamper->event_bits);
    tf_hash_u32(hash, stamper->reset_streams);
    tf_hash_u32(hash, stamper->control);
}

void tf_debug_hash(const struct tf_mmio *mmio, struct tf_hash *hash)
{
    const struct tf_debug *debug = &mmio->debug;
    tf_hash_u32(hash, debug->soft_reset);
    tf_hash_bytes(hash, debug->word, sizeof debug->word);
    tf_hash_bytes(hash, debug->dr, sizeof debug->dr);
    for (unsigned which = 0; which < TF_DEBUG_CORES; which++)
        tf_hash_u32(hash, debug->stop[which].cause | (uint32_t)debug->stop[which].step << 16 |
                              (uint32_t)debug->stop[which].half_stepped << 17 |
                              (uint32_t)debug->stop[which].filled << 18 | (uint32_t)debug->stop[which].locked << 19);
    tf_hash_u32(hash, debug->clock_high_at);
    tf_hash_u32(hash, debug->watchdog);
    tf_hash_u64(hash, debug->watchdog_since);
    hash_timestamper(&debug->timestamper, hash);
    if (debug->bus_write_at != 0)
        tf_hash_u32(hash, debug->bus_write_at);
}
