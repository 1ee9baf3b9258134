/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random instructions on two libraries with the libttsim interface:
 *
 *   record_compare EXPECTED FOUND SECONDS [KIND]
 *
 * Floating point of a core, the scalar unit of the coprocessor, and its other units by cases of tests/record/units.c,
 * or one kind of those. The first register, or row and lane, and bit that differ are printed, with the instructions
 * that made them. TF_SEED repeats a run.
 */
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "random.h"
#include "record/float.h"
#include "record/units.h"
#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/ids.h"
#include "tilefarm_address.h"

#define GPRS 64u
#define GPR_BASE TF_GPR_BASE
#define PUSH TF_INSTRN_BUF_BASE
#define IDLE TF_DONE_CHECK
#define RESULTS 0x100000u
#define WORDS 256u

struct scalar_case {
    uint32_t gpr[GPRS], word[WORDS];
    unsigned words;
};

/* An instruction of the scalar unit, without registers and constants. */
#define KINDS_MAX 64u

struct libraries {
    const char *expected, *found;
    uint64_t compared, refused;
    uint32_t kind[KINDS_MAX]; /* that `expected` takes */
    unsigned kinds;
};

static const uint16_t float_ids[] = {
    TF_RV_FADD_S,    TF_RV_FSUB_S,   TF_RV_FMUL_S,   TF_RV_FMADD_S,  TF_RV_FMSUB_S,   TF_RV_FNMADD_S,
    TF_RV_FNMSUB_S,  TF_RV_FMIN_S,   TF_RV_FMAX_S,   TF_RV_FEQ_S,    TF_RV_FLT_S,     TF_RV_FLE_S,
    TF_RV_FSGNJ_S,   TF_RV_FSGNJN_S, TF_RV_FSGNJX_S, TF_RV_FCVT_W_S, TF_RV_FCVT_WU_S, TF_RV_FCVT_S_W,
    TF_RV_FCVT_S_WU, TF_RV_FCLASS_S, TF_RV_FMV_X_W,  TF_RV_FMV_W_X,
};

/* A number that resembles others: close exponents, corner values, or any number. */
static uint32_t float_operand(uint64_t *random)
{
    static const uint32_t corner[] = {0,          0x00800000, 0x007FFFFF, 0x3F800000,
                                      0x7F7FFFFF, 0x7F800000, 0x7FC00000, 0x4F000000};
    uint32_t bits = test_random(random);
    switch (test_random_below(random, 4)) {
    case 0: return corner[bits % 8] | (bits & 0x80000000);
    case 1: return (bits & 0x807FFFFF) | (118 + (bits >> 23) % 20) << 23;
    case 2: return bits & 0xFFFF0000;
    default: return bits;
    }
}

static bool compare_floats(struct libraries *libraries, uint64_t *random)
{
    static struct float_part part;
    uint32_t expected[FLOAT_PART], values[FLOAT_PART];
    part.count = FLOAT_PART;
    for (unsigned i = 0; i < FLOAT_PART; i++) {
        part.one[i].id = float_ids[test_random_below(random, sizeof float_ids / sizeof float_ids[0])];
        for (unsigned n = 0; n < 3; n++)
            part.one[i].operand[n] = float_operand(random);
    }
    if (!peer_call(libraries->expected, float_run, &part, expected, sizeof expected)) {
        libraries->refused += FLOAT_PART;
        return true;
    }
    if (!peer_call(libraries->found, float_run, &part, values, sizeof values)) {
        printf("only %s refuses a program of floating-point instructions\n", libraries->found);
        return false;
    }
    libraries->compared += FLOAT_PART;
    for (unsigned i = 0; i < FLOAT_PART; i++) {
        const struct float_case *one = &part.one[i];
        if (values[i] == expected[i])
            continue;
        printf("%s of 0x%08x, 0x%08x, 0x%08x is 0x%08x, not 0x%08x: bit %d first\n", tf_rv_info(one->id)->mnemonic,
               one->operand[0], one->operand[1], one->operand[2], values[i], expected[i],
               __builtin_ctz(values[i] ^ expected[i]));
        return false;
    }
    return true;
}

static bool run_scalar(const struct api *api, const void *job, void *result)
{
    static struct peer_code code;
    const struct scalar_case *one = job;
    for (unsigned i = 0; i < GPRS; i++)
        peer_store(&code, GPR_BASE + 4 * i, one->gpr[i]);
    for (unsigned i = 0; i < one->words; i++) {
        peer_store(&code, PUSH, one->word[i]);
        peer_wait(&code, IDLE);
    }
    for (unsigned i = 0; i < GPRS; i++)
        peer_copy(&code, RESULTS + 4 * i, GPR_BASE + 4 * i);
    if (!peer_run(api, PEER_T0, &code))
        return false;
    get(api, PEER_X, PEER_Y, RESULTS, result, 4 * GPRS);
    return true;
}

static bool run_silent(const struct api *api, const void *job, void *result)
{
    return freopen("/dev/null", "w", stdout) != NULL && freopen("/dev/null", "w", stderr) != NULL &&
           run_scalar(api, job, result);
}

