/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TILE_RISCV_INTERP_H
#define TILE_RISCV_INTERP_H

#include <stdint.h>

struct tf_tile;
struct tf_hart;

/* Longest stretch of cycles in one call. */
#define TF_INTERP_CYCLES_MAX (UINT64_C(1) << 32)

/*
 * Execute a running hart until the first control transfer that retires at or past `limit`, or until it blocks, stops
 * or pauses. limit <= hart->cycle + TF_INTERP_CYCLES_MAX.
 */
void tf_interp(struct tf_tile *tile, struct tf_hart *hart, uint64_t limit);

#endif
