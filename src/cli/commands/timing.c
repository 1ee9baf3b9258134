/* SPDX-License-Identifier: Apache-2.0 */
/* `tilefarm timing diff A B`: what changed between two runs in timing mode. Each has a report by run --json. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands/timing.h"
#include "cli/distinct.h"
#include "cli/file.h"
#include "cli/options/options.h"
#include "cli/text.h"
#include "host/printable.h"

enum { BEFORE, AFTER, RUNS };

struct options {
    const char *json;
    uint32_t most;
};

static const struct tf_option options[] = {
    {.name = "json",
     .argument = "FILE|-",
     .help = "write all changes as JSON",
     .kind = TF_OPTION_TEXT,
     .offset = offsetof(struct options, json)},
    {.name = "most",
     .argument = "N",
     .help = "print so many of the largest changes",
     .kind = TF_OPTION_U32,
     .offset = offsetof(struct options, most),
     .least = 0,
     .most = UINT32_MAX},
};

static const struct tf_usage usage = {
    .examples = "tilefarm run matmul --timing --json before.json\n"
                "tilefarm timing diff before.json after.json\n",
    .synopsis = "timing diff [options] A B",
    .text = "Compare the cycles of two runs. A and B are what 'tilefarm run --timing --json FILE' has written. Print\n"
            "how many cycles the runs took and what those of all cores were for, then the largest changes: of a core\n"
            "by what it waited for, of units, links of NIUs and DRAM channels by how long they were busy. If both\n"
            "runs had --critical-path, also the largest changes of the path by line: all of them add up to the\n"
            "change of the run. Tiles of a system are named as CHIP:TILE.\n"
            "docs/timing.md has the names.\n",
    .option = options,
    .options = sizeof options / sizeof options[0],
    .operands_least = 3,
    .operands_most = 3,
};

struct place {
    int chip; /* -1: the only one */
    int tile; /* -1: none */
};

static const struct place nowhere = {-1, -1};

/* A count of cycles in both runs. */
struct change {
    struct place at;
    char of[80], what[16]; /* a core, a unit, a link or a line; what its cycles were for */
    json_int_t cycles[RUNS];
};

struct changes {
    struct change *change;
    size_t count, room, next; /* next: where to look first */
    bool failed;              /* the host has no memory */
};

struct comparison {
    struct options options;
    const char *file[RUNS];
    json_t *report[RUNS];
    json_int_t cycles[RUNS];
    struct changes all, sums; /* sums: over all cores, by what */
    struct changes lines;     /* of the critical paths, if both reports have one */
    const json_t *path[RUNS]; /* these; NULL: it has none */
};

/* --- Counts --- */

static bool is_of(const struct change *change, struct place at, const char *of, const char *what)
{
    return change->at.chip == at.chip && change->at.tile == at.tile && strcmp(change->of, of) == 0 &&
           strcmp(change->what, what) == 0;
}

/* The change by its names; it is added if there is none. NULL: the host has no memory. Reports have one order, so it
   mostly comes after the last one. */
static struct change *find(struct changes *changes, struct place place, const char *of, const char *what)
{
    for (size_t i = 0; i < changes->count; i++) {
        const size_t at = (changes->next + i) % changes->count;
        if (is_of(&changes->change[at], place, of, what)) {
            changes->next = at + 1;
            return &changes->change[at];
        }
    }
    if (changes->count == changes->room) {
        const size_t room = changes->room != 0 ? 2 * changes->room : 256;
        struct change *more = realloc(changes->change, room * sizeof *more);
        changes->failed |= more == NULL;
        if (more == NULL)
            return NULL;
        changes->change = more;
        changes->room = room;
    }
    struct change *change = &changes->change[changes->count++];
    *change = (struct change){.at = place};
    snprintf(change->of, sizeof change->of, "%s", of);
    snprintf(change->what, sizeof change->what, "%s", what);
    return change;
}

/* A sum of a file's numbers is from 0 to the largest number, whatever they are. */
static void add(struct changes *changes, unsigned run, struct place at, const char *of, const char *what,
                const json_t *value)
{
    struct change *change = json_is_integer(value) ? find(changes, at, of, what) : NULL;
    if (change != NULL && json_integer_value(value) > 0 &&
        __builtin_add_overflow(change->cycles[run], json_integer_value(value), &change->cycles[run]))
        change->cycles[run] = INT64_MAX;
}

