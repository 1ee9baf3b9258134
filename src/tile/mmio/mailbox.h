/* SPDX-License-Identifier: Apache-2.0 */
/* Mailboxes between cores. Addresses lie in their window, and are 4-aligned. */
#ifndef TILE_MMIO_MAILBOX_H
#define TILE_MMIO_MAILBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/access.h"

struct tf_hash;
struct tf_mmio;
struct tf_tile;

enum tf_access tf_mailbox_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
enum tf_access tf_mailbox_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);
bool tf_mailbox_load_acts(const struct tf_tile *tile, unsigned from, uint32_t address);
unsigned tf_mailbox_room(const struct tf_tile *tile, unsigned writer); /* values that it may write before it blocks */
bool tf_mailbox_would_block(struct tf_tile *tile, unsigned from, uint32_t address, bool store);
void tf_mailbox_discard(struct tf_tile *tile, unsigned writer); /* values in all mailboxes of a writer */
void tf_mailbox_hash(const struct tf_mmio *mmio, struct tf_hash *hash);

#endif
