/* SPDX-License-Identifier: Apache-2.0 */
/* Which values of a word end a loop that waits for it, and whether such a loop follows a load. */
#ifndef RACES_STATE_EXITS_H
#define RACES_STATE_EXITS_H

#include "races/state/state.h"

enum wait_end {
    WAIT_GOES_ON, /* the loop loads the word again */
    WAIT_ENDS,
    WAIT_UNSURE, /* something else decides, or the loop is not understood */
};

/* A core is about to load the word of L1 at an address by the instruction at pc, in a loop that waits for it. Does the
   loop end if it loads `value`? Its registers and its local RAM are as they are now. */
enum wait_end wait_ends(const struct tf_tile *tile, unsigned core, uint32_t pc, uint32_t address, uint32_t value);

/* The loop has ended by that value. May the core use the value, or what it has made from it, later on? */
bool value_is_used(const struct tf_tile *tile, unsigned core, uint32_t pc, uint32_t address, uint32_t value);

/* polls_word(), or does such a loop follow the load at pc, which a core is about to execute, as its registers and its
   stack are now? */
bool polls(const struct tf_tile *tile, unsigned core, uint32_t pc, uint32_t address);

#endif
