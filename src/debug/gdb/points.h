/* SPDX-License-Identifier: Apache-2.0 */
/* Breakpoints, watchpoints and their conditions, and which cores are observed for them. */
#ifndef DEBUG_GDB_POINTS_H
#define DEBUG_GDB_POINTS_H

#include "debug/gdb/parts.h"

/* Is a point a watchpoint? */
static inline bool tf_gdb_is_watch(const struct point *point)
{
    return point->kind >= POINT_WRITE && point->kind <= POINT_ACCESS;
}

/* Remove all points. */
void tf_gdb_drop_points(struct tf_gdb *gdb);

/* Set the condition of a process's watchpoints at an address. code: from tf_gdb_compile(). bytes 0: remove it. */
void tf_gdb_set_condition(struct tf_gdb *gdb, unsigned pid, uint32_t address, const uint8_t *code, unsigned bytes);

/* That condition; NULL: there is none. */
const struct point *tf_gdb_condition_at(struct tf_gdb *gdb, unsigned pid, uint32_t address);

/* Arm a watchpoint of a tile: call when it is set, and when the decoded code of its page was dropped. */
void tf_gdb_arm(struct tf_gdb *gdb, struct tf_tile *tile, struct point *point);

/* Tell the tiles about the points, after these have changed. */
void tf_gdb_rearm(struct tf_gdb *gdb);

/* Is a core about to execute an instruction at a breakpoint that GDB has not seen yet? */
bool tf_gdb_at_breakpoint(struct tf_gdb *gdb, unsigned pid, const struct tf_hart *hart);

/* Is the next instruction of a process at a breakpoint? */
bool tf_gdb_stands_at_breakpoint(struct tf_gdb *gdb, unsigned pid);

/* The reason for tf_gdb_stop() at a watchpoint, such as "watch:20000;". Valid until the next call. */
const char *tf_gdb_watch_reason(struct tf_gdb *gdb, unsigned kind, uint32_t address);

#endif