static void add_core(struct comparison *comparison, unsigned run, struct place at, const char *core, json_t *object)
{
    const char *what;
    json_t *value;
    json_object_foreach(object, what, value)
    {
        if (strcmp(what, "cycles") == 0 || strcmp(what, "ended") == 0 || strcmp(what, "uncertain") == 0)
            continue;
        add(&comparison->all, run, at, core, what, value);
        add(&comparison->sums, run, nowhere, "", what, value);
    }
}

/* The links from or to the NIUs of both NOCs. */
static void add_links(struct comparison *comparison, unsigned run, struct place at, const char *way, const json_t *list)
{
    for (size_t noc = 0; noc < json_array_size(list); noc++) {
        char of[40];
        snprintf(of, sizeof of, "NOC %zu %s", noc, way);
        add(&comparison->all, run, at, of, "busy", json_array_get(list, noc));
    }
}

static void add_tile(struct comparison *comparison, unsigned run, int chip, json_t *object)
{
    const struct place at = {chip, (int)json_integer_value(json_object_get(object, "index"))};
    const char *name;
    json_t *value;
    json_object_foreach(json_object_get(object, "cores"), name, value) add_core(comparison, run, at, name, value);
    json_object_foreach(json_object_get(object, "units"), name, value)
        add(&comparison->all, run, at, name, "busy", value);
    add_links(comparison, run, at, "out", json_object_get(object, "noc_out"));
    add_links(comparison, run, at, "in", json_object_get(object, "noc_in"));
}

/* A part of the critical path, by its line. */
static void add_part(struct comparison *comparison, unsigned run, const json_t *part)
{
    const char *line = json_string_value(json_object_get(part, "line"));
    const char *kind = json_string_value(json_object_get(part, "kind"));
    if (line != NULL && kind != NULL)
        add(&comparison->lines, run, nowhere, line, kind, json_object_get(part, "cycles"));
}

/* The counts of a chip. */
static void add_chip(struct comparison *comparison, unsigned run, int chip, const json_t *timing)
{
    size_t i;
    json_t *value;
    json_array_foreach(json_object_get(timing, "tiles"), i, value) add_tile(comparison, run, chip, value);
    json_array_foreach(json_object_get(timing, "dram"), i, value)
    {
        char of[40];
        snprintf(of, sizeof of, "DRAM %zu", i);
        add(&comparison->all, run, (struct place){chip, -1}, of, "busy", value);
    }
}

/* --- Reports --- */

/* A report of a system has a list of chips. Returns whether it is of timing mode. */
static bool add_report(struct comparison *comparison, unsigned run)
{
    const json_t *report = comparison->report[run], *chips = json_object_get(report, "chips");
    const json_t *timing = json_object_get(report, "timing");
    size_t i;
    json_t *chip;
    bool timed = json_is_object(timing) || json_array_size(chips) != 0;
    if (json_is_object(timing))
        add_chip(comparison, run, -1, timing);
    json_array_foreach(chips, i, chip)
    {
        timed &= json_is_object(json_object_get(chip, "timing"));
        add_chip(comparison, run, (int)i, json_object_get(chip, "timing"));
    }
    comparison->path[run] = json_object_get(json_array_size(chips) != 0 ? report : timing, "critical_path");
    return timed;
}

/* Read one report. Returns false after an error line. */
static bool read_report(struct comparison *comparison, unsigned run)
{
    json_error_t error;
    const char *path = comparison->file[run];
    json_t *report = comparison->report[run] = json_load_file(path, 0, &error);
    if (report == NULL) {
        const bool opened = json_error_code(&error) != json_error_cannot_open_file; /* that text has the path again */
        tf_cli_error("%s: %s", path, opened ? error.text : strerror(errno));
        return false;
    }
    const json_t *cycles = json_object_get(report, "cycles");
    if (!json_is_integer(cycles) || !add_report(comparison, run)) {
        tf_cli_error("%s: it has no cycles of timing mode; 'tilefarm run --timing --json FILE' writes them", path);
        return false;
    }
    comparison->cycles[run] = json_integer_value(cycles) > 0 ? json_integer_value(cycles) : 0;
    return true;
}

static void read_paths(struct comparison *comparison)
{
    size_t i;
    json_t *part;
    for (unsigned run = 0; run < RUNS && json_is_array(comparison->path[BEFORE]); run++)
        if (json_is_array(comparison->path[AFTER]))
            json_array_foreach(comparison->path[run], i, part) add_part(comparison, run, part);
}

