/* SPDX-License-Identifier: Apache-2.0 */
/* The remote protocol: packets from GDB, and answers. */
#ifndef DEBUG_PACKETS_H
#define DEBUG_PACKETS_H

#include <stdbool.h>

struct tf_gdb;

/* Serve GDB until it lets the chip run, or leaves. */
void tf_packets_serve(struct tf_gdb *gdb);

/* Tell GDB that a process has stopped. reason: further fields of the answer, as "watch:400;". */
void tf_packets_stopped(struct tf_gdb *gdb, unsigned pid, unsigned signal, const char *reason);

/* Has GDB sent an interrupt, or gone? Does not wait. */
bool tf_packets_interrupted(struct tf_gdb *gdb);

/* The first process that GDB is attached to; 0: none. */
unsigned tf_packets_first(const struct tf_gdb *gdb);

/* The chip ends. */
void tf_packets_farewell(struct tf_gdb *gdb);

#endif
