/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/check/stress.h"
#include "cli/check/stress_check.h"
#include "cli/check/stress_counters.h"
#include "cli/check/stress_units.h"
#include "cli/check/stress_words.h"
#include "tile/arch.h"

/* ---- what the cores saw ---- */

static struct tf_coord node_of_hart(const struct tf_stress_chip *stress, unsigned hart)
{
    struct tf_coord node = {0, 0};
    tf_tile_coord(stress->arch, stress->tile[hart / TF_TILE_CORES], &node);
    return node;
}

/* Findings about a request: the recipients that performed it, and whether one of them gave the core's answer. */
struct matching {
    uint8_t reached;
    bool done, seen;
};

static bool complain(const struct tf_stress_chip *stress, unsigned hart, uint32_t request, const char *what,
                     const char *invariant, struct tf_stress_failure *failure)
{
    failure->invariant = invariant;
    struct tf_coord node = node_of_hart(stress, hart);
    const struct tf_stress_entry *entry = &stress->log[hart * stress->requests + request];
    const char *name = tf_noc_atomic_name(stress->profile, entry->at_len_be);
    snprintf(failure->text, sizeof failure->text,
             "round %u, %s at %s, request %u (%s, NOC_AT_LEN_BE 0x%04x, NOC_AT_DATA 0x%08x): %s", stress->round,
             tf_tensix_core_name(hart % TF_TILE_CORES), TF_STRESS_NODE(stress->arch, node), request,
             name ? name : "no atomic", entry->at_len_be, entry->at_data, what);
    return false;
}

static uint32_t answer_seen(const struct tf_stress_chip *stress, size_t index)
{
    return stress->log[index].manner == TF_STRESS_OFFICE_ANSWERED ? stress->office_word[index]
                                                                  : stress->log[index].answer;
}

/* Does a request concern a target? */
static bool concerns(const struct tf_stress_entry *entry, unsigned noc, unsigned target)
{
    return entry->noc == noc &&
           (tf_stress_is_multicast(entry) ? target < TF_STRESS_RECTANGLE : entry->target == target);
}

/* Is a record one of the operations of this request? */
static bool asked_for(const struct tf_stress_entry *entry, const struct tf_stress_record *record)
{
    return record->at_len_be == entry->at_len_be && record->at_data == entry->at_data &&
           record->address == entry->address && record->answered != tf_stress_is_posted(entry);
}

/* Find the first request from `from` on that concerns the record's NOC and target. Returns stress->requests if there is
   none. */
static uint32_t next_request(const struct tf_stress_chip *stress, const struct tf_stress_record *record, uint32_t from)
{
    const struct tf_stress_entry *log = stress->log + (size_t)record->hart * stress->requests;
    while (from < stress->requests && !concerns(&log[from], record->noc, record->target))
        from++;
    return from;
}

static void match(const struct tf_stress_chip *stress, struct tf_stress_record *record, size_t index,
                  struct matching *matching)
{
    const struct tf_stress_entry *entry = &stress->log[index];
    if (tf_stress_is_silent(stress, entry, record->target))
        record->answered = false;
    else
        matching[index].seen |= tf_stress_is_posted(entry) || record->result == answer_seen(stress, index);
    matching[index].reached |= (uint8_t)(1u << record->target);
    matching[index].done = !tf_stress_is_multicast(entry) || matching[index].reached == (1u << TF_STRESS_RECTANGLE) - 1;
}

/* Sort by time. If an owner performs a request, its record may follow those of later requests. */
static int compare_begin(const void *left, const void *right)
{
    const struct tf_stress_record *a = left, *b = right;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return (a->end > b->end) - (a->end < b->end);
}

/* For each core, target and NOC: how many requests have been performed, as an index into the core's log. */
struct progress {
    uint32_t next[TF_STRESS_HARTS][2][TF_STRESS_TARGETS_MAX];
};

