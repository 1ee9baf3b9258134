/* SPDX-License-Identifier: Apache-2.0 */
/* The sync unit: semaphores and mutexes (TensixCoprocessor/SyncUnit.md). */
#ifndef TILE_TENSIX_SYNC_SYNC_H
#define TILE_TENSIX_SYNC_SYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/access.h"

struct tf_tile;

/* SemaphoreAccess, TF_SEMAPHORE_BASE in the address space of T0..T2. */
enum tf_access tf_semaphore_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
enum tf_access tf_semaphore_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);

#endif
