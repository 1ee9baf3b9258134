/* SPDX-License-Identifier: Apache-2.0 */
/* Does a hart wait? */
#ifndef TILE_RISCV_WAITS_WAITS_H
#define TILE_RISCV_WAITS_WAITS_H

#include <stdbool.h>

struct tf_hart;
struct tf_tile;

/* Returns true if the hart cannot act until something else changes. It is stopped, in reset, blocked on a condition
   that still holds, or parked with equal inputs. No interrupt is pending for it. Changes only tile->cycle, for reads of
   registers. */
bool tf_hart_waiting(struct tf_tile *tile, const struct tf_hart *hart);

/* Will a parked core, whose turn in the slice is still to come, go on in it? */
bool tf_hart_will_wake(struct tf_tile *tile, const struct tf_hart *hart);

#endif
