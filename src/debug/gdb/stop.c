/* SPDX-License-Identifier: Apache-2.0 */
/* A process stops, and the user is served: by GDB's packets, or at a terminal. */
#include "debug/gdb/stop.h"

#include "debug/gdb/target.h"

void tf_gdb_set_stop(struct tf_gdb *gdb, bool stop)
{
    if (gdb->driver.stop != NULL)
        gdb->driver.stop(gdb->driver.user, stop);
    else
        atomic_store_explicit(&gdb->on->chip->stop, stop, memory_order_relaxed);
}

void tf_gdb_end_run(struct tf_gdb *gdb)
{
    gdb->ends = true;
    tf_gdb_set_stop(gdb, true);
}

void tf_gdb_stopped(struct tf_gdb *gdb, unsigned pid, unsigned signal, const char *reason)
{
    gdb->front->stopped(gdb, pid, signal, reason);
}

void tf_gdb_serve(struct tf_gdb *gdb)
{
    tf_gdb_select(gdb, gdb->current);
    gdb->front->serve(gdb);
}

void tf_gdb_stop(struct tf_gdb *gdb, unsigned pid, unsigned signal, const char *reason)
{
    unsigned core;
    const struct tf_tile *tile = tf_gdb_tile(gdb, pid, &core);
    gdb->last.pid = pid;
    gdb->last.instret = tile->hart[core].instret;
    gdb->last.pc = tile->hart[core].pc;
    gdb->stopping = true;
    gdb->running = false;
    gdb->stepping = 0;
    tf_gdb_select(gdb, pid);
    tf_gdb_stopped(gdb, pid, signal, reason);
    tf_gdb_serve(gdb);
    gdb->stopping = false;
}
