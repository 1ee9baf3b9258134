/* SPDX-License-Identifier: Apache-2.0 */
/* The devices of an Ethernet tile, and its firmware. */
#ifndef TILE_ETH_ETH_H
#define TILE_ETH_ETH_H

#include <stdbool.h>
#include <stdint.h>

struct tf_hash;
struct tf_saved;
struct tf_tile;

/* Make the devices of a tile, as after power-on. Returns false if the host has no memory. */
bool tf_eth_create(struct tf_tile *tile);
void tf_eth_destroy(struct tf_tile *tile);

/* Does the first core run the firmware? */
bool tf_eth_runs_firmware(const struct tf_tile *tile);

/* Set the address at which a core of an Ethernet tile leaves reset. */
void tf_eth_set_reset_pc(struct tf_tile *tile, unsigned core, uint32_t pc);

/* The host has read or written L1 of an Ethernet tile: let the tile's firmware react. It may write, even after a
   read. */
bool tf_eth_read_acts(const struct tf_tile *tile, uint64_t address);
void tf_eth_host_read(struct tf_tile *tile, uint64_t address);
void tf_eth_host_wrote(struct tf_tile *tile, uint64_t address, uint64_t bytes);

/*
 * Messages in mailboxes, which the tile's firmware answers. tf_eth_host_wrote() answers those of the host at once.
 * Those that cores store are answered between two visits, by the worker that visits the tile; tile->cycle is the time.
 */
bool tf_eth_has_message(const struct tf_tile *tile);
void tf_eth_answer_messages(struct tf_tile *tile);

void tf_eth_hash(const struct tf_tile *tile, struct tf_hash *hash);
void tf_eth_state(struct tf_saved *saved, struct tf_tile *tile);

#endif
