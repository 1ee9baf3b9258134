/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of accesses to registers. */
#ifndef TILE_RISCV_HART_ACCESS_FAULT_H
#define TILE_RISCV_HART_ACCESS_FAULT_H

#include <stdint.h>

#include "tile/access.h"
#include "tilefarm/tilefarm_chip.h"

struct tf_tile;

/*
 * Fault of an access: recorded for a core, kept for tf_mmio_why() for the NOC. `why` is a constant sentence; the
 * reports of cores add the address. Returns TF_ACCESS_FAULT.
 */
enum tf_access tf_mmio_fault(struct tf_tile *tile, unsigned from, enum tf_fault_category category, uint32_t address,
                             const char *why);

#endif
