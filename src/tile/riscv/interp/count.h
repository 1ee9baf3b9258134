/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A counter of a tile receives all instructions that cores retire, in stretches. A stretch is a run of consecutive
 * instructions without a taken jump between them, so the counter is called once for each jump. Counted chips use an
 * interpreter of their own (counted.c), so other chips pay nothing. A counter changes no state.
 *
 * A counter does not receive what parking skips, nor the last rounds of a polling loop before that, nor jumps of an
 * instruction to itself. The next stretch then begins at a later cycle than the last one ended.
 */
#ifndef TILE_RISCV_INTERP_COUNT_H
#define TILE_RISCV_INTERP_COUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/riscv/code/code.h"
#include "tile/riscv/isa/decoded.h"
#include "tile/observe.h"

/* The end of a stretch, in the low two bits of `next`. Its other bits are the pc of the next instruction. */
enum tf_stretch_end {
    TF_STRETCH_PAUSES, /* the core goes on after the stretch, now or later */
    TF_STRETCH_JUMPS,
    TF_STRETCH_CALLS,   /* a jump that stores its return address in ra or t0 */
    TF_STRETCH_RETURNS, /* a jump to an address in ra or t0, or mret */
};

static inline bool tf_is_link(unsigned x)
{
    return x == 1 || x == 5;
}

/* The end of a stretch by JAL or JALR. rs1: 0 of JAL. */
static inline enum tf_stretch_end tf_stretch_end_of_jump(unsigned rd, unsigned rs1)
{
    return tf_is_link(rd) ? TF_STRETCH_CALLS : tf_is_link(rs1) ? TF_STRETCH_RETURNS : TF_STRETCH_JUMPS;
}

#define TF_STRETCH_END(next) ((enum tf_stretch_end)((next)&3))
#define TF_STRETCH_NEXT(next) ((next) & ~3u)

struct tf_counter {
    struct tf_observer observer; /* of no core; it marks the tile as observed */
    uint32_t cores;              /* the cores that it counts, as bits */
    /* A core has retired the instructions from `first` to before `end`, one in each cycle before `cycle`. */
    void (*ran)(struct tf_counter *counter, unsigned core, uint32_t first, uint32_t end, uint32_t next, uint64_t cycle);
    /* The turn of a core ends, and the core does not run: its state says what it waits for. The core also has ended if
       it runs: it jumps to itself, which does not count as executed. */
    void (*stopped)(struct tf_counter *counter, struct tf_tile *tile, const struct tf_hart *hart);
};

/* Count a tile. Once, after tf_code_cache_count(), before any core of the chip has run. All tiles of the chip need a
   counter; it may be of no core. */
void tf_counter_attach(struct tf_tile *tile, struct tf_counter *counter);

/* The counter of a core, or NULL. */
struct tf_counter *tf_counter_of(const struct tf_tile *tile, unsigned core);

/* Count one instruction that was executed alone: insn at pc has retired, and the hart is at the next one. */
void tf_count_insn(const struct tf_tile *tile, const struct tf_hart *hart, const struct tf_rv_insn *insn, uint32_t pc);

/* The turn of a core of a tile with observers has ended. */
void tf_count_stop(struct tf_tile *tile, const struct tf_hart *hart);

#endif
