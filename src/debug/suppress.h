/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Races that a file accepts. A line has one pattern, for a function on either side of a race, or two patterns, for one
 * side each. A function is that of the access, or its caller; "-" stands for the side that a loose end lacks. A pattern
 * is that of a shell: *, ?, [a-z], [!a-z], and \ before a character that stands for itself. A # begins a comment.
 *
 * Thread: any; reading and matching change no common state.
 */
#ifndef DEBUG_SUPPRESS_H
#define DEBUG_SUPPRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "debug/raced.h"

struct tf_suppressions;

/* Read the text of a file. Returns NULL after writing the cause to *message. */
struct tf_suppressions *tf_suppressions_read(const char *text, size_t bytes, struct tf_message *message);

/* Does a line fit the sides of a race? `suppressions` may be NULL: none does. */
bool tf_suppressions_match(const struct tf_suppressions *suppressions, const struct tf_raced_side side[2]);

void tf_suppressions_free(struct tf_suppressions *suppressions);

/* Does a pattern fit all of a name? The time grows as the product of their lengths. */
bool tf_pattern_fits(const char *pattern, const char *name);

#endif
