/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A node's address space, as seen over the NOC. Sources: BlackholeA0/NoC/MemoryMap.md (where the NIUs of each kind of
 * tile are), README.md, WormholeB0/NoC/Alignment.md (what is L1 and what is a register). The addresses are the chip's
 * (arch.h).
 */
#ifndef NOC_SPACE_H
#define NOC_SPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "noc/noc.h"

/* Memory of a node as bytes: L1 of Tensix and Ethernet tiles, DRAM. write: allocates missing DRAM pages. Returns NULL
   if the range is not in one piece of memory, or the host has no memory; or, with *zero true, DRAM never written. */
uint8_t *tf_node_memory(struct tf_node *node, uint64_t address, uint64_t bytes, bool write, bool *zero);

/* The host's access: any range of memory, or 4 aligned bytes of a register. TF_OK, TF_ERANGE, TF_EACCESS, TF_ENOMEM. */
int tf_node_write(struct tf_fabric *fabric, struct tf_node *node, uint64_t address, const void *data, uint64_t bytes);
int tf_node_read(struct tf_fabric *fabric, struct tf_node *node, uint64_t address, void *data, uint64_t bytes);

/* Has a read there an effect? Some registers have one, and the firmware of an Ethernet tile may react. */
bool tf_node_read_acts(const struct tf_node *node, uint64_t address);

/* Access one register through a NOC. Returns NULL, or the sentence of the fault with its *category. */
const char *tf_node_load(struct tf_node *node, unsigned noc, uint64_t address, uint32_t *value, uint8_t *category);
const char *tf_node_store(struct tf_node *node, unsigned noc, uint64_t address, uint32_t value, uint8_t *category);

enum tf_noc_place tf_node_place(const struct tf_node *node, uint64_t address);

/* The address by which tf_node_place() knows what a NIU reaches at `address`. A DRAM tile's NIU may show the core's
   memory map (docs/dram-cores.md); other nodes have one map. */
uint64_t tf_node_address(const struct tf_node *node, unsigned noc, uint64_t address);

/* The sentence, and *category, of a fault at an address that is neither memory nor a register. */
const char *tf_node_why_nothing(const struct tf_node *node, uint8_t *category);

/* Bytes from address to the end of the memory that it lies in; 0 outside memory. */
uint64_t tf_node_room(const struct tf_node *node, uint64_t address);

#endif
