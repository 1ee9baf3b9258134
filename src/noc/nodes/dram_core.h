/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The core of a DRAM tile. Registers by offset from tf_space_arch.core_registers. A register function returns NULL, or
 * the sentence of a refused access, which has changed nothing.
 */
#ifndef NOC_NODES_DRAM_CORE_H
#define NOC_NODES_DRAM_CORE_H

#include <stdbool.h>
#include <stdint.h>

struct tf_dram;
struct tf_dram_core;
struct tf_dram_side;
struct tf_hash;
struct tf_node;
struct tf_saved;

/* Makes tiles for cores of DRAM nodes, which have none before they are used. By the worker of the node's site, or by
   the host. */
struct tf_core_maker {
    /* The node gets its tile: tf_fabric_add_core(). Returns NULL, or a sentence. */
    const char *(*make)(void *user, struct tf_node *node);
    void *user;
};

/* Returns NULL if the host has no memory. */
struct tf_dram_core *tf_dram_core_create(struct tf_node *node);
void tf_dram_core_destroy(struct tf_dram_core *core);
struct tf_dram *tf_dram_core_l1(const struct tf_dram_core *core); /* from address 0 on */
uint8_t *tf_dram_core_l1_memory(const struct tf_dram_core *core); /* the same, as bytes; of a core with a tile */
uint8_t *tf_dram_core_take_l1(
    struct tf_node *node); /* for the maker: all of it may change from now on; NULL: no memory */
struct tf_dram_side *tf_dram_core_takes_tile(struct tf_node *node); /* for the maker: for tf_mmio.dram */
bool tf_dram_core_has_tile(const struct tf_dram_core *core);        /* or a saved state was read that has one */

/* Registers that need the tile make it. If the node has one after a call that succeeded, the access is still to do. */
const char *tf_dram_core_load(struct tf_node *node, uint32_t offset, uint32_t *value);
const char *tf_dram_core_store(struct tf_node *node, uint32_t offset, uint32_t value);
void tf_dram_core_hash(const struct tf_dram_core *core, struct tf_hash *hash);
void tf_dram_core_state(struct tf_saved *saved, struct tf_dram_core *core);

#endif
