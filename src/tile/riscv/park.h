/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting harts: see struct tf_park in hart.h. Only for the files of this folder. */
#ifndef TILE_RISCV_PARK_H
#define TILE_RISCV_PARK_H

#include <stdbool.h>
#include <stdint.h>

struct tf_tile;
struct tf_hart;

/* Forget a probe in progress and how earlier ones ended: the hart starts something new. */
void tf_park_reset(struct tf_hart *hart);

/* Start a probe, or go on with it until it ends, or a control transfer retires at or past the deadline. False: it
   failed in the middle of a block, or the hart does not run. Else the last instruction was a control transfer. Where
   it starts, at_transfer says the same of the hart's last instruction. */
bool tf_park_probe(struct tf_tile *tile, struct tf_hart *hart, bool at_transfer, uint64_t deadline);

/* Nothing that a parked hart watches has changed. No side effects. */
bool tf_park_unchanged(struct tf_tile *tile, const struct tf_hart *hart);

/* A turn of a parked hart. False: something has changed, and the hart runs again, where it was. */
bool tf_park_turn(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline);

/* The rest of a turn in which the hart has parked. */
void tf_park_go_on(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline);

/* Let a parked hart that is skipped repeat its period up to the deadline. */
void tf_park_advance(struct tf_hart *hart, uint64_t deadline);

/* Bring the registers of a parked hart to its position, and let it run. */
void tf_park_wake(struct tf_hart *hart);

#endif
