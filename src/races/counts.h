/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words that count up, by atomics or by stores of one core. A core that waits for a value knows that so many increments
 * have happened, but not which ones. If the wait ends by a value that the word has before the last increments, their
 * order decides which of them the core awaits. Then it knows only what each of these orders lets it know.
 */
#ifndef RACES_COUNTS_H
#define RACES_COUNTS_H

#include "races/state/state.h"

struct count;

/* An increment of a word, which has the value `before`: by an atomic, or `stored` as a value. release: what its actor
   knows; its first stamp is of the core that has made it or asked for it. */
void count_adds(struct sync *sync, uint32_t before, uint32_t by, bool stored, const struct tf_release *release);

/* Something else changes the word. NULL is allowed. */
void count_forget(struct sync *sync);

/* A core loads the word. Does it end a wait by a value that fewer increments give? Then add to `view` what it knows all
   the same. known: what it knew before. */
bool count_is_short(const struct site *site, const struct sync *sync, unsigned core, uint32_t pc,
                    const struct tf_view *known, struct tf_view *view);

#endif
