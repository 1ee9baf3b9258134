/* SPDX-License-Identifier: Apache-2.0 */
/* Stretches of instructions in which a thread has to do with nothing but the vector unit and Dst. */
#ifndef TILE_TENSIX_VECTOR_RUN_H
#define TILE_TENSIX_VECTOR_RUN_H

#include <stdbool.h>
#include <stdint.h>

struct tf_tile;

/*
 * Let the instruction at the gate pass, which nothing holds, and those behind it as long as they are the vector unit's
 * and as usual, before cycle `limit`. That is what passing one after another comes to, while no wait is latched and no
 * unit held. The gate may be empty. False, with nothing done: the first one is not of that kind.
 */
bool tf_sfpu_run(struct tf_tile *tile, unsigned thread, uint64_t limit);

#endif
