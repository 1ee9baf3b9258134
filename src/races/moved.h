/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a checker has found goes to another process after the last run: it is written here, and read into the checker of
 * the same chip there. That one is a copy then, and learns nothing more.
 */
#ifndef RACES_MOVED_H
#define RACES_MOVED_H

#include <stdbool.h>
#include <stdint.h>

struct tf_races;
struct tf_saved;

/* Before that: name a word whose last writer the copy is to know. Returns false if the host has no memory. */
bool tf_races_note_word(struct tf_races *races, uint16_t node, uint64_t address);

/* Write or read what was found (host/saved.h). */
void tf_races_state(struct tf_saved *saved, struct tf_races *races);

#endif
