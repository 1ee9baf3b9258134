/* SPDX-License-Identifier: Apache-2.0 */
/* `tilefarm isa`: the Tensix instructions, which of them are implemented, and the tests that execute them. */
#include <string.h>

#include "cli/cli.h"
#include "cli/commands/isa.h"
#include "cli/options/options.h"
#include "cli/text.h"
#include "cli/options/wrap.h"
#include "tile/arch.h"
#include "tile/times.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/isa/isa.h"

/*
 * The tests that execute an instruction on a family. The build finds them in the tests (tools/make_isa_tests.c).
 * Blackhole's tests are not named for other families, though they test functions that all families execute.
 */
static const struct executes {
    char family[12]; /* not an address, which each start of the command would relocate */
    uint8_t opcode;
    char test[44];
} executes[] = {
#include "isa_tests.inc"
};

/* Find the next row of an opcode of a family, after `row`; NULL starts at the first row. Returns NULL if there is
   none. */
static const struct executes *next_test(const struct tf_arch *arch, uint8_t opcode, const struct executes *row)
{
    const struct executes *const end = executes + sizeof executes / sizeof executes[0];
    for (row = row == NULL ? executes : row + 1; row < end; row++)
        if (row->opcode == opcode && strcmp(row->family, arch->name) == 0)
            return row;
    return NULL;
}

struct isa {
    const char *unit; /* NULL prints all */
    bool missing;
    bool timing;
    const struct tf_arch *arch;
};

static const struct tf_option options[] = {
    TF_OPTION_OF_ARCH(struct isa, arch),
    {.name = "unit",
     .argument = "NAME",
     .kind = TF_OPTION_TEXT,
     .offset = offsetof(struct isa, unit),
     .help = "list one unit only: frontend, sync, unpack, matrix, pack, vector, scalar, config, mover, misc"},
    {.name = "missing",
     .help = "list only the instructions that no test executes",
     .kind = TF_OPTION_SET,
     .offset = offsetof(struct isa, missing)},
    {.name = "timing",
     .help = "list the durations that timing mode uses, and where they come from",
     .kind = TF_OPTION_SET,
     .offset = offsetof(struct isa, timing)},
};

static const struct tf_usage usage = {
    .examples = "tilefarm isa --arch wormhole --unit matrix\n"
                "tilefarm isa --missing\n",
    .synopsis = "isa [--arch NAME] [--unit NAME] [--missing | --timing]",
    .text =
        "List the Tensix instructions of a family. A row has opcode, unit, the bits of a block mask that stall\n"
        "the instruction, and the tests that execute it on this family. An instruction that is not implemented\n"
        "faults: the hardware lacks it (dropped, absent), no page describes it (undescribed), or tilefarm lacks it\n"
        "(not yet).\n",
    .option = options,
    .options = sizeof options / sizeof options[0],
};

#define TESTS_COLUMN 51u /* where the tests of an instruction begin */
#define NEXT_COLUMN 6u   /* lines that follow, where room is short */

struct totals {
    unsigned listed, implemented, tested;
};

/* "B0 B5", or "-". */
static void print_block(uint16_t block)
{
    char text[40] = "";
    for (unsigned bit = 0; bit < 9; bit++)
        if (block >> bit & 1)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%sB%u", text[0] != '\0' ? " " : "", bit);
    printf("%-9s", block == TF_BLOCK_ALL ? "B0-B8" : text[0] != '\0' ? text : "-");
}

/* Why an instruction faults. dropped: the hardware lacks it. undescribed: no page describes what it does. */
static const char *state_of(const struct tf_arch *arch, uint8_t opcode)
{
    const uint8_t *states = arch->tile[TF_TILE_TENSIX].opcode;
    if (states != NULL && states[opcode] != TF_OPCODE_PRESENT)
        return states[opcode] == TF_OPCODE_ABSENT ? "absent" : "not yet";
    if (tf_tensix_implemented(opcode))
        return "implemented";
    return tf_tensix_dispatch[opcode] != NULL ? "dropped" : "undescribed";
}

static bool is_implemented(const struct tf_arch *arch, uint8_t opcode)
{
    const uint8_t *states = arch->tile[TF_TILE_TENSIX].opcode;
    return tf_tensix_implemented(opcode) && (states == NULL || states[opcode] == TF_OPCODE_PRESENT);
}

