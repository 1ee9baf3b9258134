/* SPDX-License-Identifier: Apache-2.0 */
/* Detection of harts that wait and count (hart/beat.h). */
#ifndef TILE_RISCV_PARK_FIND_BEAT_H
#define TILE_RISCV_PARK_FIND_BEAT_H

#include <stdbool.h>

struct tf_tile;
struct tf_hart;

/*
 * After a control transfer, where a probe may begin: if the hart waits in a loop that counts, park it. False: nothing
 * has changed. Only for tiles without a coprocessor, whose reads of L1 do not wait for a hart's time; not where a run
 * explores, orders memory, or is relaxed. Recorded programs with idle Ethernet tiles pay for it (perf/README.md).
 */
bool tf_beat_find(struct tf_tile *tile, struct tf_hart *hart);

#endif
