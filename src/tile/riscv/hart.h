/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hart: one baby RISC-V core. hart->cycle is the cycle of its next instruction; each instruction takes one cycle. A
 * turn runs until the first control transfer (branch or jump, taken or not) that retires at or past the deadline. The
 * turn of a hart that is blocked or stopped sets its cycle to the deadline.
 *
 * Thread: the one that runs the tile, or the host while none does.
 */
#ifndef TILE_RISCV_HART_H
#define TILE_RISCV_HART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tile/hash.h"
#include "tile/riscv/hart/state.h"
#include "tilefarm/tilefarm_chip.h"

struct tf_tile;

/*
 * Initialize a hart to its state at power-on, in reset. The hart, local RAM and notes must be zeros. `local` has
 * local_bytes bytes; the notes follow it in memory, so that one call touches both.
 */
void tf_hart_init(struct tf_hart *hart, unsigned core, uint8_t *local, uint32_t local_bytes,
                  struct tf_park_notes *notes);

/* The result of a turn, as bits. */
enum tf_turn {
    TF_TURN_WAITS = 1,   /* tf_hart_waiting() stays true until another actor acts; without this bit, call it */
    TF_TURN_YIELDED = 4, /* it has cycles left, and others of the tile must act first: tf_order_run() */
    TF_TURN_ACTED = 2,   /* the hart ran, and may have ended the waits of others */
    TF_TURN_DOZES = 8,   /* the hart dozes */
};

/*
 * A blocked hart tries its access in cycle hart->cycle. All earlier events of the tile must have happened. Returns true
 * if it runs again, there or in an interrupt handler.
 */
bool tf_hart_unblock(struct tf_tile *tile, struct tf_hart *hart);

/* Compare the inputs of a parked hart: it wakes, or its time advances to the deadline. */
void tf_hart_rest(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline);

/* Is the hart in reset, paused or faulted? Only its time passes. */
static inline bool tf_hart_is_stopped(const struct tf_hart *hart)
{
    return hart->state != TF_CORE_RUNNING && hart->state != TF_CORE_PARKED && hart->state != TF_CORE_BLOCKED;
}

/* One turn. */
unsigned tf_hart_turn(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline);

/* One turn in a tile whose harts may doze (hart/doze.h). A hart that waits for words of memory dozes then. */
unsigned tf_hart_turn_dozing(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline);

/* tf_hart_turn_dozing(), if tf_hart_look_dozing() is TF_PARK_CHANGED. */
unsigned tf_hart_turn_woken(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline);

/* The rest of a turn that the hart left because of the order. tile->slice.horizon is the hart's. */
unsigned tf_hart_go_on(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline);

/*
 * In timing mode: tf_hart_go_on() of the hart, and then of those that come first after it, as long as they need
 * nothing but the loop of timing mode.
 */
void tf_hart_go_on_timed(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline);

/* Likewise tf_hart_turn() of the hart, and then of the next ones by number; after the last one, as long as they need
   nothing else, of those that come first. *last: the last core by number that had its turn.
   Returns what its turn returns, with TF_TURN_ACTED and TF_TURN_YIELDED of all. */
unsigned tf_hart_turns_timed(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline, unsigned *last);

/* Let time pass for a waiting hart up to deadline, as if its turns had been taken. */
void tf_hart_catch_up(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline);

#endif