static void try_kind(struct libraries *libraries, uint32_t kind)
{
    struct scalar_case one = {.words = 1, .word = {kind}};
    uint32_t values[GPRS];
    if (libraries->kinds < KINDS_MAX && peer_call(libraries->expected, run_silent, &one, values, sizeof values))
        libraries->kind[libraries->kinds++] = kind;
}

/* ADDDMAREG to CMPDMAREG, with a register or a constant, and SETDMAREG of half a register. */
static void find_kinds(struct libraries *libraries)
{
    for (uint32_t opcode = 0x58; opcode <= 0x5D; opcode++)
        for (uint32_t select = 0; select < (opcode < 0x5B ? 1u : opcode == 0x5C ? 2u : 3u); select++)
            for (uint32_t constant = 0; constant < 2; constant++)
                try_kind(libraries, opcode << 24 | constant << 23 | select << 18);
    try_kind(libraries, 0x45u << 24);
    printf("%u kinds of scalar instructions\n", libraries->kinds);
    fflush(stdout);
}

static uint32_t scalar_word(const struct libraries *libraries, uint64_t *random)
{
    uint32_t bits = test_random(random), kind = libraries->kind[test_random_below(random, libraries->kinds)];
    return kind | (kind >> 24 == 0x45 ? bits & 0x3FFF7F : bits & 0x3FFFF);
}

#define ONLY_ONE_REFUSES (GPRS + 1)

/* The index of the first register that differs after this many words; GPRS: all are equal. *refused: the library
   with the expected values refused. */
static unsigned differ_after(const struct libraries *libraries, struct scalar_case *one, unsigned words, bool *refused,
                             uint32_t *expected, uint32_t *values)
{
    one->words = words;
    *refused = !peer_call(libraries->expected, run_scalar, one, expected, 4 * GPRS);
    if (*refused)
        return GPRS;
    unsigned i = 0;
    if (!peer_call(libraries->found, run_scalar, one, values, 4 * GPRS))
        return ONLY_ONE_REFUSES;
    while (i < GPRS && values[i] == expected[i])
        i++;
    return i;
}

static bool compare_scalars(struct libraries *libraries, uint64_t *random)
{
    static struct scalar_case one;
    uint32_t expected[GPRS] = {0}, values[GPRS] = {0};
    bool refused;
    if (libraries->kinds == 0)
        return true;
    for (unsigned i = 0; i < GPRS; i++)
        one.gpr[i] = test_random(random);
    for (unsigned i = 0; i < WORDS; i++)
        one.word[i] = scalar_word(libraries, random);
    unsigned gpr = differ_after(libraries, &one, WORDS, &refused, expected, values);
    libraries->refused += refused ? WORDS : 0;
    libraries->compared += refused ? 0 : WORDS;
    if (refused || gpr == GPRS)
        return true;
    unsigned same = 0, other = WORDS; /* after how many words they agree, and differ */
    while (other - same > 1) {
        unsigned middle = (same + other) / 2;
        bool agree = differ_after(libraries, &one, middle, &refused, expected, values) == GPRS;
        same = agree ? middle : same;
        other = agree ? other : middle;
    }
    gpr = differ_after(libraries, &one, other, &refused, expected, values);
    if (gpr == ONLY_ONE_REFUSES) {
        printf("only %s refuses word %u, 0x%08x\n", libraries->found, other - 1, one.word[other - 1]);
        return false;
    }
    printf("after word %u, 0x%08x, GPR %u is 0x%08x, not 0x%08x: bit %d first\n", other - 1, one.word[other - 1], gpr,
           values[gpr], expected[gpr], __builtin_ctz(values[gpr] ^ expected[gpr]));
    return false;
}

/* A program that a library refuses says so, at length. */
static bool run_units_silent(const struct api *api, const void *job, void *result)
{
    return freopen("/dev/null", "w", stdout) != NULL && freopen("/dev/null", "w", stderr) != NULL &&
           unit_run(api, job, result);
}

/* Runs the cases of a part. A case that the library refuses stays UNIT_BEGUN; the others follow it. */
static void run_part(const char *library, bool silent, const struct unit_part *part, struct unit_result *results)
{
    static struct unit_result some[UNIT_PART];
    for (unsigned done = 0; done < part->count;) {
        struct unit_part rest = {.count = part->count - done};
        memcpy(rest.one, part->one + done, rest.count * sizeof rest.one[0]);
        memset(some, 0, sizeof some);
        peer_call(library, silent ? run_units_silent : unit_run, &rest, some, sizeof some);
        unsigned count = 0;
        while (count < rest.count && some[count].state == UNIT_DONE)
            count++;
        if (count < rest.count)
            some[count++].state = UNIT_BEGUN; /* the one that it refuses */
        memcpy(results + done, some, count * sizeof some[0]);
        done += count;
    }
}

