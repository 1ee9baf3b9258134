/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration of a chip in files: saved chips and recordings. */
#ifndef FARM_SAVED_CONFIG_H
#define FARM_SAVED_CONFIG_H

#include "tilefarm/tilefarm.h"

/* The fields of a configuration that a file keeps: all that decide results, and TF_CONFIG_KEPT. */
struct tf_saved_config {
    char family[16];
    struct tf_board board;
#define TF_CONFIG_KEPT(field_) uint32_t field_;
#include "farm/chip/config.def"
};

/* Copy these fields from a configuration. arch: the chip on its board. */
void tf_saved_describe(const struct tf_config *config, const struct tf_arch *arch, struct tf_saved_config *saved);

/* Copy these fields to a configuration. Returns false if tf_arch_find() does not know the family, or if the family
   cannot have the board. */
bool tf_saved_to_config(const struct tf_saved_config *saved, struct tf_config *config);

#endif
