/* SPDX-License-Identifier: Apache-2.0 */
/* Registers, memory, descriptions. */
#ifndef DEBUG_GDB_TARGET_H
#define DEBUG_GDB_TARGET_H

#include "debug/gdb/parts.h"

#define GDB_REGISTERS 65u /* x0..x31, pc, f0..f31; CSRs and v0..v31 follow */

/* The tile and the core of a process. Returns NULL if there is no such process. */
struct tf_tile *tf_gdb_tile(struct tf_gdb *gdb, unsigned pid, unsigned *core);

/* The tile of the current process. NULL: it has no coprocessor; the function has said so to the user. */
struct tf_tile *tf_gdb_tensix_tile(struct tf_gdb *gdb);

/* The symbols of the present chip, found in its L1 as it is now (tf_symbols_turn()). NULL: there are none. */
struct tf_symbols *tf_gdb_symbols(const struct tf_gdb *gdb);

/* Write " function+offset (file:line)" for a pc, or "". text: of TF_PLACE_BYTES. Returns the text. */
const char *tf_gdb_place(struct tf_gdb *gdb, struct tf_coord node, unsigned core, uint32_t pc, char *text);

/* Read a register of a process by GDB's number. Returns false if it has no such register. */
bool tf_gdb_register(struct tf_gdb *gdb, unsigned pid, unsigned number, uint32_t *value);

/* GDB's number of the register with a name. -1: there is none. */
int tf_gdb_register_number(const char *name, size_t length);

/* GDB's number of a vector register. */
unsigned tf_gdb_vector_number(unsigned index);

/* Write a register. Returns false if the process has no such register, or it is read-only. */
bool tf_gdb_set_register(struct tf_gdb *gdb, unsigned pid, unsigned number, uint32_t value);

/* The 16 bytes of a vector register. Returns NULL if no vector register has this number, or the core has no vector
   registers. */
#define GDB_VECTOR_BYTES 16u
uint8_t *tf_gdb_vector(struct tf_gdb *gdb, unsigned pid, unsigned number);

/* Call before these bytes are written. Returns true. */
bool tf_gdb_set_vector(struct tf_gdb *gdb, unsigned pid);

/* Read or write memory as the core of a process sees it, or the window of a DRAM channel. Returns false if nothing is
   there. */
bool tf_gdb_read(struct tf_gdb *gdb, unsigned pid, uint32_t address, uint8_t *data, uint32_t bytes);
bool tf_gdb_write(struct tf_gdb *gdb, unsigned pid, uint32_t address, const uint8_t *data, uint32_t bytes);

/*
 * Cores cannot address DRAM. For GDB each DRAM channel has a window of 256 MiB, at addresses that cores do not use. The
 * window shows the channel from dram_base on.
 */
#define GDB_DRAM_FIRST 0x40000000u
#define GDB_DRAM_BYTES 0x10000000u

/* The channel whose window has an address; *at: the address in the channel. -1: no window has it. */
int tf_gdb_dram(const struct tf_gdb *gdb, uint32_t address, uint64_t *at);

/* GDB's description of the registers, and of the processes. The caller frees the text. */
char *tf_gdb_target_xml(void);
char *tf_gdb_processes_xml(struct tf_gdb *gdb);

#endif
