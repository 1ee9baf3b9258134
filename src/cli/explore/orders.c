/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/explore/orders.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cli/explore/subject.h"
#include "cli/session_state.h"
#include "cli/text.h"
#include "debug/raced.h"

#define SEEN_MOST 512u
#define PAIRS_SHOWN 10u

/* An order that a seed was the first to show. */
struct seen {
    struct tf_chip_race race;
    uint64_t seed;
};

/* Written by one process. It may be killed at any moment, so the count comes last. */
struct tf_orders_of_job {
    size_t count;
    struct seen seen[SEEN_MOST];
};

bool tf_orders_open(struct tf_orders *orders, unsigned jobs)
{
    void *memory = mmap(NULL, jobs * sizeof *orders->of_job, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    *orders = (struct tf_orders){.of_job = memory == MAP_FAILED ? NULL : memory, .jobs = jobs};
    return orders->of_job != NULL;
}

void tf_orders_close(struct tf_orders *orders)
{
    if (orders->of_job != NULL)
        munmap(orders->of_job, orders->jobs * sizeof *orders->of_job);
    free(orders->pair);
    *orders = (struct tf_orders){.of_job = NULL};
}

static bool is_same_side(const struct tf_race_side *a, const struct tf_race_side *b)
{
    return a->tile.x == b->tile.x && a->tile.y == b->tile.y && a->core == b->core && a->pc == b->pc;
}

/* Are two races of the same pair, in the same order or in the other one? */
static bool is_same(const struct tf_chip_race *of_a, const struct tf_chip_race *of_b, bool other_order)
{
    const struct tf_race *a = &of_a->race, *b = &of_b->race;
    return of_a->chip == of_b->chip && a->node.x == b->node.x && a->node.y == b->node.y &&
           is_same_side(&a->side[0], &b->side[other_order]) && is_same_side(&a->side[1], &b->side[!other_order]);
}

void tf_orders_note(struct tf_orders *orders, unsigned job, uint64_t seed, const struct tf_chip_race *race,
                    size_t races)
{
    struct tf_orders_of_job *of = &orders->of_job[job];
    for (size_t i = 0; i < races; i++) {
        size_t at = 0;
        while (at < of->count && !is_same(&of->seen[at].race, &race[i], false))
            at++;
        if (race[i].race.kind != TF_RACE_DATA || at < of->count || at == SEEN_MOST)
            continue;
        of->seen[at] = (struct seen){.race = race[i], .seed = seed};
        __atomic_store_n(&of->count, at + 1, __ATOMIC_RELEASE);
    }
}

static struct tf_pair *pair_of(struct tf_orders *orders, const struct tf_chip_race *race, bool *other)
{
    for (size_t i = 0; i < 2 * orders->pairs; i++) {
        *other = i % 2;
        if (is_same(&orders->pair[i / 2].of, race, *other))
            return &orders->pair[i / 2];
    }
    *other = false;
    orders->pair[orders->pairs] = (struct tf_pair){.of = *race, .first = {TF_NO_SEED, TF_NO_SEED}};
    return &orders->pair[orders->pairs++];
}

/* Pairs in the order in which seeds showed them, whichever job ran them; the pcs decide between pairs of one seed. */
static int by_seed(const void *a, const void *b)
{
    const struct tf_pair *x = a, *y = b;
    const uint64_t of_x[] = {x->first[0], x->of.race.side[0].pc, x->of.race.side[1].pc};
    const uint64_t of_y[] = {y->first[0], y->of.race.side[0].pc, y->of.race.side[1].pc};
    for (unsigned i = 0; i < 3; i++)
        if (of_x[i] != of_y[i])
            return of_x[i] < of_y[i] ? -1 : 1;
    return 0;
}

/* The order that came first is the pair's own. */
static void turn(struct tf_pair *pair)
{
    if (pair->first[0] <= pair->first[1])
        return;
    const uint64_t first = pair->first[0];
    const struct tf_race_side side = pair->of.race.side[0];
    pair->first[0] = pair->first[1];
    pair->first[1] = first;
    pair->of.race.side[0] = pair->of.race.side[1];
    pair->of.race.side[1] = side;
}

bool tf_orders_collect(struct tf_orders *orders, uint64_t last)
{
    free(orders->pair);
    orders->pairs = 0;
    orders->pair = calloc((size_t)orders->jobs * SEEN_MOST, sizeof *orders->pair);
    if (orders->pair == NULL)
        return false;
    for (unsigned job = 0; job < orders->jobs; job++) {
        const struct tf_orders_of_job *of = &orders->of_job[job];
        for (size_t i = 0; i < of->count; i++) {
            bool other;
            if (of->seen[i].seed > last)
                continue;
            struct tf_pair *pair = pair_of(orders, &of->seen[i].race, &other);
            if (of->seen[i].seed < pair->first[other])
                pair->first[other] = of->seen[i].seed;
        }
    }
    for (size_t i = 0; i < orders->pairs; i++)
        turn(&orders->pair[i]);
    qsort(orders->pair, orders->pairs, sizeof *orders->pair, by_seed);
    return true;
}

static size_t in_both(const struct tf_orders *orders)
{
    size_t both = 0;
    for (size_t i = 0; i < orders->pairs; i++)
        both += orders->pair[i].first[1] != TF_NO_SEED;
    return both;
}

static const char *seed_text(const struct tf_orders *orders, uint64_t seed, char *text)
{
    char number[TF_GROUPED_BYTES];
    if (seed == TF_USUAL_ORDER)
        return orders->replayed ? "the usual order or the corpus" : "the usual order";
    snprintf(text, 16 + TF_GROUPED_BYTES, "seed %s", tf_text_grouped(seed, number));
    return text;
}

static void name_pair(const struct tf_subject *subject, const struct tf_pair *pair, struct tf_raced *names)
{
    const struct tf_session *session = &subject->session[pair->of.chip];
    tf_raced_name(tf_chip_arch(session->chip), session->symbols, &pair->of.race, names);
}

void tf_orders_print(const struct tf_orders *orders, const struct tf_subject *subject, FILE *out)
{
    char first[16 + TF_GROUPED_BYTES], other[16 + TF_GROUPED_BYTES], chip[TF_CHIP_TEXT_BYTES];
    fprintf(out, "  orders: %zu pair%s of accesses that nothing orders, %zu of them in both orders\n", orders->pairs,
            orders->pairs == 1 ? "" : "s", in_both(orders));
    for (size_t i = 0; i < orders->pairs && i < PAIRS_SHOWN; i++) {
        const struct tf_pair *pair = &orders->pair[i];
        struct tf_raced names;
        name_pair(subject, pair, &names);
        fprintf(out, "    %s%s, %s, then %s, %s: first in %s; ", tf_subject_chip(subject, pair->of.chip, chip),
                pair->of.race.side[0].what, names.side[0].place, pair->of.race.side[1].what, names.side[1].place,
                seed_text(orders, pair->first[0], first));
        if (pair->first[1] == TF_NO_SEED)
            fprintf(out, "no run had the other order\n");
        else
            fprintf(out, "the other order in %s\n", seed_text(orders, pair->first[1], other));
    }
    if (orders->pairs > PAIRS_SHOWN)
        fprintf(out, "    and %zu more, in --json\n", orders->pairs - PAIRS_SHOWN);
}

json_t *tf_orders_json(const struct tf_orders *orders, const struct tf_subject *subject)
{
    json_t *list = json_array();
    for (size_t i = 0; i < orders->pairs; i++) {
        const struct tf_pair *pair = &orders->pair[i];
        struct tf_raced names;
        name_pair(subject, pair, &names);
        json_t *one = json_pack("{s:s, s:s, s:s, s:s, s:I, s:I}", "first", names.side[0].place, "first_access",
                                pair->of.race.side[0].what, "second", names.side[1].place, "second_access",
                                pair->of.race.side[1].what, "address", (json_int_t)pair->of.race.address, "seed",
                                (json_int_t)pair->first[0]);
        json_object_set_new(one, "seed_of_other_order",
                            pair->first[1] == TF_NO_SEED ? json_null() : json_integer((json_int_t)pair->first[1]));
        if (subject->several != NULL)
            json_object_set_new(one, "chip", json_integer((json_int_t)pair->of.chip));
        json_array_append_new(list, one);
    }
    return list;
}
