/* SPDX-License-Identifier: Apache-2.0 */
/* Races that were found, and their list. */
#ifndef RACES_FOUND_H
#define RACES_FOUND_H

#include "races/state/state.h"

/* Between epochs: has a race been found that involves the instruction of this request? */
bool is_in_race(const struct tf_races *races, const struct record *record);

#endif
