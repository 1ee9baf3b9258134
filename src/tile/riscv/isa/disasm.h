/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TILE_RISCV_ISA_DISASM_H
#define TILE_RISCV_ISA_DISASM_H

#include <stdbool.h>
#include <stdint.h>

struct tf_rv_info;

/* Write one line of assembly for the word at pc, RV32 or Tensix (.ttinsn). Returns the length, as snprintf() does. */
int tf_riscv_disassemble(uint32_t word, uint32_t pc, char *text, unsigned bytes);

/* The same for a word of another core, which has no .ttinsn. info: what the word is; NULL: what rv.def says. wide: of a
   core of 64 bits. */
int tf_riscv_disassemble_as(uint32_t word, const struct tf_rv_info *info, uint64_t pc, bool wide, char *text,
                            unsigned bytes);

#endif
