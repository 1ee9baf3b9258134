/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a core's control and status registers (csr.h). */
#ifndef TILE_RISCV_HART_CSR_STATE_H
#define TILE_RISCV_HART_CSR_STATE_H

#include <stdbool.h>
#include <stdint.h>

#define TF_CSR_WORDS_MAX 40u /* room for all registers of csr.def; csr_words.h names their words */

struct tf_csrs {
    uint32_t word[TF_CSR_WORDS_MAX]; /* enum tf_csr_word; the rest are 0 */
    uint64_t cycle_offset;           /* mcycle is the hart's cycle plus this, modulo 2^64 */
    uint64_t instret_offset;         /* minstret is the hart's count of instructions plus this, modulo 2^64 */
    uint32_t restore_pc;             /* return address of mret; no instruction can read or write it */
    bool in_handler;
};

#endif
