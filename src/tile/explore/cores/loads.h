/* SPDX-License-Identifier: Apache-2.0 */
/* Loads that later instructions of their core overtake. */
#ifndef TILE_EXPLORE_CORES_LOADS_H
#define TILE_EXPLORE_CORES_LOADS_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/riscv/hart/step.h"

struct tf_hart;
struct tf_rv_insn;
struct tf_tile;

/*
 * A core is about to load. Returns true if later instructions overtake the load, beginning with the one at pc.
 * While hart->overtaken is set, tf_observed_run() runs the core.
 */
bool tf_explored_delay_load(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn,
                            uint32_t address);

/* Does the instruction at pc overtake the load? If not, the core is at the load, which comes next, some slices
   later. */
bool tf_explored_overtakes(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn);

/* A core has loaded while hart->overtaken is set: the late load, or one that overtakes it. */
enum tf_step tf_explored_loaded(struct tf_tile *tile, struct tf_hart *hart);

#endif
