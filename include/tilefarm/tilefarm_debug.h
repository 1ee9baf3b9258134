/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tilefarm_debug.h
 * Names of addresses in programs, and stacks of cores. Functions come from the symbol tables of programs, lines from
 * their DWARF. Lines need libdw of elfutils, which is loaded with the first request for one; without it there are
 * functions alone.
 *
 * Threads: symbols belong to one thread at a time, and so does the chip that they are used with.
 */
#ifndef TILEFARM_DEBUG_H
#define TILEFARM_DEBUG_H

#include "tilefarm/tilefarm.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tf_symbols;

#define TF_PLACE_BYTES 480u /**< Room for a place, and for a diagnosis. */

/** Create symbols of no program. @return NULL: too little memory. */
TF_API struct tf_symbols *tf_symbols_create(void);

/** Free everything. NULL is allowed. */
TF_API void tf_symbols_destroy(struct tf_symbols *symbols);

/**
 * Add the symbols of an ELF file. What is added later is found first. The image is copied.
 * @param cores  the cores that run it, as bits (1 << enum tf_core).
 * @param tiles  the tiles that run it, TF_TENSIX_TILES_MAX of them by index; NULL: all.
 * @return false: it is no ELF file with symbols, or there is too little memory.
 */
TF_API bool tf_symbols_add(struct tf_symbols *symbols, const void *image, size_t bytes, unsigned cores,
                           const bool *tiles);

/**
 * Name an address: "function+offset (file:line)". Where a call has been inlined, the text says which, and where it is:
 * "function+offset (file:line, in callee inlined at file:line)".
 * @param tile  index of a Tensix tile.
 * @param core  enum tf_core.
 * @return false: nothing is known of it, and the text is "".
 */
TF_API bool tf_symbols_place(struct tf_symbols *symbols, unsigned tile, unsigned core, uint32_t address, char *text,
                             size_t bytes);

/**
 * Give the lines of the stack of a core to a function, innermost first. Where it would be a pc
 * without a name, nothing is given. Changes nothing of the chip.
 * @param symbols  may be NULL: nothing has a name then.
 * @param tile  index of a Tensix tile; of a tile that is none, nothing is given.
 * @param say  takes a line, without a newline.
 */
TF_API void tf_stack_print(struct tf_chip *chip, struct tf_symbols *symbols, unsigned tile, unsigned core,
                           void (*say)(void *user, const char *line), void *user);

/**
 * Say what a fault of a core most likely is: a stack overflow, a null pointer, a jump into data.
 * @param symbols  may be NULL.
 * @param[out] text  a sentence, in TF_PLACE_BYTES; "" when there is nothing to add.
 */
TF_API void tf_stack_diagnose(struct tf_chip *chip, const struct tf_symbols *symbols, const struct tf_fault *fault,
                              char *text);

#ifdef __cplusplus
}
#endif
#endif
