/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration of a chip, as files have it: saved chips, and recordings. */
#ifndef FARM_SAVED_CONFIG_H
#define FARM_SAVED_CONFIG_H

#include "tilefarm/tilefarm.h"

/* Everything of a configuration that decides what a chip computes. */
struct tf_saved_config {
    char family[16];
    struct tf_board board;
    uint32_t mode, atomics;
    uint32_t slice_cycles, epoch_cycles_min, epoch_cycles_max;
    uint32_t niu_requests_max, late_cycles;
    uint8_t inline_l1_faults, undefined_as_silicon, parking, zero;
};

/* The configuration of a chip. */
void tf_saved_describe(const struct tf_chip *chip, struct tf_saved_config *saved);

/* Give a configuration what decides the results. False: the family is none that tf_arch_find() knows. */
bool tf_saved_to_config(const struct tf_saved_config *saved, struct tf_config *config);

#endif
