/* SPDX-License-Identifier: Apache-2.0 */
#include "system/processes/notes.h"

#include <stdlib.h>
#include <string.h>

#define TEXT_MOST (1u << 30)

/* A new note. NULL: no memory. */
static struct tf_note *add(struct tf_notes *notes, uint64_t window, unsigned chip)
{
    if (notes->count == notes->room) {
        const size_t room = notes->room != 0 ? 2 * notes->room : 16;
        struct tf_note *more = reallocarray(notes->note, room, sizeof *more);
        if (more == NULL) {
            notes->lost = true;
            return NULL;
        }
        notes->note = more;
        notes->room = room;
    }
    struct tf_note *note = &notes->note[notes->count];
    *note = (struct tf_note){.window = window, .number = notes->count++, .chip = chip};
    return note;
}

/* Give a note a text of so many bytes. Returns false without memory; then the note is gone. */
static bool add_text(struct tf_notes *notes, struct tf_note *note, size_t bytes)
{
    note->text = calloc(1, bytes + 1);
    note->print.text = note->text;
    note->print.bytes = bytes;
    if (note->text != NULL)
        return true;
    notes->lost = true;
    notes->count--;
    return false;
}

void tf_notes_fault(struct tf_notes *notes, uint64_t window, unsigned chip, const struct tf_fault *fault)
{
    struct tf_note *note = add(notes, window, chip);
    if (note != NULL)
        note->fault = *fault;
}

void tf_notes_print(struct tf_notes *notes, uint64_t window, unsigned chip, const struct tf_print_event *event)
{
    struct tf_note *note = add(notes, window, chip);
    if (note == NULL)
        return;
    note->prints = true;
    note->print = *event;
    if (add_text(notes, note, event->bytes))
        memcpy(note->text, event->text, event->bytes);
}

void tf_notes_write(const struct tf_notes *notes, struct tf_saved *letter)
{
    tf_saved_number(letter, notes->count);
    for (size_t i = 0; i < notes->count; i++) {
        struct tf_note note = notes->note[i];
        const size_t bytes = note.prints ? note.print.bytes : 0;
        note.text = NULL;
        note.print.text = NULL;
        TF_SAVED(letter, note);
        if (bytes != 0)
            tf_saved_bytes(letter, notes->note[i].text, bytes);
    }
    tf_saved_number(letter, notes->lost);
}

void tf_notes_read(struct tf_notes *notes, struct tf_saved *letter)
{
    const uint64_t count = tf_saved_number(letter, 0);
    for (uint64_t i = 0; i < count && letter->why == NULL; i++) {
        struct tf_note read = {.window = 0};
        TF_SAVED(letter, read);
        tf_saved_demand(letter, read.print.bytes <= TEXT_MOST, "a text is too long");
        struct tf_note *note = letter->why == NULL ? add(notes, read.window, read.chip) : NULL;
        if (note == NULL)
            continue;
        read.number = note->number;
        *note = read;
        if (read.prints && add_text(notes, note, read.print.bytes) && read.print.bytes != 0)
            tf_saved_bytes(letter, note->text, note->print.bytes);
    }
    notes->lost |= tf_saved_number(letter, 0) != 0;
}

static int compare(const void *a, const void *b)
{
    const struct tf_note *left = a, *right = b;
    if (left->window != right->window)
        return left->window < right->window ? -1 : 1;
    if (left->chip != right->chip)
        return left->chip < right->chip ? -1 : 1;
    return left->number < right->number ? -1 : left->number > right->number;
}

void tf_notes_sort(struct tf_notes *notes)
{
    if (notes->count != 0)
        qsort(notes->note, notes->count, sizeof *notes->note, compare);
}

void tf_notes_clear(struct tf_notes *notes)
{
    for (size_t i = 0; i < notes->count; i++)
        free(notes->note[i].text);
    free(notes->note);
    *notes = (struct tf_notes){.note = NULL};
}
