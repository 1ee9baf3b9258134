/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which RX queue gets a frame, and how: Blackhole's receive classifier (BlackholeA0/EthernetTile/
 * EthernetRxClassifier.md), Wormhole's MAC addresses (WormholeB0/EthernetTile/EthernetTxRx.md).
 */
#ifndef TILE_ETH_CLASSIFY_H
#define TILE_ETH_CLASSIFY_H

#include <stdbool.h>
#include <stdint.h>

struct tf_eth_packet;
struct tf_tile;

/* What a queue gets: a prefix, the addresses of the frame, its type, and the rest. */
struct tf_eth_arrival {
    int queue; /* -1: none */
    uint32_t prefix_bytes;
    uint32_t tags;    /* bytes between addresses and type that are removed */
    uint32_t headers; /* bytes behind the type that are removed */
    uint8_t prefix[8];
};

void tf_eth_classify(const struct tf_tile *tile, const struct tf_eth_packet *packet, struct tf_eth_arrival *arrival);

#endif
