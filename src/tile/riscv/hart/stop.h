/* SPDX-License-Identifier: Apache-2.0 */
/* Faults that stop a hart. Called on the worker that owns the tile. */
#ifndef TILE_RISCV_HART_STOP_H
#define TILE_RISCV_HART_STOP_H

#include <stdint.h>

#include "tilefarm/tilefarm_chip.h"

struct tf_hart;
struct tf_tile;

/* Stop a hart after a fault. Its state stays readable. */
void tf_hart_stop(struct tf_hart *hart);

/*
 * Record a fault of `core` (enum tf_core, or TF_CORE_NONE) and stop that hart at its present instruction. pc,
 * cycle and tile are filled in from the hart and the tile. Called on the worker that owns the tile.
 */
void tf_tile_fault(struct tf_tile *tile, unsigned core, enum tf_fault_category category, uint32_t instruction,
                   uint64_t address, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* tf_tile_fault() for an event at another pc and cycle than the hart's present ones. */
void tf_tile_fault_at(struct tf_tile *tile, unsigned core, uint32_t pc, uint64_t cycle, enum tf_fault_category category,
                      uint32_t instruction, uint64_t address, const char *format, ...)
    __attribute__((format(printf, 8, 9)));

#endif
