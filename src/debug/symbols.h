/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of addresses in programs: functions from the symbol table, lines from DWARF. Lines need libdw of elfutils. It
 * is loaded with the first request for a line; without it there are functions alone.
 */
#ifndef DEBUG_SYMBOLS_H
#define DEBUG_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tilefarm/tilefarm.h"

struct tf_symbols;

#define TF_PLACE_BYTES 320u

/* NULL: no memory. */
struct tf_symbols *tf_symbols_create(void);
void tf_symbols_destroy(struct tf_symbols *symbols);

/*
 * Add the symbols of an ELF file, for cores (bits of enum tf_core) of tiles (by index; NULL: all). What is added later
 * is found first. The image is copied. False: it is no ELF file with symbols, or there is no memory.
 */
bool tf_symbols_add(struct tf_symbols *symbols, const void *image, size_t bytes, unsigned cores, const bool *tiles);

/* The function that an address lies in, or NULL; *start is its first address. `symbols` may be NULL. */
const char *tf_symbols_function(const struct tf_symbols *symbols, unsigned tile, unsigned core, uint32_t address,
                                uint32_t *start);

/* Write "function+offset (file:line)" for an address. False: nothing is known of it, and the text is "". */
bool tf_symbols_place(struct tf_symbols *symbols, unsigned tile, unsigned core, uint32_t address, char *text,
                      size_t bytes);

/* Is there a program for the core, and does the address lie outside its code? */
bool tf_symbols_not_code(const struct tf_symbols *symbols, unsigned tile, unsigned core, uint32_t address);

/* --- stack.c --- */

/* A core as it was, and its calls. */
struct tf_frame {
    uint32_t pc, sp;
};

#define TF_FRAMES_MAX 32u

/*
 * The calls that lead to the pc of a core, innermost first. Prologues of functions show the frames: how much they
 * subtract from sp, and where they store ra. So functions need symbols, but no debug information. Changes nothing.
 * Returns how many there are: at least 1, at most TF_FRAMES_MAX; 0: there is no such core.
 */
unsigned tf_stack_of(struct tf_chip *chip, const struct tf_symbols *symbols, unsigned tile, unsigned core,
                     struct tf_frame *frames);

/* Give each line of the stack, without a newline, to `say`. */
void tf_stack_print(struct tf_chip *chip, struct tf_symbols *symbols, unsigned tile, unsigned core,
                    void (*say)(void *user, const char *line), void *user);

/* What a fault of a core most likely is, as a sentence; "" when there is nothing to add. `text` has TF_PLACE_BYTES. */
void tf_stack_diagnose(struct tf_chip *chip, const struct tf_symbols *symbols, const struct tf_fault *fault,
                       char *text);

#endif
