/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How deep the stack of a core has grown. A reset clears local RAM (BlackholeA0/TensixTile/SoftReset.md); Wormhole's
 * begins as 0 here. So the lowest word above the program's data that is not 0 shows the depth: a run pays nothing for
 * it. A frame whose lowest words are still 0 counts less.
 */
#ifndef DEBUG_DEPTH_H
#define DEBUG_DEPTH_H

#include <stdbool.h>
#include <stdint.h>

struct tf_chip;
struct tf_symbols;

struct tf_depth {
    uint32_t used, room; /* bytes of the stack, and of local RAM above the program's data */
};

/* Find the depth between runs. Returns false if the core has no program with the symbols of the start file
   (__local_end, __stack_top). */
bool tf_stack_depth(struct tf_chip *chip, const struct tf_symbols *symbols, unsigned tile, unsigned core,
                    struct tf_depth *depth);

struct tf_deepest {
    unsigned tile;
    struct tf_depth depth;
};

/* Find the tile in which a core's stack leaves the least room. Returns false if no tile has such a program. */
bool tf_stack_deepest(struct tf_chip *chip, const struct tf_symbols *symbols, unsigned core,
                      struct tf_deepest *deepest);

#endif
