/* SPDX-License-Identifier: Apache-2.0 */
/* What an Ethernet tile has that registers of other tiles reach: its files are above, in tile/eth. Addresses lie in its
   windows, and are 4-aligned. */
#ifndef TILE_MMIO_ETH_TILE_H
#define TILE_MMIO_ETH_TILE_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/access.h"

struct tf_hash;
struct tf_saved;
struct tf_tile;

bool tf_eth_create(struct tf_tile *tile);
void tf_eth_destroy(struct tf_tile *tile);
enum tf_access tf_eth_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
enum tf_access tf_eth_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);
uint32_t tf_eth_reset_pc(const struct tf_tile *tile, unsigned core);
bool tf_eth_starts(const struct tf_tile *tile, unsigned core); /* when its bit of SOFT_RESET_0 is cleared */
void tf_eth_leave_reset(struct tf_tile *tile, unsigned core);
uint32_t tf_eth_reset_bits(const struct tf_tile *tile);            /* the cores' bits of SOFT_RESET_0 */
bool tf_eth_is_spare(const struct tf_tile *tile, uint32_t offset); /* a debug register that keeps what is stored */

/*
 * Messages in mailboxes, which the tile's firmware answers. tf_eth_host_wrote() answers those of the host at once.
 * Those that cores store are answered between two visits, by the worker that visits the tile; tile->cycle is the time.
 */
bool tf_eth_has_message(const struct tf_tile *tile);
void tf_eth_answer_messages(struct tf_tile *tile);

void tf_eth_hash(const struct tf_tile *tile, struct tf_hash *hash);
void tf_eth_state(struct tf_saved *saved, struct tf_tile *tile);

#endif
