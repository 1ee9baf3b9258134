/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration of a chip in files: saved chips and recordings. */
#ifndef FARM_SAVED_CONFIG_H
#define FARM_SAVED_CONFIG_H

#include "tilefarm/tilefarm_chip.h"

/* The fields of a configuration that a file keeps: all that decide results, and TF_CONFIG_KEPT. */
struct tf_saved_config {
    char family[16];
    struct tf_board board;
#define TF_CONFIG_KEPT(field_) uint32_t field_;
#include "farm/chip/config.def"
};

#endif
