/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the coprocessor's units: for each case the rows that it changes. */
#include <stdlib.h>
#include <string.h>

#include "record/record.h"
#include "record/units.h"

/* Lines of the committed table: a case, or a row of the case before it. */
static const struct line {
    struct unit_case one;
    uint8_t row;
    bool hashed; /* a case without rows in the table */
    uint64_t hash;
    const char *words; /* NULL: a case */
} lines[] = {
#define UNIT(kind_, seed_) {.one = {.kind = UNIT_##kind_, .seed = (seed_)}},
#define ROW(number, text) {.row = number, .words = text},
#define HASHED(kind_, seed_, value_) {.one = {.kind = UNIT_##kind_, .seed = (seed_)}, .hashed = true, .hash = (value_)},
#include PEER_UNITS
#undef UNIT
#undef ROW
#undef HASHED
};

#define LINES (sizeof lines / sizeof lines[0])

/* How many cases of a kind a new table gets. */
static const uint8_t wanted[UNIT_KIND_COUNT] = {PEER_UNITS_WANTED};

static void print_row(FILE *out, unsigned row, const uint32_t *after)
{
    fprintf(out, "ROW(%u, \"", row);
    for (unsigned i = 0; i < RIG_COLUMNS; i++)
        fprintf(out, "%s%08x", i == 0 ? "" : i == RIG_COLUMNS / 2 ? " \"\n    \"" : " ", after[i]);
    fprintf(out, "\")\n");
}

static uint64_t hash_of(const struct unit_result *result)
{
    return hash(0, result->after, sizeof result->after);
}

static void print_case(FILE *out, const struct unit_case *one, bool hashed, const struct unit_result *result)
{
    static char words[1200];
    unit_words(one, words, sizeof words);
    if (hashed) {
        fprintf(out, "HASHED(%s, %u, 0x%016llxull)\n", unit_names[one->kind], one->seed,
                (unsigned long long)hash_of(result));
        return;
    }
    fprintf(out, "UNIT(%s, %u) /* %s */\n", unit_names[one->kind], one->seed, words);
    for (unsigned row = 0; row < RIG_ROWS; row++)
        if (memcmp(result->before[row], result->after[row], sizeof result->after[row]) != 0)
            print_row(out, row, result->after[row]);
}

/* The results of the committed table for the case of this line. */
static void committed_rows(const struct line *line, const struct unit_result *result, uint32_t rows[][RIG_COLUMNS])
{
    memcpy(rows, result->before, sizeof result->before);
    for (line++; line < lines + LINES && line->words != NULL; line++) {
        const char *at = line->words;
        for (unsigned i = 0; i < RIG_COLUMNS; i++) {
            char *end;
            rows[line->row][i] = (uint32_t)strtoul(at, &end, 16);
            at = end;
        }
    }
}

/* Does the result differ from these rows? If so, prints the first difference. */
static bool tell_first(const struct unit_case *one, const struct unit_result *result, uint32_t rows[][RIG_COLUMNS],
                       const char *words)
{
    for (unsigned i = 0; i < RIG_WORDS; i++) {
        uint32_t is = result->after[i / RIG_COLUMNS][i % RIG_COLUMNS], was = rows[i / RIG_COLUMNS][i % RIG_COLUMNS];
        if (is == was)
            continue;
        fprintf(stderr, "%s %u: row %u, lane %u is 0x%08x, and recorded as 0x%08x: bit %d first, after %s\n",
                unit_names[one->kind], one->seed, i / RIG_COLUMNS, i % RIG_COLUMNS, is, was, __builtin_ctz(is ^ was),
                words);
        return true;
    }
    return false;
}

/* The library that TF_PEER names gives the rows of a case that has a hash alone. */
static void tell_beside_peer(const struct line *line, const struct unit_result *result, const char *words)
{
    static struct unit_result of_peer[UNIT_PART];
    const struct unit_part part = {1, {line->one}};
    const char *peer = getenv("TF_PEER"), *why = "with TF_PEER=LIBRARY, record says where";
    if (peer != NULL) {
        if (!peer_call(peer, unit_run, &part, of_peer, sizeof of_peer))
            why = "the peer refuses it";
        else if (hash_of(&of_peer[0]) != line->hash)
            why = "the peer gives another result than the recorded one, too";
        else if (tell_first(&line->one, result, of_peer[0].after, words))
            return;
    }
    fprintf(stderr, "%s %u differs from what was recorded; %s, after %s\n", unit_names[line->one.kind], line->one.seed,
            why, words);
}

/* Prints where a result first differs from the committed one. */
static void tell_difference(const struct line *line, const struct unit_result *result)
{
    static uint32_t rows[RIG_ROWS][RIG_COLUMNS];
    static char words[1200];
    unit_words(&line->one, words, sizeof words);
    if (!line->hashed) {
        committed_rows(line, result, rows);
        tell_first(&line->one, result, rows, words);
    } else if (line->hash != hash_of(result)) {
        tell_beside_peer(line, result, words);
    }
}

/* Takes the next cases of the table; returns how many. */
static unsigned next_part(const struct line **line, struct unit_part *part, const struct line *of[UNIT_PART])
{
    part->count = 0;
    for (; *line < lines + LINES && part->count < UNIT_PART; (*line)++)
        if ((*line)->words == NULL) {
            of[part->count] = *line;
            part->one[part->count++] = (*line)->one;
        }
    return part->count;
}

bool record_units(const char *library, FILE *out)
{
    static struct unit_result result[UNIT_PART];
    struct unit_part part;
    const struct line *line = lines, *of[UNIT_PART];
    while (next_part(&line, &part, of) != 0) {
        if (!peer_call(library, unit_run, &part, result, sizeof result))
            return false;
        for (unsigned i = 0; i < part.count; i++) {
            tell_difference(of[i], &result[i]);
            print_case(out, &part.one[i], of[i]->hashed, &result[i]);
        }
    }
    return true;
}

bool record_new_units(const char *library, FILE *out)
{
    static struct unit_result result[UNIT_PART];
    for (unsigned kind = 0; kind < UNIT_KIND_COUNT; kind++)
        for (unsigned taken = 0, seed = 0; taken < wanted[kind]; seed++) {
            struct unit_part part = {1, {{.kind = (uint8_t)kind, .seed = seed}}};
            if (seed > 100u * wanted[kind])
                return false;
            if (!peer_call(library, unit_run, &part, result, sizeof result))
                continue;
            print_case(out, &part.one[0], taken + 1 > PEER_UNIT_ROWS, &result[0]);
            taken++;
        }
    return true;
}
