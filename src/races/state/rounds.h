/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RACES_STATE_ROUNDS_H
#define RACES_STATE_ROUNDS_H

#include "races/state/state.h"

/* Is the load at pc part of a loop that waits, and that keeps variables on the stack, calls small functions, or counts
   its rounds in memory? Compilers make such loops without optimization, and of limits of time. */
bool waits_in_frame(const struct tf_tile *tile, uint32_t pc);

#endif
