/* SPDX-License-Identifier: Apache-2.0 */
/* What the stub says to GDB, or to the terminal that drives it. */
#ifndef DEBUG_GDB_SAY_H
#define DEBUG_GDB_SAY_H

#include <stdbool.h>
#include <stddef.h>

struct tf_gdb;

/* GDB has left: the run goes on without it. */
void tf_gdb_gone(struct tf_gdb *gdb);

/* Send bytes as they are, or as a packet. Returns false if GDB has left. */
bool tf_gdb_send_all(struct tf_gdb *gdb, const char *data, size_t bytes);
void tf_gdb_send(struct tf_gdb *gdb, const char *data, size_t bytes);

/* Print a text on GDB's console. */
void tf_gdb_say(struct tf_gdb *gdb, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
