/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses to memory. */
#ifndef RACES_STATE_WORDS_H
#define RACES_STATE_WORDS_H

#include "races/state/state.h"

/* Record an access to a range of the site's memory, and report races with earlier accesses. */
void touch(struct site *site, const struct who *who, uint64_t address, uint64_t bytes);

/* Does the accessor know of an actor's action at a time? */
bool who_knows(const struct who *who, uint32_t actor, uint32_t time);

/* Is an earlier access ordered before this one? */
bool is_ordered(const struct site *site, const struct who *who, tf_trace trace);

/* Record a read of these bytes in a cell. A word that synchronizes keeps its first read since the last write. A polling
   loop reads it many times, and the next write must find the actors that have seen the value. */
void note_read(const struct site *site, const struct who *who, struct tf_cell *cell, bool synchronizes, unsigned bytes);

#endif
