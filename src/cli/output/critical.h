/* SPDX-License-Identifier: Apache-2.0 */
/* The critical path of a run in timing mode (tilefarm_times.h). */
#ifndef CLI_OUTPUT_CRITICAL_H
#define CLI_OUTPUT_CRITICAL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

struct tf_session;
struct tf_system;

/* All of them are about a chip, or about a system: then `session` are those of its chips, else system is NULL. */

/* Write the path as a table, step by step, and its cycles by kind and by line. Returns false after an error line. */
bool tf_critical_write(FILE *out, const struct tf_session *session, struct tf_system *system);

/* Print the largest kinds and lines, for the report. */
void tf_critical_print(const struct tf_session *session, struct tf_system *system);

/* The path as JSON: an array of its parts. NULL: the host has no memory. */
json_t *tf_json_critical(const struct tf_session *session, struct tf_system *system);

#endif
