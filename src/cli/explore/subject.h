/* SPDX-License-Identifier: Apache-2.0 */
/* What a trial runs: a chip, or a system of chips. */
#ifndef CLI_EXPLORE_SUBJECT_H
#define CLI_EXPLORE_SUBJECT_H

#include "cli/session_state.h"
#include "cli/several/several.h"
#include "tilefarm/tilefarm_explore.h"

struct tf_subject {
    struct tf_session *session; /* by chip */
    unsigned chips;
    const struct tf_outcome *outcome; /* of all chips, after tf_subject_run() */
    struct tf_session one;            /* of a chip alone */
    struct tf_several *several;       /* NULL: a chip alone */
};

/* Make chips with a job, and load them. The job and the request stay where they are. interrupt: NULL for none. Returns
   -1, or an exit code after an error line; do not end it then. */
int tf_subject_begin(struct tf_subject *subject, const struct tf_request *request, const struct tf_job *job,
                     struct tf_interrupt *interrupt);
void tf_subject_end(struct tf_subject *subject);

/* Run with the options of the job, check the results and fill the outcome. Returns -1, or an exit code after an error
   line. */
int tf_subject_run(struct tf_subject *subject);

/* Run with other options. Returns an enum tf_error. */
int tf_subject_advance(struct tf_subject *subject, const struct tf_run_options *options, enum tf_end *end);

/* The cycle that it has reached. */
uint64_t tf_subject_cycles(const struct tf_subject *subject);

/* A run that is to pause at most at a cycle pauses there: a system does so between two windows. */
uint64_t tf_subject_pause(const struct tf_subject *subject, uint64_t cycle);

/* Give all chips other decisions; and let them search for the first cycle at which another order may matter, above
   `down_to`. Return false if the host has no memory. */
bool tf_subject_explore(const struct tf_subject *subject, const struct tf_explore *explore);
bool tf_subject_seek(const struct tf_subject *subject, uint64_t down_to);

/* The cycle that the search has found; UINT64_MAX: none. */
uint64_t tf_subject_matters(const struct tf_subject *subject);

/* tf_chip_decisions() of all chips, in the order of tf_subject_compare(). */
size_t tf_subject_decisions(const struct tf_subject *subject, struct tf_decision *decision, size_t room);

/* The order of decisions: by freedom, chip, tile, actor and number. */
int tf_subject_compare(const void *a, const void *b);

/* Let signals stop the chips; or (false) stop them no more. */
void tf_subject_interrupt(const struct tf_subject *subject, struct tf_interrupt *interrupt, bool on);

#define TF_CHIP_TEXT_BYTES 16u

/* "chip 1, " in a system, "" for a chip alone. Returns `text`. */
const char *tf_subject_chip(const struct tf_subject *subject, unsigned chip, char text[TF_CHIP_TEXT_BYTES]);

#endif
