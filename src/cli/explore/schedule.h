/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schedules: files of decisions that a person can read and edit. The first lines are a header; then each line is a
 * decision: FREEDOM TILE ACTOR ORDINAL VALUE. In systems, TILE is CHIP:TILE. A # begins a comment.
 */
#ifndef CLI_EXPLORE_SCHEDULE_H
#define CLI_EXPLORE_SCHEDULE_H

#include "cli/request/request.h"
#include "tilefarm/tilefarm_explore.h"

struct tf_outcome;

/* A hash of what a request runs: programs and their places, or the workload, the input files, and the configuration
   that results depend on. 0 after an error line. After tf_request_load(). */
uint64_t tf_schedule_program(const struct tf_request *request);

/* Give a job that explores the lengths of slices and epochs of all such runs. */
void tf_schedule_configure(struct tf_job *job, const struct tf_explore *explore);

/* The file of --schedule becomes the decisions of a request. Returns -1, or an exit code after an error line. */
int tf_schedule_read(struct tf_request *request);

/* Read the decisions of a file, whatever its program. The caller frees them, also after an error. Returns -1, or an
   exit code after an error line. */
int tf_schedule_load(const char *path, struct tf_decision **decision, size_t *decisions);

/* A schedule has the hash of the state at the end of the run for which it was written. Has this run ended so, too, or
   was it cut short? Returns false after an error line. */
bool tf_schedule_was_kept(const struct tf_request *request, const struct tf_outcome *outcome);

/* Options that have no meaning beside decisions. Returns false after an error line. */
bool tf_schedule_check(const struct tf_request *request, const char *option);

/* Can a schedule be written to this path? Returns false after an error line. default_path: no option named it. */
bool tf_schedule_may_write(const char *path, bool default_path);

/* Write a schedule for what a request runs. comment: of each decision, or NULL. limit: cycles of the run. hash: of its
   state; 0: not known. Returns false after an error line. */
bool tf_schedule_write(const char *path, const struct tf_request *request, const struct tf_explore *explore,
                       char *const *comment, uint64_t limit, uint64_t hash);

#endif
