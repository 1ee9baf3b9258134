/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interface of the Tensix coprocessor to the rest of the tile. Sources:
 * BlackholeA0/TensixTile/BabyRISCV/PushTensixInstruction.md, WormholeB0/TensixTile/TensixCoprocessor/README.md.
 */
#ifndef TILE_TENSIX_WHOLE_TENSIX_H
#define TILE_TENSIX_WHOLE_TENSIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tile/state.h"

/* Makes the coprocessor of a tile, in its state after reset, as tile->tensix. head, body: so many zeros, which the
   caller keeps; aligned to 64, and to a page. The body stays untouched until the coprocessor has work. */
size_t tf_tensix_head_bytes(const struct tf_tile_arch *arch);
size_t tf_tensix_body_bytes(void);
void tf_tensix_create(struct tf_tile *tile, void *head, void *body);
void tf_tensix_destroy(struct tf_tile *tile);

/* Acts on a write of SOFT_RESET_0, or on the reset of a T core (SoftReset.md). */
void tf_tensix_reset(struct tf_tile *tile);

/*
 * From now on units complete `cycles` late (0 after creation): an instruction acts in its cycle, but counts as under
 * way for `cycles` more. STALLWAIT, FLUSHDMA, CoprocessorDoneCheck and PCBufs then wait for it (tf_config.late_cycles).
 */
void tf_tensix_delay(struct tf_tile *tile, uint32_t cycles);

/* For a family with a list of opcodes: makes *word an instruction of Blackhole's. Returns false if the family lacks it,
   or it is not implemented. The fault of the core that pushes it is recorded. */
bool tf_tensix_of_family(struct tf_tile *tile, unsigned core, uint32_t *word);

/* Pushes one instruction word (not rotated) into thread 0..2 at cycle tile->cycle. from_b: into the FIFO after the MOP
   expander, as B does. TF_ACCESS_BLOCK: the FIFO is closed. */
enum tf_access tf_tensix_push(struct tf_tile *tile, unsigned thread, uint32_t word, bool from_b, unsigned core,
                              uint32_t pc);

/*
 * Returns a T core's FIFO if it is open and a push has no other effect. The caller then puts at least one instruction
 * there, not a RESOURCEDECL, in the common form (isa/family.h). NULL: call tf_mmio_store() instead.
 */
struct tf_fifo *tf_tensix_push_open(struct tf_tile *tile, unsigned core);

/* Is the core a T core with a closed FIFO? */
bool tf_tensix_push_closed(const struct tf_tile *tile, unsigned core);

/* May a T core push before others reach its cycle? Returns true if its FIFO is open and its own, and Auto TTSync does
   not count the push. If one of these changes in an earlier cycle, the pushes of later cycles are corrected. */
bool tf_tensix_push_free(const struct tf_tile *tile, unsigned thread);

/* The debug bus takes a thread's FIFO: later pushes of its T core, from cycle `first` on, are lost. When the bus gives
   the FIFO back, lost pushes from `first` on return. */
void tf_tensix_lose_pushes(struct tf_tile *tile, unsigned thread, uint64_t first);
void tf_tensix_keep_pushes(struct tf_tile *tile, unsigned thread, uint64_t first);

/* Is the FIFO closed? */
bool tf_tensix_push_would_block(const struct tf_tile *tile, unsigned thread, bool from_b);

/* The FIFO before the replay expander, for RISCV_DEBUG_REG_INSTRN_BUF_STATUS. */
bool tf_tensix_push_full(const struct tf_tile *tile, unsigned thread);
bool tf_tensix_push_empty(const struct tf_tile *tile, unsigned thread);

#endif
