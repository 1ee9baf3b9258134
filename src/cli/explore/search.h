/* SPDX-License-Identifier: Apache-2.0 */
/* Many seeds side by side: each worker runs one chip at a time. The results depend only on the seeds. */
#ifndef CLI_EXPLORE_SEARCH_H
#define CLI_EXPLORE_SEARCH_H

#include "cli/explore/hunt.h"

#define TF_OUTCOMES_MAX 256u

/* An outcome, and the seeds that had it. */
struct tf_tally_line {
    char outcome[TF_OUTCOME_BYTES];
    bool failed;
    uint64_t runs, first_seed;
};

struct tf_search {
    const struct tf_hunt *hunt;
    uint64_t first_seed, seeds; /* seeds to try; 0: until the time is up */
    double seconds;             /* 0: no limit */
    bool all;                   /* do not stop with the first seed that fails */
    unsigned jobs;
    struct tf_interrupt *interrupt;
    void (*progress)(void *user, uint64_t runs, double seconds); /* called now and then; or NULL */
    void *user;
    /* The findings. */
    struct tf_tally_line line[TF_OUTCOMES_MAX]; /* most frequent first */
    unsigned lines;
    uint64_t runs;
    bool failed, interrupted;
    uint64_t failing_seed; /* the first one */
    double wall_s;
};

/* Returns -1, or an exit code after an error line. */
int tf_search_run(struct tf_search *search);

#endif
