/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tilefarm_debug.h
 * Names of addresses in programs, and stacks of cores. Functions come from the symbol tables of programs, source lines
 * from their DWARF. Lines need libdw of elfutils, which is loaded with the first request for a line. Without it only
 * functions are known.
 *
 * Threads: symbols belong to one thread at a time, and so does the chip that they are used with.
 */
#ifndef TILEFARM_DEBUG_H
#define TILEFARM_DEBUG_H

#include "tilefarm/tilefarm_chip.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tf_symbols;

#define TF_PLACE_BYTES 480u /**< Size of a buffer for a place or a diagnosis. */

/** Create symbols without a program. @return NULL: too little memory. */
TF_API struct tf_symbols *tf_symbols_create(void);

/** Free everything. NULL is allowed. */
TF_API void tf_symbols_destroy(struct tf_symbols *symbols);

/**
 * Add the symbols of an ELF file. If programs overlap, the one added last counts. The image is copied.
 * @param cores  the cores that run it, as bits (1 << enum tf_core).
 * @param tiles  the tiles that run it, TF_TENSIX_TILES_MAX of them by index; NULL: all.
 * @return false: it is not an ELF file with symbols, or there is too little memory.
 */
TF_API bool tf_symbols_add(struct tf_symbols *symbols, const void *image, size_t bytes, unsigned cores,
                           const bool *tiles);

/**
 * Add the symbols of an ELF file for tiles of any kind, also for Ethernet tiles and for DRAM nodes whose cores run it.
 * @param arch   the family, or the chip's tf_chip_arch().
 * @param nodes  the tiles that run it, `count` of them. Nodes without cores are left out.
 * @return as tf_symbols_add().
 */
TF_API bool tf_symbols_add_nodes(struct tf_symbols *symbols, const struct tf_arch *arch, const void *image,
                                 size_t bytes, unsigned cores, const struct tf_coord *nodes, size_t count);

/**
 * The number of a tile in tf_symbols_place(): the index of a Tensix tile, and a number above all of these for an
 * Ethernet tile, or for a DRAM node whose core runs programs.
 * @param arch  as for tf_symbols_add_nodes().
 * @return -1: the node has no cores.
 */
TF_API int tf_symbols_tile(const struct tf_arch *arch, struct tf_coord node);

/**
 * Name an address: "function+offset (file:line)". In an inlined call the line is that of the call in the function
 * itself, and the callee follows: "function+offset (file:line, in callee at file:line)".
 * @param tile  index of a Tensix tile, or tf_symbols_tile().
 * @param core  enum tf_core; of other tiles the number of the core.
 * @return false: the address is unknown, and the text is "".
 */
TF_API bool tf_symbols_place(struct tf_symbols *symbols, unsigned tile, unsigned core, uint32_t address, char *text,
                             size_t bytes);

/**
 * Has a core stopped at an ebreak before its main() returned, as __builtin_trap() does? Such a run has failed. A
 * program without main() may end by ebreak.
 * @param symbols  with the core's program. NULL: false.
 * @param wait  one of tf_waits(). Of a group of cores, the answer is that of the first one.
 */
TF_API bool tf_waiting_trapped(const struct tf_chip *chip, const struct tf_symbols *symbols,
                               const struct tf_waiting *wait);

/**
 * Has a core ended in an empty endless loop before its main() returned? Such a run has failed. Known for programs with
 * the start file of `tilefarm cc`; others may end so.
 * @param symbols  with the core's program. NULL: false.
 * @param wait  one of tf_waits(). Of a group of cores, the answer is that of the first one.
 */
TF_API bool tf_waiting_endless(const struct tf_chip *chip, const struct tf_symbols *symbols,
                               const struct tf_waiting *wait);

/**
 * Pass the lines of a core's stack to a function, innermost first. A stack that is only a pc without a name is left
 * out. Changes no state of the chip.
 * @param symbols  NULL: no address has a name.
 * @param tile  index of a Tensix tile; for any other number the function is not called.
 * @param say  called with each line, without a newline.
 */
TF_API void tf_stack_print(struct tf_chip *chip, struct tf_symbols *symbols, unsigned tile, unsigned core,
                           void (*say)(void *user, const char *line), void *user);

/**
 * Pass the back traces of all cores to a function; equal ones once. Cores that have ended or stopped on a fault are
 * left out. Changes no state of the chip. Between runs only.
 * @param symbols  NULL: no address has a name, and a core has one line.
 * @param waiting  also cores that wait.
 * @param say  called with each line, without a newline.
 */
TF_API void tf_stacks_print(struct tf_chip *chip, struct tf_symbols *symbols, bool waiting,
                            void (*say)(void *user, const char *line), void *user);

/**
 * Find the probable cause of a core's fault: a stack overflow, a null pointer, or a jump into data.
 * @param symbols  may be NULL.
 * @param[out] text  a sentence, in a buffer of TF_PLACE_BYTES; "": the cause is unknown.
 */
TF_API void tf_stack_diagnose(struct tf_chip *chip, const struct tf_symbols *symbols, const struct tf_fault *fault,
                              char *text);

#ifdef __cplusplus
}
#endif
#endif
