/* SPDX-License-Identifier: Apache-2.0 */
/* Stores to TDMA-RISC, and what PACR_SETREG and UNPACR_NOP read. */
#ifndef RACES_TENSIX_TDMA_H
#define RACES_TENSIX_TDMA_H

#include "races/state/state.h"

/* A core stores to a register of TDMA-RISC, or has loaded one. */
void tdma_stored(struct site *site, unsigned core, uint32_t pc, uint32_t address);
void tdma_loaded(struct site *site, unsigned core, uint32_t address, uint32_t value);

/* Note that all stores of a core to TDMA-RISC have arrived. */
void tdma_arrived(struct race_core *of);

/* An instruction has passed the gate of a thread: check the words of TDMA-RISC that it reads. */
void tdma_passed(struct site *site, unsigned t, uint32_t word, uint32_t pc, uint64_t cycle);

#endif