static unsigned first_difference(const struct unit_result *expected, const struct unit_result *values)
{
    unsigned i = 0;
    while (i < RIG_WORDS &&
           expected->after[i / RIG_COLUMNS][i % RIG_COLUMNS] == values->after[i / RIG_COLUMNS][i % RIG_COLUMNS])
        i++;
    return i;
}

/* Leaves out instructions at the end of a case while the results still differ. Then says where they differ. */
static void tell_unit(const struct libraries *libraries, struct unit_case one)
{
    static struct unit_result expected, values;
    static char words[1200];
    unsigned count = unit_word_count(&one), at = RIG_WORDS;
    for (unsigned words_max = 1; words_max <= count && at == RIG_WORDS; words_max++) {
        struct unit_part part = {1, {one}};
        part.one[0].words_max = one.words_max = (uint8_t)words_max;
        run_part(libraries->expected, true, &part, &expected);
        run_part(libraries->found, false, &part, &values);
        if (expected.state == UNIT_DONE && values.state != UNIT_DONE)
            break;
        at = first_difference(&expected, &values);
    }
    unit_words(&one, words, sizeof words);
    if (values.state != UNIT_DONE) {
        printf("only %s refuses %s %u: %s\n", libraries->found, unit_names[one.kind], one.seed, words);
        return;
    }
    if (at == RIG_WORDS)
        at = 0;
    uint32_t is = values.after[at / RIG_COLUMNS][at % RIG_COLUMNS];
    uint32_t should_be = expected.after[at / RIG_COLUMNS][at % RIG_COLUMNS];
    printf("%s %u: row %u, lane %u is 0x%08x, not 0x%08x: bit %d first, after %s\n", unit_names[one.kind], one.seed,
           at / RIG_COLUMNS, at % RIG_COLUMNS, is, should_be, is == should_be ? -1 : __builtin_ctz(is ^ should_be),
           words);
}

static bool compare_kind(struct libraries *libraries, uint64_t *random, unsigned kind)
{
    static struct unit_result expected[UNIT_PART], values[UNIT_PART];
    static struct unit_part part, taken;
    part.count = UNIT_PART;
    for (unsigned i = 0; i < UNIT_PART; i++)
        part.one[i] = (struct unit_case){.kind = (uint8_t)kind, .seed = test_random(random)};
    run_part(libraries->expected, true, &part, expected);
    taken.count = 0;
    for (unsigned i = 0; i < UNIT_PART; i++)
        if (expected[i].state == UNIT_DONE) {
            expected[taken.count] = expected[i];
            taken.one[taken.count++] = part.one[i];
        }
    libraries->refused += part.count - taken.count;
    run_part(libraries->found, false, &taken, values);
    for (unsigned i = 0; i < taken.count; i++) {
        if (values[i].state != UNIT_DONE || first_difference(&expected[i], &values[i]) != RIG_WORDS) {
            tell_unit(libraries, taken.one[i]);
            return false;
        }
        libraries->compared += unit_word_count(&taken.one[i]);
    }
    return true;
}

static bool compare_units(struct libraries *libraries, uint64_t *random)
{
    for (unsigned kind = 0; kind < UNIT_KIND_COUNT; kind++)
        if (!compare_kind(libraries, random, kind))
            return false;
    return true;
}

static int compare_named(struct libraries *libraries, uint64_t *random, const char *name, time_t end)
{
    unsigned kind = 0;
    bool same = true;
    while (kind < UNIT_KIND_COUNT && strcmp(unit_names[kind], name) != 0)
        kind++;
    if (kind == UNIT_KIND_COUNT) {
        fprintf(stderr, "record_compare: no kind of case is '%s'\n", name);
        return 2;
    }
    while (same && time(NULL) < end)
        same = compare_kind(libraries, random, kind);
    return same ? 0 : 1;
}

static void tell_totals(const struct libraries *libraries)
{
    printf("%llu instructions agree, %llu cases are refused by %s\n", (unsigned long long)libraries->compared,
           (unsigned long long)libraries->refused, libraries->expected);
}

int main(int argc, char **argv)
{
    if (argc != 4 && argc != 5) {
        fprintf(stderr, "usage: record_compare EXPECTED FOUND SECONDS [KIND]\n");
        return 2;
    }
    for (unsigned side = 1; side <= 2; side++) {
        if (access(argv[side], R_OK) != 0) {
            perror(argv[side]);
            return 2;
        }
    }
    struct libraries libraries = {.expected = argv[1], .found = argv[2]};
    uint64_t random = test_seed(1);
    time_t end = time(NULL) + atoi(argv[3]);
    bool same = true;
    if (argc == 5) {
        int code = compare_named(&libraries, &random, argv[4], end);
        tell_totals(&libraries);
        return code;
    }
    find_kinds(&libraries);
    do
        same = compare_floats(&libraries, &random) && compare_scalars(&libraries, &random) &&
               compare_units(&libraries, &random);
    while (same && time(NULL) < end);
    tell_totals(&libraries);
    return same && libraries.compared != 0 ? 0 : 1;
}
