/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RV32IM, Zba, Zbb, Zaamo and the odd ones of InstructionSet.md, written straight from the RISC-V manual. It executes
 * one word at a time, bit by bit where that is clearest. The interpreter is compared with it.
 */
#ifndef TESTS_RISCV_REFERENCE_H
#define TESTS_RISCV_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

struct reference {
    uint32_t x[32];
    uint32_t pc;
    uint64_t cycle, instret;
    bool stopped;    /* faulted */
    bool lost;       /* met an instruction that it does not know (F, Zicsr, V, SYSTEM) */
    uint32_t pushed; /* .ttinsn words */
    uint8_t *l1;     /* 1536 KiB */
    uint8_t *local;
    uint32_t local_bytes;
};

/* Run until the first control transfer at or past the deadline. */
void reference_turn(struct reference *r, uint64_t deadline);

#endif
