/* SPDX-License-Identifier: Apache-2.0 */
/* What a checker has found, as another process has it (moved.h). */
#ifndef RACES_STATE_COPY_H
#define RACES_STATE_COPY_H

#include "tilefarm/tilefarm_chip.h"

struct tf_races;

/* A word and its last writer. */
struct written_word {
    uint64_t address;
    struct tf_race_side side;
    uint16_t node;
};

struct race_copy {
    bool copied; /* it is one; else it is about to be written */
    uint64_t forgotten;
    struct written_word *word;
    uint32_t words;
    char **text; /* constant strings of the other process, each once: reports compare their addresses */
    uint32_t texts;
};

/* Is the checker a copy? */
bool is_copy(const struct tf_races *races);

/* What a copy has: the last writer of a word, and tf_races_forgotten(). */
bool copied_last_write(const struct race_copy *copy, uint16_t node, uint64_t address, struct tf_race_side *side);
uint64_t copied_forgotten(const struct race_copy *copy);

/* The constant string of a text, as long as the copy. NULL: no memory. */
const char *copied_text(struct race_copy *copy, const char *text);

void copy_free(struct race_copy *copy);

#endif
