/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TILE_TENSIX_FRONTEND_DISPATCH_H
#define TILE_TENSIX_FRONTEND_DISPATCH_H

#include <stdbool.h>
#include <stdint.h>

struct tf_tile;

/* Executes an instruction that has passed the gate. It completes in its cycle, unless completion is delayed. */
typedef void tf_tensix_execute(struct tf_tile *tile, unsigned thread, uint32_t word);

/* By opcode. NULL: the opcode does not exist, or no page describes it (RSTDMA); the thread stops with a fault. */
extern tf_tensix_execute *const tf_tensix_dispatch[256];

/* Is the opcode implemented, rather than only a fault? */
bool tf_tensix_implemented(uint8_t opcode);

#endif
