/* SPDX-License-Identifier: Apache-2.0 */
/* The windows of the coprocessor in the address space of cores. */
#ifndef TILE_TENSIX_WHOLE_WINDOW_H
#define TILE_TENSIX_WHOLE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/access.h"

struct tf_tile;

/*
 * The coprocessor's windows in the cores' address space (tilefarm_address.h): GPRs, MOP configuration (write only, T
 * cores), Manual TTSync, semaphores, backend configuration, TDMA-RISC. `from` as in mmio.h; `address` is complete.
 */
enum tf_access tf_tensix_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
enum tf_access tf_tensix_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);
bool tf_tensix_access_would_block(struct tf_tile *tile, unsigned from, uint32_t address, bool store);

#endif
