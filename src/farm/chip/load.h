/* SPDX-License-Identifier: Apache-2.0 */
/* Loads executables into a chip. This is a file of its own, so that a library that loads none does not need libelf. */
#ifndef FARM_CHIP_LOAD_H
#define FARM_CHIP_LOAD_H

#include <stddef.h>

#include "tilefarm/tilefarm_base.h"

struct tf_chip;
struct tf_message;

/* tf_load_elf() of such an image. tf_load_local() writes the data, after tf_core_start(). */
int tf_load_elf_local(struct tf_chip *chip, unsigned tile, enum tf_core core, const char *name, const void *image,
                      size_t bytes, struct tf_message *message);
int tf_load_local(struct tf_chip *chip, unsigned tile, enum tf_core core, const char *name, const void *image,
                  size_t bytes);

#endif
