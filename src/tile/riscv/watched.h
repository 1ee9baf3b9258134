/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Harts that a debugger watches. While it steps, or has breakpoints or watchpoints, the hart executes one instruction
 * at a time, and the debug interface (mmio/gdb.c) checks each after it retires. Only for the files of this folder.
 */
#ifndef TILE_RISCV_WATCHED_H
#define TILE_RISCV_WATCHED_H

#include <stdint.h>

struct tf_tile;
struct tf_hart;

/* Run a watched hart until the deadline, until it stops running, or until the debugger stops watching it. */
void tf_watched_run(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline);

#endif
