/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TILE_RISCV_ISA_DISASM_H
#define TILE_RISCV_ISA_DISASM_H

#include <stdint.h>

/* Write one line of assembly for the word at pc, RV32 or Tensix (.ttinsn). Returns the length, as snprintf() does. */
int tf_riscv_disassemble(uint32_t word, uint32_t pc, char *text, unsigned bytes);

#endif
