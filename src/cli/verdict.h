/* SPDX-License-Identifier: Apache-2.0 */
/* What the outcome of a run means. */
#ifndef CLI_VERDICT_H
#define CLI_VERDICT_H

#include "tilefarm/tilefarm_chip.h"

struct tf_interrupt;
struct tf_outcome;
struct tf_session;

/* How a run ended, in words. */
const char *tf_end_text(enum tf_end end);

/* Judge a run that has ended: the results of a workload, the word of --until, the statuses of main(), and who waits.
   Returns -1, or an exit code after an error line. */
int tf_verdict_find(struct tf_session *session);

/* After that: if a signal has ended the run, the message says which. `interrupt` may be NULL. */
void tf_verdict_signal(struct tf_outcome *outcome, struct tf_interrupt *interrupt);

/* The verdict in a word: "verified", "deadlock". */
const char *tf_verdict_text(const struct tf_outcome *outcome);

/* The exit code of a finished run: an enum tf_exit. */
int tf_outcome_exit(const struct tf_outcome *outcome);

#endif
