/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Record the tables of tests/conformance again, on any library with the libttsim interface:
 *
 *   record LIBRARY FOLDER [TABLE...]    write FOLDER/TABLE.inc for each table, or for those named
 *   record LIBRARY FOLDER new-units     the table of units for other cases than the committed ones
 *
 * The inputs and the comment of a table are those of the committed one; its results are those of the library.
 */
#include "record/record.h"

#include <string.h>

#include "conformance/abi/driver.h"
#include "record/findings_text.h"
#include "record/peer.h"

#define NEW_UNITS "new-units" /* only when it is named */

static const struct table {
    const char *name, *committed;
    record_table *record;
} tables[] = {
#define TABLE(name, committed, record) {name, committed, record},
    PEER_TABLES(TABLE)
#undef TABLE
        {NEW_UNITS, PEER_UNITS, record_new_units},
};

#define TABLES (sizeof tables / sizeof tables[0])
#define DRIVER_TABLE_BYTES (1u << 20)

static void tell(void *user, const char *step, uint64_t value, const struct findings *findings)
{
    FILE *out = user;
    fprintf(out, "STEP(\"%s\", 0x%016llXull", step, (unsigned long long)value);
    print_findings(out, findings);
    fprintf(out, ")\n");
}

static bool run_driver(const struct api *api, const void *job, void *result)
{
    FILE *out = fmemopen(result, DRIVER_TABLE_BYTES, "w");
    struct api own = *api;
    (void)job;
    if (out == NULL)
        return false;
    own.exit(); /* the driver starts the chip itself */
    drive(&own, tell, out);
    return fclose(out) == 0;
}

bool record_driver(const char *library, FILE *out)
{
    static char text[DRIVER_TABLE_BYTES];
    if (!peer_call(library, run_driver, NULL, text, sizeof text))
        return false;
    fputs(text, out);
    return true;
}

/* The lines of the committed table that are comments. */
static bool copy_comment(const char *committed, FILE *out)
{
    char path[4096], line[4096];
    snprintf(path, sizeof path, "%s/%s", TF_CONFORMANCE, committed);
    FILE *in = fopen(path, "r");
    if (in == NULL) {
        perror(path);
        return false;
    }
    while (fgets(line, sizeof line, in) != NULL && (strncmp(line, "/*", 2) == 0 || strncmp(line, " *", 2) == 0))
        fputs(line, out);
    fclose(in);
    return true;
}

static bool record(const struct table *table, const char *library, const char *folder)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.inc", folder, table->name);
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        perror(path);
        return false;
    }
    bool done = copy_comment(table->committed, out) && table->record(library, out);
    if (fclose(out) != 0)
        done = false;
    fprintf(stderr, "%s: %s\n", path, done ? "recorded" : "the library refused, or the file cannot be written");
    return done;
}

static bool wanted(const char *name, char **names, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return count == 0 && strcmp(name, NEW_UNITS) != 0;
}

int main(int argc, char **argv)
{
    unsigned done = 0, asked = 0;
    for (unsigned i = 0; i < TABLES && argc >= 3; i++) {
        if (!wanted(tables[i].name, argv + 3, argc - 3))
            continue;
        asked++;
        done += record(&tables[i], argv[1], argv[2]);
    }
    if (asked == 0) {
        fprintf(stderr, "usage: record LIBRARY FOLDER [TABLE...]\ntables:");
        for (unsigned i = 0; i < TABLES; i++)
            fprintf(stderr, " %s", tables[i].name);
        fprintf(stderr, "\n");
        return 2;
    }
    return done == asked ? 0 : 1;
}
