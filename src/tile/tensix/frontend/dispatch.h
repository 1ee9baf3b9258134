/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TILE_TENSIX_FRONTEND_DISPATCH_H
#define TILE_TENSIX_FRONTEND_DISPATCH_H

#include <stdbool.h>
#include <stdint.h>

struct tf_tile;

/* What an instruction does once it has passed the gate: complete, unless completion is delayed. */
typedef void tf_tensix_execute(struct tf_tile *tile, unsigned thread, uint32_t word);

/* By opcode. NULL: there is no such opcode, or no page about it (RSTDMA): the thread stops with a fault. */
extern tf_tensix_execute *const tf_tensix_dispatch[256];

/* Does an opcode that exists do anything but stop its thread? */
bool tf_tensix_implemented(uint8_t opcode);

#endif
