/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/explore/explain.h"
#include "cli/explore/differ.h"

#include <stdlib.h>
#include <string.h>

#include "cli/explore/trial.h"
#include "cli/job.h"
#include "cli/session_state.h"
#include "debug/raced.h"
#include "debug/symbols.h"
#include "farm/chip/chip.h"
#include "farm/explore/explore.h"
#include "tile/arch.h"
#include "tile/node_text.h"
#include "tile/numbered.h"

#define ROWS 10u /* number of accesses to a word */
#define ROW_BYTES 160u
#define COLUMN 56 /* number of characters */
#define RACES_READ 256u

/* "chip 1, " in a system. */
static const char *name_chip(const struct tf_explanation *explanation, unsigned chip, char text[TF_CHIP_TEXT_BYTES])
{
    return tf_subject_chip(explanation->subject, chip, text);
}

static const struct tf_arch *arch_of(const struct tf_explanation *explanation, unsigned chip)
{
    return tf_chip_arch(explanation->subject->session[chip].chip);
}

/* --- races --- */

static int tile_of(const struct tf_chip *chip, struct tf_coord coord)
{
    return tf_numbered_tile(tf_chip_arch(chip), coord);
}

/* Does a decision concern this side? */
static bool is_decided(const struct tf_session *session, const struct tf_race_side *side,
                       const struct tf_decision *decision, size_t decisions)
{
    for (size_t i = 0; i < decisions; i++)
        if (decision[i].pc == side->pc && decision[i].chip == session->job->chip &&
            (int)decision[i].tile == tile_of(session->chip, side->tile))
            return true;
    return false;
}

static void tell_side(struct tf_session *session, const struct tf_race_side *side, char *line, size_t bytes)
{
    const struct tf_arch *arch = tf_chip_arch(session->chip);
    char place[TF_PLACE_BYTES] = "", core[24] = "", node[TF_NODE_TEXT_BYTES];
    const int tile = tf_symbols_tile(arch, side->tile);
    if (side->core != TF_CORE_NONE)
        snprintf(core, sizeof core, " %s", tf_core_name(arch, tf_node_kind(arch, side->tile), side->core));
    if (tile >= 0 && side->core != TF_CORE_NONE)
        tf_symbols_place(session->symbols, (unsigned)tile, side->core, side->pc, place, sizeof place);
    snprintf(line, bytes, "%s, %s%s, cycle %llu, %s", side->what, tf_node_text(arch, side->tile, node), core,
             (unsigned long long)side->cycle, place[0] != '\0' ? place : "?");
}

/* Say what is missing between the two lines; "": nothing is known of it. */
static void tell_here(struct tf_session *session, const struct tf_race *race, char *line, size_t bytes)
{
    struct tf_raced names;
    char here[TF_PLACE_BYTES + 180];
    line[0] = '\0';
    tf_raced_name(tf_chip_arch(session->chip), session->symbols, race, &names);
    if (tf_raced_here_text(race, &names, here, sizeof here))
        snprintf(line, bytes, "here: %s", here);
}

static void tell_race(struct tf_explanation *explanation, struct tf_session *session, const struct tf_race *race)
{
    int tile = tile_of(session->chip, race->node);
    struct tf_explained_race *explained = &explanation->race[explanation->races++];
    explained->chip = session->job->chip;
    explained->tile = tile < 0 ? UINT32_MAX : (unsigned)tile;
    explained->address = race->address;
    explained->count = race->count;
    char node[TF_NODE_TEXT_BYTES], chip[TF_CHIP_TEXT_BYTES];
    snprintf(explained->line[0], sizeof explained->line[0], "%s%s, 0x%llx, %llu time%s: %s",
             name_chip(explanation, session->job->chip, chip),
             tf_node_text(tf_chip_arch(session->chip), race->node, node), (unsigned long long)race->address,
             (unsigned long long)race->count, race->count == 1 ? "" : "s", tf_raced_kind(race->kind));
    tell_side(session, &race->side[0], explained->line[1], sizeof explained->line[1]);
    tell_side(session, &race->side[1], explained->line[2], sizeof explained->line[2]);
    snprintf(explained->line[3], sizeof explained->line[3], "to fix it: %s", race->advice);
    tell_here(session, race, explained->line[4], sizeof explained->line[4]);
}

