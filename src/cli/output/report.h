/* SPDX-License-Identifier: Apache-2.0 */
/* The report of a run for people. */
#ifndef CLI_OUTPUT_REPORT_H
#define CLI_OUTPUT_REPORT_H

#include <stdbool.h>

struct tf_replay;
struct tf_session;

/* Print the faults of a run and, if it went wrong, who waits. */
void tf_report_problems(const struct tf_session *session);

/* Print the line about the calls of a recording. NULL: there is none. */
void tf_report_replay(const struct tf_replay *replay);

/* The report for people. Faults, waits and wrong results go to standard error. The figures go to standard output,
   unless `brief`. */
void tf_report(const struct tf_session *session, bool brief);

/* Print a line of a stack or of a race on standard error. user: not used. */
void tf_report_line(void *user, const char *line);

/* Say faults with their stacks; say who waits in a run that has ended badly, or where its cores are. */
void tf_faults_say(const struct tf_session *session, void (*say)(void *user, const char *line), void *user);
void tf_waits_say(const struct tf_session *session, void (*say)(void *user, const char *line), void *user);

#endif
