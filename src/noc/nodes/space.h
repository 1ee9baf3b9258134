/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A node's address space, as seen over the NOC. Sources: BlackholeA0/NoC/MemoryMap.md (where the NIUs of each kind of
 * tile are), README.md, WormholeB0/NoC/Alignment.md (what is L1 and what is a register). The addresses are the chip's
 * (arch.h).
 */
#ifndef NOC_NODES_SPACE_H
#define NOC_NODES_SPACE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "host/copy.h"
#include "noc/nodes/dram_core.h"
#include "noc/noc.h"
#include "tile/riscv/code/code.h"

/* Memory of a node as bytes: L1 of Tensix and Ethernet tiles, DRAM. write: allocates missing DRAM pages. Returns NULL
   if the range is not in one piece of memory, or the host has no memory; or, with *zero true, DRAM never written. */
uint8_t *tf_node_memory(struct tf_node *node, uint64_t address, uint64_t bytes, bool write, bool *zero);

/* Write or read any range of memory, or 4 aligned bytes of a register. TF_OK, TF_ERANGE, TF_EACCESS, TF_ENOMEM. */
int tf_node_put_range(struct tf_fabric *fabric, struct tf_node *node, uint64_t address, const void *data,
                      uint64_t bytes);
int tf_node_get_range(struct tf_fabric *fabric, struct tf_node *node, uint64_t address, void *data, uint64_t bytes);

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

/* Copy to or from a node's memory, in which the range lies. Returns false if the host has no memory for a DRAM page. */
bool tf_node_put(struct tf_node *node, uint64_t address, const void *data, uint64_t bytes, bool shared);
void tf_node_get(const struct tf_node *node, uint64_t address, void *data, uint64_t bytes, bool shared);

/* A range of L1 has been written: drop the decoded code in it. */
static inline void tf_node_code_written(struct tf_node *node, uint32_t address, uint32_t bytes)
{
    if (tf_code_in(&node->tile->code, address, bytes))
        tf_tile_l1_written(node->tile, address, bytes);
}

/* An aligned word of L1 has been written: drop the decoded code in it. */
static inline void tf_node_word_written(struct tf_node *node, uint32_t address)
{
    if (tf_code_near_word(&node->tile->code, address))
        tf_tile_l1_written(node->tile, address, 4);
}

/* The DRAM channel that some addresses of a node lead to, or NULL. */
static inline struct tf_dram *tf_node_dram(const struct tf_node *node)
{
    return node->behind != NULL ? node->behind->dram : node->dram;
}

/* L1 as the NIUs of its own tile reach it: where tf_node_place() of tf_node_address() says so. */
static inline uint8_t *tf_node_own_l1(const struct tf_node *node, uint64_t address)
{
    return node->l1 != NULL ? node->l1 + address
                            : tf_dram_core_l1_memory(node->core) + address % node->space->core_l1_bytes;
}

/* Does a DRAM tile show its core's memory map instead of DRAM? The bit is set after power-on. */
static inline bool tf_node_shows_other_memory(const struct tf_node *node, unsigned noc)
{
    return node->core != NULL && !(tf_niu_config_word(&node->niu[noc], TF_NIU_CFG_0) & TF_NIU_CFG_0_AXI_SUBORDINATE);
}

/* Does a write change nothing but L1 of this recipient? */
static inline bool tf_noc_writes_only_l1(const struct tf_noc_request *request, const struct tf_node *node)
{
    return !request->header_store && !request->to_overlay && tf_node_in_l1(node, request->address, request->length);
}

/* May a request store to a register here? */
static inline bool tf_noc_is_word(uint64_t address, uint64_t bytes)
{
    return bytes == 4 && address % 4 == 0;
}

/* Why a read of a register is refused; NULL: it is not. */
static inline const char *tf_noc_why_split(uint64_t address, uint64_t bytes)
{
    return bytes > 4 - address % 4 ? "an access to a register must stay within its 4 bytes" : NULL;
}

/* Write to L1, in deterministic mode. The range lies in it. */
static inline void tf_node_put_l1(struct tf_node *node, uint32_t address, const void *data, uint32_t bytes)
{
    tf_copy_between(node->l1 + address, data, bytes);
    tf_node_code_written(node, address, bytes);
}

/* Write an aligned word to L1, in deterministic mode. */
static inline void tf_node_put_word(struct tf_node *node, uint32_t address, uint32_t word)
{
    memcpy(node->l1 + address, &word, sizeof word);
    tf_node_word_written(node, address);
}

#endif
