/* SPDX-License-Identifier: Apache-2.0 */
/* The data movement service of an Ethernet tile's firmware, for the host. */
#ifndef NOC_WHOLE_ETH_SERVICE_H
#define NOC_WHOLE_ETH_SERVICE_H

#include <stdbool.h>
#include <stdint.h>

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

/* The host has written L1 of an Ethernet tile, whose firmware may serve it. */
void tf_eth_serve(struct tf_fabric *fabric, struct tf_node *node, uint64_t address, uint64_t bytes);

#endif
