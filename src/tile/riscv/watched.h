/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hart that the debug interface looks after: with a step to make, breakpoints or watchpoints, it executes one
 * instruction after the other and asks after each (mmio/gdb.c). Only for the files of this folder.
 */
#ifndef TILE_RISCV_WATCHED_H
#define TILE_RISCV_WATCHED_H

#include <stdint.h>

struct tf_tile;
struct tf_hart;

/* Run until the deadline, until the hart does not run, or until nobody looks after it any more. */
void tf_watched_run(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline);

#endif
