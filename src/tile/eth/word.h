/* SPDX-License-Identifier: Apache-2.0 */
/* The registers of an Ethernet tile that keep a word. */
#ifndef TILE_ETH_WORD_H
#define TILE_ETH_WORD_H

#include <stdint.h>

struct tf_tile;

/* The word of a register. NULL: the family has no such register here. */
uint32_t *tf_eth_word(const struct tf_tile *tile, uint32_t address);

#endif
