/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that wait: they load the same word again and again, store nothing, and end when it has a value. */
#ifndef RACES_STATE_SPIN_H
#define RACES_STATE_SPIN_H

#include "races/state/state.h"

/* Is the load at pc part of a loop that polls the word? */
bool spins(const struct tf_tile *tile, uint32_t pc);

/* The same, or does the loaded value decide whether such a loop for the word at `address` follows? A core may look once
   before it waits. */
bool polls_word(const struct tf_tile *tile, uint32_t pc, uint32_t address);

/* Is the load at pc part of a loop that ends when the value is not 0? Or does the core wait for another word if the
   value is 0? The load of the word at `address` may be in a function that returns with the value. */
bool awaits_some(const struct tf_tile *tile, unsigned core, uint32_t pc, uint32_t address);

/* Is a core's load at pc part of such a loop with a fence in each round, so that no round sees lines of an earlier one?
   */
bool spins_anew(const struct tf_tile *tile, unsigned core, uint32_t pc);

/* Does a loop that polls the word follow the access at pc? */
bool waits_later(const struct tf_tile *tile, uint32_t pc);

#endif
