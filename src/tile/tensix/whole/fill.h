/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers of the coprocessor whose value at power-on no page defines: GPRs, Dst, SrcA, SrcB, and LReg[0] to LReg[7].
 * A soft reset sets SrcA, SrcB and LRegs to zero (SoftReset.md); a program that does without finds anything.
 */
#ifndef TILE_TENSIX_WHOLE_FILL_H
#define TILE_TENSIX_WHOLE_FILL_H

#include <stdint.h>

struct tf_tile;

/* Give each of them the next word of a source, before the coprocessor has run. A tile without coprocessor has none. */
void tf_tensix_fill(struct tf_tile *tile, uint32_t (*next)(void *source), void *source);

#endif
