/* SPDX-License-Identifier: Apache-2.0 */
/* The report of a run for programs. */
#ifndef CLI_OUTPUT_JSON_H
#define CLI_OUTPUT_JSON_H

#include <stdbool.h>
#include <stdio.h>

struct tf_session;

/* The report for programs: one JSON object. Returns false after an error line: too little memory, or a full disk. */
bool tf_report_json(FILE *out, const struct tf_session *session);

#endif
