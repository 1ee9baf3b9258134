/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshots of a run, by which GDB goes back. */
#ifndef DEBUG_GDB_SNAPSHOT_H
#define DEBUG_GDB_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

struct gdb_chip;
struct point;
struct tf_gdb;

/* Call in the forked process when it has repeated all of the client's calls. Does not return. */
void tf_gdb_present(struct tf_gdb *gdb);

/* Call before the chip runs: keep a snapshot. Returns true if the run is back at the snapshot, and GDB knows it. */
bool tf_snapshot_take(struct tf_gdb *gdb);

/* Call at the end of each epoch of a chip: leave a checkpoint if the last one is far back. */
void tf_snapshot_epoch(struct tf_gdb *gdb, struct gdb_chip *on);

/* Call when GDB has left: end the processes with snapshots. */
void tf_snapshot_forget(struct tf_gdb *gdb);

/* Go back by an instruction of the current process, or to the last breakpoint. Returns only if there is no way back. */
void tf_snapshot_reverse(struct tf_gdb *gdb, bool step);

/* While the run seeks a place: a process has retired this many instructions. Returns true if this is the place, and GDB
   has been served. */
bool tf_snapshot_stops(struct tf_gdb *gdb, unsigned pid, uint64_t instret);

/* While the run seeks a place: a request, an answer or the client has made a step. */
void tf_snapshot_stepped(struct tf_gdb *gdb);

/* While the run searches for breakpoints: a process is about to execute an instruction. */
void tf_snapshot_passes(struct tf_gdb *gdb, unsigned pid, uint64_t instret, bool at_breakpoint);

/* While the run searches for watchpoints: one of a process was hit. */
void tf_snapshot_hit(struct tf_gdb *gdb, unsigned pid, const struct point *point);

#endif
