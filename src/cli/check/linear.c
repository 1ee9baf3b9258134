/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/check/linear.h"

#include <stdlib.h>
#include <string.h>

const struct tf_linear_limits tf_linear_limits_default = {.configurations_max = 1u << 14, .steps_max = 1ull << 28};

/* One possible state: the line, and the pending operations, by slot, that have taken effect. */
struct configuration {
    uint64_t taken;
    uint32_t line[TF_LINEAR_WORDS];
};

/* A set of configurations, as a hash table with open addressing. */
struct set {
    struct configuration *item;
    uint32_t *bucket;        /* index of an item, plus 1; 0 marks a free bucket */
    uint32_t count, buckets; /* there is room for buckets / 2 items */
};

struct keyed {
    uint64_t key;
    size_t index;
};

struct search {
    struct tf_linear_op *ops;
    size_t count;
    const struct tf_linear_model *model;
    const struct tf_linear_limits *limits;
    struct tf_linear_report *report;
    struct keyed *by_end;               /* operations by their ends; the fast path sorts them by answers */
    size_t slot[TF_LINEAR_PENDING_MAX]; /* operation in each slot; those in slots of `pending` are valid */
    uint64_t pending;                   /* the slots in use, as bits */
    uint8_t *slot_of;                   /* slot of each operation; for the fast path: is it in the chain? */
    struct set current, next, tried;
};

static int compare_begin(const void *left, const void *right)
{
    const struct tf_linear_op *a = left, *b = right;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return (a->end > b->end) - (a->end < b->end);
}

