/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of addresses in programs: functions from the symbol table, source lines from DWARF. Lines need libdw of
 * elfutils, which is loaded with the first request for a line. Without it only functions are known.
 *
 * One thread at a time may use a struct tf_symbols.
 */
#ifndef DEBUG_SYMBOLS_H
#define DEBUG_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "debug/dwarf/inlined.h"
#include "tile/arch.h"
#include "tilefarm/tilefarm_debug.h"

/* The name of the function that has an address; *start: its first address. Returns NULL if it is unknown. `symbols` may
   be NULL. */
const char *tf_symbols_function(const struct tf_symbols *symbols, unsigned tile, unsigned core, uint32_t address,
                                uint32_t *start);

/* The address of a function, label or variable of a core's programs; *bytes: its size, 0 if it has none. Returns false
   if there is none of this name. */
bool tf_symbols_named(const struct tf_symbols *symbols, unsigned tile, unsigned core, const char *name,
                      uint32_t *address, uint32_t *bytes);

/* The name of the variable that has an address; *start: its first address. Returns NULL if it is unknown. `symbols` may
   be NULL. */
const char *tf_symbols_variable(const struct tf_symbols *symbols, unsigned tile, unsigned core, uint32_t address,
                                uint32_t *start);

/* Numbers of tiles in all these functions: those of tf_symbols_tile(). Ethernet tiles follow the Tensix tiles that any
   family may have, and DRAM nodes follow with the numbers of their nodes. */
#define TF_SYMBOLS_TILES (TF_TILES_MAX + TF_NODES_MAX)

/* The chip's tile of such a number. NULL: there is none, or nobody has used the DRAM node's core yet. */
struct tf_tile *tf_symbols_tile_of(const struct tf_chip *chip, unsigned number);

/* A program with its symbols. */
struct tf_program;

/* The same; *program: the program that has the function. */
const char *tf_symbols_function_in(const struct tf_symbols *symbols, unsigned tile, unsigned core, uint32_t address,
                                   uint32_t *start, const struct tf_program **program);

/* The source line of an address of a program. *file lives as long as the symbols. Returns false if it is unknown. */
bool tf_symbols_line(struct tf_symbols *symbols, const struct tf_program *program, uint32_t address, const char **file,
                     unsigned *line);

#define TF_INLINED_MAX 16u

/* The inlined calls around an address of a program, innermost first, at most TF_INLINED_MAX. Returns their number. */
unsigned tf_symbols_inlined(struct tf_symbols *symbols, const struct tf_program *program, uint32_t address,
                            struct tf_inlined *calls);

/* The same around an address of a core; *program: the one that has the address. 0 also if no program has it. */
unsigned tf_symbols_inlined_in(struct tf_symbols *symbols, unsigned tile, unsigned core, uint32_t address,
                               const struct tf_program **program, struct tf_inlined *calls);

/* Call `each` for the code of all inlined calls of a core's programs. */
void tf_symbols_each_inlined(struct tf_symbols *symbols, unsigned tile, unsigned core,
                             void (*each)(void *user, uint32_t start, uint32_t end), void *user);

/* A number that is equal for cores with the same programs at the same places. 0: the core has none. */
uint64_t tf_symbols_programs(const struct tf_symbols *symbols, unsigned tile, unsigned core);

/* A number that grows when programs, or the places of their code, change. */
uint32_t tf_symbols_changes(const struct tf_symbols *symbols);

/* Call `each` for all functions of a program; for all addresses at which the code of a source line begins. */
void tf_symbols_each_function(const struct tf_program *program,
                              void (*each)(void *user, const char *name, uint32_t start, uint32_t end), void *user);
void tf_symbols_each_line(struct tf_symbols *symbols, const struct tf_program *program,
                          void (*each)(void *user, uint32_t address, const char *file, unsigned line), void *user);

/* The program after `program`; of NULL, the first one. Returns NULL if there are no more. */
const struct tf_program *tf_symbols_next(const struct tf_symbols *symbols, const struct tf_program *program);

/* Is the address outside the code of the core's programs? False also if the core has none. */
bool tf_symbols_not_code(const struct tf_symbols *symbols, unsigned tile, unsigned core, uint32_t address);

/*
 * Add a program that any core may run. tf_symbols_match() then searches L1 for the code of such programs; a core that
 * has the code of one gets the names of that program. Returns false as tf_symbols_add() does.
 */
bool tf_symbols_add_unplaced(struct tf_symbols *symbols, const void *image, size_t bytes);

/* Search L1 of all tiles, between runs. `symbols` may be NULL. */
void tf_symbols_match(struct tf_symbols *symbols, struct tf_chip *chip);

/* The same before names of a chip are sought, where several chips share the symbols: only if the last search was in
   another chip, or at another time of this one. */
void tf_symbols_turn(struct tf_symbols *symbols, struct tf_chip *chip);

/* --- stack.c --- */

/* A frame of a core's stack. */
struct tf_frame {
    uint32_t pc, sp;
};

#define TF_FRAMES_MAX 32u

#endif
