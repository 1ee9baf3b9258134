/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The PCIe tile, the ARC tile and the cores of DRAM tiles, beside their NIUs. A register function returns NULL, or the
 * sentence of a refused access, which has changed nothing.
 */
#ifndef NOC_ENDPOINTS_H
#define NOC_ENDPOINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/arch.h"
#include "tile/hash.h"

struct tf_node;

/* pcie.c: the tile that connects the host. Source: BlackholeA0/PCIExpressTile/README.md. */

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

/* arc.c: the management processor after its firmware has started: scratch registers, telemetry, message queues. */

struct tf_arc;

struct tf_saved;

/* dram_core.c: the core of a DRAM tile. Registers by offset from tf_space_arch.core_registers. */

struct tf_dram_core;
struct tf_dram_side;
struct tf_dram;

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

struct tf_fabric;
struct tf_node;

/* An access that firmware of an Ethernet tile makes for the host, of a node of its own chip or of another one. */
struct tf_eth_access {
    uint64_t target; /* bits 35:0 address; then x, y of the node, and x, y of the chip */
    uint16_t rack;   /* of the chip; the shelf is in bits 15:8 */
    uint8_t noc;     /* of the last hop */
    uint16_t from;   /* the node of the Ethernet tile */
    void *into;      /* NULL: it writes */
    const void *data;
    uint32_t bytes;
};

/* The chips of a system, as firmware reaches them through links. */
struct tf_eth_routes {
    /* Returns false if no link leads to the chip, or if it has nothing at the address. */
    bool (*reach)(void *user, const struct tf_eth_access *access);
    /* The place of a chip, from index 0 on, as in struct tf_eth_access. Returns false if there are no more. */
    bool (*place)(void *user, unsigned index, uint64_t *target, uint16_t *rack);
    void *user;
};

/* eth_service.c: the host has written L1 of an Ethernet tile, whose firmware may serve it. */
void tf_eth_serve(struct tf_fabric *fabric, struct tf_node *node, uint64_t address, uint64_t bytes);

#endif
