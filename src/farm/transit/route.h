/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The links that a packet passes. A router has a link to the next router of its row, one to the next of its column, and
 * one from and to its NIU. NOC 0 goes right and down, NOC 1 up and left. Source: WormholeB0/NoC/RoutingPaths.md.
 */
#ifndef FARM_TRANSIT_ROUTE_H
#define FARM_TRANSIT_ROUTE_H

#include <stdint.h>

#include "tile/arch.h"

struct tf_noc_request;

enum tf_link {
    TF_LINK_X,   /* to the next router of its row */
    TF_LINK_Y,   /* to the next router of its column */
    TF_LINK_OUT, /* from its NIU */
    TF_LINK_IN,  /* to its NIU */
    TF_LINKS
};

/* Links between routers: three legs of a multicast. */
#define TF_ROUTE_LINKS (2u * TF_GRID_X_MAX + 2u * TF_GRID_Y_MAX)

struct tf_route {
    unsigned count;
    uint16_t link[TF_ROUTE_LINKS]; /* number of the node * TF_LINKS + enum tf_link, from the source on */
};

/* The number of a link. */
static inline uint16_t tf_link_of(unsigned node, enum tf_link link)
{
    return (uint16_t)(node * TF_LINKS + link);
}

/* Write the links that a packet passes from the router of one node to that of another. multicast: the request that has
   `to` as a recipient; NULL for a packet to one node, or an answer. */
void tf_route_find(const struct tf_arch *arch, unsigned noc, unsigned from, unsigned to,
                   const struct tf_noc_request *multicast, struct tf_route *route);

#endif
