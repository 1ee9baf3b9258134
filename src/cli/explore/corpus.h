/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A folder of schedules that are kept for later runs: each that failed, shrunk, and each that showed a new order of two
 * accesses. They are replayed first, also by a later version of the program: a decision about a place that the program
 * no longer has makes no difference.
 */
#ifndef CLI_EXPLORE_CORPUS_H
#define CLI_EXPLORE_CORPUS_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/explore/hunt.h"

/* A schedule of the folder that has been replayed. */
struct tf_replayed {
    char *path;
    bool failed;
    char outcome[TF_OUTCOME_BYTES];
    struct tf_decision *decision;
    size_t decisions;
};

struct tf_corpus {
    const char *folder; /* NULL: there is no corpus */
    struct tf_replayed *schedule;
    size_t schedules, failed, kept; /* kept: written in this run */
};

/* Make the folder if it does not exist, and read its schedules. Returns -1, or an exit code after an error line. */
int tf_corpus_read(struct tf_corpus *corpus);

/* Run its schedules. Their orders count as known. Returns as tf_trial_run(). */
int tf_corpus_replay(struct tf_corpus *corpus, const struct tf_hunt *hunt);

/* Keep decisions, with a text for each or NULL, unless the folder has them. kind: the first part of the file's name.
   Returns false after an error line. */
bool tf_corpus_keep(struct tf_corpus *corpus, const struct tf_hunt *hunt, const char *kind,
                    const struct tf_explore *explore, char *const *text);

/* Keep the decisions of each seed but one that was the first with an order. Returns as tf_trial_run(). */
int tf_corpus_keep_orders(struct tf_corpus *corpus, const struct tf_hunt *hunt, uint64_t except);

void tf_corpus_free(struct tf_corpus *corpus);

#endif