/* Tell the races of a chip that belong to decisions, or the others. */
static void tell_races(struct tf_explanation *explanation, struct tf_session *session, const struct tf_race *race,
                       size_t races, const struct tf_decision *decision, size_t decisions, bool decided)
{
    for (size_t i = 0; i < races && i < RACES_READ && explanation->races < TF_RACES_EXPLAINED; i++)
        if (race[i].side[1].what != NULL && (is_decided(session, &race[i].side[0], decision, decisions) ||
                                             is_decided(session, &race[i].side[1], decision, decisions)) == decided)
            tell_race(explanation, session, &race[i]);
}

void tf_explain_races(struct tf_explanation *explanation, const struct tf_subject *subject,
                      const struct tf_decision *decision, size_t decisions)
{
    struct tf_race *race = calloc(RACES_READ, sizeof *race);
    for (unsigned decided = 2; race != NULL && decided-- > 0;)
        for (unsigned i = 0; i < subject->chips; i++) {
            struct tf_session *session = &subject->session[i];
            const size_t races = tf_races(session->chip, race, RACES_READ);
            explanation->races_found += decided == 1 ? races : 0;
            tell_races(explanation, session, race, races, decision, decisions, decided == 1);
        }
    free(race);
}

/* --- accesses --- */

static void add_word(struct tf_explanation *explanation, unsigned chip, unsigned tile, uint64_t address)
{
    const struct tf_arch *arch = arch_of(explanation, chip);
    struct tf_shape shape;
    tf_arch_shape(arch, &shape);
    for (unsigned i = 0; i < explanation->words; i++)
        if (explanation->word[i].chip == chip && explanation->word[i].tile == tile &&
            explanation->word[i].address == (address & ~3ull))
            return;
    if (explanation->words < TF_WORDS_TOLD && tile < tf_arch_tiles(arch) && address < shape.l1_bytes)
        explanation->word[explanation->words++] =
            (struct tf_told_word){.chip = chip, .tile = tile, .address = (uint32_t)address & ~3u};
}

static void choose_words(struct tf_explanation *explanation, const struct tf_decision *decision, size_t decisions)
{
    for (size_t i = 0; i < decisions; i++)
        if ((decision[i].freedom == TF_FREE_STORE || decision[i].freedom == TF_FREE_STALE ||
             decision[i].freedom == TF_FREE_LOAD) &&
            decision[i].address != 0)
            add_word(explanation, decision[i].chip, decision[i].tile, decision[i].address);
    for (unsigned i = 0; i < explanation->races; i++)
        add_word(explanation, explanation->race[i].chip, explanation->race[i].tile, explanation->race[i].address);
    if (explanation->differs)
        add_word(explanation, explanation->first.chip, explanation->first.tile, explanation->first.address);
}

static struct tf_exploring *exploring_of(const struct tf_subject *subject, const struct tf_told_word *word)
{
    return subject->session[word->chip].chip->exploring;
}

static void record_words(void *user, struct tf_subject *subject)
{
    const struct tf_explanation *explanation = user;
    for (unsigned i = 0; i < explanation->words; i++)
        tf_exploring_record(exploring_of(subject, &explanation->word[i]), explanation->word[i].tile,
                            explanation->word[i].address);
}

static char *text_of(struct tf_session *session, const struct tf_noted_access *access)
{
    static const char *const what[] = {
        [TF_NOTED_LOAD] = "load",
        [TF_NOTED_STORE] = "store",
        [TF_NOTED_AMO] = "atomic",
        [TF_NOTED_NOC_WRITE] = "NOC write",
        [TF_NOTED_NOC_READ] = "NOC read",
        [TF_NOTED_NOC_ATOMIC] = "NOC atomic",
        [TF_NOTED_NOC_SOURCE] = "NOC source",
        [TF_NOTED_NOC_DATA] = "NOC data",
        [TF_NOTED_UNPACK] = "unpacker",
        [TF_NOTED_PACK] = "packer",
        [TF_NOTED_SCALAR] = "scalar unit",
        [TF_NOTED_MOVER] = "mover",
        [TF_NOTED_MOVER_READ] = "mover read",
    };
    const struct tf_arch *arch = tf_chip_arch(session->chip);
    char place[TF_PLACE_BYTES] = "", row[ROW_BYTES], times[32] = "";
    struct tf_coord coord = {0, 0};
    const int tile = tf_numbered_coord(arch, access->tile, &coord) ? tf_symbols_tile(arch, coord) : -1;
    if (tile >= 0)
        tf_symbols_place(session->symbols, (unsigned)tile, access->core, access->pc, place, sizeof place);
    const size_t function = (size_t)tf_raced_function_length(place);
    place[function + strcspn(place + function, " ")] = '\0'; /* a key without the line */
    if (access->count > 1)
        snprintf(times, sizeof times, " x%u", access->count);
    if (access->kind == TF_NOTED_PACKET)
        snprintf(row, sizeof row, "%7llu packet of the link: 0x%x%s", (unsigned long long)access->cycle, access->value,
                 times);
    else
        snprintf(row, sizeof row, "%7llu %s %u %s %.18s: 0x%x%s", (unsigned long long)access->cycle, what[access->kind],
                 access->tile, tf_core_name(arch, tf_node_kind(arch, coord), access->core), place, access->value,
                 times);
    return strdup(row);
}

