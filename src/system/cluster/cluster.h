/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of this room ask of a cluster (tilefarm_cluster.h). */
#ifndef SYSTEM_CLUSTER_CLUSTER_H
#define SYSTEM_CLUSTER_CLUSTER_H

#include "tilefarm/tilefarm_cluster.h"

/* What a sentence about a cluster is about. */
struct tf_cluster_subject {
    enum { TF_ABOUT_ALL, TF_ABOUT_CHIP, TF_ABOUT_LINK } about;
    unsigned index;
};

/* tf_cluster_check(). `subject` gets what the message is about; neither may be NULL. */
int tf_cluster_find_fault(const struct tf_cluster *cluster, struct tf_message *message,
                          struct tf_cluster_subject *subject);

/* The board of a chip: that of the family if it has no name. */
const struct tf_board *tf_cluster_board(const struct tf_cluster *cluster, unsigned chip);

/* How many Ethernet tiles a chip has. */
unsigned tf_cluster_ports(const struct tf_cluster *cluster, unsigned chip);

/* The number on the die of the Ethernet tile at a port, which must exist. */
unsigned tf_cluster_port_tile(const struct tf_cluster *cluster, unsigned chip, unsigned port);

/* The raw NOC 0 coordinate of the Ethernet tile at a port, which must exist. */
struct tf_coord tf_cluster_port_coord(const struct tf_cluster *cluster, unsigned chip, unsigned port);

/* The other end of the link at a port. NULL: it has none. */
const struct tf_cluster_end *tf_cluster_peer(const struct tf_cluster *cluster, unsigned chip, unsigned port);

/* Bring links into their order: the lower end first, and links by it. Equal links become one. Then equal clusters have
   equal lists. */
void tf_cluster_sort(struct tf_cluster *cluster);

/* The half of an id that Wormhole's Ethernet firmware makes of a board's identifier. */
static inline uint32_t tf_cluster_mangled(uint64_t board_id)
{
    return (uint32_t)(board_id >> 4 & 0xF0000000u) | (uint32_t)(board_id & 0x0FFFFFFFu);
}

/* The unique id that a chip's firmware makes of its board's identifier and its location. */
uint64_t tf_cluster_make_id(const struct tf_arch *arch, const struct tf_cluster_chip *chip);

#endif
