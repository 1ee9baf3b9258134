/* SPDX-License-Identifier: Apache-2.0 */
/* A process stops, and the user is served: by GDB's packets, or at a terminal. */
#ifndef DEBUG_GDB_STOP_H
#define DEBUG_GDB_STOP_H

#include "debug/gdb/parts.h"

/* End the run soon; or forget that it should end. */
void tf_gdb_set_stop(struct tf_gdb *gdb, bool stop);

/* End the run at the end of this epoch, as a signal does. */
void tf_gdb_end_run(struct tf_gdb *gdb);

/* Tell the user that a process has stopped by a signal. reason: more fields of GDB's stop reply: "watch:400;". */
void tf_gdb_stopped(struct tf_gdb *gdb, unsigned pid, unsigned signal, const char *reason);

/* Serve the user until he lets the chip run, or leaves. */
void tf_gdb_serve(struct tf_gdb *gdb);

/* A process stops: tell the user, and serve him until he lets it go on. signal: GDB's number; reason: as for
   tf_gdb_stopped(). */
void tf_gdb_stop(struct tf_gdb *gdb, unsigned pid, unsigned signal, const char *reason);

#endif
