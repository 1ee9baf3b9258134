/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/explore/report.h"

#include <string.h>

#include "cli/explore/strategy.h"
#include "cli/text.h"
#include "tilefarm/tilefarm_explore.h"

#define DECISIONS_SHOWN 10u

const char *const tf_exploration_steps[] = {
    [STEP_BASELINE] = "the usual order",
    [STEP_CONFLICTS] = "the usual order, for accesses that conflict",
    [STEP_START] = "the usual order, up to where seeds start",
    [STEP_CORPUS] = "the schedules of the corpus",
    [STEP_SEEDS] = "the seeds",
    [STEP_SHRINK] = "shrinking",
    [STEP_EXPLAIN] = "the explanation",
};

/* Print the probability that a seed of pct finds a bug of the given depth. */
static void print_bound(const struct tf_hunt *hunt)
{
    struct tf_places_count count;
    tf_places_count(hunt->places, &count);
    double bound = count.actors == 0 ? 1 : 1.0 / count.actors;
    if (!tf_hunt_has_pct(hunt) || count.places == 0)
        return;
    for (unsigned i = 1; i < hunt->depth; i++)
        bound /= (double)count.places;
    printf("  pct: %u actors, %zu places%s (of %zu), depth %u; a seed makes a given choice with probability %.2g\n",
           count.actors, count.places,
           count.places < count.all ? " whose accesses conflict" : ", as no accesses conflict", count.all, hunt->depth,
           bound);
}

/* The seed that fails, and how many of its decisions are left. */
static void print_failure(const struct tf_exploration *exploration)
{
    const size_t before = exploration->decisions_before, left = exploration->decisions;
    const char *matter = left == 1 ? "matters" : "matter", *were = left == 1 ? "was" : "were";
    char seed[TF_GROUPED_BYTES];
    if (exploration->relapse != NULL)
        printf("%s fails. ", exploration->relapse->path);
    else
        printf("Seed %s fails. ", tf_text_grouped(exploration->search.failing_seed, seed));
    printf("Of its %zu decision%s, %zu ", before, before == 1 ? "" : "s", left);
    if (exploration->shrunk)
        printf("%s", matter);
    else if (exploration->interrupted && exploration->step == STEP_SHRINK)
        printf("%s left when the search was interrupted", were);
    else
        printf("%s left when --shrink-time was over", were);
    printf(", after %u run%s:\n", exploration->shrink_runs, exploration->shrink_runs == 1 ? "" : "s");
}

/* Does the report go to standard output? */
bool tf_exploration_prints(const struct tf_exploration *exploration)
{
    return !exploration->quiet && (exploration->json == NULL || strcmp(exploration->json, "-") != 0);
}

/* The schedules of the corpus that fail. */
static void report_corpus(const struct tf_corpus *corpus)
{
    printf("corpus: %zu schedule%s of %s, %zu of them fail\n", corpus->schedules, corpus->schedules == 1 ? "" : "s",
           corpus->folder, corpus->failed);
    for (size_t i = 0; i < corpus->schedules; i++)
        if (corpus->schedule[i].failed)
            printf("* %s: %s\n", corpus->schedule[i].path, corpus->schedule[i].outcome);
}

/* The outcomes of the seeds. */
void tf_exploration_report_seeds(const struct tf_exploration *exploration)
{
    const struct tf_search *search = &exploration->search;
    char runs[TF_GROUPED_BYTES], number[TF_GROUPED_BYTES], first[TF_GROUPED_BYTES];
    double rate = (double)search->runs / (search->wall_s > 0 ? search->wall_s : 1);
    if (exploration->corpus.folder != NULL)
        report_corpus(&exploration->corpus);
    if (exploration->relapse != NULL)
        return;
    printf("explore: %s seed%s in %.2f s, %.*f a second, %u job%s%s\n", tf_text_grouped(search->runs, runs),
           search->runs == 1 ? "" : "s", search->wall_s, rate < 10 ? 2 : 0, rate, search->jobs,
           search->jobs == 1 ? "" : "s", search->interrupted ? ", interrupted" : "");
    if (exploration->hunt.from != 0)
        printf("  from cycle %s on%s\n", tf_text_grouped(exploration->hunt.from, first),
               exploration->from_given     ? ""
               : exploration->none_matters ? ", its end: no other order can matter"
                                           : ": before it, no other order can matter");
    print_bound(&exploration->hunt);
    printf("  %12s  %10s  outcome\n", "runs", "first seed");
    for (unsigned i = 0; i < search->lines; i++)
        printf("%c %12s  %10s  %s\n", search->line[i].failed ? '*' : ' ', tf_text_grouped(search->line[i].runs, number),
               tf_text_grouped(search->line[i].first_seed, first), search->line[i].outcome);
    if (exploration->ordered)
        tf_orders_print(&exploration->orders, &exploration->hunt.start->subject, stdout);
    if (exploration->corpus.kept != 0)
        printf("corpus: %zu new schedule%s\n", exploration->corpus.kept, exploration->corpus.kept == 1 ? "" : "s");
}

/* The decisions that are left, and the file that has them. */
void tf_exploration_report_decisions(const struct tf_exploration *exploration)
{
    print_failure(exploration);
    for (size_t i = 0; i < exploration->decisions && i < DECISIONS_SHOWN; i++)
        printf("  %s\n", exploration->text != NULL && exploration->text[i] != NULL ? exploration->text[i] : "?");
    if (exploration->decisions > DECISIONS_SHOWN)
        printf("  and %zu more, in the file\n", exploration->decisions - DECISIONS_SHOWN);
    if (exploration->failing.hash == 0) {
        printf("They are in %s, without an explanation: interrupted in %s.\n", exploration->out,
               tf_exploration_steps[exploration->step]);
        return;
    }
    printf("  usual order: %s\n  this order:  %s\n", exploration->baseline.outcome, exploration->failing.outcome);
    printf("They are in %s: 'tilefarm run ... --schedule %s' ends with the state hash %016llx.\n", exploration->out,
           exploration->out, (unsigned long long)exploration->failing.hash);
}

