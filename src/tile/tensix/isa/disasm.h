/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TILE_TENSIX_ISA_DISASM_H
#define TILE_TENSIX_ISA_DISASM_H

#include <stdint.h>

/*
 * One instruction as text: "SEMWAIT wait_sem_cond=1 sem_sel=0x2 stall_res=0x142"; single digits decimal, the rest
 * hexadecimal; reserved bits that are set follow as "reserved=0x...". Unknown opcodes become ".word 0x...".
 * At most bytes - 1 characters and a NUL are written; returns the length of the whole text, as snprintf does.
 */
int tf_tensix_disassemble(uint32_t word, char *text, unsigned bytes);

struct tf_arch;
struct tf_tile_arch;

/* As above, for a word in the common form (isa/family.h) that was an instruction of another family. Names are the
   family's, and fields that it lacks are left out. NULL: Blackhole. */
int tf_tensix_disassemble_of(const struct tf_tile_arch *tile, uint32_t word, char *text, unsigned bytes);

#endif
