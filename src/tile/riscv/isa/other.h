/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions that no baby core executes, of files that `tilefarm disasm` reads: compressed ones, and those of 64-bit
   cores. All functions are pure. */
#ifndef TILE_RISCV_ISA_OTHER_H
#define TILE_RISCV_ISA_OTHER_H

#include <stdbool.h>
#include <stdint.h>

/* The bytes of an instruction of a core with compressed instructions, whose first two bytes are `low`: 2 or 4. */
static inline unsigned tf_other_bytes(uint16_t low)
{
    return (low & 3) == 3 ? 4 : 2;
}

/* Write one line of assembly for the instruction at pc of a core with compressed instructions. wide: of a 64-bit core.
   Only the low half of a compressed instruction counts. Returns the length, as snprintf() does. */
int tf_other_disassemble(uint32_t word, uint64_t pc, bool wide, char *text, unsigned bytes);

#endif
