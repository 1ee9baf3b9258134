/* SPDX-License-Identifier: Apache-2.0 */
/* Where a source file has mutants. */
#ifndef TESTS_MUTATE_PLACES_H
#define TESTS_MUTATE_PLACES_H

#include <stdbool.h>
#include <stddef.h>

enum place_kind { PLACE_PART, PLACE_STATEMENT };

/* Some text becomes other text. old, new: their names in a list. */
struct place {
    const char *file;
    size_t offset, bytes;
    unsigned line, number;
    enum place_kind kind;
    char old[32], new[40], text[64];
};

/* Read a file. Prints why it cannot, and returns NULL then. The caller frees the text. */
char *read_file(const char *path);

/* Find text that is no code: 1 for comments, strings and assertions, 2 for directives. One byte for each of the text,
   which the caller frees. */
unsigned char *find_inert(const char *text);

bool is_of_word(char c);

/* Find the places of a file, in the order of its text. The list is valid until the program ends. Returns false after a
   message. */
bool find_places(const char *file);

extern struct place places[];
extern size_t place_count;

#endif
