/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON of a run of several chips. */
#ifndef CLI_OUTPUT_JSON_SYSTEM_H
#define CLI_OUTPUT_JSON_SYSTEM_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/systems/workload.h"
#include "tilefarm/tilefarm_system_run.h"

/* What has run. */
struct tf_json_system {
    const char *name;                          /* of the workload, or of loads */
    const char *description;                   /* what --system names */
    const struct tf_job *job;                  /* of all chips */
    const struct tf_system_workload *workload; /* NULL: each chip has its own */
    struct tf_system *system;
    const struct tf_session *session; /* by chip */
    unsigned chips;
    uint64_t packets, bytes; /* that links have carried */
    const struct tf_outcome *outcome;
};

/* Write the object of docs/schemas/run-system-1.json. Returns false after an error line. */
bool tf_json_system(FILE *out, const struct tf_json_system *facts);

#endif
