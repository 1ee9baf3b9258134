/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration of a chip, as a program sets it and as this library uses it. Any thread. */
#ifndef FARM_CONFIG_H
#define FARM_CONFIG_H

#include "tilefarm/tilefarm_chip.h"

/* Complete a configuration: `theirs` may come from a program that was built with an earlier version, whose struct
   tf_config lacks the last fields. They get their defaults. theirs: NULL for all defaults.
   Returns TF_OK, or TF_EINVAL and a message; then `whole` has the defaults. */
int tf_config_take(const struct tf_config *theirs, struct tf_config *whole, struct tf_message *message);

/* Give a program's configuration the values of a whole one, as far as it has the fields. Returns false, and changes
   nothing, if a field that it lacks has another value than its default. */
bool tf_config_give(const struct tf_config *whole, struct tf_config *theirs);

/* Check a whole configuration: TF_OK, or TF_EINVAL and a message. */
int tf_config_check(const struct tf_config *config, struct tf_message *message);

#endif