/* Match a record with a request. Requests of a core to one target through one NOC act in the order of issue. */
static bool match_one(const struct tf_stress_chip *stress, struct tf_stress_record *record, struct progress *progress,
                      struct matching *matching, struct tf_stress_failure *failure)
{
    uint32_t *next = &progress->next[record->hart][record->noc][record->target];
    const struct tf_stress_entry *log = stress->log + (size_t)record->hart * stress->requests;
    uint32_t index = next_request(stress, record, *next), asked = index;
    if (index == stress->requests)
        return complain(stress, record->hart, index - 1, "another atomic was performed", NULL, failure);
    *next = index + 1;
    if (asked_for(&log[index], record)) {
        match(stress, record, (size_t)record->hart * stress->requests + index, matching);
        return true;
    }
    while (asked < stress->requests && !asked_for(&log[asked], record))
        asked = next_request(stress, record, asked + 1);
    bool overtaken = asked != stress->requests;
    return complain(stress, record->hart, index,
                    overtaken ? "a later request was performed before it" : "another atomic was performed",
                    overtaken ? TF_STRESS_R2 : NULL, failure);
}

static bool match_all(const struct tf_stress_chip *stress, size_t records, struct matching *matching,
                      struct tf_stress_failure *failure)
{
    struct progress progress = {{{{0}}}};
    for (size_t i = 0; i < records; i++) {
        struct tf_stress_record *record = &stress->history.record[i];
        if (record->hart >= TF_STRESS_HARTS || record->target >= stress->targets || record->noc > 1) {
            snprintf(failure->text, sizeof failure->text,
                     "round %u: an atomic was performed that no core issued, at 0x%x", stress->round, record->address);
            return false;
        }
        if (!match_one(stress, record, &progress, matching, failure))
            return false;
    }
    return true;
}

static bool check_logs(const struct tf_stress_chip *stress, size_t records, struct tf_stress_failure *failure)
{
    size_t requests = (size_t)TF_STRESS_HARTS * stress->requests;
    struct matching *matching = calloc(requests, sizeof *matching);
    if (!matching) {
        snprintf(failure->text, sizeof failure->text, "the logs cannot be checked: %s", tf_strerror(TF_ENOMEM));
        return false;
    }
    qsort(stress->history.record, records, sizeof *stress->history.record, compare_begin);
    bool fine = match_all(stress, records, matching, failure);
    for (size_t i = 0; i < requests && fine; i++) {
        unsigned hart = (unsigned)(i / stress->requests);
        uint32_t request = (uint32_t)(i % stress->requests);
        char what[80];
        if (!tf_stress_has_hart(stress, hart))
            continue;
        if (!matching[i].done)
            fine = complain(stress, hart, request, "it was never performed", TF_STRESS_R9, failure);
        else if (!matching[i].seen) {
            snprintf(what, sizeof what, "the core saw 0x%08x, not the response", answer_seen(stress, i));
            fine = complain(stress, hart, request, what, TF_STRESS_R4, failure);
        }
    }
    free(matching);
    return fine;
}

/* ---- histories ---- */

static bool is_indirect(const struct tf_stress_chip *stress, const struct tf_stress_record *record)
{
    return record->address - TF_STRESS_POINTERS < 16 && stress->profile == TF_ATOMICS_EMU_SPEC;
}

/* The model of linear.h: an atomic alone on its line, by the library's plain arithmetic. */
static uint32_t apply_atomic(const void *context, uint32_t id, uint32_t line[TF_LINEAR_WORDS])
{
    const struct tf_stress_chip *stress = context;
    const struct tf_stress_record *record = &stress->history.record[id];
    struct tf_noc_atomic op;
    struct tf_noc_atomic_effect effect;
    if (tf_noc_atomic_decode(stress->profile, record->at_len_be, record->at_data, &op))
        return 0;
    if (op.kind == TF_NOC_AT_STORE_IND) {
        line[record->address / 4 % 4] = record->at_data;
        return record->result;
    }
    _Alignas(16) uint8_t memory[16];
    memcpy(memory, line, sizeof memory);
    uint32_t answer = tf_noc_atomic_apply(&op, memory, sizeof memory, record->address % 16, false, &effect);
    memcpy(line, memory, sizeof memory);
    return answer;
}

/* For the fast path: is it an addition that answers the word that it changes? */
static void mark_addition(const struct tf_noc_atomic *op, const struct tf_stress_record *record,
                          struct tf_linear_op *linear)
{
    bool adds = (op->kind == TF_NOC_AT_INCREMENT && op->mask == ~0u) || (op->kind == TF_NOC_AT_ZAAMO && op->code == 0);
    linear->word = (uint8_t)(record->address / 4 % 4);
    linear->adds = adds && (!op->has_ofs || op->ofs == linear->word);
    linear->delta = op->data;
}

