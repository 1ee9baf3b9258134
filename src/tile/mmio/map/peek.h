/* SPDX-License-Identifier: Apache-2.0 */
/* Registers as debuggers see them. */
#ifndef TILE_MMIO_MAP_PEEK_H
#define TILE_MMIO_MAP_PEEK_H

#include <stdbool.h>
#include <stdint.h>

struct tf_tile;

/* For debuggers: the value of a register that a core can load, at an aligned address. Returns false if a load might
   have an effect, or there is no such register. No side effects. */
bool tf_mmio_peek(struct tf_tile *tile, unsigned core, uint32_t address, uint32_t *value);

#endif
