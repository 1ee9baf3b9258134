/* SPDX-License-Identifier: Apache-2.0 */
/* Races that were found, and their list. */
#ifndef RACES_FOUND_H
#define RACES_FOUND_H

#include "races/state/state.h"

struct tf_race;
struct tf_race_side;
struct tf_races;

/* Between epochs: has a race been found that involves the instruction of this request? */
bool is_in_race(const struct tf_races *races, const struct record *record);

/* Copy the first `most` races found so far, in a fixed order. Returns their whole number (tf_races(),
   tilefarm_chip.h). */
size_t tf_races_list(const struct tf_races *races, struct tf_race *race, size_t most);

/* Find the last writer of a word of L1 or DRAM. Returns false if it is not known. Changes no state. */
bool tf_races_last_write(const struct tf_races *races, uint16_t node, uint64_t address, struct tf_race_side *side);

#endif
