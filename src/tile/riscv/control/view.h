/* SPDX-License-Identifier: Apache-2.0 */
/* The architectural state of a hart. One that is parked appears as if it had been executed. */
#ifndef TILE_RISCV_CONTROL_VIEW_H
#define TILE_RISCV_CONTROL_VIEW_H

#include "tilefarm/tilefarm_chip.h"

struct tf_hart;
struct tf_hash;
struct tf_tile;

/* Write the architectural state of a hart to *view. A skipped hart appears as if it had been executed. */
void tf_hart_look(struct tf_tile *tile, const struct tf_hart *hart, struct tf_core_view *view);

/* Add the architectural state to a hash. Parking is not part of it: parked and running harts hash equally. */
void tf_hart_hash(struct tf_tile *tile, const struct tf_hart *hart, struct tf_hash *hash);

#endif
