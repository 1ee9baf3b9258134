/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Defaults and limits of a configuration. Those that the help of the command names are macros, so that they can be part
 * of a text. TF_LEAST(field) and TF_MOST(field) are the limits of a number in config.def.
 */
#ifndef FARM_CHIP_DEFAULTS_H
#define FARM_CHIP_DEFAULTS_H

#include <stdint.h>

#include "tilefarm/tilefarm_base.h"

#ifdef TF_HOSTILE_BUILD
#define TF_DEFAULT_SLICE_CYCLES 16
#else
#define TF_DEFAULT_SLICE_CYCLES 1024
#endif
#define TF_DEFAULT_EPOCH_CYCLES_MIN TF_DEFAULT_SLICE_CYCLES
#define TF_DEFAULT_EPOCH_CYCLES_MAX 16384
#define TF_SLICE_CYCLES_LEAST 16
#define TF_SLICE_CYCLES_MOST 65536

enum {
#define TF_CONFIG_NUMBER(field_, default_, least_, most_) TF_LEAST_##field_ = (least_), TF_MOST_##field_ = (most_),
#include "farm/chip/config.def"
};
#define TF_LEAST(field_) ((uint64_t)TF_LEAST_##field_)
#define TF_MOST(field_) ((uint64_t)TF_MOST_##field_)

#endif