static int compare_key(const void *left, const void *right)
{
    const struct keyed *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

#define BUCKETS_FIRST 128u

static bool set_init(struct set *set, uint32_t buckets)
{
    set->item = malloc((size_t)buckets / 2 * sizeof *set->item);
    set->bucket = calloc(buckets, sizeof *set->bucket);
    set->buckets = buckets;
    return set->item && set->bucket;
}

static void set_fini(struct set *set)
{
    free(set->item);
    free(set->bucket);
}

static uint32_t set_place(const struct set *set, const struct configuration *item)
{
    uint64_t hash = item->taken;
    for (unsigned i = 0; i < TF_LINEAR_WORDS; i++)
        hash = (hash ^ hash >> 29 ^ item->line[i]) * 0x9E3779B97F4A7C15ull;
    uint32_t place = (uint32_t)(hash >> 32) & (set->buckets - 1);
    while (set->bucket[place] && memcmp(&set->item[set->bucket[place] - 1], item, sizeof *item) != 0)
        place = (place + 1) & (set->buckets - 1);
    return place;
}

static void set_clear(struct set *set)
{
    /* The latest item comes first: set_place() must not meet a free bucket before an item that is still in the set. */
    while (set->count > 0) {
        uint32_t place = set_place(set, &set->item[set->count - 1]);
        set->bucket[place] = 0;
        set->count--;
    }
}

static bool set_grow(struct set *set)
{
    struct set larger = {0};
    if (!set_init(&larger, 2 * set->buckets)) {
        set_fini(&larger);
        return false;
    }
    for (; larger.count < set->count; larger.count++) {
        larger.item[larger.count] = set->item[larger.count];
        larger.bucket[set_place(&larger, &larger.item[larger.count])] = larger.count + 1;
    }
    set_fini(set);
    *set = larger;
    return true;
}

/* Add a configuration, unless the set already has it. Returns false if the limit is reached, or if the host has no
   memory. */
static bool set_add(struct set *set, const struct configuration *item, uint32_t configurations_max)
{
    uint32_t place = set_place(set, item);
    if (set->bucket[place])
        return true;
    if (set->count == configurations_max)
        return false;
    if (set->count == set->buckets / 2) {
        if (!set_grow(set))
            return false;
        place = set_place(set, item);
    }
    set->item[set->count] = *item;
    set->bucket[place] = ++set->count;
    return true;
}

/* Set *to to `from` after the operation in `slot` has taken effect. Returns false if the operation would then give
   another answer than it gave. */
static bool take_effect(struct search *search, const struct configuration *from, unsigned slot,
                        struct configuration *to)
{
    const struct tf_linear_op *op = &search->ops[search->slot[slot]];
    *to = *from;
    to->taken |= 1ull << slot;
    search->report->steps++;
    uint32_t answer = search->model->apply(search->model->context, op->id, to->line);
    return !op->answered || answer == op->answer;
}

/*
 * Replace each configuration by all in which the operation in `slot` has taken effect, with any number of other pending
 * operations before it. `tried` holds the configurations in between. Returns false if a limit was reached.
 */
static bool place(struct search *search, unsigned slot)
{
    uint32_t most = search->limits->configurations_max;
    uint64_t bit = 1ull << slot;
    set_clear(&search->next);
    set_clear(&search->tried);
    for (uint32_t i = 0; i < search->current.count; i++) {
        struct configuration item = search->current.item[i];
        if (!(item.taken & bit)) {
            if (!set_add(&search->tried, &item, most))
                return false;
            continue;
        }
        item.taken &= ~bit;
        if (!set_add(&search->next, &item, most))
            return false;
    }
    for (uint32_t i = 0; i < search->tried.count; i++) {
        struct configuration from = search->tried.item[i], to;
        for (uint64_t left = search->pending & ~from.taken; left; left &= left - 1) {
            unsigned other = (unsigned)__builtin_ctzll(left);
            if (!take_effect(search, &from, other, &to))
                continue;
            if (other == slot)
                to.taken &= ~bit;
            if (!set_add(other == slot ? &search->next : &search->tried, &to, most))
                return false;
        }
        if (search->report->steps > search->limits->steps_max)
            return false;
    }
    struct set swap = search->current;
    search->current = search->next;
    search->next = swap;
    if (search->current.count > search->report->widest)
        search->report->widest = search->current.count;
    return true;
}

/* Where a search is in its history. */
struct cursor {
    size_t begun, ended; /* numbers of operations that have begun, and that have ended */
    size_t quiet[2];     /* values of `ended` at the last two moments without pending operations; latest first */
};

static void start(struct search *search, struct cursor *cursor, const uint32_t initial[TF_LINEAR_WORDS])
{
    struct configuration first = {0};
    memcpy(first.line, initial, sizeof first.line);
    set_clear(&search->current);
    set_add(&search->current, &first, search->limits->configurations_max);
    search->pending = 0;
    *cursor = (struct cursor){0};
}

/* Begin the operations that begin no later than the next end. Returns false if more are pending than there are
   slots. */
static bool begin_pending(struct search *search, struct cursor *cursor)
{
    uint64_t until = search->by_end[cursor->ended].key;
    if (!search->pending) {
        cursor->quiet[1] = cursor->quiet[0];
        cursor->quiet[0] = cursor->ended;
    }
    while (cursor->begun < search->count && search->ops[cursor->begun].begin <= until) {
        if (search->pending == UINT64_MAX)
            return false;
        unsigned slot = (unsigned)__builtin_ctzll(~search->pending);
        search->pending |= 1ull << slot;
        search->slot[slot] = cursor->begun;
        search->slot_of[cursor->begun] = (uint8_t)slot;
        cursor->begun++;
    }
    return true;
}

/* End the next operation. NO if it cannot take effect in any configuration; UNKNOWN if a limit was reached. */
static enum tf_linear_verdict end_next(struct search *search, struct cursor *cursor)
{
    if (!begin_pending(search, cursor))
        return TF_LINEAR_UNKNOWN;
    unsigned slot = search->slot_of[search->by_end[cursor->ended].index];
    if (!place(search, slot))
        return TF_LINEAR_UNKNOWN;
    if (search->current.count == 0)
        return TF_LINEAR_NO;
    search->pending &= ~(1ull << slot);
    cursor->ended++;
    return TF_LINEAR_YES;
}

static bool fits_final(const struct search *search, const uint32_t *final)
{
    for (uint32_t i = 0; i < search->current.count; i++) {
        if (memcmp(search->current.item[i].line, final, sizeof search->current.item[i].line) == 0)
            return true;
    }
    return false;
}

static int compare_index(const void *left, const void *right)
{
    size_t a = *(const size_t *)left, b = *(const size_t *)right;
    return (a > b) - (a < b);
}

#define ENDS_NEAR 6u

/* Write the present configurations into the report, in terms of the operations that it lists. */
static void describe_starts(struct search *search)
{
    struct tf_linear_report *report = search->report;
    report->starts = search->current.count;
    for (uint32_t i = 0; i < search->current.count && i < TF_LINEAR_STARTS_MAX; i++) {
        const struct configuration *item = &search->current.item[i];
        memcpy(report->start[i].line, item->line, sizeof item->line);
        report->start[i].taken = 0;
        for (unsigned k = 0; k < report->ops; k++) {
            unsigned slot = search->slot_of[report->op[k]];
            bool pending = (search->pending >> slot & 1) && search->slot[slot] == report->op[k];
            if (pending && (item->taken >> slot & 1))
                report->start[i].taken |= 1ull << k;
        }
    }
}

/* List the pending operations, and those that begin later but not after `until`. Returns false if the report has no
   room. */
static bool list_ops(struct search *search, const struct cursor *cursor, uint64_t until)
{
    struct tf_linear_report *report = search->report;
    report->ops = 0;
    for (uint64_t left = search->pending; left; left &= left - 1) {
        if (report->ops == TF_LINEAR_SHOWN_MAX)
            return false;
        report->op[report->ops++] = search->slot[__builtin_ctzll(left)];
    }
    for (size_t i = cursor->begun; i < search->count && search->ops[i].begin <= until; i++) {
        if (report->ops == TF_LINEAR_SHOWN_MAX)
            return false;
        report->op[report->ops++] = i;
    }
    qsort(report->op, report->ops, sizeof report->op[0], compare_index);
    return true;
}

/*
 * Find a short history: search again, stop a few ends before the failure, and report the configurations there. If there
 * was a moment without pending operations nearby, stop there. If there were two, take the earlier: the operations that
 * show an error often follow those that cause it.
 */
static void shorten(struct search *search, const uint32_t initial[TF_LINEAR_WORDS], const struct cursor *failed)
{
    struct cursor cursor;
    size_t from = failed->quiet[failed->ended - failed->quiet[1] <= ENDS_NEAR];
    uint64_t steps = search->report->steps;
    uint64_t until = failed->ended < search->count ? search->by_end[failed->ended].key : UINT64_MAX;
    if (failed->ended - from > ENDS_NEAR)
        from = failed->ended - ENDS_NEAR;
    for (;; from++) {
        search->report->steps = 0;
        start(search, &cursor, initial);
        while (cursor.ended < from && end_next(search, &cursor) == TF_LINEAR_YES)
            ;
        if (list_ops(search, &cursor, until) || from >= failed->ended)
            break;
    }
    search->report->steps = steps;
    describe_starts(search);
}

/* ---- counters ---- */

/* Index of the first entry whose answer is not less than `answer`. `order` is sorted by answer. */
static size_t find_answer(const struct keyed *order, size_t count, uint32_t answer)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (order[middle].key < answer)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/*
 * The fast path. If all operations add to one word, and all answers differ, the answers determine the only possible
 * order. The history is linearizable if that order agrees with the times. Returns false if this is not known; a search
 * then decides.
 */
static bool counts_right(struct search *search, const uint32_t initial[TF_LINEAR_WORDS], const uint32_t *final)
{
    const struct tf_linear_op *ops = search->ops;
    struct keyed *order = search->by_end;
    for (size_t i = 0; i < search->count; i++) {
        order[i] = (struct keyed){ops[i].answer, i};
        if (!ops[i].adds || !ops[i].answered || ops[i].word != ops[0].word)
            return false;
    }
    qsort(order, search->count, sizeof *order, compare_key);
    for (size_t i = 1; i < search->count; i++) {
        if (order[i].key == order[i - 1].key)
            return false;
    }
    uint32_t line[TF_LINEAR_WORDS];
    memcpy(line, initial, sizeof line);
    uint32_t *word = &line[ops[0].word];
    uint64_t latest_begin = 0;
    for (size_t i = 0; i < search->count; i++) {
        size_t at = find_answer(order, search->count, *word);
        if (at == search->count || order[at].key != *word)
            return false;
        const struct tf_linear_op *op = &ops[order[at].index];
        if (search->slot_of[order[at].index]++ || op->end < latest_begin)
            return false;
        if (op->begin > latest_begin)
            latest_begin = op->begin;
        *word += op->delta;
    }
    return !final || memcmp(line, final, sizeof line) == 0;
}

/* ---- the whole check ---- */

static void run(struct search *search, const uint32_t initial[TF_LINEAR_WORDS], const uint32_t *final)
{
    struct tf_linear_report *report = search->report;
    struct cursor cursor;
    for (size_t i = 0; i < search->count; i++)
        search->by_end[i] = (struct keyed){search->ops[i].end, i};
    qsort(search->by_end, search->count, sizeof *search->by_end, compare_key);
    start(search, &cursor, initial);
    report->verdict = TF_LINEAR_YES;
    while (cursor.ended < search->count && report->verdict == TF_LINEAR_YES)
        report->verdict = end_next(search, &cursor);
    if (report->verdict == TF_LINEAR_YES && final && !fits_final(search, final)) {
        report->verdict = TF_LINEAR_NO;
        report->at_final = true;
    }
    if (report->verdict == TF_LINEAR_NO) {
        if (!report->at_final)
            report->failed = search->by_end[cursor.ended].index;
        shorten(search, initial, &cursor);
    }
}

enum tf_linear_verdict tf_linear_check(struct tf_linear_op *ops, size_t count, const uint32_t initial[TF_LINEAR_WORDS],
                                       const uint32_t *final, const struct tf_linear_model *model,
                                       const struct tf_linear_limits *limits, struct tf_linear_report *report)
{
    struct search search = {.ops = ops, .count = count, .model = model, .limits = limits, .report = report};
    *report = (struct tf_linear_report){.verdict = TF_LINEAR_NO_MEMORY};
    if (count)
        qsort(ops, count, sizeof *ops, compare_begin);
    search.by_end = malloc((count + 1) * sizeof *search.by_end);
    search.slot_of = calloc(count + 1, 1);
    bool ready = search.by_end && search.slot_of;
    if (ready && count && counts_right(&search, initial, final)) {
        report->verdict = TF_LINEAR_YES;
        report->fast = true;
    } else if (ready && set_init(&search.current, BUCKETS_FIRST) && set_init(&search.next, BUCKETS_FIRST) &&
               set_init(&search.tried, BUCKETS_FIRST)) {
        run(&search, initial, final);
    }
    set_fini(&search.current);
    set_fini(&search.next);
    set_fini(&search.tried);
    free(search.by_end);
    free(search.slot_of);
    return report->verdict;
}