static size_t collect(const struct tf_stress_chip *stress, unsigned target, size_t records, struct tf_linear_op *ops)
{
    size_t count = 0;
    for (size_t i = 0; i < records; i++) {
        const struct tf_stress_record *record = &stress->history.record[i];
        struct tf_noc_atomic op;
        if (record->target != target || record->address >= TF_STRESS_WORDS ||
            tf_noc_atomic_decode(stress->profile, record->at_len_be, record->at_data, &op))
            continue;
        struct tf_linear_op *linear = &ops[count++];
        *linear = (struct tf_linear_op){
            .begin = record->begin,
            .end = record->end,
            .id = (uint32_t)i,
            .answer = record->result,
            .answered = record->answered && op.kind != TF_NOC_AT_STORE_IND,
        };
        mark_addition(&op, record, linear);
    }
    return count;
}

/* An indirect store answers its pointer, which no operation changes. */
static bool check_pointers(const struct tf_stress_chip *stress, size_t records, struct tf_stress_failure *failure)
{
    for (size_t i = 0; i < records; i++) {
        const struct tf_stress_record *record = &stress->history.record[i];
        uint32_t pointer = TF_STRESS_LINE + (record->address & 15);
        if (!is_indirect(stress, record) || !record->answered || record->result == pointer)
            continue;
        snprintf(failure->text, sizeof failure->text,
                 "round %u: the response of an indirect store was 0x%08x, not its pointer 0x%08x", stress->round,
                 record->result, pointer);
        return false;
    }
    return true;
}

/* Keep the failure that needs fewer operations to explain. */
static void keep_shortest(struct tf_stress_failure *failure, const struct tf_linear_report *report, unsigned target,
                          const uint32_t final[4], struct tf_linear_op **ops, size_t count)
{
    if (failure->nonlinear && failure->report.ops <= report->ops)
        return;
    struct tf_linear_op *spare = failure->ops;
    failure->nonlinear = true;
    failure->report = *report;
    failure->target = target;
    memcpy(failure->final, final, sizeof failure->final);
    failure->ops = *ops;
    failure->count = count;
    *ops = spare;
}

/* Returns false without an answer, for the reason in `failure` (memory, the chip). */
static bool check_line(struct tf_stress_chip *stress, unsigned target, size_t records, struct tf_stress_tally *tally,
                       struct tf_stress_failure *failure)
{
    struct tf_linear_op *ops = malloc((records + 1) * sizeof *ops);
    uint32_t final[4];
    int error = TF_ENOMEM;
    if (ops)
        error = tf_read(stress->chip, stress->target[target].node, TF_STRESS_LINE, final, sizeof final);
    if (error != TF_OK) {
        snprintf(failure->text, sizeof failure->text, "a history cannot be checked: %s", tf_strerror(error));
        free(ops);
        return false;
    }
    size_t count = collect(stress, target, records, ops);
    struct tf_linear_model model = {.apply = apply_atomic, .context = stress};
    struct tf_linear_report report;
    enum tf_linear_verdict verdict = tf_linear_check(ops, count, stress->target[target].line, final, &model,
                                                     &tf_linear_limits_default, &report);
    tally->histories++;
    tally->fast += report.fast;
    tally->steps += report.steps;
    tally->undecided += verdict == TF_LINEAR_UNKNOWN || verdict == TF_LINEAR_NO_MEMORY;
    if (report.widest > tally->widest)
        tally->widest = report.widest;
    if (verdict == TF_LINEAR_NO)
        keep_shortest(failure, &report, target, final, &ops, count);
    memcpy(stress->target[target].line, final, sizeof final);
    free(ops);
    return true;
}

static void count_rows(const struct tf_stress_chip *stress, size_t records, struct tf_stress_tally *tally)
{
    for (size_t i = 0; i < records; i++) {
        for (unsigned row = 0; row < stress->rows; row++) {
            if ((stress->history.record[i].at_len_be & stress->row[row]->select) == stress->row[row]->match) {
                tally->by_row[row]++;
                break;
            }
        }
    }
}

