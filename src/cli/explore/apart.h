/* SPDX-License-Identifier: Apache-2.0 */
/* Explanations by a process of its own, which a limit of time or a signal can end. */
#ifndef CLI_EXPLORE_APART_H
#define CLI_EXPLORE_APART_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct tf_decision;
struct tf_hunt;

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

#endif
