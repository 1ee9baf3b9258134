/* SPDX-License-Identifier: Apache-2.0 */
/* Words and ranges of memory that the user asks about. */
#ifndef CLI_EXPLORE_ASKED_H
#define CLI_EXPLORE_ASKED_H

#include <stdbool.h>

struct tf_hunt;

/* Read [TILE:]ADDRESS, with =VALUE if it is expected, or TILE:ADDRESS:LENGTH[=HASH]. The tiles are those of
   hunt->request. Returns false after an error line. */
bool tf_hunt_take_word(struct tf_hunt *hunt, const char *option, const char *value, bool expected);
bool tf_hunt_take_range(struct tf_hunt *hunt, const char *option, const char *value);

#endif
