/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Observers of a tile: a trace, a debugger. A core that has observers executes one instruction at a time, and they are
 * called before and after it. Turns, parking and order do not change, and neither does the state. A tile without
 * observers pays for one comparison in each call of the interpreter.
 *
 * Observers do not see what parking skips. With config.parking false the core executes it, and they see it.
 */
#ifndef TILE_OBSERVE_H
#define TILE_OBSERVE_H

#include <stdbool.h>
#include <stdint.h>

struct tf_tile;
struct tf_hart;
struct tf_observed;

/* Writers to a tile, other than its cores. */
enum tf_writer {
    TF_WROTE_PACKER,
    TF_WROTE_SCALAR,
    TF_WROTE_MOVER,
    TF_WROTE_OTHER, /* a request or an answer of the NOC, a debug or Ethernet device */
};

struct tf_observer {
    struct tf_observer *next;
    uint32_t cores; /* that it observes, as bits */
    /*
     * Called before the core executes an instruction, and again when it retries an access that had to wait. It may
     * change registers and memory. If it changes pc, the instruction is not executed. May be NULL.
     */
    void (*before)(struct tf_observer *observer, struct tf_tile *tile, struct tf_hart *hart,
                   const struct tf_observed *observed);
    /* Called after the instruction has retired. May be NULL. */
    void (*after)(struct tf_observer *observer, struct tf_tile *tile, struct tf_hart *hart,
                  const struct tf_observed *observed);
    /* A writer that is no core of the tile has stored to a register, or has written bytes of L1 near decoded code. To
       see all writes to a range of L1, decode its pages (tf_code_page_make()), and decode them anew after each call.
       May be NULL. */
    void (*wrote)(struct tf_observer *observer, struct tf_tile *tile, uint32_t address, uint32_t bytes,
                  enum tf_writer writer);
};

/* Has a core an observer? */
bool tf_observes(const struct tf_tile *tile, const struct tf_hart *hart);

/* Report a write to L1 or to a register. */
void tf_observe_written(struct tf_tile *tile, uint32_t address, uint32_t bytes, enum tf_writer writer);

#endif
