/* SPDX-License-Identifier: Apache-2.0 */
/* Races as text, with the names of their places. */
#ifndef DEBUG_RACED_H
#define DEBUG_RACED_H

#include "debug/symbols.h"
#include "tilefarm/tilefarm.h"

/* Of a side: "function+0x10 (file:line)" of its pc, of its caller and of what it had waited for; "" when nothing is
   known. */
struct tf_raced_side {
    char place[TF_PLACE_BYTES], caller[TF_PLACE_BYTES], waited[TF_PLACE_BYTES];
};

struct tf_raced {
    struct tf_raced_side side[2];
};

/* Name the sides of a race. symbols may be NULL. */
void tf_raced_name(const struct tf_arch *arch, struct tf_symbols *symbols, const struct tf_race *race,
                   struct tf_raced *names);

/* The length of the function's name in a place. */
int tf_raced_function_length(const char *place);

/* "what nothing orders", as the first line of a race has it. */
const char *tf_raced_kind(enum tf_race_kind kind);

/* "store, by (1,2) core B, cycle 173, pc 0x29c send+124 (send.c:12)" */
void tf_raced_side_text(const struct tf_arch *arch, const struct tf_race_side *side, const struct tf_raced_side *names,
                        char *text, size_t bytes);

/* "    which had last waited for a word of memory at 0x20000, ..."; false: for nothing. */
bool tf_raced_waited_text(const struct tf_race_side *side, const struct tf_raced_side *names, char *text, size_t bytes);

/* Give the lines of a race to a function. */
void tf_raced_say(const struct tf_arch *arch, const struct tf_race *race, const struct tf_raced *names,
                  void (*say)(void *user, const char *line), void *user);

#endif
