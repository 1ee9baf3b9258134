/* SPDX-License-Identifier: Apache-2.0 */
/* The devices behind map.c. Addresses are full addresses, inside the device's window, and 4-aligned. */
#ifndef TILE_MMIO_PARTS_H
#define TILE_MMIO_PARTS_H

#include "tile/tile.h"

/*
 * Fault of an access: recorded against the core that made it, or kept as the reason for the NOC. `why` is a
 * constant sentence; cores' reports get the address appended. Returns TF_ACCESS_FAULT.
 */
enum tf_access tf_mmio_fault(struct tf_tile *tile, unsigned from, enum tf_fault_category category, uint32_t address,
                             const char *why);

enum tf_access tf_mailbox_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
enum tf_access tf_mailbox_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);
bool tf_mailbox_would_block(struct tf_tile *tile, unsigned from, uint32_t address, bool store);
void tf_mailbox_discard(struct tf_tile *tile, unsigned writer); /* all that a core has written */
void tf_mailbox_hash(const struct tf_mmio *mmio, struct tf_hash *hash);

enum tf_access tf_pcbuf_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
enum tf_access tf_pcbuf_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);
bool tf_pcbuf_would_block(struct tf_tile *tile, unsigned from, uint32_t address, bool store);
void tf_pcbuf_discard(struct tf_tile *tile, unsigned thread);
void tf_pcbuf_hash(const struct tf_mmio *mmio, struct tf_hash *hash);

enum tf_access tf_pic_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
enum tf_access tf_pic_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);
void tf_pic_hash(const struct tf_mmio *mmio, struct tf_hash *hash);

void tf_debug_init(struct tf_tile *tile);
enum tf_access tf_debug_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
enum tf_access tf_debug_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);
void tf_debug_hash(const struct tf_mmio *mmio, struct tf_hash *hash);

/* Register offsets within the debug window. */
enum {
    TF_DEBUG_BUS_L1_FIRST = 0x48, /* DBG_L1_MEM_REG0..2 */
    TF_DEBUG_BUS_L1_LAST = 0x4C,
    TF_DEBUG_BUS_L1_CTRL = 0x50,
    TF_DEBUG_BUS_CTRL = 0x54,
    TF_DEBUG_CFG_READ = 0x58,
    TF_DEBUG_ARRAY_ENABLE = 0x60,
    TF_DEBUG_ARRAY_COMMAND = 0x64,
    TF_DEBUG_CFG_DATA = 0x78,
    TF_DEBUG_RISC_CNTL_0 = 0x80,
    TF_DEBUG_RISC_CNTL_1 = 0x84,
    TF_DEBUG_RISC_STATUS_0 = 0x88,
    TF_DEBUG_RISC_STATUS_1 = 0x8C,
    TF_DEBUG_PC_BUF_OVERRIDE = 0x90,
    TF_DEBUG_PUSH_CTRL0 = 0xA0,
    TF_DEBUG_PUSH_CTRL1 = 0xA4,
    TF_DEBUG_WATCHDOG = 0x1E0,
    TF_DEBUG_WATCHDOG_CNTL = 0x1E4,
    TF_DEBUG_WATCHDOG_STATUS = 0x1E8,
    TF_DEBUG_CLOCK_L = 0x1F0,
    TF_DEBUG_CLOCK_LIVE_H = 0x1F4,
    TF_DEBUG_CLOCK_H = 0x1F8,
    TF_DEBUG_TIMESTAMP = 0x1FC,
    TF_DEBUG_TIMESTAMP_CNTL = 0x200,
    TF_DEBUG_TIMESTAMP_STATUS = 0x204,
    TF_DEBUG_TIMESTAMP_BUFFERS = 0x208,
    TF_DEBUG_TIMESTAMP_END = 0x214,
    TF_DEBUG_DISABLE_RESET = 0x224,
    TF_DEBUG_TRISC0_RESET_PC = 0x228,
    TF_DEBUG_TRISC_RESET_PC_OVERRIDE = 0x234,
    TF_DEBUG_NCRISC_RESET_PC = 0x238,
    TF_DEBUG_NCRISC_RESET_PC_OVERRIDE = 0x23C,
};

/* INSTRN_BUF_CTRL0 gives the thread's FIFO to the debug bus: what cores push is lost. */
static inline bool tf_mmio_push_lost(const struct tf_mmio *mmio, unsigned thread)
{
    return (mmio->debug.word[TF_DEBUG_PUSH_CTRL0 / 4] >> thread & 1) != 0;
}

/* clock.c: the wall clock, the timestamper and the watchdog; offset is one of theirs. */
void tf_clock_init(struct tf_debug *debug);
uint32_t tf_clock_load(struct tf_tile *tile, uint32_t offset);
enum tf_access tf_clock_store(struct tf_tile *tile, unsigned from, uint32_t offset, uint32_t value);
bool tf_watchdog_line(const struct tf_tile *tile);    /* it raises hardware IRQ 3 */
bool tf_watchdog_to_come(const struct tf_tile *tile); /* it will, by time alone */

/* gdb.c: the debug registers DR of cores. A store to RISC_DBG_CNTL_0 has happened; it was `old`. A core is reset. */
enum tf_access tf_gdb_command(struct tf_tile *tile, unsigned from, uint32_t old);
void tf_gdb_reset(struct tf_tile *tile, unsigned core);

/* DISABLE_RESET: a reset of the core leaves its debug registers alone. */
bool tf_debug_keeps_registers(const struct tf_tile *tile, unsigned core);

/* daisychain.c: DBG_RD_DATA, and a store to DBG_L1_MEM_REG2. */
enum tf_access tf_daisychain_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value);
enum tf_access tf_daisychain_store_l1(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);

/* eth.c: of an Ethernet tile. */
bool tf_eth_create(struct tf_tile *tile);
void tf_eth_destroy(struct tf_tile *tile);
enum tf_access tf_eth_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
enum tf_access tf_eth_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);
uint32_t tf_eth_reset_pc(const struct tf_tile *tile, unsigned core);
void tf_eth_release(struct tf_tile *tile, unsigned core, uint32_t pc); /* with a stack, and where to return to */
void tf_eth_hash(const struct tf_mmio *mmio, struct tf_hash *hash);

void tf_stream_fini(struct tf_mmio *mmio);
enum tf_access tf_stream_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
enum tf_access tf_stream_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);
void tf_stream_hash(const struct tf_mmio *mmio, struct tf_hash *hash);

#endif
