/* SPDX-License-Identifier: Apache-2.0 */
/* One run under one order. */
#ifndef CLI_EXPLORE_TRIAL_H
#define CLI_EXPLORE_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

struct tf_explore;
struct tf_hunt;
struct tf_job;
struct tf_subject;
struct tf_trial;
struct tf_trial_looks;

/* Make what trials start from, before its first cycle: a chip, or a system. Returns -1, or an exit code after an error
   line. */
int tf_trials_begin(struct tf_hunt *hunt);
void tf_trials_end(struct tf_hunt *hunt);

/* Run the usual order up to hunt->from; trials start there, with the code decoded that `baseline` has executed. Once at
   most. Returns -1, or an exit code after an error
   line. */
int tf_trials_advance(struct tf_hunt *hunt, const struct tf_trial *baseline);

/* The latest cycle that a trial under way of the first jobs is at. */
uint64_t tf_trials_cycle(const struct tf_hunt *hunt, unsigned jobs);

/*
 * Run once, in a process of its own with a copy of the chip of tf_trials_begin(). The host copies only the pages that
 * the run changes. hashed: the trial gets a hash of the state. Returns -1, or an exit code: TF_EXIT_INTERRUPTED after a
 * signal, else after an error line. So do the functions below.
 */
int tf_trial_run(const struct tf_hunt *hunt, const struct tf_explore *explore, struct tf_trial *trial, bool hashed);

/* Run once in this process, which must be a copy of the one of tf_trials_begin(). Its chip, and what else the trial
   changes, is not used again. Returns as tf_trial_run(), without a hash. */
int tf_trial_run_here(const struct tf_hunt *hunt, const struct tf_explore *explore, struct tf_trial *trial);

/* The outcome of a trial whose process ended, by a fault of tilefarm or because the host killed it. */
extern const char tf_trial_lost[];

/* Run once, with a chip of its own that only the looks see. Returns as tf_trial_run(). */
int tf_trial_run_in_process(const struct tf_hunt *hunt, const struct tf_explore *explore, struct tf_trial *trial,
                            const struct tf_trial_looks *looks);

/* Can the memory that a hunt asks for be read? Returns -1, or an exit code after an error line. After
   tf_trials_begin(). */
int tf_trial_check_memory(const struct tf_hunt *hunt);

/* Begin such a trial. Returns -1, or an exit code after an error line; do not end it then. */
int tf_trial_begin(const struct tf_hunt *hunt, const struct tf_explore *explore, bool check, struct tf_job *job,
                   struct tf_subject *subject);

#endif
