/* SPDX-License-Identifier: Apache-2.0 */
/* The instructions in a row after an access. */
#ifndef RACES_AHEAD_H
#define RACES_AHEAD_H

#include "races/state/state.h"

/* Is the next store after the one at pc a zero to an address? */
bool clears_next(const struct site *site, unsigned core, uint32_t pc, uint32_t address);

/* Does the core only copy the word that it loads at pc, to its local RAM? */
bool copies_to_local(const struct site *site, unsigned core, uint32_t pc);

/* Is the value that the core stores at one pc made from the one that it has loaded at another, a few instructions
   before? */
bool stores_loaded(const struct site *site, uint32_t loaded, uint32_t stored);

/* Is the instruction at pc in a loop? */
bool is_in_loop(const struct tf_tile *tile, uint32_t pc);

/* The same for the loop of a firmware, whose parts may lie far from each other: does the code lead from pc to pc? */
bool comes_back(const struct tf_tile *tile, uint32_t pc);

#endif
