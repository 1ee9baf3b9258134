/* SPDX-License-Identifier: Apache-2.0 */
/* Finds stacks of cores from the prologues of their functions, and the most likely causes of faults. */
#ifndef DEBUG_STACK_H
#define DEBUG_STACK_H

struct tf_chip;
struct tf_frame;
struct tf_symbols;

/*
 * Find the frames of a core's stack, innermost first. The prologue of a function shows its frame: it subtracts the size
 * from sp, and stores ra. So functions need symbols, but no debug information. Changes no state. Returns the number of
 * frames, 1 to TF_FRAMES_MAX; 0: there is no such core. tile: by tf_symbols_tile().
 */
unsigned tf_stack_of(struct tf_chip *chip, const struct tf_symbols *symbols, unsigned tile, unsigned core,
                     struct tf_frame *frames);

#endif
