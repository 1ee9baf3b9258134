/* SPDX-License-Identifier: Apache-2.0 */
/* Files that `tilefarm run` writes, and options that name one with more than its name in the value. */
#ifndef CLI_REQUEST_OUTPUTS_H
#define CLI_REQUEST_OUTPUTS_H

#include <stdbool.h>

#include "cli/request/request.h"

/* The option that names such a file: "--json". */
const char *tf_out_option(enum tf_out out);

/* Is it filled by what is seen while chips run, and not by their state at the end? */
static inline bool tf_out_is_seen(enum tf_out out)
{
    return out >= TF_OUT_TRACE && out <= TF_OUT_REPORT;
}

/* Let a job of a chip show the cores that the options of such files name for it; the number of a single chip is 0. */
void tf_request_show(const struct tf_request *request, unsigned chip, struct tf_job *job);

/* Each takes a request, the option and its value, as options.h says. Returns false after an error line. */
bool tf_take_trace(void *into, const char *option, const char *value);
bool tf_take_riscv_trace(void *into, const char *option, const char *value);
bool tf_take_profile(void *into, const char *option, const char *value);
bool tf_take_timeline(void *into, const char *option, const char *value);
bool tf_take_timeline_cycles(void *into, const char *option, const char *value);
bool tf_take_svg(void *into, const char *option, const char *value);
bool tf_take_report(void *into, const char *option, const char *value);

#endif
