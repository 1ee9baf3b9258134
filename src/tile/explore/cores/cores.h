/* SPDX-License-Identifier: Apache-2.0 */
/* Stores and loads of a core that explores other orders. */
#ifndef TILE_EXPLORE_CORES_CORES_H
#define TILE_EXPLORE_CORES_CORES_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/riscv/hart/step.h"

struct tf_hart;
struct tf_tile;

/* A core stores 1, 2 or 4 bytes at an aligned address in L1 or registers. */
enum tf_step tf_explored_store(struct tf_tile *tile, struct tf_hart *hart, uint32_t address, unsigned size,
                               uint32_t value);

/* May an aligned load from L1, or a store to it, act directly, because no order delays it and no checker sees it? If
   so, only the access itself is left to do. Row `explore` pays: seeds of `mixed` take two thirds of the time. */
bool tf_explored_load_is_direct(struct tf_tile *tile, const struct tf_hart *hart, uint32_t address, unsigned size);
bool tf_explored_store_is_direct(struct tf_tile *tile, const struct tf_hart *hart, uint32_t address);

/* A core is about to access memory or a register. Returns true if it stands still first. Then the access is tried again
   in a later slice. */
bool tf_explored_pauses(struct tf_tile *tile, struct tf_hart *hart, uint32_t address);

/* A core loads from an aligned address in L1. */
uint32_t tf_explored_load(struct tf_tile *tile, struct tf_hart *hart, uint32_t address, unsigned size);

/* The region of an address: its window, or TF_AT_NOTHING for L1. Does L0 have its line? */
unsigned tf_explored_region(const struct tf_tile *tile, uint32_t address);
bool tf_explored_hits(struct tf_tile *tile, const struct tf_hart *hart, uint32_t address);

/* A core is about to load from a register. Returns false if it stops before the load, early or after a fault. */
bool tf_explored_load_register(struct tf_tile *tile, struct tf_hart *hart, uint32_t address, unsigned size);

/* A core reads a CSR that others change, or that time changes. */
void tf_explored_csr(struct tf_tile *tile, const struct tf_hart *hart);

/* A core executes a fence; an atomic; or a vector access to L1, which waits as an atomic does. */
void tf_explored_fence(struct tf_tile *tile, struct tf_hart *hart);
void tf_explored_atomic(struct tf_tile *tile, struct tf_hart *hart);

/* An atomic of a core has acted on L1. */
void tf_explored_amo(struct tf_tile *tile, struct tf_hart *hart, uint32_t address);

/* The stores of a core that are due are processed. */
void tf_explored_due(struct tf_tile *tile, struct tf_hart *hart);

/* The cycles that a core leaves reset late. */
uint64_t tf_explored_reset(struct tf_tile *tile, unsigned core);

#endif
