/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Control and status registers, and entering and leaving interrupt handlers. Sources:
 * BlackholeA0/TensixTile/BabyRISCV/CSRs.md and BlackholeA0/TensixTile/PIC.md.
 */
#ifndef TILE_RISCV_HART_CSR_H
#define TILE_RISCV_HART_CSR_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/access.h"
#include "tile/hash.h"
#include "tile/riscv/hart/csr_state.h"

struct tf_tile;
struct tf_hart;
struct tf_rv_insn;

/* State after reset; both counters read 0 for an instruction at `cycle` with `instret` retired before it. */
void tf_csr_reset(struct tf_csrs *csr, uint64_t cycle, uint64_t instret);

/*
 * Perform csrrw, csrrs, csrrc and their immediate forms. *rd is the value for rd; the caller writes it unless rd is x0.
 * FAULT: no such CSR, or a value that the pages call unpredictable.
 */
enum tf_access tf_csr_execute(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn, uint32_t *rd);

/* Does a CSR instruction write, fault, or read a counter or a value that reading clears? Without an effect, it can be
   executed again to see whether its value has changed. */
bool tf_csr_has_effect(const struct tf_hart *hart, const struct tf_rv_insn *insn);

/* Enter an interrupt handler: saves hart->pc, the instruction to return to, and sets it to handler_pc. */
void tf_csr_interrupt_enter(struct tf_hart *hart, uint32_t handler_pc);

/* mret: restores hart->pc. FAULT: on a T core, or outside an interrupt handler. */
enum tf_access tf_csr_mret(struct tf_tile *tile, struct tf_hart *hart, uint32_t word);

/* May B or NC take an interrupt? Returns true if it runs no handler. */
static inline bool tf_csr_interrupts_enabled(const struct tf_csrs *csr)
{
    return !csr->in_handler;
}

/* Does the CSR of an instruction change without a store of its core: a counter, or a status? */
bool tf_csr_changes(const struct tf_rv_insn *insn);

/* Does the instruction read or freeze the coprocessor's status? */
bool tf_csr_sees_coprocessor(const struct tf_rv_insn *insn);

void tf_csr_hash(const struct tf_csrs *csr, struct tf_hash *hash);

/* The number of words in use, which csr.def decides: a saved chip holds them. */
unsigned tf_csr_words(void);

#endif
