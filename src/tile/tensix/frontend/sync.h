/* SPDX-License-Identifier: Apache-2.0 */
/* The sync unit: semaphores and mutexes (TensixCoprocessor/SyncUnit.md). */
#ifndef TILE_TENSIX_FRONTEND_SYNC_H
#define TILE_TENSIX_FRONTEND_SYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/access.h"

#define TF_SEMAPHORES 8u
#define TF_SEMAPHORE_MAX 15u
#define TF_MUTEXES_MAX 8u /* arch->mutexes says which exist */

struct tf_tile;

struct tf_sync {
    uint8_t value[TF_SEMAPHORES];
    uint8_t max[TF_SEMAPHORES];
    uint8_t holder[TF_MUTEXES_MAX]; /* 0: nobody, else 1 + thread */
};

void tf_exec_ATGETM(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_ATRELM(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_STALLWAIT(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_SEMINIT(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_SEMPOST(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_SEMGET(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_SEMWAIT(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_STREAMWAIT(struct tf_tile *tile, unsigned thread, uint32_t word);

/* ATGETM: is the mutex held by another thread? */
bool tf_sync_mutex_held(const struct tf_tile *tile, unsigned thread, uint32_t word);

/* SemaphoreAccess, TF_SEMAPHORE_BASE in the address space of T0..T2. */
enum tf_access tf_semaphore_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
enum tf_access tf_semaphore_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);

#endif
