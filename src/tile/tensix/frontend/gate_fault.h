/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of the instruction at a thread's gate. */
#ifndef TILE_TENSIX_FRONTEND_GATE_FAULT_H
#define TILE_TENSIX_FRONTEND_GATE_FAULT_H

#include <stdint.h>

#include "tile/fault.h"

struct tf_tile;

/* Records a fault of a thread at the instruction at its gate, and stops the thread. The text names both. */
void tf_tensix_fault(struct tf_tile *tile, unsigned thread, enum tf_fault_category category, uint64_t address,
                     const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
