/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a step finds: the words that it hashes, and the reads that they came from. A recorded table has the words of a
 * step as a text of numbers in hexadecimal:
 *
 *   W            a word
 *   <BACK:COUNT  words that are already there, from so many words back
 *   +BY:COUNT    each word is BY more than the one before it
 *   =STATE:COUNT words of fill(), whose generator begins in this state
 *
 * A finding whose bytes are no multiple of 4 ends with zeros.
 */
#ifndef FINDINGS_H
#define FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum finding_space { FINDING_CONFIGURATION, FINDING_PCI, FINDING_TILE };

/* A read through the interface. A tile is known where aim() or the like of it has set the window. */
struct finding_read {
    enum finding_space space;
    unsigned x, y;
    uint64_t address;
    uint32_t bytes;
};

struct finding {
    size_t word, read; /* the first word, and the number of reads before it was hashed */
    uint32_t bytes;
};

/* A call of fill(). */
struct finding_fill {
    uint32_t seed;
    size_t bytes;
};

struct findings {
    uint32_t *word;
    size_t words;
    struct finding *finding;
    size_t count;
    struct finding_read *read;
    size_t reads;
    struct finding_fill *fill; /* each seed once */
    size_t fills;
};

#define FINDINGS_TEXT 400u /* bytes of a message, at least */

void findings_free(struct findings *findings);
void findings_add(struct findings *findings, const void *data, uint32_t bytes);
void findings_add_read(struct findings *findings, const struct finding_read *read);

void findings_add_fill(struct findings *findings, uint32_t seed, size_t bytes);

/* The words of lines up to NULL. False: they are no such text. The caller frees the words. */
bool findings_decode(const char *const *lines, uint32_t **word, size_t *words);

/* The first word that is not as in the text: its place, and the first bit. False: there is none. */
bool findings_differ(const struct findings *findings, const char *const *lines, char message[FINDINGS_TEXT]);

/* The generator of fill(): where it begins, its next byte, and its next word. */
uint32_t findings_seed(uint32_t seed);
uint8_t findings_byte(uint32_t *state);
uint32_t findings_word(uint32_t *state);

#endif
