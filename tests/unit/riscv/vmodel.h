/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A model of T2's vector instructions, lane by lane, written from the RISC-V "V" extension 1.0 and InstructionSet.md.
 * It takes instruction words apart by itself, and shares nothing with src/ but the multiply-add of fma.h.
 */
#ifndef TESTS_RISCV_VMODEL_H
#define TESTS_RISCV_VMODEL_H

#include <stdbool.h>
#include <stdint.h>

struct vmodel {
    uint8_t v[32][16];
    uint32_t x[32], f[32];
    uint32_t vl, vtype, vxsat, vxrm, fflags;
    uint8_t *memory; /* from address 0 on */
    uint32_t memory_bytes;
};

/* Execute one word. False: it is no vector instruction, or a reserved one, or its access fails; the state is then
   undefined. */
bool vmodel_step(struct vmodel *model, uint32_t word);

#endif
