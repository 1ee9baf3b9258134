/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FARM_MAKE_CREATE_H
#define FARM_MAKE_CREATE_H

#include <stdbool.h>

struct tf_arch;
struct tf_chip;
struct tf_config;
struct tf_message;

/* Create a chip with a checked configuration. arch: its table, which must outlive the chip; NULL: the chip makes its
   own. sparse: it is one of many, so its memory is not in huge pages. TF_OK, TF_ENOMEM. */
int tf_chip_create_on(const struct tf_config *config, const struct tf_arch *arch, bool sparse, struct tf_chip **out);

/* tf_chip_create(), with this choice. */
int tf_chip_create_as(const struct tf_config *config, bool sparse, struct tf_chip **out, struct tf_message *message);

#endif
