/* SPDX-License-Identifier: Apache-2.0 */
/* Runtime arguments of device programs: --args of `tilefarm run`. */
#ifndef CLI_OPTIONS_ARGUMENTS_H
#define CLI_OPTIONS_ARGUMENTS_H

#include "cli/cli.h"
#include "tilefarm_params.h"

struct tf_arch;
struct tf_chip;
struct tf_load;

/* The arguments of one core, or those that all cores of a tile have in common. */
struct tf_arguments {
    unsigned core; /* enum tf_core; TF_ARGUMENTS_COMMON */
    bool of_chip;  /* for one chip of a system, of this number */
    unsigned chip;
    struct tf_tile_set tiles; /* none: those on which the core's programs are loaded */
    uint32_t word[TF_PARAMS_ARGUMENTS];
    unsigned words;
};

#define TF_ARGUMENTS_COMMON 5u /* their place behind those of the five cores */
#define TF_ARGUMENTS_MAX 64u   /* most --args of a command */

/* Read CORE=N,N..., and TILES unless they are NULL. Returns false after an error line. */
bool tf_arguments_take(struct tf_arguments *arguments, const struct tf_arch *arch, const char *option,
                       const char *value, const char *tiles);

/* Write the lists that are for a chip to its L1, before the run. number: of the chip. load: the programs of the run.
   Returns false after an error line. */
bool tf_arguments_write(struct tf_chip *chip, unsigned number, const struct tf_arguments *list, unsigned count,
                        const struct tf_load *load, unsigned loads);

#endif
