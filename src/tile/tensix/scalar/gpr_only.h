/* SPDX-License-Identifier: Apache-2.0 */
/* Batches of instructions that touch nothing but their thread's GPRs (alu.h). */
#ifndef TILE_TENSIX_SCALAR_GPR_ONLY_H
#define TILE_TENSIX_SCALAR_GPR_ONLY_H

#include <stdbool.h>
#include <stdint.h>

struct tf_tile;

/*
 * Passes the instruction at the gate and the gpr-only ones after it, before cycle `deadline`; tf_batch_pass() has the
 * conditions. It waits for pushes that arrive before that cycle. The gate may be empty. Returns false, with no
 * instruction passed, if the first one is not gpr-only.
 */
bool tf_gpr_only_run(const struct tf_tile *tile, unsigned thread, uint64_t deadline);

/* tf_gpr_only_run() for a tile whose trace or race checker sees each instruction. */
bool tf_gpr_only_run_observed(const struct tf_tile *tile, unsigned thread, uint64_t deadline);

#endif
