/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FARM_CREATE_H
#define FARM_CREATE_H

struct tf_arch;
struct tf_chip;
struct tf_config;

/* Create a chip with a checked configuration. arch: its table, which must outlive the chip; NULL: the chip makes its
   own. TF_OK, TF_ENOMEM. */
int tf_chip_create_on(const struct tf_config *config, const struct tf_arch *arch, struct tf_chip **out);

#endif
