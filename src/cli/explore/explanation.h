/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why a run fails. The explanation has the races of that run, and the first words in which its memory differs from the
 * usual run's. It has the accesses to these words, as they took effect in both runs.
 */
#ifndef CLI_EXPLORE_EXPLANATION_H
#define CLI_EXPLORE_EXPLANATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/explore/subject.h"

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

#endif
