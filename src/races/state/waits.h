/* SPDX-License-Identifier: Apache-2.0 */
/* The latest waits of cores and threads, for reports. */
#ifndef RACES_STATE_WAITS_H
#define RACES_STATE_WAITS_H

#include "races/state/state.h"

/* Record a wait at a time. what: a constant string. */
void note_wait(struct waits *waits, const char *what, uint32_t address, uint32_t pc, uint32_t time);

/* The last wait that began at or before a time; its `what` is NULL if there is none. */
struct wait last_wait(const struct waits *waits, uint32_t time);

/* How a report names the register that a core polls, such as "a mailbox". */
const char *register_waited(uint32_t address);

#endif
