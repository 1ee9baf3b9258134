/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of the coprocessor that are read before anything has written them. */
#ifndef RACES_TENSIX_REGISTERS_H
#define RACES_TENSIX_REGISTERS_H

#include "races/state/state.h"

/* Set the function of the site's check that reports rows of Dst, SrcA and SrcB. */
void registers_attach(struct site *site);

/* An instruction has passed the gate of a thread, and has acted: check the registers that it has used. */
void registers_passed(struct site *site, unsigned thread, uint32_t word, uint32_t pc, uint64_t cycle);

enum semaphore_use { SEMAPHORE_WAITS, SEMAPHORE_POSTS, SEMAPHORE_GETS };

/* A SEMINIT has set semaphores to a value. mask: their numbers, as bits. */
void semaphores_set(struct site *site, uint32_t mask, uint32_t value);

/* An instruction of a thread, or a store of a core at pc, uses semaphores of the coprocessor. Report those that no
   SEMINIT has set, and a post or a get that may change nothing. The thread knows what its core knew at the push. */
void semaphores_used(struct site *site, unsigned thread, uint32_t mask, enum semaphore_use use, uint32_t pc,
                     uint64_t cycle);
void semaphore_stored(struct site *site, unsigned core, uint32_t pc, uint32_t address, uint32_t value);

/* A core stores to a GPR: mark it as written. */
void gpr_written(struct site *site, unsigned core, uint32_t address);

/* A core has loaded from GPRs or Dst: check that something has written them. */
void register_loaded(struct site *site, unsigned core, uint32_t pc, uint32_t address);

#endif
