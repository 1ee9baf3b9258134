/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file libttsim.h
 * The interface through which drivers access a simulated chip, as tenstorrent/ttsim documents it
 * (docs/libttsim_api.md). It works with every library that has these symbols. A library has one chip. Calls must not
 * overlap. The host must be little-endian. docs/libttsim.md describes what tilefarm's library adds.
 */
#ifndef TILEFARM_LIBTTSIM_H
#define TILEFARM_LIBTTSIM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Read `size` bytes of the host's memory at `paddr`. */
typedef void libttsim_dma_read(uint64_t paddr, void *dst, uint32_t size);

/** Write `size` bytes to the host's memory at `paddr`. */
typedef void libttsim_dma_write(uint64_t paddr, const void *src, uint32_t size);

/** Create the chip. */
void libttsim_init(void);
/** Destroy the chip. */
void libttsim_exit(void);
/** Set the callbacks for memory of the host, before libttsim_init(). They run on the thread of the call that needs
 *  them, and must not call the simulator. */
void libttsim_set_pci_dma_mem_callbacks(libttsim_dma_read *read, libttsim_dma_write *write);
/** Read a word of PCI configuration space. */
uint32_t libttsim_pci_config_rd32(uint32_t bus_device_function, uint32_t offset);
/** Write a word of PCI configuration space. */
void libttsim_pci_config_wr32(uint32_t bus_device_function, uint32_t offset, uint32_t data);
/** Read through the chip's BARs, at an address of the PCI bus. */
void libttsim_pci_mem_rd_bytes(uint64_t paddr, void *dst, uint32_t size);
/** Write through the chip's BARs, at an address of the PCI bus. */
void libttsim_pci_mem_wr_bytes(uint64_t paddr, const void *src, uint32_t size);
/** Read a node's address space, at its NOC coordinates. */
void libttsim_tile_rd_bytes(uint32_t x, uint32_t y, uint64_t addr, void *dst, uint32_t size);
/** Write a node's address space, at its NOC coordinates. */
void libttsim_tile_wr_bytes(uint32_t x, uint32_t y, uint64_t addr, const void *src, uint32_t size);
/** Run at least n_clocks cycles. */
void libttsim_clock(uint32_t n_clocks);

#ifdef __cplusplus
}
#endif
#endif
