/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Observers of a tile: a trace, a debugger. The cores that one looks at execute one instruction at a time, and it is
 * called around each. Turns, parking and order stay as they are, so that nothing shows in the state. Without observers
 * a tile pays for one comparison in each call of the interpreter.
 *
 * What parking skips is not seen: with config.parking false it is executed, and seen.
 */
#ifndef TILE_OBSERVE_H
#define TILE_OBSERVE_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/mmio/mmio.h"
#include "tile/riscv/isa/decode.h"

struct tf_tile;
struct tf_hart;

/* Who writes to a tile, other than its cores. */
enum tf_writer {
    TF_WROTE_PACKER,
    TF_WROTE_SCALAR,
    TF_WROTE_MOVER,
    TF_WROTE_OTHER, /* a request or an answer of the NOC, a debug or Ethernet device */
};

/* An instruction of a core. */
struct tf_observed {
    struct tf_rv_insn insn;
    uint64_t cycle;
    struct tf_retired reach; /* of a vector instruction: the range that holds all its elements */
};

struct tf_observer {
    struct tf_observer *next;
    uint32_t cores; /* that it looks at, as bits */
    /*
     * Called before the core executes an instruction, and again when it retries an access that had to wait. It may
     * change registers and memory. If it changes pc, the instruction is not executed. May be NULL.
     */
    void (*before)(struct tf_observer *observer, struct tf_tile *tile, struct tf_hart *hart,
                   const struct tf_observed *observed);
    /* It has retired. May be NULL. */
    void (*after)(struct tf_observer *observer, struct tf_tile *tile, struct tf_hart *hart,
                  const struct tf_observed *observed);
    /* Somebody else than a core of the tile has stored to a register, or has written bytes of L1 near decoded code. A
       range of L1 is watched by decoding the pages that it lies in (tf_code_page_make()), again after each call. May be
       NULL. */
    void (*wrote)(struct tf_observer *observer, struct tf_tile *tile, uint32_t address, uint32_t bytes,
                  enum tf_writer writer);
};

/* Does somebody look at a core? */
bool tf_observes(const struct tf_tile *tile, const struct tf_hart *hart);

/* Tell of a write to L1 or to a register. */
void tf_observe_written(struct tf_tile *tile, uint32_t address, uint32_t bytes, enum tf_writer writer);

#endif
