/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The configuration of an Ethernet tile's receive classifier: registers, and the rows of its TCAM and flow table.
 * classify.h uses it. Source: BlackholeA0/EthernetTile/EthernetRxClassifier.md.
 */
#ifndef TILE_ETH_RX_H
#define TILE_ETH_RX_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/hash.h"

#define TF_ETH_RX_FIRST (TF_ETH_LINK_BASE + 0xC000)
#define TF_ETH_RX_BYTES 0x2A20u

#define TF_ETH_RX_ROWS 64u
#define TF_ETH_RX_FLOW_WORDS 4u
#define TF_ETH_RX_PATTERN_WORDS 16u

struct tf_eth_rx {
    uint64_t enabled; /* rows of the TCAM */
    uint32_t word[TF_ETH_RX_BYTES / 4];
    uint32_t pattern[2][TF_ETH_RX_ROWS][TF_ETH_RX_PATTERN_WORDS]; /* values, masks */
    uint32_t flow[TF_ETH_RX_ROWS][TF_ETH_RX_FLOW_WORDS];
};

/* Returns NULL if the host has no memory. Free it with free(). */
struct tf_eth_rx *tf_eth_rx_create(void);

/* Offsets from TF_ETH_RX_FIRST. */
uint32_t tf_eth_rx_load(const struct tf_eth_rx *rx, uint32_t offset);
void tf_eth_rx_store(struct tf_eth_rx *rx, uint32_t offset, uint32_t value);

void tf_eth_rx_hash(const struct tf_eth_rx *rx, struct tf_hash *hash);

struct tf_saved;

/* The saved state (host/saved.h). */
void tf_eth_rx_state(struct tf_saved *saved, struct tf_eth_rx *rx);

#endif
