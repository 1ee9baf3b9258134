/* SPDX-License-Identifier: Apache-2.0 */
/* The wait gate of a thread (TensixCoprocessor/WaitGate.md, STALLWAIT.md, SEMWAIT.md, STREAMWAIT.md). */
#ifndef TILE_TENSIX_FRONTEND_GATE_H
#define TILE_TENSIX_FRONTEND_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/srcbanks.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/wait.h"

struct tf_tensix;
struct tf_tile;

/*
 * Changes that may release a stalled thread, as a mask. A stall on a named condition ends by such a change alone. So a
 * thread that awaits another change need not retry (row `unpack-add-pack`).
 */
enum tf_change {
    TF_CHANGE_UNPACK_A = 1 << 0, /* the next bank of SrcA for the unpackers has become theirs */
    TF_CHANGE_UNPACK_B = 1 << 1,
    TF_CHANGE_MATRIX_A = 1 << 2, /* the next bank of SrcA for the matrix unit has become its own */
    TF_CHANGE_MATRIX_B = 1 << 3,
    TF_CHANGE_SRC = 0xF,
    TF_CHANGE_SYNC = 1 << 4, /* a semaphore or a mutex */
    TF_CHANGE_ANY = 1 << 5,  /* comes with each change */
    TF_CHANGE_ALL = 0x3F,
    TF_CHANGE_PUSHED = 1 << 6, /* the debug bus has changed a FIFO; each turn awaits that for its idle threads */
};

/* Does a block mask (enum tf_tensix_block) stall the instruction? */
bool tf_gate_catches(const struct tf_tensix_op *op, uint16_t block);

/* Are all conditions of the thread's latched wait met in `cycle`? A wait must be latched. No side effects. */
bool tf_gate_met(struct tf_tile *tile, unsigned thread, uint64_t cycle);

/* Does the unit stall the instruction until its bank of SrcA or SrcB is the matrix unit's? */
static inline bool tf_gate_awaits_src(const struct tf_src_banks *src, const struct tf_tensix_op *op)
{
    return ((op->flags & TF_TENSIX_SRCA) != 0 && tf_src_matrix_waits(src, TF_SRC_A)) ||
           ((op->flags & TF_TENSIX_SRCB) != 0 && tf_src_matrix_waits(src, TF_SRC_B));
}

/* Clears the latched wait of a thread if it is evaluated in `cycle`, and is met then. */
static inline void tf_gate_clear(struct tf_tile *tile, unsigned thread, struct tf_wait *wait, uint64_t cycle)
{
    if (wait->opcode != 0 && wait->since <= cycle && tf_gate_met(tile, thread, cycle))
        wait->opcode = 0;
}

/* Does anything other than a latched wait stall the instruction (TensixCoprocessor/WaitGate.md)? No side effects. */
bool tf_gate_held(struct tf_tile *tile, unsigned thread, uint32_t word);

/* Does the instruction occupy the scalar unit while it stalls on its own condition (ScalarUnit.md)? */
bool tf_gate_occupies(struct tf_tile *tile, unsigned thread, uint32_t word);

/* Conditions of STALLWAIT and FLUSHDMA (STALLWAIT.md, "Condition mask"). C11 is missing there. In tt_llk_blackhole it
   is the vector unit, like Wormhole's C14. */
enum tf_condition {
    TF_CONDITION_SCALAR = 1 << 0,
    TF_CONDITION_UNPACK_0 = 1 << 1,
    TF_CONDITION_UNPACK_1 = 1 << 2,
    TF_CONDITION_PACK = 1 << 3, /* of four packers the first one */
    TF_CONDITION_MATRIX = 1 << 4,
    TF_CONDITION_SRCA_UNPACK = 1 << 5, /* on banks, not on a pipeline; SrcB's is the next bit */
    TF_CONDITION_SRCA_MATRIX = 1 << 7,
    TF_CONDITION_MOVER = 1 << 9,
    TF_CONDITION_RISCV = 1 << 10,
    TF_CONDITION_VECTOR = 1 << 11,
    TF_CONDITION_CONFIG = 1 << 12,
    /* A mask of 0 means these (STALLWAIT.md, SEMWAIT.md, FLUSHDMA.md). */
    TF_CONDITION_DEFAULT = TF_CONDITION_SCALAR | TF_CONDITION_UNPACK_0 | TF_CONDITION_UNPACK_1 | TF_CONDITION_PACK,
};

/* Where there are four packers: packers 1 to 3 (Wormhole's C4 to C6), from bit 12 on. Elsewhere that bit is C12, and
   the others are reserved. */
#define TF_CONDITION_PACKER_1 12u
#define TF_CONDITION_OTHER_PACKERS (7u << TF_CONDITION_PACKER_1)
#define TF_CONDITION_RESERVED (3u << (TF_CONDITION_PACKER_1 + 1))

/* Is a condition of a mask of STALLWAIT or FLUSHDMA not met in `cycle`? No side effects. */
bool tf_gate_waits(const struct tf_tile *tile, unsigned thread, uint32_t conditions, uint64_t cycle);

/* Clears the latched waits that are met at the end of `cycle`. */
void tf_gate_settle(struct tf_tile *tile, uint64_t cycle);

/*
 * The changes (enum tf_change) that may release a thread whose instruction `op` stalls at the gate: without one of them
 * it stalls on.
 */
unsigned tf_gate_awaits(const struct tf_tensix *tensix, unsigned thread, const struct tf_tensix_op *op);

/*
 * Called before and after a change of a semaphore, a mutex, a bank of SrcA or SrcB, or a stream register, in cycle
 * tile->cycle. Both clear the latched waits that are met; the second one lets stalled threads try again. `changes`:
 * before, the possible ones; after, those that have happened.
 */
void tf_gate_before_change(struct tf_tile *tile, unsigned changes);
void tf_gate_reconsider(struct tf_tile *tile, unsigned changes);

#endif
