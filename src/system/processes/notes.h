/* SPDX-License-Identifier: Apache-2.0 */
/* What callbacks of chips would have said in a run over ranks: rank 0 says it when the run has ended, in the order in
   which one process says it. */
#ifndef SYSTEM_PROCESSES_NOTES_H
#define SYSTEM_PROCESSES_NOTES_H

#include "system/processes/letters.h"
#include "tilefarm/tilefarm_events.h"

struct tf_note {
    uint64_t window;
    uint64_t number; /* of the notes of a rank */
    uint32_t chip;
    bool prints;
    struct tf_fault fault;       /* unless it prints */
    struct tf_print_event print; /* else; the text is the note's own */
    char *text;
};

struct tf_notes {
    struct tf_note *note;
    size_t count, room;
    bool lost; /* the host had no memory for some */
};

void tf_notes_fault(struct tf_notes *notes, uint64_t window, unsigned chip, const struct tf_fault *fault);
void tf_notes_print(struct tf_notes *notes, uint64_t window, unsigned chip, const struct tf_print_event *event);

/* Write all notes, or read those of another rank and append them. */
void tf_notes_write(const struct tf_notes *notes, struct tf_saved *letter);
void tf_notes_read(struct tf_notes *notes, struct tf_saved *letter);

/* By window, by chip, and in the order in which they were made. */
void tf_notes_sort(struct tf_notes *notes);

void tf_notes_clear(struct tf_notes *notes);

#endif
