/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The wall clock, which is tile->cycle; the timestamper (BlackholeA0/TensixTile/DebugTimestamper.md); the watchdog
 * (WormholeB0/EthernetTile/CycleCounters.md for its counter, PIC.md and tt-llk's t6_debug_map.h for its interrupt).
 */
#include "tile/mmio/clock.h"

#include "tile/mmio/polled_pic.h"
#include "tile/state.h"
#include "tile/riscv/code/code.h"
#include "tile/riscv/hart/access_fault.h"

enum {
    APPEND_128 = 0,
    APPEND_64 = 1,
    APPEND_32 = 2,
    FLUSH_64 = 3,
    APPEND_96 = 4,
    FLUSH_96 = 7,
};

#define LINE_BYTES 16u
#define IRQ_FULL 17u /* PIC.md of WormholeB0: the interrupt of the first buffer, then that of the second */

/* WDT_CNTL. The other bits have no effect. */
#define WATCHDOG_COUNTS 1u
#define WATCHDOG_INTERRUPTS 2u /* raise an interrupt while the counter is at zero */
#define WATCHDOG_SOFT_INTERRUPT 4u

void tf_clock_init(struct tf_debug *debug)
{
    debug->timestamper.control = 3;
    debug->timestamper.buffer[0].valid = true;
    debug->timestamper.buffer[1].valid = true;
    debug->watchdog = 0xFFFFFFFFu;
}

/* While reset_streams is set, hardware does this every cycle. Doing it after each store gives equal results. */
static void tick(struct tf_timestamper *stamper)
{
    if (!stamper->reset_streams)
        return;
    for (unsigned i = 0; i < 2; i++) {
        stamper->buffer[i].full = false;
        stamper->buffer[i].overflow = false;
    }
    stamper->pending_count = 0;
    stamper->event_bits = 0;
}

static bool counts(const struct tf_tile *tile)
{
    return (tile->mmio.debug.word[TF_DEBUG_WATCHDOG_CNTL / 4] & WATCHDOG_COUNTS) != 0;
}

static uint32_t watchdog(const struct tf_tile *tile)
{
    const struct tf_debug *debug = &tile->mmio.debug;
    if (!counts(tile))
        return debug->watchdog;
    uint64_t passed = tile->cycle > debug->watchdog_since ? tile->cycle - debug->watchdog_since : 0;
    return passed < debug->watchdog ? debug->watchdog - (uint32_t)passed : 0;
}

static bool expired(const struct tf_tile *tile)
{
    return counts(tile) && watchdog(tile) == 0;
}

bool tf_watchdog_line(const struct tf_tile *tile)
{
    uint32_t control = tile->mmio.debug.word[TF_DEBUG_WATCHDOG_CNTL / 4];
    return control & WATCHDOG_SOFT_INTERRUPT || (control & WATCHDOG_INTERRUPTS && expired(tile));
}

bool tf_watchdog_to_come(const struct tf_tile *tile)
{
    const uint32_t both = WATCHDOG_COUNTS | WATCHDOG_INTERRUPTS;
    return (tile->mmio.debug.word[TF_DEBUG_WATCHDOG_CNTL / 4] & both) == both && watchdog(tile) != 0;
}

static uint32_t status(const struct tf_timestamper *stamper)
{
    uint32_t bits = 0;
    for (unsigned i = 0; i < 2; i++)
        bits |= (uint32_t)stamper->buffer[i].full << i | (uint32_t)stamper->buffer[i].overflow << (4 + i);
    if (stamper->event_bits == 64)
        bits |= stamper->pending_count / 2 << 8;
    else if (stamper->event_bits == 32)
        bits |= stamper->pending_count << 9;
    else if (stamper->event_bits == 96)
        bits |= ((4 - stamper->pending_count) & 3) << 11;
    return bits | (stamper->buffer[0].position & 0x3FFFF) << 14;
}

static uint32_t *bound(struct tf_timestamper *stamper, uint32_t offset)
{
    unsigned index = (offset - TF_DEBUG_TIMESTAMP_BUFFERS) / 4;
    return index % 2 ? &stamper->buffer[index / 2].end : &stamper->buffer[index / 2].start;
}

bool tf_clock_passes(const struct tf_tile *tile, uint32_t offset)
{
    switch (offset) {
    case TF_DEBUG_CLOCK_L:
    case TF_DEBUG_CLOCK_LIVE_H: return true;
    case TF_DEBUG_WATCHDOG:
    case TF_DEBUG_WATCHDOG_STATUS: return counts(tile) && watchdog(tile) != 0;
    default: return false;
    }
}

bool tf_clock_load_acts(const struct tf_tile *tile, uint32_t offset)
{
    return offset == TF_DEBUG_CLOCK_L && tile->mmio.debug.clock_high_at != (uint32_t)(tile->cycle >> 32);
}

uint32_t tf_clock_load(struct tf_tile *tile, uint32_t offset)
{
    struct tf_debug *debug = &tile->mmio.debug;
    switch (offset) {
    case TF_DEBUG_CLOCK_L: debug->clock_high_at = (uint32_t)(tile->cycle >> 32); return (uint32_t)tile->cycle;
    case TF_DEBUG_CLOCK_LIVE_H: return (uint32_t)(tile->cycle >> 32);
    case TF_DEBUG_CLOCK_H: return debug->clock_high_at;
    case TF_DEBUG_WATCHDOG: return watchdog(tile);
    case TF_DEBUG_WATCHDOG_CNTL: return debug->word[offset / 4];
    case TF_DEBUG_WATCHDOG_STATUS: return expired(tile);
    case TF_DEBUG_TIMESTAMP: return 0;
    case TF_DEBUG_TIMESTAMP_CNTL: return debug->timestamper.control;
    case TF_DEBUG_TIMESTAMP_STATUS: return status(&debug->timestamper);
    default: return *bound(&debug->timestamper, offset);
    }
}

/* Write 16 bytes of events to L1. Returns false if the address is beyond L1. */
static bool write_out(struct tf_tile *tile, uint32_t line)
{
    struct tf_timestamper *stamper = &tile->mmio.debug.timestamper;
    if (line >= tile->arch->l1_bytes / LINE_BYTES)
        return false;
    uint32_t *to = (uint32_t *)(void *)(tile->l1 + line * LINE_BYTES);
    for (unsigned i = 0; i < 4; i++)
        __atomic_store_n(&to[i], stamper->pending[i], __ATOMIC_RELAXED);
    tf_tile_l1_written(tile, line * LINE_BYTES, LINE_BYTES);
    return true;
}

static bool flush(struct tf_tile *tile)
{
    struct tf_timestamper *stamper = &tile->mmio.debug.timestamper;
    while (stamper->pending_count < 4)
        stamper->pending[stamper->pending_count++] = 0;
    stamper->pending_count = 0;
    stamper->event_bits = 0;
    for (unsigned i = 0; i < 2; i++) {
        uint32_t line = stamper->buffer[i].start + stamper->buffer[i].position;
        if (!stamper->buffer[i].valid || line > stamper->buffer[i].end)
            continue;
        stamper->buffer[i].position++;
        if (line + 1 > stamper->buffer[i].end && !stamper->buffer[i].full) {
            stamper->buffer[i].full = true;
            tf_polled_pic_raise(tile, IRQ_FULL + i);
        }
        return write_out(tile, line);
    }
    for (unsigned i = 0; i < 2; i++)
        stamper->buffer[i].overflow |= stamper->buffer[i].valid;
    return true;
}

/* Append words of one event; a count of 0 flushes. Returns false if an event of another size is pending, or if L1 ends
   here. */
static bool append(struct tf_tile *tile, uint32_t event_bits, const uint32_t *word, unsigned count)
{
    struct tf_timestamper *stamper = &tile->mmio.debug.timestamper;
    if (stamper->event_bits != 0 && stamper->event_bits != event_bits)
        return false;
    stamper->event_bits = event_bits;
    if (count == 0)
        return flush(tile);
    bool ok = true;
    for (unsigned i = 0; i < count; i++) {
        stamper->pending[stamper->pending_count++] = word[i];
        if (stamper->pending_count == 4)
            ok = flush(tile) && ok;
    }
    return ok;
}

static bool timestamp(struct tf_tile *tile, uint32_t header)
{
    uint32_t low = (uint32_t)tile->cycle, high = (uint32_t)(tile->cycle >> 32);
    uint32_t word[4] = {header, low, high, 0};
    switch (header & 7) {
    case APPEND_32: word[0] = (header & 0xFFFF) | (low & 0x001FFFE0) << 11; return append(tile, 32, word, 1);
    case APPEND_64: return append(tile, 64, word, 2);
    case APPEND_96: return append(tile, 96, word, 3);
    case APPEND_128: return append(tile, 128, word, 4);
    case FLUSH_64: return append(tile, 64, word, 0);
    case FLUSH_96: return append(tile, 96, word, 0);
    default: return false;
    }
}

static void store_control(struct tf_timestamper *stamper, uint32_t value)
{
    stamper->control = value;
    stamper->buffer[0].valid = value & 1;
    stamper->buffer[1].valid = value >> 1 & 1;
    stamper->reset_streams = value >> 31;
}

static void clear_sticky(struct tf_timestamper *stamper, uint32_t value)
{
    for (unsigned i = 0; i < 2; i++) {
        if (value >> i & 1) {
            stamper->buffer[i].full = false;
            stamper->buffer[i].position = 0;
        }
        if (value >> (4 + i) & 1)
            stamper->buffer[i].overflow = false;
    }
}

static void store_watchdog(struct tf_tile *tile, uint32_t offset, uint32_t value)
{
    struct tf_debug *debug = &tile->mmio.debug;
    debug->watchdog = offset == TF_DEBUG_WATCHDOG ? value : watchdog(tile);
    debug->watchdog_since = tile->cycle;
    if (offset == TF_DEBUG_WATCHDOG_CNTL)
        debug->word[offset / 4] = value;
}

static enum tf_access store(struct tf_tile *tile, unsigned from, uint32_t offset, uint32_t value)
{
    struct tf_debug *debug = &tile->mmio.debug;
    switch (offset) {
    case TF_DEBUG_CLOCK_L: debug->clock_high_at = (uint32_t)(tile->cycle >> 32); break;
    case TF_DEBUG_WATCHDOG:
    case TF_DEBUG_WATCHDOG_CNTL: store_watchdog(tile, offset, value); break;
    case TF_DEBUG_TIMESTAMP:
        if (!timestamp(tile, value))
            return tf_mmio_fault(tile, from, TF_FAULT_UNDEFINED, TF_DEBUG_BASE + offset,
                                 "a timestamp of unknown size, of another size than the pending ones, or beyond L1");
        break;
    case TF_DEBUG_TIMESTAMP_CNTL: store_control(&debug->timestamper, value); break;
    case TF_DEBUG_TIMESTAMP_STATUS: clear_sticky(&debug->timestamper, value); break;
    case TF_DEBUG_TIMESTAMP_BUFFERS ... TF_DEBUG_TIMESTAMP_END: *bound(&debug->timestamper, offset) = value; break;
    default: /* the other words of the clock, and the watchdog's status */ break;
    }
    return TF_ACCESS_OK;
}

enum tf_access tf_clock_store(struct tf_tile *tile, unsigned from, uint32_t offset, uint32_t value)
{
    enum tf_access access = store(tile, from, offset, value);
    tick(&tile->mmio.debug.timestamper);
    return access;
}
