/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of GDB's `monitor`, and of a terminal. */
#ifndef DEBUG_GDB_MONITOR_H
#define DEBUG_GDB_MONITOR_H

struct tf_gdb;

/* Execute a command of GDB's `monitor`. */
void tf_gdb_monitor(struct tf_gdb *gdb, const char *command);

#endif
