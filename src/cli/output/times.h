/* SPDX-License-Identifier: Apache-2.0 */
/* Where cycles went, for reports of runs in timing mode. */
#ifndef CLI_TIMES_H
#define CLI_TIMES_H

#include <jansson.h>
#include <stdint.h>

#include "tilefarm/tilefarm_times.h"

/* The object `timing` of a JSON report. */
json_t *tf_json_times(struct tf_chip *chip);

/* Print the lines of a text report. cycles: of the chip. */
void tf_times_print(struct tf_chip *chip, uint64_t cycles);

#endif
