/* SPDX-License-Identifier: Apache-2.0 */
/* Watchpoints: accesses to L1, a core's RAM, registers and DRAM. */
#ifndef DEBUG_GDB_WATCH_H
#define DEBUG_GDB_WATCH_H

#include <stddef.h>
#include <stdint.h>

struct tf_gdb;

/* Call before and after the client of the library writes to memory of a node, so that watchpoints see the write. */
void tf_gdb_host_writes(struct tf_gdb *gdb);
void tf_gdb_host_wrote(struct tf_gdb *gdb, unsigned node, uint64_t address, size_t bytes);

#endif
