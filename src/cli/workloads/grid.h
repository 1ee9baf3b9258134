/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Tensix tiles and DRAM channels of a chip, for device programs. Programs come in two sets. One knows the whole
 * chip of its family. The other, in the folder boards, reads a struct tf_k_grid, for chips with fused-off nodes.
 */
#ifndef CLI_WORKLOADS_GRID_H
#define CLI_WORKLOADS_GRID_H

#include <stdbool.h>
#include <stddef.h>

#include "tilefarm/tilefarm_base.h"
#include "tilefarm_layout.h"

/* Has the chip every Tensix tile and every DRAM channel of its family? */
bool tf_grid_is_whole(const struct tf_arch *arch);

/* The grid that the host writes for the tiles of a chip, without `me`; zeros for a whole chip. */
void tf_grid_make(const struct tf_arch *arch, struct tf_k_grid *grid);

/* DRAM channels that a chip has, and the number of each on its die. */
unsigned tf_grid_channels(const struct tf_arch *arch);
unsigned tf_grid_channel(const struct tf_arch *arch, unsigned index);

/* Have the device programs of a family a folder, which has its name? The first family's have none. */
bool tf_grid_has_folder(const struct tf_arch *arch);

/* Name of a core's image of a program: FAMILY/boards/PROGRAM.core; the default family and whole chips have none. */
void tf_grid_image(const struct tf_arch *arch, const char *program, unsigned core, char *name, size_t bytes);

#endif
