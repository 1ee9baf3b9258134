/* SPDX-License-Identifier: Apache-2.0 */
/* The state of an Ethernet tile's devices, for the files that make them up. */
#ifndef TILE_MMIO_ETH_PARTS_H
#define TILE_MMIO_ETH_PARTS_H

#include "tile/mmio/eth_arch.h"
#include "tile/mmio/eth_link.h"
#include "tile/mmio/parts.h"

#define TF_ETH_QUEUES_MAX 3u

/* A link that is up. */
struct tf_eth_link {
    struct tf_eth_timing timing;
    uint64_t free;                        /* cycle from which the wire is free */
    uint64_t accepted[TF_ETH_QUEUES_MAX]; /* cycle from which the queue has taken its last command */
    struct tf_eth_packet *first, **end;   /* sent, and not taken */
};

struct tf_eth {
    uint32_t word[TF_ETH_WORDS_MAX]; /* words of the family's ranges, one range after the other */
    struct tf_eth_rx *rx;            /* NULL if never written */
    struct tf_eth_link *link;        /* NULL: the link is down */
};

static inline const struct tf_eth_arch *tf_eth_arch_of(const struct tf_tile *tile)
{
    return tile->arch->eth;
}

/* The word of a register. NULL: the family has no such register here. */
uint32_t *tf_eth_word(const struct tf_tile *tile, uint32_t address);

/* eth_send.c: does a store to this register let a TX queue send? Let it do so; command: not 0. */
bool tf_eth_is_command(const struct tf_eth_arch *arch, uint32_t address);
enum tf_access tf_eth_send(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t command);

/* eth_send.c: a load of a TX queue's register whose value changes with time. Returns false for other registers. *pure:
   time will not change it any more. */
bool tf_eth_load_sending(const struct tf_tile *tile, uint32_t address, uint32_t *value, bool *pure);

void tf_eth_link_hash(const struct tf_eth_link *link, struct tf_hash *hash);

/* The saved state of a link from whose tile all packets have been taken (host/saved.h). */
void tf_eth_link_state(struct tf_saved *saved, struct tf_eth_link *link);

#endif
