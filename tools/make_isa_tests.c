/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The build runs this program. It reads the sources of the tests, and lists the Tensix instructions that each test
 * executes.
 *
 *   make_isa_tests FAMILY FILE...
 *
 * Output: a line {"FAMILY", opcode, "test"}, for each instruction and test, in the order of opcodes.
 *
 * These rules find the instructions that a test executes:
 * - It names them outside of comments and strings, as NAME, TF_OP_NAME or TT_OP_NAME.
 * - It uses a list: TF_FPU_OPS, TF_FPU_DROPPED or sfpu.def. Then it executes all instructions of the list.
 * - Its recorded vectors have them: as words in WORDS(...) and STEPS(...), or in rows that begin with an opcode.
 * - A test of vectors makes operands for them: opcodes << 24.
 * - A device program names a function or macro of kernels/include that has them.
 * - A test that includes logged.h tests the frontend: it executes instructions of the sync unit and the frontend alone.
 * - A test that sets up no coprocessor executes none.
 *
 * Names of tests: tests/unit/tensix/test_gate.c is tensix_gate, and kernels/fifo.c is golden_fifo. For families other
 * than Blackhole, kernels/fifo.c is golden_FAMILY_fifo. Files of tests/record are record_tables_FAMILY, but tests there
 * have the names of their files. So have all other tests.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/dispatch.h"
#include "host/vectors.h"
#include "tile/hash.h"
#include "tile/tensix/data/lreg.h"
#include "tile/tensix/vector/set.h"

#define FILE_BYTES_MAX (4u << 20)
#define FILES_MAX 256
#define DEFINITIONS_MAX 1024

struct source {
    char test[80];
    bool has[256];
};

/* A function, macro or table of a header for kernels. */
struct definition {
    char name[64];
    bool has[256];
};

/* The sources that were read, and the instructions in them. */
struct tables {
    const char *family;
    bool blackhole;
    struct source source[FILES_MAX];
    struct definition definition[DEFINITIONS_MAX], before[DEFINITIONS_MAX]; /* before: at the start of a pass */
    unsigned sources, definitions;
    char text[FILE_BYTES_MAX];
};

static bool read_file(struct tables *all, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return false;
    }
    size_t bytes = fread(all->text, 1, sizeof all->text - 1, file);
    bool whole = feof(file) && !ferror(file);
    fclose(file);
    all->text[bytes] = '\0';
    if (!whole)
        fprintf(stderr, "%s: it cannot be read, or it is too long\n", path);
    return whole;
}

static bool ends(const char *name, size_t length, const char *end)
{
    size_t bytes = strlen(end);
    return length > bytes && memcmp(name + length - bytes, end, bytes) == 0;
}

static void name_family_test(const char *family, const char *path, const char *base, char *name, size_t bytes)
{
    int length = (int)strcspn(base, ".");
    if (strstr(path, "/tests/record/") != NULL && strstr(path, "/tests/record/test_") == NULL)
        snprintf(name, bytes, "record_tables_%s", family);
    else if (strstr(path, "/kernels/") != NULL)
        snprintf(name, bytes, "golden_%s_%.*s", family, length, base);
    else
        snprintf(name, bytes, "%.*s", length, base);
}

/* Find the name of the test that a file belongs to, by the rules at the top. */
static void name_test(const struct tables *all, const char *path, char *name, size_t bytes)
{
    const char *base = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    size_t length = strcspn(base, ".");
    if (!all->blackhole) {
        name_family_test(all->family, path, base, name, bytes);
        return;
    }
    const char *more = ends(base, length, "_operands") ? "_vectors" : "";
    if (*more != '\0')
        length -= strlen("_operands");
    if (strncmp(base, "test_", strlen("test_")) == 0) {
        base += strlen("test_");
        length -= strlen("test_");
    }
    snprintf(name, bytes, "%s%.*s%s", strstr(path, "/kernels/") != NULL ? "golden_" : "tensix_", (int)length, base,
             more);
}

static struct source *source_of(struct tables *all, const char *path)
{
    char name[sizeof((struct source *)NULL)->test];
    memset(name, 0, sizeof name);
    name_test(all, path, name, sizeof name);
    for (unsigned i = 0; i < all->sources; i++)
        if (strcmp(all->source[i].test, name) == 0)
            return &all->source[i];
    memcpy(all->source[all->sources].test, name, sizeof name);
    return &all->source[all->sources++];
}

static int opcode_of(const char *name, size_t length)
{
    for (int opcode = 0; opcode < 256; opcode++) {
        const struct tf_tensix_op *op = tf_tensix_op((uint8_t)opcode);
        if (op != NULL && strlen(op->mnemonic) == length && memcmp(op->mnemonic, name, length) == 0)
            return opcode;
    }
    return -1;
}

