/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tile's address space outside L1 and a core's own local RAM: permissions, and the effect of each access. Source:
 * BlackholeA0/TensixTile/BabyRISCV/README.md, "Memory map".
 */
#ifndef TILE_MMIO_MMIO_H
#define TILE_MMIO_MMIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tile/mailbox.h"
#include "tilefarm_address.h"
#include "tile/access.h"
#include "tile/hash.h"
#include "tile/map.h"
#include "tilefarm/tilefarm_chip.h"

struct tf_retired;
struct tf_tile;

/* The initiator of an access: a core by its number, or the NOC (and the host). */
#define TF_FROM_NOC 5u

#define TF_MAILBOX_ENTRIES 4u /* of one mailbox, and of all mailboxes of one writer */
#define TF_PCBUFS 3u
#define TF_PCBUF_ENTRIES 16u
#define TF_STREAMS 64u
#define TF_DEBUG_WORDS 0x93u /* 0xFFB12000 .. 0xFFB1224B */
#define TF_DEBUG_CORES 4u    /* B, T0, T1, T2: NC has no debug interface; in other tiles all cores */
#define TF_DEBUG_DRS 18u
#define TF_SW_IRQS 32u
#define TF_HW_IRQS 4u
#define TF_PIC_CORES 2u /* B, NC */

struct tf_mailbox {
    uint32_t entry[TF_MAILBOX_ENTRIES];
    uint8_t head, count;
};

struct tf_pcbuf {
    uint32_t entry[TF_PCBUF_ENTRIES];
    uint8_t head, count;
};

struct tf_pic {
    uint32_t sw_enabled[TF_PIC_CORES];
    uint32_t hw_enabled[TF_PIC_CORES];
    uint32_t number[TF_PIC_CORES]; /* BRISC_INT_NO, NCRISC_INT_NO */
    uint32_t next[TF_PIC_CORES];   /* first in the round robin: 0..31 software, 32..35 hardware */
    uint32_t sw_raised;            /* bit i: sw_value[i] is not 0 */
    uint32_t sw_value[TF_SW_IRQS];
    uint32_t handler_pc[TF_SW_IRQS + TF_HW_IRQS];
};

/* The PIC of a family without interrupts. All are 0 after reset. */
struct tf_polled_pic {
    uint32_t none[9]; /* stay 0: by these words of struct tf_pic cores are interrupted */
    uint32_t enabled, gating;
    uint32_t hysteresis; /* its bits that differ from those after reset */
    uint32_t stream_irq_type[8];
    uint32_t pending;
    uint32_t next; /* first in the round robin of PIC_NEXT_IRQ */
};

_Static_assert(offsetof(struct tf_polled_pic, enabled) == offsetof(struct tf_pic, sw_value), "no word is shared");

/* DebugTimestamper.md: positions and bounds are in units of 16 bytes of L1. */
struct tf_timestamper {
    struct {
        bool valid, full, overflow;
        uint32_t start, end, position;
    } buffer[2];
    uint32_t pending[4]; /* words of an event that is not complete */
    uint32_t pending_count;
    uint32_t event_bits; /* size of the events in `pending`; 0 when any may come */
    bool reset_streams;
    uint32_t control;
};

struct tf_debug {
    uint32_t soft_reset;           /* SOFT_RESET_0 as last written; a load has the cores' own bits */
    uint32_t word[TF_DEBUG_WORDS]; /* registers without effects, by offset / 4 */
    uint32_t dr[TF_DEBUG_CORES][TF_DEBUG_DRS];
    struct {
        uint16_t cause; /* cause of the pause, as in DR(0); bit 0: a debugger's command; 0: ebreak or ecall */
        bool step;      /* to pause again after one instruction */
        bool half_stepped;
        bool filled; /* the pause came outside slow execution mode: the next instructions are under way */
        bool locked; /* a resumption has stopped the core for good (debug_bugs) */
    } stop[TF_DEBUG_CORES];
    uint32_t taken[TF_DEBUG_CORES]; /* pc of the conditional branch that was last taken amid a bug; 0: none */
    uint32_t bus_write_at;          /* next address of the daisychain, in units of 16 bytes of L1 */
    uint32_t clock_high_at;         /* latched by a read of WALL_CLOCK_L */
    uint32_t watchdog;              /* at cycle watchdog_since */
    uint64_t watchdog_since;
    struct tf_timestamper timestamper;
};