static void report_explanation(const struct tf_exploration *exploration)
{
    const struct tf_explained *explained = &exploration->explained;
    if (explained->text != NULL)
        fputs(explained->text, stdout);
    if (explained->cut)
        printf("explore: the explanation is cut after %llu s; --explain-time gives it more\n",
               (unsigned long long)exploration->explain_seconds);
    if (exploration->interrupted)
        printf("explore: interrupted in %s\n", tf_exploration_steps[exploration->step]);
}

/* What is not printed yet. */
void tf_exploration_report(const struct tf_exploration *exploration)
{
    const struct tf_search *search = &exploration->search;
    if (exploration->baseline.failed) {
        printf(
            "explore: the usual order fails: %s\n"
            "No other order was run, and %s has no decisions. 'tilefarm run' reports a fault or a deadlock in full;\n"
            "--limit-seconds ends a run that has no end.\n",
            exploration->baseline.outcome, exploration->out);
        return;
    }
    if (exploration->interrupted && exploration->step < STEP_SEEDS) {
        printf("explore: interrupted in %s, before the first seed\n", tf_exploration_steps[exploration->step]);
        return;
    }
    if (!exploration->printed)
        tf_exploration_report_seeds(exploration);
    if ((!search->failed && exploration->relapse == NULL) || search->interrupted)
        return;
    if (!exploration->named)
        tf_exploration_report_decisions(exploration);
    if (exploration->failing.hash != 0)
        report_explanation(exploration);
}

bool tf_exploration_has_failing(const struct tf_exploration *exploration)
{
    return exploration->search.failed || exploration->baseline.failed || exploration->relapse != NULL;
}

bool tf_exploration_failed(const struct tf_exploration *exploration)
{
    return tf_exploration_has_failing(exploration) || exploration->corpus.failed != 0;
}

/* Add the orders of accesses, and the schedules of the corpus that were replayed. */
static void add_orders(const struct tf_exploration *exploration, json_t *object)
{
    if (exploration->ordered)
        json_object_set_new(object, "orders", tf_orders_json(&exploration->orders, &exploration->hunt.start->subject));
    if (exploration->corpus.folder == NULL)
        return;
    json_t *corpus = json_array();
    for (size_t i = 0; i < exploration->corpus.schedules; i++) {
        const struct tf_replayed *one = &exploration->corpus.schedule[i];
        json_array_append_new(corpus, json_pack("{s:s, s:b, s:s}", "schedule", one->path, "failed", (int)one->failed,
                                                "outcome", one->outcome));
    }
    json_object_set_new(object, "corpus", corpus);
    json_object_set_new(object, "corpus_kept", json_integer((json_int_t)exploration->corpus.kept));
}

json_t *tf_exploration_json(const struct tf_exploration *exploration)
{
    const struct tf_search *search = &exploration->search;
    json_t *outcomes = json_array();
    for (unsigned i = 0; i < search->lines; i++)
        json_array_append_new(outcomes, json_pack("{s:s, s:b, s:I, s:I}", "outcome", search->line[i].outcome, "failed",
                                                  (int)search->line[i].failed, "runs", (json_int_t)search->line[i].runs,
                                                  "first_seed", (json_int_t)search->line[i].first_seed));
    const struct tf_request *request = exploration->hunt.request;
    const char *program = request->system_workload != NULL ? request->system_workload->name
                                                           : tf_job_name(&request->job);
    json_t *object = json_pack("{s:s, s:s, s:I, s:I, s:f, s:I, s:b, s:b, s:o}", "command", "explore", "program",
                               program, "seeds", (json_int_t)search->runs, "from_cycle",
                               (json_int_t)exploration->hunt.from, "wall_s", search->wall_s, "jobs",
                               (json_int_t)search->jobs, "interrupted", (int)exploration->interrupted, "failed",
                               (int)tf_exploration_failed(exploration), "outcomes", outcomes);
    if (object != NULL && request->system != NULL)
        json_object_set_new(object, "system", json_string(request->system));
    if (object != NULL)
        add_orders(exploration, object);
    if (object == NULL || !tf_exploration_has_failing(exploration) || search->interrupted)
        return object;
    char hash[17];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)exploration->failing.hash);
    json_t *decisions = json_array();
    for (size_t i = 0; i < exploration->decisions; i++)
        json_array_append_new(decisions, json_string(exploration->text != NULL && exploration->text[i] != NULL
                                                         ? exploration->text[i]
                                                         : ""));
    if (exploration->relapse == NULL)
        json_object_set_new(object, "failing_seed", json_integer((json_int_t)search->failing_seed));
    json_object_set_new(object, "decisions_before", json_integer((json_int_t)exploration->decisions_before));
    json_object_set_new(object, "shrunk", json_boolean(exploration->shrunk));
    json_object_set_new(object, "decisions", decisions);
    json_object_set_new(object, "schedule", json_string(exploration->out));
    if (exploration->failing.hash != 0)
        json_object_set_new(object, "state_hash", json_string(hash));
    json_object_set_new(object, "explanation_cut", json_boolean(exploration->explained.cut));
    if (exploration->explained.json != NULL)
        json_object_update(object, exploration->explained.json);
    return object;
}
