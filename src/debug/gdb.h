/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A GDB remote stub. A core is a process: 1 + 8 * tile + core. The stub runs inside the simulation, so stopping a core
 * stops time for the whole chip, and a stop changes no result. It needs a chip in deterministic mode with one thread
 * and without parking (tf_gdb_configure()).
 */
#ifndef DEBUG_GDB_H
#define DEBUG_GDB_H

#include "debug/symbols.h"
#include "tilefarm/tilefarm.h"

struct tf_gdb;

/* Listen at "[HOST:]PORT"; port 0: any free one. NULL: *message says why not. */
struct tf_gdb *tf_gdb_open(const char *where, struct tf_message *message);
void tf_gdb_close(struct tf_gdb *gdb);

/* The port that it listens at. */
unsigned tf_gdb_port(const struct tf_gdb *gdb);

/* Set what the stub needs of a chip. Somebody must ask for on_noc, too. */
void tf_gdb_configure(struct tf_config *config);

/* The process may fork, so that GDB can go back (reverse-stepi, reverse-continue): it has no other threads, and nothing
   that a second process would disturb. */
void tf_gdb_may_fork(struct tf_gdb *gdb);

/* Like tf_gdb_may_fork(), for a process that belongs to a client. To go back, a forked process repeats the client's
   calls. `begins` is called in that process. It ends with tf_gdb_present(). */
void tf_gdb_may_fork_client(struct tf_gdb *gdb, void (*begins)(void *user), void *user);

/* In the forked process: all of the client's calls have been repeated. Does not return. */
void tf_gdb_present(struct tf_gdb *gdb);

/* Look at a chip. `symbols` may be NULL. The chip must be destroyed before the stub is closed. */
void tf_gdb_attach(struct tf_gdb *gdb, struct tf_chip *chip, struct tf_symbols *symbols);

/* Wait for GDB, and serve it until it lets the chip run. */
void tf_gdb_begin(struct tf_gdb *gdb);

/* For tf_config.on_progress: has GDB asked to stop? If so, serve it. */
void tf_gdb_poll(struct tf_gdb *gdb);

/* The client of the chip writes to a node; and has written. */
void tf_gdb_host_writes(struct tf_gdb *gdb);
void tf_gdb_host_wrote(struct tf_gdb *gdb, unsigned node, uint64_t address, size_t bytes);

/* A run has ended. If it ended to save the chip, save it. True: nothing else ended the run; run on. */
bool tf_gdb_saved(struct tf_gdb *gdb, enum tf_end end);

/* The run has ended: tell GDB why, and serve it. True: run on. False: GDB has left. */
bool tf_gdb_ended(struct tf_gdb *gdb, enum tf_end end);

#endif