static void print_op(const struct tf_arch *arch, const struct tf_tensix_op *op, unsigned columns)
{
    printf("0x%02X  %-14s %-9s", op->opcode, op->mnemonic, tf_tensix_unit_name(op->unit));
    print_block(op->block);
    printf("%-11s", state_of(arch, op->opcode));
    struct tf_wrap wrap = tf_wrap_begin(columns, TESTS_COLUMN, NEXT_COLUMN);
    const struct executes *row = next_test(arch, op->opcode, NULL), *next;
    wrap.column--; /* a blank is before each test */
    if (row == NULL)
        printf(" -");
    for (; row != NULL; row = next) {
        char word[80];
        next = next_test(arch, op->opcode, row);
        snprintf(word, sizeof word, " %s%s", row->test, next != NULL ? "," : "");
        tf_wrap_words(&wrap, word);
    }
    printf("\n");
}

static bool is_unit(const char *name)
{
    for (unsigned unit = 0; unit < TF_UNITS; unit++)
        if (strcmp(name, tf_tensix_unit_name(unit)) == 0)
            return true;
    return false;
}

static void print_all(const struct isa *isa)
{
    struct totals totals = {0};
    const unsigned columns = tf_wrap_columns();
    printf("code  name           unit     block    state       tests\n");
    for (unsigned opcode = 0; opcode < 256; opcode++) {
        const struct tf_tensix_op *op = tf_tensix_op((uint8_t)opcode);
        if (op == NULL || (isa->unit != NULL && strcmp(isa->unit, tf_tensix_unit_name(op->unit)) != 0))
            continue;
        bool implemented = is_implemented(isa->arch, op->opcode),
             tested = next_test(isa->arch, op->opcode, NULL) != NULL;
        totals.listed++;
        totals.implemented += implemented;
        totals.tested += tested;
        if (!isa->missing || !tested)
            print_op(isa->arch, op, columns);
    }
    printf("\n%u opcodes, %u implemented, %u fault; tests execute %u\n", totals.listed, totals.implemented,
           totals.listed - totals.implemented, totals.tested);
}

/* Print a row of times.def: value, unit, where it comes from, what it is. */
static void print_time(unsigned columns, const struct tf_times *times, enum tf_time time, const char *name,
                       const char *unit, const char *what)
{
    const struct tf_time_source *source = &times->source[time];
    int length = printf("%-20s %5u %-6s  %-8s  ", name, times->value[time], unit,
                        tf_time_word_name((enum tf_time_word)source->word));
    struct tf_wrap wrap = tf_wrap_begin(columns, (unsigned)length, NEXT_COLUMN);
    char text[600];
    snprintf(text, sizeof text, "%s [%s]", what, source->text);
    tf_wrap_words(&wrap, text);
    printf("\n");
}

static int print_times(const struct tf_arch *arch)
{
    const struct tf_times *times = arch->tile[TF_TILE_TENSIX].times;
    unsigned rows[TF_TIME_WORDS] = {0};
    const unsigned columns = tf_wrap_columns();
    if (times == NULL) {
        tf_cli_error("--timing: there is no table of durations for %s", arch->name);
        return TF_EXIT_USAGE;
    }
    printf("Durations of %s; the words are explained in docs/timing.md.\n", arch->title);
#define TIME_SECTION(title) putchar('\n'), tf_wrap_line(0, 2, title);
#define TIME(id, unit, what, blackhole, wormhole) print_time(columns, times, TF_TIME_##id, #id, #unit, what);
#include "tile/times.def"
    for (unsigned row = 0; row < TF_TIMES; row++)
        rows[times->source[row].word]++;
    printf("\n%u rows", (unsigned)TF_TIMES);
    for (unsigned word = 0; word < TF_TIME_WORDS; word++)
        printf("%s %u %s", word == 0 ? ":" : ",", rows[word], tf_time_word_name((enum tf_time_word)word));
    printf("\n");
    return tf_cli_finish(TF_EXIT_OK);
}

int tf_cli_isa(int argc, char **argv)
{
    struct isa isa = {.arch = tf_arch_find(NULL)};
    int first, code = tf_cli_options(argc, argv, &usage, &isa, &first);
    if (code >= 0)
        return code;
    if (isa.unit != NULL && !is_unit(isa.unit)) {
        tf_cli_error("--unit: there is no unit '%s'; 'tilefarm isa --help' lists them", isa.unit);
        return TF_EXIT_USAGE;
    }
    if (isa.timing)
        return print_times(isa.arch);
    print_all(&isa);
    return tf_cli_finish(TF_EXIT_OK);
}