/* Overwrite comments and strings with spaces. */
static void blank(struct tables *all)
{
    for (char *at = all->text; *at != '\0';) {
        char *end = NULL;
        if (at[0] == '/' && at[1] == '*')
            end = strstr(at + 2, "*/") != NULL ? strstr(at + 2, "*/") + 2 : at + strlen(at);
        else if (*at == '"')
            end = at + 1 + strcspn(at + 1, "\"\n");
        if (end == NULL) {
            at++;
            continue;
        }
        if (*at == '"' && *end == '"')
            end++;
        memset(at, ' ', (size_t)(end - at));
        at = end;
    }
}

static size_t length_of_name(const char *at)
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
        length++;
    return length;
}

static struct definition *definition_of(struct tables *all, const char *name, size_t length)
{
    for (unsigned i = 0; i < all->definitions; i++)
        if (strncmp(all->definition[i].name, name, length) == 0 && all->definition[i].name[length] == '\0')
            return &all->definition[i];
    return NULL;
}

/* Note the instruction of a name, or the instructions of the definition with that name. */
static void note_name(struct tables *all, const char *name, size_t length, bool *has)
{
    size_t skip = strncmp(name, "TF_OP_", 6) == 0 || strncmp(name, "TT_OP_", 6) == 0 ? 6 : 0;
    int opcode = opcode_of(name + skip, length - skip);
    const struct definition *definition = opcode < 0 ? definition_of(all, name, length) : NULL;
    if (opcode >= 0)
        has[opcode] = true;
    for (unsigned i = 0; definition != NULL && i < 256; i++)
        has[i] |= definition->has[i];
}

static void note_names(struct tables *all, const char *at, const char *end, bool *has)
{
    while (at < end) {
        size_t length = length_of_name(at);
        if (length != 0 && !isdigit((unsigned char)*at))
            note_name(all, at, length, has);
        at += length != 0 ? length : 1;
    }
}

static void keep_sync(bool *has)
{
    for (unsigned opcode = 0; opcode < 256; opcode++) {
        unsigned unit = tf_tensix_ops[opcode].unit;
        has[opcode] &= unit == TF_UNIT_SYNC || unit == TF_UNIT_FRONTEND;
    }
}

/* The definition that a line begins: "#define NAME", or "static ... NAME" before a bracket or "=". NULL: none. */
static struct definition *begun_by(struct tables *all, const char *line)
{
    const char *name = NULL;
    if (strncmp(line, "#define ", 8) == 0)
        name = line + 8;
    else if (strncmp(line, "static ", 7) == 0)
        for (const char *at = line; strchr("([=\n", *at) == NULL; at += length_of_name(at) + (length_of_name(at) == 0))
            name = length_of_name(at) != 0 ? at : name;
    size_t length = name != NULL ? length_of_name(name) : 0;
    struct definition *old = length != 0 ? definition_of(all, name, length) : NULL;
    if (length == 0 || old != NULL || length >= sizeof old->name || all->definitions == DEFINITIONS_MAX)
        return old;
    memcpy(all->definition[all->definitions].name, name, length);
    return &all->definition[all->definitions++];
}

/* A line belongs to the last definition that has begun. */
static void note_definitions(struct tables *all)
{
    struct definition *current = NULL;
    for (const char *line = all->text; *line != '\0'; line += *line == '\n') {
        const char *end = line + strcspn(line, "\n");
        if (*line == '#' || strncmp(line, "static ", 7) == 0)
            current = begun_by(all, line);
        if (current != NULL)
            note_names(all, line, end, current->has);
        line = end;
    }
}

static void note_words(const struct tables *all, struct source *source, const char *before)
{
    for (const char *at = all->text; (at = strstr(at, before)) != NULL;) {
        const char *end = strchr(at, ')');
        for (; end != NULL && at < end; at++) {
            char *after;
            if (at[0] != '0' || at[1] != 'x')
                continue;
            unsigned long word = strtoul(at, &after, 16);
            if (after - at == 10)
                source->has[word >> 24] = true;
            at = after - 1;
        }
        if (end == NULL)
            return;
    }
}

/* Note the instructions of the lists that a test uses. */
static void note_lists(const struct tables *all, struct source *source)
{
#define X(name, ...) TF_OP_##name,
    static const uint8_t matrix[] = { TF_FPU_OPS(X) };
    static const uint8_t dropped[] = { TF_FPU_DROPPED(X) };
#undef X
    static const struct {
        uint8_t opcode;
        bool moves;
    } vector[] = {
#define SFPU(name, unit, registers, reads, may_read, may_write, traits) {TF_OP_##name, false},
#define MOVE(name, unit, registers, reads, may_read, may_write, traits) {TF_OP_##name, true},
#include "tile/tensix/isa/sfpu.def"
#undef SFPU
    };
    const bool goes_through = strstr(all->text, "define SFPU(") != NULL;
    const bool with_moves = strstr(all->text, "define MOVE(") == NULL;
    for (unsigned i = 0; i < sizeof vector / sizeof vector[0] && goes_through; i++)
        source->has[vector[i].opcode] |= with_moves || !vector[i].moves;
    for (unsigned i = 0; i < sizeof matrix && strstr(all->text, "TF_FPU_OPS(") != NULL; i++)
        source->has[matrix[i]] = true;
    for (unsigned i = 0; i < sizeof dropped && strstr(all->text, "TF_FPU_DROPPED(") != NULL; i++)
        source->has[dropped[i]] = true;
}

