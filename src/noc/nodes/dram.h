/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of a DRAM channel. */
#ifndef NOC_NODES_DRAM_H
#define NOC_NODES_DRAM_H

#include <stdbool.h>
#include <stdint.h>

struct tf_dram;
struct tf_hash;
struct tf_saved;

/* A channel. Only blocks that have been written take memory of the host. `bytes`: its size, a multiple of
   TF_DRAM_BLOCK_BYTES. Addresses that the other functions take lie within it. Returns NULL if the host has no
   memory. */
struct tf_dram *tf_channel_create(uint64_t bytes);
void tf_channel_destroy(struct tf_dram *dram);
bool tf_channel_put(struct tf_dram *dram, uint64_t address, const void *data, uint64_t bytes, bool shared);
void tf_channel_get(const struct tf_dram *dram, uint64_t address, void *data, uint64_t bytes, bool shared);
bool tf_channel_reserve(struct tf_dram *dram, uint64_t address, uint64_t bytes);
uint8_t *tf_channel_memory(struct tf_dram *dram, uint64_t address, uint64_t bytes, bool write, bool *zero);
void tf_channel_hash(const struct tf_dram *dram, struct tf_hash *hash);
void tf_channel_state(struct tf_saved *saved, struct tf_dram *dram);

#endif
