/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that options move. number: of a chip in a system; of a single chip 0. */
#ifndef CLI_OUTPUT_RANGES_H
#define CLI_OUTPUT_RANGES_H

#include "cli/request/request.h"

struct tf_output;

/* Write the files of --write and the words of --args to memory. Returns false after an error line. */
bool tf_request_inputs(struct tf_chip *chip, unsigned number, const struct tf_request *request);

/* Before the run: can the ranges of --dump be read? Returns false after an error line. */
bool tf_dumps_check(struct tf_chip *chip, unsigned number, const struct tf_request *request);

/* Write the ranges of --dump to their files. Returns false after an error line. */
bool tf_dumps_write(struct tf_chip *chip, unsigned number, const struct tf_request *request,
                    const struct tf_output *outputs);

#endif
