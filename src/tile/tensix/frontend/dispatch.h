/* SPDX-License-Identifier: Apache-2.0 */
/* From an opcode to the function that executes it, and to the condition that may stall it. Made from tensix.def. */
#ifndef TILE_TENSIX_FRONTEND_DISPATCH_H
#define TILE_TENSIX_FRONTEND_DISPATCH_H

#include <stdbool.h>
#include <stdint.h>

struct tf_tile;

/* Executes an instruction that has passed the gate. It completes in its cycle, unless completion is delayed. */
typedef void tf_tensix_execute(struct tf_tile *tile, unsigned thread, uint32_t word);

/* Must the instruction at a thread's gate stall? No side effects. */
typedef bool tf_tensix_condition(const struct tf_tile *tile, unsigned thread, uint32_t word);

/* Instructions with a condition of their own: those with the flag TF_TENSIX_WAITS. */
#define TF_TENSIX_CONDITIONS(X) \
    X(ATGETM)                   \
    X(XMOV)                     \
    X(UNPACR)                   \
    X(UNPACR_NOP)               \
    X(FLUSHDMA)                 \
    X(ATINCGETPTR)              \
    X(ATCAS)                    \
    X(STOREIND)

/* The matrix unit's instructions, and those that the hardware has dropped (MatrixUnit.md, "Legacy instructions"). */
/* clang-format off */
#define TF_FPU_OPS(X)                                                                                          \
    X(MVMUL) X(DOTPV) X(GAPOOL) X(GMPOOL) X(ELWMUL) X(ELWADD) X(ELWSUB) X(MOVA2D) X(MOVDBGA2D) X(MOVB2D)       \
    X(MOVDBGB2D) X(MOVD2A) X(MOVD2B) X(MOVB2A) X(TRNSPSRCB) X(SHIFTXA) X(SHIFTXB) X(ZEROSRC)
#define TF_FPU_DROPPED(X)                                                                                      \
    X(CONV3S1) X(CONV3S2) X(MFCONV3S1) X(MPOOL3S1) X(MPOOL3S2) X(APOOL3S1) X(APOOL3S2)
/* clang-format on */

/* Each is defined in the room of its unit. */
#define F(op, name, first, width)
#define OP(name, opcode, unit, block, sync_class, flags, fields) tf_tensix_execute tf_exec_##name;
#define UNEXECUTED(name, opcode, unit, block, sync_class, flags, fields)
#include "tile/tensix/isa/tensix.def"
#undef OP
#undef F

#define X(name) tf_tensix_condition tf_stalls_##name;
TF_TENSIX_CONDITIONS(X)
#undef X

/* Indexed by opcode. An entry is NULL if the opcode does not exist, or if no page describes it (RSTDMA); the thread
   stops with a fault. */
extern tf_tensix_execute *const tf_tensix_dispatch[256];

/* Indexed by opcode. An entry is NULL if the instruction has no condition of its own. */
extern tf_tensix_condition *const tf_tensix_conditions[256];

/* Is the opcode implemented? An instruction with another opcode is a fault. */
bool tf_tensix_implemented(uint8_t opcode);

#endif
