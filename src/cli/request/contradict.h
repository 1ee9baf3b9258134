/* SPDX-License-Identifier: Apache-2.0 */
/* Options of `tilefarm run` that contradict each other. */
#ifndef CLI_REQUEST_CONTRADICT_H
#define CLI_REQUEST_CONTRADICT_H

#include <stdbool.h>

struct tf_request;

/* Can the options be combined? Returns false after an error line that names two that cannot. */
bool tf_request_agrees(const struct tf_request *request);

#endif
