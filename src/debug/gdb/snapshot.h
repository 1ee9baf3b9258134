/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshots of a run, by which GDB goes back. */
#ifndef DEBUG_GDB_SNAPSHOT_H
#define DEBUG_GDB_SNAPSHOT_H

struct tf_gdb;

/* Call in the forked process when it has repeated all of the client's calls. Does not return. */
void tf_gdb_present(struct tf_gdb *gdb);

#endif
