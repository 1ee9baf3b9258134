/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_OUTPUT_JUNIT_H
#define CLI_OUTPUT_JUNIT_H

#include <stdio.h>

struct tf_session;

/* A test case. */
struct tf_junit {
    const char *command;                            /* "run" */
    const char *name, *more;                        /* of the case: two words; more may be NULL */
    const char *failure, *message;                  /* the kind of the failure, and a sentence; failure NULL: none */
    void (*details)(FILE *out, const void *failed); /* more lines about the failure; or NULL */
    const void *failed;
    double wall_s;
};

/* Write a file with this case. */
void tf_junit_print(FILE *out, const struct tf_junit *test);

/* Write a line of details. user: a FILE. */
void tf_junit_line(void *user, const char *line);

/* Write what the report says of a run that has failed: faults, waits, stacks and races. */
void tf_junit_session(FILE *out, const struct tf_session *session);

/* The verdict of a run as a test case of JUnit's XML, which CI services show. Its text is that of
   tf_junit_session(). */
void tf_report_junit(FILE *out, const struct tf_session *session);

#endif
