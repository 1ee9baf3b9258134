/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recorded hashes of states that no program makes: operands from a seed, an instruction, and the hash of what it left.
 * With TF_RECORD=FOLDER a test writes its table there instead of comparing with the committed one.
 * tests/record/states.sh does that for all tests.
 */
#ifndef TESTS_CONFORMANCE_TENSIX_RECORDED_H
#define TESTS_CONFORMANCE_TENSIX_RECORDED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line of a table. The upper byte of the word is its opcode. */
struct vector {
    uint32_t seed, word;
    uint64_t hash;
};

struct recorded {
    const char *folder, *name; /* of the committed table, FOLDER/NAME.inc */
    const struct vector *vectors;
    size_t count;
    /* while it is recorded: */
    FILE *out;
    uint64_t *fresh;
    size_t written;
};

/* RECORDED(fpu_vectors, lines): the table fpu_vectors.inc, whose lines are in the array `lines`. */
#define RECORDED(name_, lines_)                                                                               \
    {                                                                                                         \
        .folder = TF_TABLES, .name = #name_, .vectors = (lines_), .count = sizeof(lines_) / sizeof(lines_)[0] \
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

/* Is the hash of case i as recorded? Recording takes the first hash of a case, and compares others with that. */
static inline bool as_recorded(struct recorded *table, size_t i, uint64_t hash)
{
    const char *folder = getenv("TF_RECORD");
    if (folder == NULL)
        return hash == table->vectors[i].hash;
    if (table->out == NULL)
        recorded_begin(table, folder);
    if (i > table->written)
        return false;
    if (i == table->written) {
        table->fresh[table->written++] = hash;
        fprintf(table->out, "{%u, 0x%08X, 0x%016llX},%s", table->vectors[i].seed, table->vectors[i].word,
                (unsigned long long)hash, table->written % 3 == 0 || table->written == table->count ? "\n" : " ");
    }
    if (table->written == table->count)
        fflush(table->out);
    return hash == table->fresh[i];
}

#endif
