/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_OUTPUT_JUNIT_H
#define CLI_OUTPUT_JUNIT_H

#include "cli/session.h"

/* The verdict of a run as a test case of JUnit's XML, which CI services show. Faults, waits and stacks are its text. */
void tf_report_junit(FILE *out, const struct tf_session *session);

#endif
