/* SPDX-License-Identifier: Apache-2.0 */
/* Watchpoints: accesses to L1, a core's RAM, registers and DRAM. */
#ifndef DEBUG_GDB_WATCH_H
#define DEBUG_GDB_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tile/observe.h"

struct tf_gdb;
struct tf_node;
struct tf_noc_request;
struct tf_noc_witness;

/* Call before and after the client of the library writes to memory of a node, so that watchpoints see the write. */
void tf_gdb_host_writes(struct tf_gdb *gdb);
void tf_gdb_host_wrote(struct tf_gdb *gdb, unsigned node, uint64_t address, size_t bytes);

/* A core has executed an instruction. If its access hits a watchpoint, serve GDB and return true. */
bool tf_watch_core(struct tf_gdb *gdb, struct tf_tile *tile, struct tf_hart *hart, const struct tf_observed *observed);

/* If a watched register has changed since the last call, in a tile or in any tile, serve GDB and return true. */
bool tf_watch_registers(struct tf_gdb *gdb, struct tf_tile *tile);
bool tf_watch_all_registers(struct tf_gdb *gdb);

/* The callbacks of tf_noc_witness: a request or a response is about to change memory; it has done so. */
void tf_watch_begins(struct tf_noc_witness *witness);
void tf_watch_done(struct tf_noc_witness *witness, const struct tf_noc_request *request, const struct tf_node *node);

/* The callback for tf_observer.wrote. */
void tf_watch_wrote(struct tf_observer *observer, struct tf_tile *tile, uint32_t address, uint32_t bytes,
                    enum tf_writer writer);

#endif
