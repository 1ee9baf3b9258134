/* SPDX-License-Identifier: Apache-2.0 */
/* What a core waits for in timing mode. */
#ifndef TILE_RISCV_TIMED_WAIT_H
#define TILE_RISCV_TIMED_WAIT_H

#include <stdint.h>

#include "tilefarm/tilefarm_times.h"

struct tf_tile;

/* What a core waits for that polls or awaits an address. */
enum tf_spent tf_timed_wait_at(const struct tf_tile *tile, uint32_t address);

#endif