/* Cycles of different families do not compare. */
static bool check_families(const struct comparison *comparison)
{
    const json_t *first = json_object_get(comparison->report[BEFORE], "arch");
    const json_t *second = json_object_get(comparison->report[AFTER], "arch");
    if (json_equal(first, second))
        return true;
    tf_cli_error("the runs are of different families: their cycles do not compare");
    return false;
}

/* --- Output --- */

static json_int_t difference(const struct change *change)
{
    return change->cycles[AFTER] - change->cycles[BEFORE];
}

/* The largest changes first; equal ones in the order of the reports, by their names. */
static int by_size(const void *a, const void *b)
{
    const struct change *x = a, *y = b;
    const json_int_t first = llabs(difference(x)), second = llabs(difference(y));
    if (first != second)
        return first < second ? 1 : -1;
    if (x->at.chip != y->at.chip)
        return x->at.chip < y->at.chip ? -1 : 1;
    if (x->at.tile != y->at.tile)
        return x->at.tile < y->at.tile ? -1 : 1;
    const int order = strcmp(x->of, y->of);
    return order != 0 ? order : strcmp(x->what, y->what);
}

static void print_cycles(const json_int_t cycles[RUNS])
{
    const json_int_t more = cycles[AFTER] - cycles[BEFORE];
    printf("%14" JSON_INTEGER_FORMAT " %14" JSON_INTEGER_FORMAT " %+14" JSON_INTEGER_FORMAT, cycles[BEFORE],
           cycles[AFTER], more);
    if (cycles[BEFORE] != 0)
        printf("  %+6.1f %%", 100 * (double)more / (double)cycles[BEFORE]);
    printf("\n");
}

#define SHOWN_BYTES (TF_PRINTABLE_GROWTH * sizeof((struct change *)0)->of + 1)

/* A name of a file, without control characters. */
static const char *shown(const char *name, char *text)
{
    tf_printable(name, strlen(name), text, SHOWN_BYTES);
    return text;
}

/* By lines of the critical paths. Without --most their changes would add up to that of the run. */
static void print_lines(const struct comparison *comparison)
{
    char text[2][SHOWN_BYTES];
    if (comparison->lines.count == 0)
        return;
    if (difference(&comparison->lines.change[0]) == 0) {
        printf("the critical path is the same\n");
        return;
    }
    printf("\n%-40s %-8s\n", "line of the critical path", "what");
    for (size_t i = 0; i < comparison->lines.count && i < comparison->options.most; i++) {
        const struct change *change = &comparison->lines.change[i];
        if (difference(change) == 0)
            break;
        printf("%-40s %-8s ", shown(change->of, text[0]), shown(change->what, text[1]));
        print_cycles(change->cycles);
    }
}

/* A tile, of a system as CHIP:TILE. */
static void print_place(struct place at)
{
    char tile[16] = "-", text[32];
    if (at.tile >= 0)
        snprintf(tile, sizeof tile, "%d", at.tile);
    if (at.chip >= 0)
        snprintf(text, sizeof text, "%d:%s", at.chip, tile);
    printf("%7s ", at.chip >= 0 ? text : tile);
}

static void print_changes(const struct comparison *comparison)
{
    char text[2][SHOWN_BYTES];
    printf("%-24s %14s %14s %14s\n", "cycles", "A", "B", "change");
    printf("%-24s ", "the run");
    print_cycles(comparison->cycles);
    for (size_t i = 0; i < comparison->sums.count; i++) {
        const struct change *sum = &comparison->sums.change[i];
        if (sum->cycles[BEFORE] == 0 && sum->cycles[AFTER] == 0)
            continue;
        printf("all cores, %-13s ", shown(sum->what, text[0]));
        print_cycles(sum->cycles);
    }
    putchar('\n');
    if (comparison->all.count == 0 || difference(&comparison->all.change[0]) == 0) {
        printf("nothing changed\n");
        return;
    }
    printf("%7s %-10s %-7s\n", "tile", "of", "what");
    for (size_t i = 0; i < comparison->all.count && i < comparison->options.most; i++) {
        const struct change *change = &comparison->all.change[i];
        if (difference(change) == 0)
            break;
        print_place(change->at);
        printf("%-10s %-7s ", shown(change->of, text[0]), shown(change->what, text[1]));
        print_cycles(change->cycles);
    }
}

