/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recorded states that no program makes. A table has the seed of the operands, an instruction, the hash of the state
 * that it left, and a text of what changed (rows.h). With TF_RECORD=FOLDER a test writes its table there instead of
 * comparing with the committed one. tests/record/states.sh does that for all tests.
 */
#ifndef TESTS_CONFORMANCE_TENSIX_RECORDED_H
#define TESTS_CONFORMANCE_TENSIX_RECORDED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/tensix/rows.h"
#include "tile/tensix/isa/isa.h"

/* A line of a table. The upper byte of the word is its opcode. */
struct vector {
    uint32_t seed, word;
    uint64_t hash;
    const char *changes; /* by rows_make() */
};

struct recorded {
    const char *folder, *name; /* of the committed table, FOLDER/NAME.inc */
    const struct vector *vectors;
    size_t count;
    const struct difference_part *parts; /* of the state */
    size_t part_count;
    /* while it is recorded: */
    FILE *out;
    uint64_t *fresh;
    size_t written;
    /* while it is compared: */
    size_t failures;
    enum rows_outcome outcome; /* of the failure that `words` describes */
    char words[DIFFERENCE_TEXT + 200];
};

/* RECORDED(fpu_vectors, lines, parts): the table fpu_vectors.inc, whose lines are in the array `lines`. */
#define RECORDED(name_, lines_, parts_)                                                                        \
    {                                                                                                          \
        .folder = TF_TABLES, .name = #name_, .vectors = (lines_), .count = sizeof(lines_) / sizeof(lines_)[0], \
        .parts = (parts_), .part_count = sizeof(parts_) / sizeof(parts_)[0]                                    \
    }

/* The committed table's comment begins the new one. */
static inline void recorded_begin(struct recorded *table, const char *folder)
{
    char path[4096], line[4096];
    snprintf(path, sizeof path, "%s/%s.inc", table->folder, table->name);
    FILE *committed = fopen(path, "r");
    snprintf(path, sizeof path, "%s/%s.inc", folder, table->name);
    table->out = fopen(path, "w");
    table->fresh = calloc(table->count, sizeof *table->fresh);
    if (committed == NULL || table->out == NULL || table->fresh == NULL) {
        perror(path);
        exit(1);
    }
    while (fgets(line, sizeof line, committed) != NULL && (strncmp(line, "/*", 2) == 0 || strncmp(line, " *", 2) == 0))
        fputs(line, table->out);
    fclose(committed);
}

/* A line of the table; a long text goes on in further lines. */
static inline void recorded_write(struct recorded *table, const struct vector *vector, uint64_t hash, const char *text)
{
    int column = fprintf(table->out, "{%u, 0x%08X, 0x%016llX, \"", vector->seed, vector->word,
                         (unsigned long long)hash);
    for (; *text != '\0'; text++, column++) {
        if (column >= 116)
            column = fprintf(table->out, "\"\n \"") - 2;
        fputc(*text, table->out);
    }
    fprintf(table->out, "\"},\n");
}

/* Is the state of case i, with this hash, as recorded? Recording takes the first state of a case as the right one. */
static inline bool as_recorded(struct recorded *table, size_t i, uint64_t hash, const void *before, const void *found)
{
    static struct rows rows;
    const char *folder = getenv("TF_RECORD");
    if (folder == NULL)
        return hash == table->vectors[i].hash;
    if (table->out == NULL)
        recorded_begin(table, folder);
    if (i > table->written)
        return false;
    if (i == table->written) {
        table->fresh[table->written++] = hash;
        rows_make(&rows, table->parts, table->part_count, i, before, found);
        recorded_write(table, &table->vectors[i], hash, rows.text);
    }
    if (table->written == table->count)
        fflush(table->out);
    return hash == table->fresh[i];
}

/*
 * Notes that case i is not as recorded, and where it differs first. `right` is a state with the recorded hash, or NULL:
 * then the text of the case is compared. `how` says how it was executed. recorded_end() reports.
 */
static inline void recorded_differs(struct recorded *table, size_t i, const void *before, const void *found,
                                    const void *right, const char *how)
{
    const struct vector *vector = &table->vectors[i];
    char words[DIFFERENCE_TEXT] = "no recorded row or check differs, but the hash does";
    enum rows_outcome outcome = ROWS_BIT;
    if (right != NULL)
        difference_of(table->parts, table->part_count, found, right, words);
    else
        outcome = rows_compare(vector->changes, table->parts, table->part_count, i, before, found, words);
    if (table->failures++ != 0 && outcome <= table->outcome)
        return;
    table->outcome = outcome;
    snprintf(table->words, sizeof table->words, "case %zu, seed %u, %s 0x%08x%s: %s", i, vector->seed,
             tf_tensix_ops[vector->word >> 24].mnemonic, vector->word, how, words);
}

/* Fails if a case was not as recorded. The message is of a case whose bit is known, if there is one. */
#define recorded_end(table)                                                                              \
    do {                                                                                                 \
        size_t failures = (table)->failures;                                                             \
        (table)->failures = 0;                                                                           \
        if (failures != 0)                                                                               \
            fail_msg("%zu times %s.inc has another state; %s", failures, (table)->name, (table)->words); \
    } while (0)

#endif
