/* SPDX-License-Identifier: Apache-2.0 */
/* Detection of waiting. */
#ifndef TILE_RISCV_PARK_PROBE_H
#define TILE_RISCV_PARK_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/riscv/park/memo.h"

struct tf_hart;
struct tf_tile;

/* tf_park_probe() where no remembered round decides. */
bool tf_park_probe_on(struct tf_tile *tile, struct tf_hart *hart, bool at_transfer, uint64_t deadline);

/*
 * Probe a running hart: execute its next instructions one by one. The probe ends when the hart parks, the probe fails,
 * or a control transfer retires at or past `deadline`. An unfinished probe goes on at the next call. at_transfer: the
 * hart's last instruction in this turn was a control transfer. Returns false if the hart is between two control
 * transfers, or does not run.
 */
static inline bool tf_park_probe(struct tf_tile *tile, struct tf_hart *hart, bool at_transfer, uint64_t deadline)
{
    return (at_transfer && tf_memo_waits(tile, hart, deadline)) || tf_park_probe_on(tile, hart, at_transfer, deadline);
}

#endif
