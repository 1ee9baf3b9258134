/* SPDX-License-Identifier: Apache-2.0 */
/* The source lines that take part in races. */
#ifndef DEBUG_RACE_LINES_H
#define DEBUG_RACE_LINES_H

#include "debug/raced.h"

struct tf_race_line {
    char place[TF_PLACE_BYTES]; /* "send.c:12"; without lines, the function or the address */
    size_t races;               /* in which the line is one side, or both */
    uint64_t times;             /* that these were seen, summed */
    size_t *race;               /* their indices */
};

/* Find the lines of races: those of most races first, and equal ones by name. Returns their number; *lines, which the
   caller frees with tf_race_lines_free(). If the host has no memory, some are missing. symbols may be NULL. */
size_t tf_race_lines(const struct tf_arch *arch, struct tf_symbols *symbols, const struct tf_race *races, size_t count,
                     struct tf_race_line **lines);
void tf_race_lines_free(struct tf_race_line *lines, size_t count);

#endif
