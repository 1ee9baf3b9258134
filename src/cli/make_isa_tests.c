/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Run by the build: which tests execute which Tensix instructions, read out of the tests themselves.
 *
 *   make_isa_tests FILE...
 *
 * A test executes the instructions that it names, as NAME, TF_OP_NAME or TT_OP_NAME outside of comments and strings,
 * those of the lists that it goes through, and those of recorded vectors: words in WORDS(...) and STEPS(...), or rows
 * that begin with an opcode. Tests of the frontend, which include logged.h, execute the sync unit's instructions alone;
 * tests that set up no coprocessor execute none. The test of tests/unit/tensix/gate_test.c is tensix_gate, that of
 * kernels/fifo.c is golden_fifo. Prints {opcode, "test"}, lines, in order of opcode.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tile/tensix/fpu.h"
#include "tile/tensix/isa.h"
#include "tile/tensix/sfpu.h"

#define FILE_BYTES_MAX (4u << 20)
#define FILES_MAX 256

struct source {
    char test[80];
    bool has[256];
};

static struct source sources[FILES_MAX];
static char text[FILE_BYTES_MAX];

static bool read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return false;
    }
    size_t bytes = fread(text, 1, sizeof text - 1, file);
    bool whole = feof(file) && !ferror(file);
    fclose(file);
    text[bytes] = '\0';
    if (!whole)
        fprintf(stderr, "%s: cannot be read, or is too long\n", path);
    return whole;
}

/* "dir/tests/unit/tensix/gate_test.c" and so on. */
static void name_test(const char *path, char *name, size_t bytes)
{
    const char *base = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    size_t length = strcspn(base, ".");
    if (length > 5 && strncmp(base + length - 5, "_test", 5) == 0)
        length -= 5;
    snprintf(name, bytes, "%s%.*s", strstr(path, "/kernels/") != NULL ? "golden_" : "tensix_", (int)length, base);
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

/* Comments and strings become spaces. */
static void blank(void)
{
    for (char *at = text; *at != '\0';) {
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

static void note_names(struct source *source, bool sync_only)
{
    for (const char *at = text; *at != '\0';) {
        size_t length = 0;
        while (isalnum((unsigned char)at[length]) || at[length] == '_')
            length++;
        if (length == 0) {
            at++;
            continue;
        }
        size_t skip = strncmp(at, "TF_OP_", 6) == 0 || strncmp(at, "TT_OP_", 6) == 0 ? 6 : 0;
        int opcode = opcode_of(at + skip, length - skip);
        at += length;
        if (opcode < 0)
            continue;
        unsigned unit = tf_tensix_ops[opcode].unit;
        if (!sync_only || unit == TF_UNIT_SYNC || unit == TF_UNIT_FRONTEND)
            source->has[opcode] = true;
    }
}

static void note_words(struct source *source, const char *before)
{
    for (const char *at = text; (at = strstr(at, before)) != NULL;) {
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

/* Lists of instructions that tests go through. */
static void note_lists(struct source *source)
{
#define X(name, ...) TF_OP_##name,
    static const uint8_t vector[] = {TF_SFPU_KERNELS(X)};
    static const uint8_t matrix[] = {TF_FPU_OPS(X)};
    static const uint8_t dropped[] = {TF_FPU_DROPPED(X)};
#undef X
    for (unsigned i = 0; i < sizeof vector && strstr(text, "TF_SFPU_KERNELS(") != NULL; i++)
        source->has[vector[i]] = true;
    for (unsigned i = 0; i < sizeof matrix && strstr(text, "TF_FPU_OPS(") != NULL; i++)
        source->has[matrix[i]] = true;
    for (unsigned i = 0; i < sizeof dropped && strstr(text, "TF_FPU_DROPPED(") != NULL; i++)
        source->has[dropped[i]] = true;
}

/* Rows of recorded vectors that begin with an opcode: {0x26, */
static void note_rows(struct source *source)
{
    for (const char *at = text; (at = strstr(at, "{0x")) != NULL; at++) {
        char *after;
        unsigned long opcode = strtoul(at + 1, &after, 16);
        if (after - at == 5 && *after == ',')
            source->has[opcode] = true;
    }
}

/* The macros of tilefarm_tensix.h that are instructions under other names. */
static void note_macros(struct source *source)
{
    static const struct {
        const char *macro;
        uint8_t opcode;
    } macros[] = {
        {"TT_SEMWAIT_", TF_OP_SEMWAIT}, {"TT_STALLWAIT(", TF_OP_STALLWAIT}, {"TT_MOP_L", TF_OP_MOP},
        {"TT_REPLAY(", TF_OP_REPLAY},   {"TT_RECORD", TF_OP_REPLAY},        {"TT_SET_GPR_", TF_OP_SETDMAREG},
        {"TT_NOP", TF_OP_NOP},          {"TT_SETC16_", TF_OP_SETC16},
    };
    for (unsigned i = 0; i < sizeof macros / sizeof macros[0]; i++)
        if (strstr(text, macros[i].macro) != NULL)
            source->has[macros[i].opcode] = true;
}

static bool scan(const char *path, struct source *source)
{
    if (!read_file(path))
        return false;
    name_test(path, source->test, sizeof source->test);
    bool logged = strstr(text, "tensix/logged.h") != NULL;
    bool kernel = strstr(path, "/kernels/") != NULL;
    bool executes = kernel || logged || strstr(path, ".inc") != NULL || strstr(text, "bare_setup") != NULL;
    blank();
    if (executes) {
        note_names(source, logged);
        note_lists(source);
    }
    if (strstr(path, ".inc") != NULL)
        note_rows(source);
    if (kernel)
        note_macros(source);
    note_words(source, "WORDS(");
    note_words(source, "STEPS(");
    return true;
}

int main(int argc, char **argv)
{
    int files = argc - 1;
    if (files > FILES_MAX) {
        fprintf(stderr, "%s: too many files\n", argv[0]);
        return 1;
    }
    for (int i = 0; i < files; i++)
        if (!scan(argv[i + 1], &sources[i]))
            return 1;
    for (int opcode = 0; opcode < 256; opcode++) {
        if (tf_tensix_op((uint8_t)opcode) == NULL)
            continue;
        for (int i = 0; i < files; i++)
            if (sources[i].has[opcode])
                printf("{0x%02X, \"%s\"},\n", (unsigned)opcode, sources[i].test);
    }
    return ferror(stdout) || fflush(stdout) != 0;
}
