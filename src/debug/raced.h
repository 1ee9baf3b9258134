/* SPDX-License-Identifier: Apache-2.0 */
/* Races as text, with names of functions and source lines. */
#ifndef DEBUG_RACED_H
#define DEBUG_RACED_H

#include "debug/symbols.h"
#include "tilefarm/tilefarm_chip.h"

/* The names of one side of a race, as "function+0x10 (file:line)"; "": unknown. */
struct tf_raced_side {
    char place[TF_PLACE_BYTES];  /* of the access */
    char caller[TF_PLACE_BYTES]; /* of the call of its function */
    char waited[TF_PLACE_BYTES]; /* of the core's last wait before it */
};

/* The names of both sides. */
struct tf_raced {
    struct tf_raced_side side[2];
};

/* Fill in the names of a race. symbols may be NULL. */
void tf_raced_name(const struct tf_arch *arch, struct tf_symbols *symbols, const struct tf_race *race,
                   struct tf_raced *names);

/* The length of the function's name at the start of a place. */
int tf_raced_function_length(const char *place);

/* The kind of a race, as the first line of its report has it: "nothing orders". */
const char *tf_raced_kind(enum tf_race_kind kind);

/* Write the line of a side: "store, by tile 0 (1,2) core B, cycle 173, pc 0x29c send+124 (send.c:12)". */
void tf_raced_side_text(const struct tf_arch *arch, const struct tf_race_side *side, const struct tf_raced_side *names,
                        char *text, size_t bytes);

/* Write the line of a side's last wait: "    last waited for a word of memory at 0x20000, ...". Returns false if there
   is none. */
bool tf_raced_waited_text(const struct tf_arch *arch, const struct tf_race_side *side,
                          const struct tf_raced_side *names, char *text, size_t bytes);

/* Write the source line of a side: "send.c:12"; without lines, the function; without symbols, "pc 0x29c". Returns false
   if the side is missing, or no core's. */
bool tf_raced_line_text(const struct tf_race_side *side, const struct tf_raced_side *names, char *text, size_t bytes);

/* Write what is missing between these two accesses, with the calls of the device library that do it:
   "the load at take.c:21 follows no wait: ...". Returns false if there is nothing to add to the advice. */
bool tf_raced_here_text(const struct tf_race *race, const struct tf_raced *names, char *text, size_t bytes);

/* The name of a register that a race is about, after a blank and in brackets; else "". */
void tf_raced_register_text(const struct tf_arch *arch, const struct tf_race *race, char *text, size_t bytes);

/* Pass each line of a race's report to a function. */
void tf_raced_say(const struct tf_arch *arch, const struct tf_race *race, const struct tf_raced *names,
                  void (*say)(void *user, const char *line), void *user);

#endif
