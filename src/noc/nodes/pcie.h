/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The PCIe tile. On Blackhole the NOC sees 64 windows of 2^58 bytes. Windows 0..3 reach the host untranslated, 4..7
 * through the outbound iATU. Wormhole has one window, through the iATU. Sources: PCIExpressTile/README.md of each
 * family ("NoC to Host"); ttsim's libttsim.cpp and tile.cpp for the iATU's registers in BAR 2, and for addresses
 * outside its regions.
 */
#ifndef NOC_NODES_PCIE_H
#define NOC_NODES_PCIE_H

#include <stdbool.h>
#include <stdint.h>

struct tf_hash;
struct tf_node;
struct tf_pcie_arch;

#define TF_IATU_REGIONS 16u
#define TF_IATU_WORDS 9u

struct tf_pcie {
    uint32_t iatu[TF_IATU_REGIONS][TF_IATU_WORDS]; /* outbound, by register offset / 4 */
    uint32_t device_control;
    uint32_t inbound[TF_IATU_REGIONS][TF_IATU_WORDS]; /* of families where software can set it */
    const struct tf_pcie_arch *arch;
};

/* An access of the host by the number of its BAR, that BAR's first address, and the offset in it. */
struct tf_inbound_access {
    unsigned bar;
    uint64_t bar_first, offset, bytes;
};

/* Returns NULL if the host has no memory. */
struct tf_pcie *tf_pcie_create(const struct tf_pcie_arch *arch);

void tf_pcie_hash(const struct tf_pcie *pcie, struct tf_hash *hash);

/* Registers, by offset in BAR 2. The NOC sees them at the same offsets from tf_space_arch.pcie_dbi_first. */
const char *tf_pcie_load(const struct tf_pcie *pcie, uint64_t offset, uint32_t *value);
const char *tf_pcie_store(struct tf_pcie *pcie, uint64_t offset, uint32_t value);

/* Maps bytes from `region` * `bytes` on to `target`, as Wormhole's firmware does. Returns false if there is no such
   region. */
bool tf_pcie_set_region(struct tf_pcie *pcie, uint32_t region, uint32_t bytes, uint64_t target);

/* Where the inbound iATU leads it; no region has it: `unmapped`. */
uint64_t tf_pcie_inbound(const struct tf_pcie *pcie, const struct tf_inbound_access *access, uint64_t unmapped);

/* The number of bytes of host memory from a NOC address to the end of its window. 0: no host memory there. */
uint64_t tf_pcie_room(const struct tf_node *node, uint64_t address);

/* Write and read host memory by the configuration's callbacks, within tf_pcie_room(). Thread: the one in tf_run(). */
void tf_pcie_put(const struct tf_node *node, uint64_t address, const void *data, uint64_t bytes);
void tf_pcie_get(const struct tf_node *node, uint64_t address, void *data, uint64_t bytes);

#endif
