/* SPDX-License-Identifier: Apache-2.0 */
/* What programs of a system's chips print on several ranks, brought into the order of one process. */
#ifndef CLI_COMMANDS_SYSTEMS_TEXTS_H
#define CLI_COMMANDS_SYSTEMS_TEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct tf_system;

/* What a chip has printed in a window. Behind all windows: lines without an end. */
#define TF_TEXT_LAST UINT64_MAX
struct tf_rank_text {
    uint64_t window, chip;
    uint64_t from, bytes; /* place among the bytes */
};

struct tf_texts {
    FILE *stream; /* for the texts of this rank; NULL: there are none, or no memory */
    char *bytes;
    size_t length, taken;
    struct tf_rank_text *text;
    size_t texts, room;
    bool lost; /* the host has no memory for some */
};

void tf_texts_begin(struct tf_texts *texts);

/* A chip may have printed to the stream in a window. */
void tf_texts_take(struct tf_texts *texts, uint64_t window, unsigned chip);

/* Let rank 0 have the texts of all ranks. Returns false if a rank has failed. */
bool tf_texts_collect(struct tf_texts *texts, struct tf_system *system, unsigned rank, unsigned ranks);

/* Print those with windows, or the last ones. */
void tf_texts_print(struct tf_texts *texts, bool last, FILE *file);

void tf_texts_end(struct tf_texts *texts);

#endif
