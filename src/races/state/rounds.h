/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RACES_STATE_ROUNDS_H
#define RACES_STATE_ROUNDS_H

#include "races/state/state.h"

/* Is the load at pc part of a loop that waits, and that keeps variables on the stack, calls functions, counts rounds in
   memory, or does other work between two looks? Compilers make such loops without optimization, and of limits of
   time. If it works, a branch must end it by the value, and by nothing else that changes from round to round. */
bool waits_and_works(const struct tf_tile *tile, uint32_t pc);

/* Is the call at pc part of a loop that ends by the result? */
bool waits_for_call(const struct tf_tile *tile, uint32_t pc);

/* Is the instruction at pc in a loop that ends by a value that it loads from these bytes of L1? x: the registers of the
   core, for the base of the load. It counts, too, if the base is not known. */
bool ends_by_load(const struct tf_tile *tile, uint32_t pc, const uint32_t *x, uint32_t address, uint32_t bytes);

#endif
