/* SPDX-License-Identifier: Apache-2.0 */
/* Saved chips: --save-at and --restore. */
#ifndef CLI_SAVE_H
#define CLI_SAVE_H

#include <stdbool.h>

#include "cli/cli.h"

struct tf_job;
struct tf_session;

/* Are the files of --save-at in folders that can be written to? Returns false after an error line. */
bool tf_saves_check(const struct tf_job *job);

/* Give the chip of a session the state of --restore. Returns -1, or an exit code after an error line. */
int tf_session_restore(struct tf_session *session);

/* tf_run() with the options of the job, and save where it is asked for. Returns an enum tf_error. */
int tf_session_run_saving(struct tf_session *session, enum tf_end *end);

#endif
