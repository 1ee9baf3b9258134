/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_RANGES_H
#define CLI_RANGES_H

#include "cli/request.h"

/* Read a range. Returns an enum tf_error. */
int tf_range_read(struct tf_chip *chip, const struct tf_dump *range, void *data);

/* Write the files of --write and the words of --args to memory. Returns false after an error line. */
bool tf_request_inputs(struct tf_chip *chip, const struct tf_request *request);

#endif
