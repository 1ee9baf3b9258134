/* SPDX-License-Identifier: Apache-2.0 */
/* A tile that explores (state.h) delays accesses. */
#ifndef TILE_EXPLORE_EXPLORE_H
#define TILE_EXPLORE_EXPLORE_H

#include "tile/explore/state.h"
#include "tile/riscv/hart/step.h"
#include "tile/riscv/isa/decoded.h"
#include "tile/state.h"

/* At most so many later instructions overtake a load (MemoryOrdering.md). */
#define TF_OVERTAKE_MOST 7u

/* Let a tile explore. Returns false if the host has no memory. */
bool tf_explore_attach(struct tf_tile *tile, const struct tf_plan *plan, uint32_t slice_cycles);
void tf_explore_detach(struct tf_tile *tile);

/* A slice begins: accesses that are due are processed, and cores may be slow. */
void tf_explore_slice(struct tf_tile *tile);

/* Is something on its way, so that the tile is not quiet? */
bool tf_explore_pending(const struct tf_tile *tile);

/* cores.c. A core stores 1, 2 or 4 bytes at an aligned address in L1 or registers. */
enum tf_step tf_explored_store(struct tf_tile *tile, struct tf_hart *hart, uint32_t address, unsigned size,
                               uint32_t value);

/* May an aligned load from L1, or a store to it, act directly, because no order delays it and no checker sees it? If
   so, only the access itself is left to do. Row `explore` pays: seeds of `mixed` take two thirds of the time. */
bool tf_explored_load_is_direct(struct tf_tile *tile, const struct tf_hart *hart, uint32_t address, unsigned size);
bool tf_explored_store_is_direct(struct tf_tile *tile, const struct tf_hart *hart, uint32_t address);

/* A core is about to access memory or a register. Returns true if it stands still first. Then the access is tried again
   in a later slice. */
bool tf_explored_pauses(struct tf_tile *tile, struct tf_hart *hart, uint32_t address);

/* A core loads from an aligned address in L1. */
uint32_t tf_explored_load(struct tf_tile *tile, struct tf_hart *hart, uint32_t address, unsigned size);

/*
 * loads.c. A core is about to load. Returns true if later instructions overtake the load, beginning with the one at pc.
 * While hart->overtaken is set, tf_observed_run() runs the core.
 */
bool tf_explored_delay_load(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn,
                            uint32_t address);

/* Does the instruction at pc overtake the load? If not, the core is at the load, which comes next, some slices
   later. */
bool tf_explored_overtakes(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn);

/* A core has loaded while hart->overtaken is set: the late load, or one that overtakes it. */
enum tf_step tf_explored_loaded(struct tf_tile *tile, struct tf_hart *hart);

/* The region of an address: its window, or TF_AT_NOTHING for L1. Does L0 have its line? */
unsigned tf_explored_region(const struct tf_tile *tile, uint32_t address);
bool tf_explored_hits(struct tf_tile *tile, const struct tf_hart *hart, uint32_t address);

/* A core is about to load from a register. Returns false if it stops before the load, early or after a fault. */
bool tf_explored_load_register(struct tf_tile *tile, struct tf_hart *hart, uint32_t address, unsigned size);

/* A core reads a CSR that others change, or that time changes. */
void tf_explored_csr(struct tf_tile *tile, const struct tf_hart *hart);

/* A core executes a fence; an atomic; or a vector access to L1, which waits as an atomic does. */
void tf_explored_fence(struct tf_tile *tile, struct tf_hart *hart);
void tf_explored_atomic(struct tf_tile *tile, struct tf_hart *hart);

/* An atomic of a core has acted on L1. */
void tf_explored_amo(struct tf_tile *tile, struct tf_hart *hart, uint32_t address);

/* The stores of a core that are due are processed. */
void tf_explored_due(struct tf_tile *tile, struct tf_hart *hart);

/* The cycles that a core leaves reset late. */
uint64_t tf_explored_reset(struct tf_tile *tile, unsigned core);

/* units.c. A T core's store to GPRs or to the configuration is late by a number of slices. STALLWAIT's C10 waits for
   it. */
void tf_explored_delay_register(struct tf_tile *tile, const struct tf_hart *hart, uint64_t slices);

/* Cycles that a thread waits before the instruction at its gate, by a decision or for a unit that lags. 0: it has
   waited already. */
uint64_t tf_explored_thread(struct tf_tile *tile, unsigned thread);

/* A unit begins an instruction. Returns the cycle up to which the unit may be at work for the thread; 0: it is not
   late. tf_explored_lags() (lag.h) then tells whether the instruction executes later. */
uint64_t tf_explored_unit(struct tf_tile *tile, unsigned thread, uint32_t word);

/* It is about to move the data of its job. Returns true if that comes later. */
bool tf_explored_unpacks(struct tf_tile *tile, const struct tf_unpack_job *job, uint32_t word);

/* Has an unpacker not moved the data of its last instruction yet? Then others wait at the gate. */
bool tf_explored_unpacking(const struct tf_tile *tile, unsigned unpacker);

/* Unpackers move the data that are due. */
void tf_explored_unpack_due(struct tf_tile *tile);

/* transfers.c. The mover begins a transfer; the scalar unit sends a request. As tf_explored_unit(). */
uint64_t tf_explored_move(struct tf_tile *tile, unsigned core, uint32_t pc);
uint64_t tf_explored_request(struct tf_tile *tile, unsigned thread, uint32_t pc);

/* A core commands a transfer by TDMA-RISC; one that is under way is finished now. As tf_explored_unit(). */
uint64_t tf_explored_command(struct tf_tile *tile, unsigned core);

/* The mover, which is not in reset, has a transfer to make: now, or as late as was decided. */
void tf_explored_moves(struct tf_tile *tile, const struct tf_mover_job *job);

/* Has the mover a transfer whose data it has not moved? */
bool tf_explored_moving(const struct tf_tile *tile);

/* Moves these data, if there are any. */
void tf_explored_finish_move(struct tf_tile *tile);

/* The scalar unit has sent a request. Returns true if it acts later. */
bool tf_explored_sends(struct tf_tile *tile, const struct tf_scalar_request *request);

/* Are requests of a thread under way? At TF_TENSIX_THREADS, are requests of any thread under way? */
bool tf_explored_requesting(const struct tf_tile *tile, unsigned thread);

/* Transfers and requests that are due. */
void tf_explored_transfers_due(struct tf_tile *tile);

/* A core has stored a command to a NIU with room for it. Returns true if the NIU issues none for a while. */
bool tf_explored_holds_command(struct tf_tile *tile, unsigned noc, unsigned core, uint32_t pc);

/* Does the NIU hold commands back in this slice, too? */
bool tf_explored_niu_held(const struct tf_tile *tile, unsigned noc);

/* The packer writes lines to L1. Returns true if they come later. */
bool tf_explored_lines(struct tf_tile *tile, uint32_t address, const uint8_t *bytes, unsigned count);

#endif
