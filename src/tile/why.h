/* SPDX-License-Identifier: Apache-2.0 */
/* Why the NOC's last access to a register was refused. */
#ifndef TILE_WHY_H
#define TILE_WHY_H

#include "tilefarm/tilefarm_chip.h"

struct tf_tile;

/* The constant sentence of the NOC's last fault. */
const char *tf_mmio_why(struct tf_tile *tile);
enum tf_fault_category tf_mmio_why_category(const struct tf_tile *tile);

#endif
