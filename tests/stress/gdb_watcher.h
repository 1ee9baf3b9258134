/* SPDX-License-Identifier: Apache-2.0 */
/* A debugger that watches memory and registers of a tile while a test runs a chip. */
#ifndef STRESS_GDB_WATCHER_H
#define STRESS_GDB_WATCHER_H

#include <stdint.h>

#include "tilefarm/tilefarm_chip.h"

struct chip_wish;
struct gdb_watcher;

/* The words to watch. */
struct gdb_range {
    uint32_t address, bytes;
    char access; /* '2': stores, '3': loads, '4': both, as in GDB's packet Z */
};

/* Open a stub, and configure a chip for it. */
struct gdb_watcher *gdb_watcher_open(struct chip_wish *config);

/* Attach to the chip, whose programs are loaded. A thread plays GDB: it attaches to B of a tile, watches, and goes on
   from each stop, at times by steps. Watchpoints are removed after so many stops. */
void gdb_watcher_begin(struct gdb_watcher *watcher, struct tf_chip *chip, unsigned tile, const struct gdb_range *range,
                       unsigned ranges, unsigned stops);

/* GDB leaves. The chip has been destroyed. Returns the number of stops. */
unsigned gdb_watcher_close(struct gdb_watcher *watcher);

#endif