static json_t *lines_array(const struct changes *changes)
{
    json_t *array = json_array();
    for (size_t i = 0; i < changes->count; i++) {
        const struct change *change = &changes->change[i];
        if (difference(change) != 0)
            json_array_append_new(array, json_pack("{s:s, s:s, s:I, s:I}", "line", change->of, "what", change->what,
                                                   "a", change->cycles[BEFORE], "b", change->cycles[AFTER]));
    }
    return array;
}

static json_t *changes_array(const struct changes *changes, bool of_tiles)
{
    json_t *array = json_array();
    for (size_t i = 0; i < changes->count; i++) {
        const struct change *change = &changes->change[i];
        if (of_tiles && difference(change) == 0)
            continue;
        json_t *object = json_pack("{s:s, s:I, s:I}", "what", change->what, "a", change->cycles[BEFORE], "b",
                                   change->cycles[AFTER]);
        if (of_tiles) {
            if (change->at.chip >= 0)
                json_object_set_new(object, "chip", json_integer(change->at.chip));
            json_object_set_new(object, "tile", change->at.tile < 0 ? json_null() : json_integer(change->at.tile));
            json_object_set_new(object, "of", json_string(change->of));
        }
        json_array_append_new(array, object);
    }
    return array;
}

/* Returns false after an error line. */
static bool write_json(const struct comparison *comparison)
{
    struct tf_output output;
    if (!tf_output_open(&output, comparison->options.json))
        return false;
    json_t *object = json_pack("{s:i, s:I, s:I, s:o, s:o}", "schema", 1, "a", comparison->cycles[BEFORE], "b",
                               comparison->cycles[AFTER], "cores", changes_array(&comparison->sums, false), "changes",
                               changes_array(&comparison->all, true));
    if (object != NULL && comparison->lines.count != 0)
        json_object_set_new(object, "lines", lines_array(&comparison->lines));
    const bool written = object != NULL && json_dumpf(object, output.file, JSON_INDENT(2)) == 0 &&
                         fputc('\n', output.file) != EOF;
    json_decref(object);
    if (written)
        return tf_output_commit(&output);
    tf_cli_error("timing: the JSON cannot be written");
    tf_output_discard(&output);
    return false;
}

static bool is_distinct(const struct comparison *comparison)
{
    struct tf_distinct files = {.count = 0};
    for (unsigned run = 0; run < RUNS; run++)
        tf_distinct_input(&files, "diff", comparison->file[run]);
    tf_distinct_output(&files, "--json", comparison->options.json);
    return tf_distinct_end(&files);
}

static int compare(struct comparison *comparison)
{
    if (!is_distinct(comparison) || !read_report(comparison, BEFORE) || !read_report(comparison, AFTER) ||
        !check_families(comparison))
        return TF_EXIT_USAGE;
    read_paths(comparison);
    if (comparison->all.failed || comparison->sums.failed || comparison->lines.failed) {
        tf_cli_error("the host has no memory for the reports");
        return TF_EXIT_FAILED;
    }
    if (comparison->all.count != 0)
        qsort(comparison->all.change, comparison->all.count, sizeof *comparison->all.change, by_size);
    if (comparison->lines.count != 0)
        qsort(comparison->lines.change, comparison->lines.count, sizeof *comparison->lines.change, by_size);
    if (comparison->options.json == NULL || strcmp(comparison->options.json, "-") != 0) {
        print_changes(comparison);
        print_lines(comparison);
    }
    if (comparison->options.json != NULL && !write_json(comparison))
        return TF_EXIT_FAILED;
    return tf_cli_finish(TF_EXIT_OK);
}

int tf_cli_timing(int argc, char **argv)
{
    struct comparison comparison = {.options.most = 20};
    int first, code = tf_cli_options(argc, argv, &usage, &comparison.options, &first);
    if (code >= 0)
        return code;
    if (strcmp(argv[first], "diff") != 0) {
        tf_cli_error("timing: there is no '%s'; it is 'timing diff A B'", argv[first]);
        return TF_EXIT_USAGE;
    }
    comparison.file[BEFORE] = argv[first + 1];
    comparison.file[AFTER] = argv[first + 2];
    code = compare(&comparison);
    for (unsigned run = 0; run < RUNS; run++)
        json_decref(comparison.report[run]);
    free(comparison.all.change);
    free(comparison.sums.change);
    free(comparison.lines.change);
    return code;
}
