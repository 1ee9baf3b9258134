/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why a run fails. The explanation has the races of that run, and the first words in which its memory differs from the
 * usual run's. It has the accesses to these words, as they took effect in both runs.
 */
#ifndef CLI_EXPLORE_EXPLAIN_H
#define CLI_EXPLORE_EXPLAIN_H

#include <jansson.h>

#include "cli/explore/hunt.h"

#define TF_RACES_EXPLAINED 3u
#define TF_WORDS_TOLD 3u
#define TF_DIFFERENCES_TOLD 4u

/* A word of L1 in two runs. */
struct tf_difference {
    unsigned chip, tile;
    uint32_t address, baseline, value;
};

/* A race: its place, both sides, advice, and what is missing between the two lines ("": that is not known). */
#define TF_RACE_LINES 5u
struct tf_explained_race {
    unsigned chip, tile;
    uint64_t address, count;
    char line[TF_RACE_LINES][TF_PLACE_BYTES + 200];
};

/* The accesses to a word in the usual order [0] and in the run that fails [1]. */
struct tf_told_word {
    unsigned chip, tile;
    uint32_t address;
    char **access[2];
    unsigned accesses[2];
};

struct tf_explanation {
    struct tf_explained_race race[TF_RACES_EXPLAINED];
    unsigned races; /* entries of race[] */
    size_t races_found;
    bool differs; /* the runs differ after cycle `equal_until`, or not before the end */
    uint64_t equal_until, differs_at;
    struct tf_difference first;
    struct tf_difference last[TF_DIFFERENCES_TOLD]; /* at the ends */
    uint64_t last_count;
    const struct tf_subject *subject; /* with equal chips, which exist as long as the explanation */
    struct tf_told_word word[TF_WORDS_TOLD];
    unsigned words;
};

/*
 * A tf_trial_look of the failing run: copy its races. Races that involve a decision come first.
 * decision: with pc, cycle and address, as tf_chip_decisions() gave them.
 */
void tf_explain_races(struct tf_explanation *explanation, const struct tf_subject *subject,
                      const struct tf_decision *decision, size_t decisions);

/* Run both orders, for the rest. Returns -1, or an exit code after an error line. */
int tf_explain_runs(struct tf_explanation *explanation, const struct tf_hunt *hunt, const struct tf_decision *decision,
                    size_t decisions);

/* Returns the text of a decision, with its chip and the coordinates of its tile, to be freed. NULL: no memory. */
char *tf_explain_decision(const struct tf_subject *subject, const struct tf_decision *decision);

void tf_explain_print(const struct tf_explanation *explanation, FILE *out);
void tf_explain_json(const struct tf_explanation *explanation, json_t *object);

/* --- apart.c --- */

/* What a process of its own has found about a failing run. */
struct tf_explained {
    char *text;   /* for people; NULL: nothing */
    json_t *json; /* fields of the report; NULL: nothing */
    unsigned parts;
    bool cut; /* the time was over */
};

/* Explain a failing run, for so many seconds. Returns as tf_trial_run(); after a signal *explained has the parts so
   far. */
int tf_explain_apart(const struct tf_hunt *hunt, const struct tf_decision *decision, size_t decisions, double seconds,
                     struct tf_explained *explained);

void tf_explained_free(struct tf_explained *explained);

/* --- differ.c --- */

/* Find the first difference of L1, and those at the end. from: the runs are equal up to this cycle. */
int tf_explain_differences(struct tf_explanation *explanation, const struct tf_hunt *hunt,
                           const struct tf_explore *explore, uint64_t from);

#endif