/* Note rows of recorded vectors that begin with an opcode, {0x26, or with an instruction, S(0x26000000, */
static void note_rows(const struct tables *all, struct source *source)
{
    for (const char *at = all->text; (at = strstr(at, "0x")) != NULL; at++) {
        char *after;
        unsigned long word = strtoul(at, &after, 16);
        if (*after != ',')
            continue;
        if (at > all->text && at[-1] == '{' && after - at == 4)
            source->has[word] = true;
        else if (at > all->text + 2 && memcmp(at - 3, "\nS(", 3) == 0 && after - at == 10)
            source->has[word >> 24] = true;
    }
}

/* Note opcodes for which a test makes operands: 0x41000000u | ..., or 0x43u << 24, or a row FORM(0x70, ... */
static void note_opcodes(const struct tables *all, struct source *source)
{
    for (const char *at = all->text; (at = strstr(at, "0x")) != NULL; at++) {
        char *after;
        unsigned long word = strtoul(at, &after, 16);
        if (after - at == 10 && (word & 0xFFFFFF) == 0 && strncmp(after, "u | ", 4) == 0)
            source->has[word >> 24] = true;
        else if (after - at == 4 &&
                 (strncmp(after, "u << 24", 7) == 0 || (at > all->text + 5 && memcmp(at - 5, "FORM(", 5) == 0)))
            source->has[word] = true;
    }
}

static bool is_header(const char *path)
{
    return strstr(path, "/kernels/include/") != NULL;
}

/* Repeat until a pass adds nothing: a header may use a definition of another one. */
static bool scan_headers(struct tables *all, int files, char **path)
{
    do {
        memcpy(all->before, all->definition, sizeof all->before);
        for (int i = 0; i < files; i++) {
            if (!is_header(path[i]))
                continue;
            if (!read_file(all, path[i]))
                return false;
            blank(all);
            note_definitions(all);
        }
    } while (memcmp(all->before, all->definition, sizeof all->before) != 0);
    return true;
}

static bool scan(struct tables *all, const char *path)
{
    if (!read_file(all, path))
        return false;
    struct source *source = source_of(all, path);
    bool logged = strstr(all->text, "tensix/logged.h") != NULL, kernel = strstr(path, "/kernels/") != NULL;
    bool executes = !all->blackhole || kernel || logged || strstr(path, ".inc") != NULL ||
                    strstr(all->text, "bare_setup") != NULL;
    blank(all);
    if (executes) {
        note_names(all, all->text, all->text + strlen(all->text), source->has);
        note_lists(all, source);
    }
    if (logged)
        keep_sync(source->has);
    if (strstr(path, ".inc") != NULL)
        note_rows(all, source);
    if (strstr(path, "_operands.h") != NULL || (!all->blackhole && !kernel))
        note_opcodes(all, source);
    note_words(all, source, "WORDS(");
    note_words(all, source, "STEPS(");
    return true;
}

static void print_tests(const struct tables *all)
{
    for (int opcode = 0; opcode < 256; opcode++) {
        if (tf_tensix_op((uint8_t)opcode) == NULL)
            continue;
        for (unsigned i = 0; i < all->sources; i++)
            if (all->source[i].has[opcode])
                printf("{\"%s\", 0x%02X, \"%s\"},\n", all->family, (unsigned)opcode, all->source[i].test);
    }
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc - 2 > FILES_MAX) {
        fprintf(stderr, "usage: %s FAMILY FILE..., at most %d files\n", argv[0], FILES_MAX);
        return 1;
    }
    int files = argc - 2;
    char **file = argv + 2;
    struct tables *all = calloc(1, sizeof *all);
    if (all == NULL) {
        perror(argv[0]);
        return 1;
    }
    all->family = argv[1];
    all->blackhole = strcmp(argv[1], "blackhole") == 0;
    bool fine = scan_headers(all, files, file);
    for (int i = 0; i < files && fine; i++)
        fine = is_header(file[i]) || scan(all, file[i]);
    if (fine)
        print_tests(all);
    free(all);
    return !fine || ferror(stdout) || fflush(stdout) != 0;
}