/* The accesses of one run become the rows of a table. */
static void take_accesses(struct tf_explanation *explanation, const struct tf_subject *subject, unsigned run)
{
    for (unsigned i = 0; i < explanation->words; i++) {
        struct tf_told_word *word = &explanation->word[i];
        const struct tf_noted_accesses *noted = tf_exploring_noted(exploring_of(subject, word), word->tile);
        word->access[run] = calloc(noted == NULL ? 1 : noted->count + 1, sizeof *word->access[run]);
        for (unsigned at = 0; noted != NULL && word->access[run] != NULL && at < noted->count; at++)
            if (noted->list[at].address == word->address)
                word->access[run][word->accesses[run]++] = text_of(&subject->session[word->chip], &noted->list[at]);
    }
}

static void take_default_order(void *user, struct tf_subject *subject)
{
    take_accesses(user, subject, 0);
}

static void take_failing(void *user, struct tf_subject *subject)
{
    take_accesses(user, subject, 1);
}

int tf_explain_runs(struct tf_explanation *explanation, const struct tf_hunt *hunt, const struct tf_decision *decision,
                    size_t decisions)
{
    const struct tf_explore explore[2] = {{.scheduled = true},
                                          {.scheduled = true, .decision = decision, .decisions = decisions}};
    uint64_t from = UINT64_MAX;
    for (size_t i = 0; i < decisions; i++)
        from = decision[i].cycle < from ? decision[i].cycle : from;
    from = decisions == 0 || from < 2 * TF_EXPLORE_CYCLES ? 0 : from - 2 * TF_EXPLORE_CYCLES;
    int code = tf_explain_differences(explanation, hunt, &explore[1], from);
    choose_words(explanation, decision, decisions);
    for (unsigned run = 0; run < 2 && code < 0; run++) {
        struct tf_trial trial;
        const struct tf_trial_looks looks = {.before = record_words,
                                             .after = run == 0 ? take_default_order : take_failing,
                                             .user = explanation};
        code = tf_trial_run_in_process(hunt, &explore[run], &trial, &looks);
        free(trial.decision);
    }
    return code;
}

/* --- reports --- */

static const char *row_at(const struct tf_told_word *word, unsigned run, unsigned at)
{
    const char *row = at < word->accesses[run] ? word->access[run][at] : "";
    return row == NULL ? "" : row;
}

/* Return the text after the cycle, since equal accesses may come in other cycles. */
static const char *without_cycle(const char *row)
{
    row += strspn(row, " ");
    return row + strcspn(row, " ");
}

static void print_word(const struct tf_explanation *explanation, const struct tf_told_word *word, FILE *out)
{
    char node[TF_NODE_TEXT_BYTES], chip[TF_CHIP_TEXT_BYTES];
    unsigned rows = word->accesses[0] > word->accesses[1] ? word->accesses[0] : word->accesses[1], first = 0;
    while (first < rows && strcmp(without_cycle(row_at(word, 0, first)), without_cycle(row_at(word, 1, first))) == 0)
        first++;
    if (first == rows)
        return;
    first -= first != 0; /* an access that is equal in both runs, for orientation */
    fprintf(out, "  Accesses to %s%s, 0x%x, as they took effect%s:\n", name_chip(explanation, word->chip, chip),
            tf_tile_text(arch_of(explanation, word->chip), word->tile, node), word->address,
            first == 0 ? "" : ", from where they differ");
    fprintf(out, "    %-*s | %s\n", COLUMN, "  usual order", "  this order");
    for (unsigned at = first; at < rows && at < first + ROWS; at++)
        fprintf(out, "    %-*.*s | %.*s\n", COLUMN, COLUMN, row_at(word, 0, at), COLUMN, row_at(word, 1, at));
    if (rows > first + ROWS)
        fprintf(out, "    and %u more\n", rows - first - ROWS);
}