/* The registers of a stream that circular buffers and dispatch use. The others are in a page, allocated when first
   written. */
struct tf_stream {
    uint32_t dest_buf_start;  /* register 8 */
    uint32_t dest_buf_size;   /* register 10 */
    uint32_t space_available; /* register 297 */
    uint32_t auto_cfg_ptr;    /* register 31 */
    struct tf_stream_page *page;
    struct tf_stream_phase *phase; /* NULL: there was none (phase.c) */
};

struct tf_mmio {
    struct tf_mailbox mailbox[TF_MAILBOX_CORES][TF_MAILBOX_CORES]; /* writer, reader */
    struct tf_pcbuf pcbuf[TF_PCBUFS];
    union { /* by family */
        struct tf_pic pic;
        struct tf_polled_pic polled_pic;
    };
    struct tf_debug debug;
    struct tf_stream stream[TF_STREAMS];
    uint64_t blobs_done;       /* STREAM_BLOB_AUTO_CFG_DONE */
    uint32_t next_blob;        /* the first to be taken out of them */
    uint64_t stream_sends[2];  /* by NOC: streams that have something to send (packet.h) */
    struct tf_eth *eth;        /* of an Ethernet tile */
    struct tf_dram_side *dram; /* of a DRAM tile (dram.h) */
    const char *why;           /* tf_mmio_why(); not part of the state */
    uint8_t why_category;
    const struct tf_mmio_bus *bus;        /* of map.c: for the units and devices below it */
    const struct tf_eth_calls *eth_calls; /* of an Ethernet tile (eth_tile.h); else NULL */
};

/* tf_mmio_load() and tf_mmio_store(), for units and devices that access registers: the map knows all of these. */
struct tf_mmio_bus {
    enum tf_access (*load)(struct tf_tile *tile, unsigned from, uint32_t address, unsigned size, uint32_t *value,
                           bool *pure);
    enum tf_access (*store)(struct tf_tile *tile, unsigned from, uint32_t address, unsigned size, uint32_t value);
    /* tf_tdma_load() and tf_tdma_store(): the scalar unit reaches TDMA-RISC, and the NOC does not. */
    enum tf_access (*tdma_load)(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
    enum tf_access (*tdma_store)(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);
};

/* Cores for which an interrupt is enabled, as bits, for tile->interruptible. Mostly none. */
static inline uint8_t tf_mmio_interruptible(const struct tf_mmio *mmio)
{
    const struct tf_pic *pic = &mmio->pic;
    unsigned b = (pic->sw_enabled[0] | pic->hw_enabled[0]) != 0, nc = (pic->sw_enabled[1] | pic->hw_enabled[1]) != 0;
    return (uint8_t)(b | nc << 1);
}

/* INSTRN_BUF_CTRL0 gives the thread's FIFO to the debug bus: pushes of cores are lost. */
static inline bool tf_mmio_push_lost(const struct tf_mmio *mmio, unsigned thread)
{
    return (mmio->debug.word[TF_DEBUG_PUSH_CTRL0 / 4] >> thread & 1) != 0;
}

/* PCBuf[thread].OverrideEn, OverrideBusy and then the value that a T core reads. */
static inline uint32_t tf_mmio_override(const struct tf_mmio *mmio, unsigned thread)
{
    return mmio->debug.word[TF_DEBUG_PC_BUF_OVERRIDE / 4] >> (10 * thread) & 0x3FF;
}

/* OverrideEn and OverrideBusy are both set: B's PCBuf loads and Manual TTSync loads do not wait. */
static inline bool tf_mmio_override_busy(const struct tf_mmio *mmio, unsigned thread)
{
    return (tf_mmio_override(mmio, thread) & 3) == 3;
}

#endif
