/* SPDX-License-Identifier: Apache-2.0 */
/* A decoded instruction. Who only passes it on includes this header, and not the list of all instructions. */
#ifndef TILE_RISCV_ISA_DECODED_H
#define TILE_RISCV_ISA_DECODED_H

#include <stdint.h>

struct tf_rv_insn {
    uint16_t id;               /* enum tf_rv_id (ids.h) */
    uint8_t rd, rs1, rs2, rs3; /* fields of the word, also if the format does not use them */
    int32_t imm;
    uint32_t word;
};

#endif
