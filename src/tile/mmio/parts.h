/* SPDX-License-Identifier: Apache-2.0 */
/* The devices that map.c calls. Addresses are full addresses, inside the device's window, and 4-aligned. */
#ifndef TILE_MMIO_PARTS_H
#define TILE_MMIO_PARTS_H

#include "tile/mmio/debug_registers.h"
#include "tile/state.h"

struct tf_saved;

/* tf_PART_load_acts(): tf_mmio_load_acts() for the addresses of that part (acts.h). */

enum tf_access tf_mailbox_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
enum tf_access tf_mailbox_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);
bool tf_mailbox_load_acts(const struct tf_tile *tile, unsigned from, uint32_t address);
unsigned tf_mailbox_room(const struct tf_tile *tile, unsigned writer); /* values that it may write before it blocks */
bool tf_mailbox_would_block(struct tf_tile *tile, unsigned from, uint32_t address, bool store);
void tf_mailbox_discard(struct tf_tile *tile, unsigned writer); /* values in all mailboxes of a writer */
void tf_mailbox_hash(const struct tf_mmio *mmio, struct tf_hash *hash);

enum tf_access tf_pcbuf_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
enum tf_access tf_pcbuf_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);
bool tf_pcbuf_load_acts(const struct tf_tile *tile, unsigned from);
bool tf_pcbuf_would_block(struct tf_tile *tile, unsigned from, uint32_t address, bool store);
void tf_pcbuf_discard(struct tf_tile *tile, unsigned thread);
void tf_pcbuf_hash(const struct tf_mmio *mmio, struct tf_hash *hash);

enum tf_access tf_pic_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
enum tf_access tf_pic_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);
bool tf_pic_load_acts(const struct tf_tile *tile, uint32_t address);
enum tf_access tf_polled_pic_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
enum tf_access tf_polled_pic_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);
bool tf_polled_pic_load_acts(const struct tf_tile *tile, uint32_t address);
void tf_polled_pic_raise(struct tf_tile *tile, unsigned irq); /* if it is enabled; not of another family's PIC */
void tf_polled_pic_phase(struct tf_tile *tile, unsigned i, uint32_t event); /* of stream i of those with IRQs */
void tf_pic_hash(const struct tf_mmio *mmio, struct tf_hash *hash);

void tf_debug_init(struct tf_tile *tile);
enum tf_access tf_debug_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
enum tf_access tf_debug_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);
bool tf_debug_load_acts(const struct tf_tile *tile, uint32_t offset);
bool tf_debug_peek(const struct tf_tile *tile, uint32_t offset, uint32_t *value); /* false: a load may have an effect */
void tf_debug_hash(const struct tf_mmio *mmio, struct tf_hash *hash);

/* clock.c: the wall clock, the timestamper and the watchdog; offset is one of theirs. */
void tf_clock_init(struct tf_debug *debug);
bool tf_clock_passes(const struct tf_tile *tile, uint32_t offset); /* time alone changes the word */
bool tf_clock_load_acts(const struct tf_tile *tile, uint32_t offset);
uint32_t tf_clock_load(struct tf_tile *tile, uint32_t offset);
enum tf_access tf_clock_store(struct tf_tile *tile, unsigned from, uint32_t offset, uint32_t value);
bool tf_watchdog_line(const struct tf_tile *tile);    /* it raises hardware IRQ 3 */
bool tf_watchdog_to_come(const struct tf_tile *tile); /* it will raise it by time alone */

/* core_debug.c: the debug registers DR of cores. After a store to RISC_DBG_CNTL_0, whose value was `old`; at the reset
   of a core. */
enum tf_access tf_core_debug_command(struct tf_tile *tile, unsigned from, uint32_t old);
void tf_core_debug_reset(struct tf_tile *tile, unsigned core);

/* Does software hold the core of an Ethernet tile in reset, so that it runs no firmware? */
bool tf_debug_holds_firmware(const struct tf_tile *tile);

/* DISABLE_RESET: a reset of the core leaves its debug registers alone. */
bool tf_debug_keeps_registers(const struct tf_tile *tile, unsigned core);

/* daisychain.c: DBG_RD_DATA, and a store to DBG_L1_MEM_REG2. */
enum tf_access tf_daisychain_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value);
enum tf_access tf_daisychain_store_l1(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);

/* eth.c: Ethernet tiles. */
bool tf_eth_create(struct tf_tile *tile);
void tf_eth_destroy(struct tf_tile *tile);
enum tf_access tf_eth_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
enum tf_access tf_eth_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);
uint32_t tf_eth_reset_pc(const struct tf_tile *tile, unsigned core);
bool tf_eth_starts(const struct tf_tile *tile, unsigned core); /* when its bit of SOFT_RESET_0 is cleared */
void tf_eth_leave_reset(struct tf_tile *tile, unsigned core);
uint32_t tf_eth_reset_bits(const struct tf_tile *tile);            /* the cores' bits of SOFT_RESET_0 */
bool tf_eth_is_spare(const struct tf_tile *tile, uint32_t offset); /* a debug register that keeps what is stored */
void tf_eth_hash(const struct tf_tile *tile, struct tf_hash *hash);
void tf_eth_state(struct tf_saved *saved, struct tf_tile *tile);

/* dram.c: DRAM tiles. */
enum tf_access tf_dram_control_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
enum tf_access tf_dram_control_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);
enum tf_access tf_dram_dma_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
enum tf_access tf_dram_dma_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);

void tf_stream_fini(struct tf_mmio *mmio);
enum tf_access tf_stream_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
bool tf_stream_pops(const struct tf_tile *tile, uint32_t address); /* may a load have an effect? */
bool tf_stream_load_acts(const struct tf_tile *tile, uint32_t address);
enum tf_access tf_stream_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);
void tf_stream_hash(const struct tf_mmio *mmio, struct tf_hash *hash);
void tf_stream_state(struct tf_saved *saved, struct tf_mmio *mmio);

#endif
