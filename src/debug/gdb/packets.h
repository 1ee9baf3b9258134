/* SPDX-License-Identifier: Apache-2.0 */
/* GDB's remote protocol: packets from GDB, and the answers to them. */
#ifndef DEBUG_GDB_PACKETS_H
#define DEBUG_GDB_PACKETS_H

#include <stdbool.h>

struct tf_gdb;

/* Serve GDB until it lets the chip run, or leaves. */
void tf_packets_serve(struct tf_gdb *gdb);

/* Tell GDB that a process has stopped by a signal. reason: more fields of the stop reply, such as "watch:400;". */
void tf_packets_stopped(struct tf_gdb *gdb, unsigned pid, unsigned signal, const char *reason);

/* Has GDB sent an interrupt, or closed the connection? Does not block. */
bool tf_packets_interrupted(struct tf_gdb *gdb);

/* The first process that GDB is attached to; 0: none. */
unsigned tf_packets_first(const struct tf_gdb *gdb);

/* The first core that is not in reset; process 1 if all are. */
unsigned tf_packets_first_running(const struct tf_gdb *gdb);

/* End the run at the end of this epoch, as a signal does. */
void tf_packets_end_run(struct tf_gdb *gdb);

/* Tell GDB that the chip ends. */
void tf_packets_farewell(struct tf_gdb *gdb);

#endif
