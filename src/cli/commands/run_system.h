/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_RUN_SYSTEM_H
#define CLI_RUN_SYSTEM_H

#include <stdbool.h>
#include <stdio.h>

struct tf_interrupt;
struct tf_output;
struct tf_request;

/* `tilefarm run --system`: make the system, run its workload, check the results and report. outputs: by enum tf_out;
   those without a file are not wanted. Returns an exit code. */
int tf_run_system(const struct tf_request *request, struct tf_interrupt *interrupt, const struct tf_output *outputs,
                  bool quiet);

#endif
