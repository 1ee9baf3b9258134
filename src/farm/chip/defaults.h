/* SPDX-License-Identifier: Apache-2.0 */
/* Defaults of a configuration that the help of the command names: macros, so that they can be part of a text. */
#ifndef FARM_CHIP_DEFAULTS_H
#define FARM_CHIP_DEFAULTS_H

#ifdef TF_HOSTILE_BUILD
#define TF_DEFAULT_SLICE_CYCLES 16
#else
#define TF_DEFAULT_SLICE_CYCLES 1024
#endif
#define TF_DEFAULT_EPOCH_CYCLES_MIN TF_DEFAULT_SLICE_CYCLES
#define TF_DEFAULT_EPOCH_CYCLES_MAX 16384

#endif