bool tf_stress_check(struct tf_stress_chip *stress, struct tf_stress_tally *tally, struct tf_stress_failure *failure)
{
    size_t records = atomic_load(&stress->history.count);
    tally->rounds++;
    tally->requests += (uint64_t)TF_STRESS_TILES * tf_stress_cores(stress) * stress->requests;
    tally->atomics += records;
    if (records > stress->history.room) {
        snprintf(failure->text, sizeof failure->text, "round %u: %zu atomics were performed; at most %zu were issued",
                 stress->round, records, stress->history.room);
        return false;
    }
    count_rows(stress, records, tally);
    if (!check_logs(stress, records, failure) || !check_pointers(stress, records, failure) ||
        !tf_stress_count_check(stress, failure))
        return false;
    for (unsigned target = 0; target < stress->targets; target++) {
        if (!check_line(stress, target, records, tally, failure))
            return false;
    }
    if (failure->nonlinear) {
        failure->invariant = TF_STRESS_R1;
        const struct tf_coord node = stress->target[failure->target].node;
        snprintf(failure->text, sizeof failure->text, "round %u: the history of line 0x%x at %s is not linearizable",
                 stress->round, TF_STRESS_LINE, TF_STRESS_NODE(stress->arch, node));
    }
    return !failure->nonlinear && tf_stress_words_check(stress, records, failure) &&
           tf_stress_units_check(stress, failure);
}

/* ---- reporting ---- */

static void tell_line(FILE *out, const uint32_t line[4])
{
    for (unsigned i = 0; i < 4; i++)
        fprintf(out, " %08" PRIx32, line[i]);
}

static void tell_start(FILE *out, const struct tf_linear_report *report, unsigned index)
{
    const struct tf_linear_start *start = &report->start[index];
    fprintf(out, "  the line holds");
    tell_line(out, start->line);
    for (unsigned i = 0, named = 0; i < report->ops; i++) {
        if (start->taken >> i & 1)
            fprintf(out, "%s [%u]", named++ ? "," : ", after", i);
    }
    fputc('\n', out);
}

static void tell_op(FILE *out, const struct tf_stress_chip *stress, const struct tf_linear_op *op, unsigned index,
                    uint64_t zero)
{
    const struct tf_stress_record *record = &stress->history.record[op->id];
    struct tf_coord node = node_of_hart(stress, record->hart);
    const char *name = tf_noc_atomic_name(stress->profile, record->at_len_be);
    fprintf(out,
            "  [%u] %6" PRId64 " .. %6" PRId64 " ns  %-2s at %s  %s word %u, NOC_AT_LEN_BE 0x%04x,"
            " NOC_AT_DATA 0x%08" PRIx32,
            index, (int64_t)(op->begin - zero), (int64_t)(op->end - zero),
            tf_tensix_core_name(record->hart % TF_TILE_CORES), TF_STRESS_NODE(stress->arch, node), name ? name : "?",
            record->address / 4 % 4, record->at_len_be, record->at_data);
    if (record->answered)
        fprintf(out, " -> 0x%08" PRIx32 "\n", record->result);
    else
        fprintf(out, " (posted)\n");
}

void tf_stress_explain(FILE *out, const struct tf_stress_chip *stress, const struct tf_stress_failure *failure)
{
    if (!failure->nonlinear)
        return;
    const struct tf_linear_report *report = &failure->report;
    fprintf(out, "At one moment, %s:\n", report->starts == 1 ? "the state is" : "these states are possible");
    for (unsigned i = 0; i < report->starts && i < TF_LINEAR_STARTS_MAX; i++)
        tell_start(out, report, i);
    if (report->starts > TF_LINEAR_STARTS_MAX)
        fprintf(out, "  and in %u more\n", report->starts - TF_LINEAR_STARTS_MAX);
    fprintf(out, "No order of the remaining atomics explains the responses%s:\n",
            report->at_final ? " and the final line" : "");
    for (unsigned i = 0; i < report->ops; i++)
        tell_op(out, stress, &failure->ops[report->op[i]], i, failure->ops[report->op[0]].begin);
    if (report->at_final) {
        fprintf(out, "  in the end the line holds");
        tell_line(out, failure->final);
        fputc('\n', out);
    }
}
