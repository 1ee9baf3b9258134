/* SPDX-License-Identifier: Apache-2.0 */
/* The ways on which firmware of Ethernet tiles reaches other chips for the host (BaselineDataMovementService.md). */
#ifndef SYSTEM_ROUTES_H
#define SYSTEM_ROUTES_H

#include <stdint.h>

#include "noc/whole/eth_service.h"
#include "tilefarm/tilefarm_cluster.h"

struct tf_lane;
struct tf_system_part;
struct tf_routes;

/* A chip as others reach it, and how its firmware reaches others. */
struct tf_route {
    struct tf_routes *all;
    struct tf_eth_routes firmware;
    uint8_t chip;
    bool linked;     /* has a link, */
    uint16_t arrive; /* and requests for it arrive at the Ethernet tile of this node */
};

struct tf_routes {
    const struct tf_cluster *cluster;
    const struct tf_system_part *part;        /* by chip */
    const struct tf_lane *lane;               /* two for each link */
    bool (*fetch)(void *user, unsigned chip); /* call before a chip is accessed; false: it is lost */
    void *user;
    struct tf_route route[TF_CLUSTER_CHIPS_MAX];
};

/* Tell chips how to reach each other by lanes. `routes` has all its pointers, and what they lead to outlives it. */
void tf_routes_create(struct tf_routes *routes);

#endif
