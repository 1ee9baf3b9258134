/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding of vector instructions. */
#ifndef TILE_RISCV_ISA_VFIND_H
#define TILE_RISCV_ISA_VFIND_H

#include <stdint.h>

struct tf_v_info;

/* The instruction (enum tf_v_id) of a word; TF_V_COUNT: none. Pure. */
unsigned tf_v_find(uint32_t word);

/* id below TF_V_COUNT. */
const struct tf_v_info *tf_v_info(unsigned id);

#endif
