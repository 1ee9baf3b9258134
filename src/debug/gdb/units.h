/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of the monitor that show units. rest: the arguments. */
#ifndef DEBUG_GDB_UNITS_H
#define DEBUG_GDB_UNITS_H

#include "debug/gdb/parts.h"

void tf_gdb_show_dst(struct tf_gdb *gdb, const char *rest);
void tf_gdb_show_srca(struct tf_gdb *gdb, const char *rest);
void tf_gdb_show_srcb(struct tf_gdb *gdb, const char *rest);
void tf_gdb_show_lregs(struct tf_gdb *gdb, const char *rest);
void tf_gdb_show_cbs(struct tf_gdb *gdb, const char *rest);

#endif
