/* SPDX-License-Identifier: Apache-2.0 */
/* The saved state of a site. */
#ifndef FARM_SAVED_SITE_H
#define FARM_SAVED_SITE_H

struct tf_fabric;
struct tf_node;
struct tf_saved;

/* Write or read the state of a site (host/saved.h). */
void tf_site_state(struct tf_saved *saved, struct tf_fabric *fabric, unsigned site);

/* That of a node, with the tile of a DRAM node's core, which the reader makes. */
void tf_site_node_state(struct tf_saved *saved, const struct tf_fabric *fabric, struct tf_node *node);

#endif
