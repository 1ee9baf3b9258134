/* SPDX-License-Identifier: Apache-2.0 */
/* The critical path of several chips whose cores wait for each other: tf_path_record() and tf_path_read() for all. */
#ifndef FARM_RUN_PATH_H
#define FARM_RUN_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "tilefarm/tilefarm_times.h"

/* Between runs: record on all chips. After an error, some of them record. */
int tf_path_record_chips(struct tf_chip *const *chip, unsigned chips);

/* Does a chip record: as one of several, or by itself? */
bool tf_path_is_recorded(const struct tf_chip *chip, bool of_system);

/* Read the path of chips that are in one record. */
int tf_path_read_chips(struct tf_chip *const *chip, unsigned chips, struct tf_system_path_part *parts, size_t room,
                       size_t *count);

#endif
