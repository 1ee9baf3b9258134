/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What tiles without cores hold beside memory and NIUs: the PCIe tile, the ARC tile. A register function returns NULL,
 * or why there is no such access; nothing has changed then.
 */
#ifndef NOC_ENDPOINTS_H
#define NOC_ENDPOINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/arch.h"
#include "tile/hash.h"

struct tf_node;

/* pcie.c: the tile that the host is behind. Source: BlackholeA0/PCIExpressTile/README.md. */

#define TF_IATU_REGIONS 16u
#define TF_IATU_WORDS 9u

struct tf_pcie {
    uint32_t iatu[TF_IATU_REGIONS][TF_IATU_WORDS]; /* outbound, by register offset / 4 */
    uint32_t device_control;
};

struct tf_pcie *tf_pcie_create(void);

/* Registers by offset in BAR 2, which is also where the NOC sees them behind 0xF800'0000'0000'0000. */
const char *tf_pcie_load(const struct tf_pcie *pcie, uint64_t offset, uint32_t *value);
const char *tf_pcie_store(struct tf_pcie *pcie, uint64_t offset, uint32_t value);

/* Bytes of host memory from address (as the NOC has it) on; 0: it is none, or nobody provides host memory. */
uint64_t tf_pcie_room(const struct tf_node *node, uint64_t address);

/* Move bytes of host memory, through the configuration's callbacks. They lie in it. On the thread in tf_run(). */
void tf_pcie_put(const struct tf_node *node, uint64_t address, const void *data, uint64_t bytes);
void tf_pcie_get(const struct tf_node *node, uint64_t address, void *data, uint64_t bytes);

/* arc.c: the management processor as its firmware leaves it: scratch registers, telemetry, message queues in CSM. */

#define TF_ARC_CSM_BYTES 0x80000u /* as struct tf_space_arch has it */

struct tf_arc;

/* NULL: no memory. */
struct tf_arc *tf_arc_create(const struct tf_arch *arch);
uint8_t *tf_arc_csm(struct tf_arc *arc);
const char *tf_arc_load(const struct tf_arc *arc, uint32_t offset, uint32_t *value); /* offset in APB space */
const char *tf_arc_store(struct tf_arc *arc, uint32_t offset, uint32_t value);
void tf_arc_hash(const struct tf_arc *arc, struct tf_hash *hash);

#endif