static void print_difference(const struct tf_explanation *explanation, const struct tf_difference *difference,
                             FILE *out)
{
    char node[TF_NODE_TEXT_BYTES], chip[TF_CHIP_TEXT_BYTES];
    fprintf(out, "    %s%s, 0x%05x: 0x%08x in the usual order, 0x%08x in this one\n",
            name_chip(explanation, difference->chip, chip),
            tf_tile_text(arch_of(explanation, difference->chip), difference->tile, node), difference->address,
            difference->baseline, difference->value);
}

void tf_explain_print(const struct tf_explanation *explanation, FILE *out)
{
    for (unsigned i = 0; i < explanation->races; i++) {
        fprintf(out, "  %s %s\n", "race:", explanation->race[i].line[0]);
        for (unsigned line = 1; line < TF_RACE_LINES && explanation->race[i].line[line][0] != '\0'; line++)
            fprintf(out, "    %s\n", explanation->race[i].line[line]);
    }
    if (explanation->races_found > explanation->races)
        fprintf(out, "  and %zu more race%s; --check shows all\n", explanation->races_found - explanation->races,
                explanation->races_found - explanation->races == 1 ? "" : "s");
    for (unsigned i = 0; i < explanation->words; i++)
        print_word(explanation, &explanation->word[i], out);
    if (explanation->differs) {
        fprintf(out, "  L1 is equal up to cycle %llu, and differs at cycle %llu:\n",
                (unsigned long long)explanation->equal_until, (unsigned long long)explanation->differs_at);
        print_difference(explanation, &explanation->first, out);
    }
    if (explanation->last_count != 0)
        fprintf(out, "  L1 differs in %llu word%s at the end:\n", (unsigned long long)explanation->last_count,
                explanation->last_count == 1 ? "" : "s");
    for (unsigned i = 0; i < explanation->last_count && i < TF_DIFFERENCES_TOLD; i++)
        print_difference(explanation, &explanation->last[i], out);
}

static json_t *json_of_rows(const struct tf_told_word *word, unsigned run)
{
    json_t *rows = json_array();
    for (unsigned at = 0; at < word->accesses[run]; at++)
        json_array_append_new(rows, json_string(row_at(word, run, at) + strspn(row_at(word, run, at), " ")));
    return rows;
}

/* In a system the object has the number of its chip. */
static json_t *with_chip(const struct tf_explanation *explanation, unsigned chip, json_t *object)
{
    if (explanation->subject->several != NULL)
        json_object_set_new(object, "chip", json_integer((json_int_t)chip));
    return object;
}

void tf_explain_json(const struct tf_explanation *explanation, json_t *object)
{
    json_t *races = json_array(), *words = json_array();
    for (unsigned i = 0; i < explanation->races; i++) {
        const struct tf_explained_race *race = &explanation->race[i];
        json_array_append_new(races,
                              with_chip(explanation, race->chip,
                                        json_pack("{s:i, s:I, s:I, s:[ss], s:s}", "tile", (int)race->tile, "address",
                                                  (json_int_t)race->address, "count", (json_int_t)race->count, "sides",
                                                  race->line[1], race->line[2], "text", race->line[0])));
    }
    for (unsigned i = 0; i < explanation->words; i++) {
        const struct tf_told_word *word = &explanation->word[i];
        json_array_append_new(words, with_chip(explanation, word->chip,
                                               json_pack("{s:i, s:i, s:o, s:o}", "tile", (int)word->tile, "address",
                                                         (int)word->address, "usual", json_of_rows(word, 0), "failing",
                                                         json_of_rows(word, 1))));
    }
    json_object_set_new(object, "races", races);
    json_object_set_new(object, "accesses", words);
    if (explanation->differs)
        json_object_set_new(
            object, "first_difference",
            with_chip(explanation, explanation->first.chip,
                      json_pack("{s:I, s:I, s:i, s:i, s:I, s:I}", "equal_until", (json_int_t)explanation->equal_until,
                                "cycle", (json_int_t)explanation->differs_at, "tile", (int)explanation->first.tile,
                                "address", (int)explanation->first.address, "usual",
                                (json_int_t)explanation->first.baseline, "failing",
                                (json_int_t)explanation->first.value)));
}

char *tf_explain_decision(const struct tf_subject *subject, const struct tf_decision *decision)
{
    const struct tf_session *session = &subject->session[decision->chip];
    char *text = malloc(TF_CHIP_TEXT_BYTES + TF_DECISION_TEXT_BYTES);
    if (text == NULL)
        return NULL;
    tf_subject_chip(subject, decision->chip, text);
    tf_decision_text(tf_chip_arch(session->chip), decision, session->symbols, text + strlen(text),
                     TF_DECISION_TEXT_BYTES);
    return text;
}
