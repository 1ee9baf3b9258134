/* SPDX-License-Identifier: Apache-2.0 */
/* The node of the management processor. */
#ifndef NOC_NODES_ARC_H
#define NOC_NODES_ARC_H

#include <stdint.h>

struct tf_arc;
struct tf_arch;
struct tf_hash;
struct tf_pcie;
struct tf_saved;

/* Returns NULL if the host has no memory. */
struct tf_arc *tf_arc_create(const struct tf_arch *arch);
uint8_t *tf_arc_csm(struct tf_arc *arc);
/* Messages may change the PCIe tile from here on; NULL: they may not. Only while no worker runs: for the host. */
void tf_arc_reach(struct tf_arc *arc, struct tf_pcie *pcie);
void tf_arc_at(struct tf_arc *arc, uint64_t cycle); /* the cycle of the loads that follow; no part of the state */
const char *tf_arc_load(const struct tf_arc *arc, uint32_t offset, uint32_t *value); /* offset in APB space */
const char *tf_arc_store(struct tf_arc *arc, uint32_t offset, uint32_t value);
void tf_arc_hash(const struct tf_arc *arc, struct tf_hash *hash);

/* The saved state (host/saved.h). */
void tf_arc_state(struct tf_saved *saved, struct tf_arc *arc);

#endif
