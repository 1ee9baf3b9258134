/* SPDX-License-Identifier: Apache-2.0 */
/* The scalar unit, ThCon (TensixCoprocessor/ScalarUnit.md). */
#ifndef TILE_TENSIX_SCALAR_THCON_H
#define TILE_TENSIX_SCALAR_THCON_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/access.h"

struct tf_tile;

/* TF_GPR_BASE: all GPRs for B, a T core's own. */
enum tf_access tf_gpr_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
enum tf_access tf_gpr_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);

#endif
