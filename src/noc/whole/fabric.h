/* SPDX-License-Identifier: Apache-2.0 */
/* Making the nodes and NIUs of a chip. */
#ifndef NOC_WHOLE_FABRIC_H
#define NOC_WHOLE_FABRIC_H

#include <stddef.h>

struct tf_arch;
struct tf_fabric;
struct tf_hash;
struct tf_node;
struct tf_noc_rules;
struct tf_saved;
struct tf_tile;

/* Make the nodes of a zeroed fabric and connect the ports of its tiles. tiles:
   initialised, by index. sent: tf_fabric_sent_bytes() zeros, aligned to 64, which the caller keeps. TF_OK or
   TF_ENOMEM. */
size_t tf_fabric_sent_bytes(const struct tf_arch *arch);
int tf_fabric_init(struct tf_fabric *fabric, const struct tf_arch *arch, const struct tf_noc_rules *rules,
                   struct tf_tile *tiles, void *sent);
void tf_fabric_fini(struct tf_fabric *fabric);

/* A DRAM node gets the tile of its core. */
void tf_fabric_add_core(struct tf_fabric *fabric, struct tf_node *node, struct tf_tile *tile);

/* Hash NIUs, DRAM and endpoints; tiles hash themselves. */
void tf_fabric_hash(struct tf_fabric *fabric, struct tf_hash *hash);

/* The saved state (host/saved.h) of the parts that a node has beside its tile. */
void tf_node_state(struct tf_saved *saved, struct tf_node *node);

#endif
