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

#include "debug/inlined.h"
#include "tilefarm/tilefarm_debug.h"

/* The function that an address lies in, or NULL; *start is its first address. `symbols` may be NULL. */
const char *tf_symbols_function(const struct tf_symbols *symbols, unsigned tile, unsigned core, uint32_t address,
                                uint32_t *start);

/* A program, as a name for what is known of it. */
struct tf_program;

/* As tf_symbols_function(); *program is where the function is. */
const char *tf_symbols_function_in(const struct tf_symbols *symbols, unsigned tile, unsigned core, uint32_t address,
                                   uint32_t *start, const struct tf_program **program);

/* The source line of an address of a program. False: it is not known. *file lives as long as the symbols. */
bool tf_symbols_line(struct tf_symbols *symbols, const struct tf_program *program, uint32_t address, const char **file,
                     unsigned *line);

#define TF_INLINED_MAX 16u

/* The inlined calls that an address of a program lies in, innermost first: at most TF_INLINED_MAX. */
unsigned tf_symbols_inlined(struct tf_symbols *symbols, const struct tf_program *program, uint32_t address,
                            struct tf_inlined *calls);

/* Tell `each` of all functions of a program, and of all instructions at which a source line begins. */
void tf_symbols_each_function(const struct tf_program *program,
                              void (*each)(void *user, const char *name, uint32_t start, uint32_t end), void *user);
void tf_symbols_each_line(struct tf_symbols *symbols, const struct tf_program *program,
                          void (*each)(void *user, uint32_t address, const char *file, unsigned line), void *user);

/* The next program; NULL: the first one, or there is no more. */
const struct tf_program *tf_symbols_next(const struct tf_symbols *symbols, const struct tf_program *program);

/* Is there a program for the core, and does the address lie outside its code? */
bool tf_symbols_not_code(const struct tf_symbols *symbols, unsigned tile, unsigned core, uint32_t address);

/*
 * Add a program that any core may run. tf_symbols_match() looks for the code of all such programs in L1. Where it finds
 * the code of one, the names of that program are known. False: as tf_symbols_add().
 */
bool tf_symbols_add_unplaced(struct tf_symbols *symbols, const void *image, size_t bytes);
void tf_symbols_match(struct tf_symbols *symbols, struct tf_chip *chip); /* `symbols` may be NULL */

/* --- stacks.c --- */

/* Give the back traces of all cores that have not ended, and are not at fault, to a function: equal ones once. Without
   `waiting` only of those that run. Changes nothing. `symbols` may be NULL. */
void tf_stacks_print(struct tf_chip *chip, struct tf_symbols *symbols, bool waiting,
                     void (*say)(void *user, const char *line), void *user);

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

#endif
