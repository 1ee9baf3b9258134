/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words of L1 that NOC atomics, Zaamo instructions of cores and the scalar unit change at the same time. The library
 * reports no times for the latter two, so the check uses none. Each operation takes its word from one value to another.
 * In an order that explains all changes, they form a path from the word's first value to its last. So each value is
 * left as often as it is reached. This rule fails after a lost or torn update.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/check/stress.h"
#include "cli/check/stress_words.h"

#define WORDS (TF_STRESS_WORDS_BYTES / 4)

/* A value is reached (+1) or left (-1). */
struct visit {
    uint32_t value;
    int32_t count;
};

struct visits {
    struct visit *visit;
    size_t count;
};

int tf_stress_words_begin(struct tf_stress_chip *stress)
{
    static const uint32_t zero[WORDS];
    int error = TF_OK;
    for (unsigned i = 0; i < TF_STRESS_RECTANGLE && error == TF_OK; i++)
        error = tf_write(stress->chip, stress->target[i].node, TF_STRESS_WORDS, zero, sizeof zero);
    return error;
}

static void visit(struct visits *visits, uint32_t value, int32_t count)
{
    visits->visit[visits->count++] = (struct visit){value, count};
}

/* BabyRISCV/InstructionSet.md (Zaamo), ATINCGET.md, ATINCGETPTR.md, ATCAS.md, ATSWAP.md. */
static uint32_t new_value(const struct tf_stress_step *step)
{
    uint32_t mask = UINT32_MAX, sum = step->old + 1;
    switch (step->kind) {
    case TF_STRESS_AMO:
        return step->code == TF_K_ZAAMO_COUNT ? step->data : tf_noc_zaamo(step->code, step->old, step->data);
    case TF_STRESS_ATINCGET:
        mask = (2u << step->code) - 1;
        sum = step->old + step->data;
        break;
    case TF_STRESS_ATINCGETPTR: mask = (1u << TF_STRESS_FIFO_WRAP) - 1; break;
    default: return step->data;
    }
    return (sum & mask) | (step->old & ~mask);
}

static void visit_steps(const struct tf_stress_chip *stress, unsigned target, unsigned word, struct visits *visits)
{
    size_t steps = 2 * (size_t)stress->requests;
    const struct tf_stress_step *step = stress->step + target * TF_TILE_CORES * steps;
    for (const struct tf_stress_step *end = step + tf_stress_cores(stress) * steps; step < end; step++) {
        if (step->kind == TF_STRESS_NO_STEP || step->word != word)
            continue;
        visit(visits, new_value(step), 1);
        if (step->kind != TF_STRESS_ATSWAP)
            visit(visits, step->old, -1);
    }
}

static void visit_atomics(const struct tf_stress_chip *stress, unsigned target, unsigned word, size_t records,
                          struct visits *visits)
{
    for (size_t i = 0; i < records; i++) {
        const struct tf_stress_record *record = &stress->history.record[i];
        struct tf_noc_atomic op;
        if (record->target != target || record->address != TF_STRESS_WORDS + 4 * word ||
            tf_noc_atomic_decode(stress->profile, record->at_len_be, record->at_data, &op))
            continue;
        visit(visits, tf_noc_atomic_word(&op, record->result), 1);
        visit(visits, record->result, -1);
    }
}

static int compare_value(const void *left, const void *right)
{
    const struct visit *a = left, *b = right;
    return (a->value > b->value) - (a->value < b->value);
}

/* ATSWAP does not tell which value it left: a value may be reached more often than others left it. */
static bool form_path(struct visits *visits, uint32_t *value)
{
    qsort(visits->visit, visits->count, sizeof *visits->visit, compare_value);
    for (size_t i = 0; i < visits->count;) {
        int32_t count = 0;
        *value = visits->visit[i].value;
        for (; i < visits->count && visits->visit[i].value == *value; i++)
            count += visits->visit[i].count;
        if (count < 0)
            return false;
    }
    return true;
}

static bool check_word(const struct tf_stress_chip *stress, unsigned target, unsigned word, uint32_t final,
                       size_t records, struct visits *visits, struct tf_stress_failure *failure)
{
    uint32_t value;
    visits->count = 0;
    visit(visits, 0, 1);
    visit(visits, final, -1);
    visit_steps(stress, target, word, visits);
    visit_atomics(stress, target, word, records, visits);
    if (form_path(visits, &value))
        return true;
    struct tf_coord node = stress->target[target].node;
    failure->invariant = TF_STRESS_R1;
    snprintf(failure->text, sizeof failure->text,
             "round %u: the history of word 0x%x at %s, which cores and NOC atomics change, is not linearizable: "
             "more of them found 0x%08x there than left it",
             stress->round, TF_STRESS_WORDS + 4 * word, TF_STRESS_NODE(stress->arch, node), value);
    return false;
}

bool tf_stress_words_check(struct tf_stress_chip *stress, size_t records, struct tf_stress_failure *failure)
{
    size_t room = 2 + 2 * records + 4 * (size_t)TF_TILE_CORES * stress->requests;
    struct visits visits = {.visit = malloc(room * sizeof *visits.visit)};
    int error = visits.visit ? TF_OK : TF_ENOMEM;
    bool fine = error == TF_OK;
    for (unsigned target = 0; target < TF_STRESS_RECTANGLE && fine; target++) {
        uint32_t final[WORDS];
        error = tf_read(stress->chip, stress->target[target].node, TF_STRESS_WORDS, final, sizeof final);
        fine = error == TF_OK;
        for (unsigned word = 0; word < WORDS && fine; word++)
            fine = check_word(stress, target, word, final[word], records, &visits, failure);
    }
    if (error != TF_OK)
        snprintf(failure->text, sizeof failure->text, "the words of cores cannot be checked: %s", tf_strerror(error));
    free(visits.visit);
    return fine;
}
