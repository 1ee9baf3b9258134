/* SPDX-License-Identifier: Apache-2.0 */
/* Assembly of vector instructions. */
#ifndef TILE_RISCV_ISA_VDISASM_H
#define TILE_RISCV_ISA_VDISASM_H

#include <stdint.h>

/* Assembly of the word of instruction `id`, like snprintf(). */
int tf_v_disassemble(unsigned id, uint32_t word, char *text, unsigned bytes);

#endif
