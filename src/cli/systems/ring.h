/* SPDX-License-Identifier: Apache-2.0 */
/* Chips form a ring along the links. A chip receives at one port, and sends at another one. */
#ifndef CLI_SYSTEMS_RING_H
#define CLI_SYSTEMS_RING_H

#include "cli/systems/links.h"

/* Find a ring through all chips, from chip 0. Returns false after a message. */
bool tf_ring_find(const struct tf_cluster *cluster, unsigned *ring, struct tf_message *message);

/* What the ports of a chip do: enum tf_link_role. They work with each other, or both with the chip's first tile. */
struct tf_ring_roles {
    uint32_t in, out;
    bool with_tile;
};

/* Start the ports of each chip of links->ring, and fill in links->ports. TF_OK or a negative code. */
int tf_ring_start(struct tf_system *system, struct tf_links *links, const struct tf_ring_roles *roles,
                  struct tf_message *message);

#endif
