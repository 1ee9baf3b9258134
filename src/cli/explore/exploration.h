/* SPDX-License-Identifier: Apache-2.0 */
/* What a run of `tilefarm explore` was asked for, and what it has found so far. */
#ifndef CLI_EXPLORE_EXPLORATION_H
#define CLI_EXPLORE_EXPLORATION_H

#include "cli/explore/corpus.h"
#include "cli/explore/apart.h"
#include "cli/explore/explain.h"
#include "cli/explore/orders.h"
#include "cli/explore/search.h"
#include "cli/file.h"
#include "cli/interrupt.h"

#define TF_ASKED_MAX (2 * TF_HUNT_WORDS_MAX)

enum tf_exploration_step {
    STEP_BASELINE,
    STEP_CONFLICTS,
    STEP_START,
    STEP_CORPUS,
    STEP_SEEDS,
    STEP_SHRINK,
    STEP_EXPLAIN
};

struct tf_exploration {
    struct tf_search search;
    struct tf_hunt hunt;
    struct tf_interrupt interrupt;
    struct tf_output json_output;
    const char *json, *out;
    uint64_t seeds;
    double seconds; /* --time; 0: no limit */
    struct {
        const char *option, *value;
    } ask[TF_ASKED_MAX]; /* values of --expect, --expect-hash and --show */
    unsigned asked;
    bool quiet, terminal, shown, from_given;
    enum tf_exploration_step step;
    double step_began_s;
    bool none_matters; /* no other order can change anything */
    bool interrupted;  /* interrupted before the search has ended, or before the failure is explained */
    uint64_t shrink_seconds, explain_seconds;
    double shrink_until_s;
    bool shrunk;  /* no smaller set of decisions fails */
    bool printed; /* the outcomes of the seeds are printed, */
    bool named;   /* and the decisions that are left */
    bool ordered; /* --orders */
    struct tf_orders orders;
    struct tf_corpus corpus;
    const struct tf_replayed *relapse; /* the first schedule of the corpus that fails; NULL: none does */
    struct tf_trial baseline;
    struct tf_decision *decision; /* decisions of the failing run, shrunk */
    size_t decisions, decisions_before;
    unsigned shrink_runs;
    char **text; /* text of each decision */
    struct tf_trial failing;
    struct tf_explained explained;
};

#endif
