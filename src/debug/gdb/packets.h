/* SPDX-License-Identifier: Apache-2.0 */
/* GDB's remote protocol: packets from GDB, and the answers to them. */
#ifndef DEBUG_GDB_PACKETS_H
#define DEBUG_GDB_PACKETS_H

#include <stdbool.h>

struct tf_gdb;

/* GDB is served by packets. */
extern const struct gdb_front tf_packets_front;

/* Has GDB sent an interrupt, or closed the connection? Does not block. */
bool tf_packets_interrupted(struct tf_gdb *gdb);

/* The first process that GDB is attached to; 0: none. */
unsigned tf_packets_first(const struct tf_gdb *gdb);

/* The first core that is not in reset; process 1 if all are. */
unsigned tf_packets_first_running(const struct tf_gdb *gdb);

/* Tell GDB that the chip ends. */
void tf_packets_farewell(struct tf_gdb *gdb);

#endif
