/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of one program under other orders. A trial is one run; a hunt is the set of trials and their criteria. */
#ifndef CLI_EXPLORE_HUNT_H
#define CLI_EXPLORE_HUNT_H

#include <stdatomic.h>

#include "cli/explore/orders.h"
#include "cli/explore/schedule.h"
#include "cli/explore/subject.h"
#include "farm/explore/decoded.h"

#define TF_HUNT_WORDS_MAX 32u
#define TF_OUTCOME_BYTES 256u
#define TF_JOBS_MAX 256u
#define TF_OVERRUN_EPOCHS 2u /* a core may be ahead of its epoch */
#define TF_HUNT_FIRST_CYCLES \
    ((TF_OVERRUN_EPOCHS + 1) * TF_EXPLORE_CYCLES) /* orders that matter before it: trials start at 0 */

/* A word of memory that is shown at the end of a run, or must have a value. */
struct tf_hunt_word {
    unsigned chip; /* of a system */
    struct tf_coord node;
    uint64_t address;
    bool expected;
    uint32_t value;
    char name[48]; /* as it was given: [[CHIP:]TILE:]ADDRESS */
};

/* A range of memory. Its hash must equal the hash in the usual order, or a given one. */
struct tf_hunt_range {
    unsigned chip; /* of a system */
    struct tf_coord node;
    uint64_t address, bytes;
    bool expected;
    uint64_t hash;
    char name[64];
};

enum tf_strategy {
    TF_STRATEGY_RANDOM,
    TF_STRATEGY_CHAOS,
    TF_STRATEGY_PCT,
    TF_STRATEGY_DELAY_ONE,
    TF_STRATEGY_NOPS,
    TF_STRATEGY_NOP_SITES,
    TF_STRATEGY_EACH /* random, chaos and pct in turn */
};

/* Instructions that threads pass in the usual order, by thread and code place: the sites of NOPs. */
struct tf_sites_of_nops {
    struct tf_decision *place; /* of all sites, site by site */
    size_t *first;             /* of each site; one more at the end */
    size_t sites;
};

/* What trials run, as it is before each of them: loaded, and run in the usual order up to where decisions begin. */
struct tf_start {
    struct tf_job job;
    struct tf_explore none;
    struct tf_subject subject;
    uint64_t cycles;
    bool ready;
    /* Where the trials of each job are, as a cycle; all processes share it. NULL: none asks. */
    atomic_uint_fast64_t *cycle;
};

struct tf_hunt {
    struct tf_request *request;
    struct tf_start *start;
    uint64_t from; /* the cycle from which on there are decisions; 0: from the start */
    bool afresh;   /* a new process for each seed */
    bool seeks;    /* the next trial looks for the cycle from which on orders matter */
    enum tf_strategy strategy;
    unsigned depth; /* of pct */
    struct tf_hunt_word word[TF_HUNT_WORDS_MAX];
    unsigned words;
    struct tf_hunt_range range[TF_HUNT_WORDS_MAX];
    unsigned ranges;
    uint64_t limit_cycles;
    double until_s;           /* a trial that has not ended at this time of tf_seconds() fails; 0: no limit */
    struct tf_orders *orders; /* trials tell their races, which are orders of accesses; NULL: they do not */
    bool races_fail;          /* a run with races fails */
    /* Of the usual order: */
    uint64_t baseline_cycles;
    struct tf_places *places;
    struct tf_sites_of_nops nops; /* with TF_STRATEGY_NOP_SITES */
    /* Of this process: */
    unsigned job;                   /* its trials are of this job */
    struct tf_interrupt *interrupt; /* ends them; NULL in a process that forked from the one that awaits signals */
    void (*waits)(void *user);      /* called now and then while a trial runs in a process of its own; or NULL */
    void *user;
};

/* A trial tells at most so many pages of code; longer programs decode the rest in each trial. */
#define TF_DECODED_MAX 64u

struct tf_trial {
    bool failed;
    char outcome[TF_OUTCOME_BYTES];
    uint64_t cycles, hash;
    uint64_t range_hash[TF_HUNT_WORDS_MAX];
    uint64_t matters; /* of a hunt that seeks: the first cycle at which another order may matter; UINT64_MAX: none */
    struct tf_decoded decoded[TF_DECODED_MAX]; /* of a hunt that seeks: the code that chip 0 has executed */
    size_t decodes;
    struct tf_decision *decision; /* that were made; the caller frees them */
    size_t decisions;
    struct tf_chip_race *race; /* of a hunt for orders; the caller frees them */
    size_t races;
};

/* Looks at a trial: called before it runs, and while its chips still exist. */
typedef void tf_trial_look(void *user, struct tf_subject *subject);

struct tf_trial_looks {
    bool check;                    /* it looks for races */
    tf_trial_look *before, *after; /* or NULL */
    void *user;
};

/* Called before each run: continue to shrink? decisions: of that run; runs: so far. */
struct tf_shrink_ways {
    bool (*go_on)(void *user, size_t decisions, unsigned runs);
    void *user;
};

#endif
