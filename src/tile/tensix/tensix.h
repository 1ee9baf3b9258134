/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Tensix coprocessor as the rest of the tile sees it. Sources:
 * BlackholeA0/TensixTile/BabyRISCV/PushTensixInstruction.md,
 * WormholeB0/TensixTile/TensixCoprocessor/README.md.
 */
#ifndef TILE_TENSIX_TENSIX_H
#define TILE_TENSIX_TENSIX_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/hash.h"
#include "tile/tile.h"

/* Allocate and reset the coprocessor of a tile into tile->tensix. False: no memory. */
bool tf_tensix_create(struct tf_tile *tile);
void tf_tensix_destroy(struct tf_tile *tile);

/* SOFT_RESET_0 was written, or a T core went into reset: act on both (SoftReset.md). */
void tf_tensix_reset(struct tf_tile *tile);

/*
 * From now on, what units do counts as under way for so many cycles after it was done (0 at first), which conditions
 * of STALLWAIT and FLUSHDMA, CoprocessorDoneCheck and PCBufs then wait for.
 */
void tf_tensix_delay(struct tf_tile *tile, uint32_t cycles);

/* A core gives the coprocessor an instruction that its family lacks: a fault of the core. */
enum tf_access tf_tensix_lacks(struct tf_tile *tile, unsigned core, uint32_t word);

/* Push one instruction word (not rotated) into thread 0..2, at cycle tile->now. from_b: B's door behind the MOP
   expander. BLOCK: the FIFO is closed. */
enum tf_access tf_tensix_push(struct tf_tile *tile, unsigned thread, uint32_t word, bool from_b, unsigned core,
                              uint32_t pc);

/*
 * The FIFO of a T core, where all of its pushes but RESOURCEDECL go and nothing else happens when they do; it is open,
 * and the caller puts them there. NULL: tf_mmio_store() decides, as always where the family lacks instructions.
 */
struct tf_fifo *tf_tensix_push_open(struct tf_tile *tile, unsigned core);

/* Would a T core's push be done whatever other cores and the coprocessor do before its cycle? Its FIFO is open. */
bool tf_tensix_push_free(const struct tf_tile *tile, unsigned thread);

/* Is the FIFO closed? */
bool tf_tensix_push_would_block(const struct tf_tile *tile, unsigned thread, bool from_b);

/* The FIFO before the replay expander, for RISCV_DEBUG_REG_INSTRN_BUF_STATUS. */
bool tf_tensix_push_full(const struct tf_tile *tile, unsigned thread);
bool tf_tensix_push_empty(const struct tf_tile *tile, unsigned thread);

/* The coprocessor's turn of a slice: each thread passes at most one instruction a cycle until the deadline. False: it
   had nothing to do but to let time pass. */
bool tf_tensix_turn(struct tf_tile *tile, uint64_t deadline);

/*
 * The part of that turn before `cycle`, if it has not been taken yet. All pushes of earlier cycles have been made. With
 * `halts` it stops before an instruction that may store to a register, and returns false.
 */
bool tf_tensix_run_to(struct tf_tile *tile, uint64_t cycle, bool halts);

/* Has no thread anything to do, until something is pushed? */
bool tf_tensix_asleep(const struct tf_tile *tile);

/* The first cycle that has not been done. */
uint64_t tf_tensix_clock(const struct tf_tile *tile);

/* Let time pass for a coprocessor whose threads all wait. */
void tf_tensix_catch_up(struct tf_tile *tile, uint64_t deadline);

/* Nothing in flight for a thread (PCBufs.md, ManualTTSync.md CoprocessorDoneCheck). */
bool tf_tensix_thread_idle(const struct tf_tile *tile, unsigned thread);

/* tt_cfg_qstatus (busy: tt_cfg_bstatus) as a core reads it; bits 11 and 24 of the former, sfpu_cc, are 0 (CSRs.md). */
uint32_t tf_tensix_status(const struct tf_tile *tile, unsigned core, bool busy);

/*
 * What a thread waits for, as one line for people; as snprintf. 0: it does not wait, or has nothing to do.
 */
int tf_tensix_describe_wait(struct tf_tile *tile, unsigned thread, char *text, unsigned bytes);

/* No thread can go on until something outside the coprocessor changes. No side effects. */
bool tf_tensix_waiting(struct tf_tile *tile);

/*
 * The coprocessor's windows in the cores' address space (tile/address.h): GPRs, MOP configuration (write only, T cores),
 * Manual TTSync, semaphores, backend configuration, TDMA-RISC. `from` as in mmio.h; address is the full address.
 */
enum tf_access tf_tensix_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
enum tf_access tf_tensix_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);
bool tf_tensix_access_would_block(struct tf_tile *tile, unsigned from, uint32_t address, bool store);

void tf_tensix_hash(struct tf_tile *tile, struct tf_hash *hash);

#endif
