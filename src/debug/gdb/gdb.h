/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A GDB remote stub. Each core is a process with the number 1 + 8 * tile + core; those of chip n of a system have
 * 10000 * n more. The stub runs inside the simulation. So when a core stops, time stops for all chips, and a stop
 * changes no result. The stub needs chips in deterministic mode with one thread and without parking
 * (tf_gdb_configure()).
 *
 * Thread: the one in tf_run(), or between runs the calling one.
 */
#ifndef DEBUG_GDB_GDB_H
#define DEBUG_GDB_GDB_H

#include "debug/gdb/driver.h"
#include "debug/symbols.h"
#include "tilefarm/tilefarm_chip.h"

struct tf_gdb;

/* Listen at "[HOST:]PORT"; port 0 selects a free one. Returns NULL after writing the cause to *message. */
struct tf_gdb *tf_gdb_open(const char *where, struct tf_message *message);

/* Tell GDB that the chip ends, close the connection, and free the stub. */
void tf_gdb_close(struct tf_gdb *gdb);

/* Returns the port that the stub listens at. */
unsigned tf_gdb_port(const struct tf_gdb *gdb);

/* Set the fields of a configuration that the stub needs. The caller must also set on_noc. */
void tf_gdb_configure(struct tf_config *config);

/* Allow the stub to fork this process, so that GDB can go back (reverse-stepi, reverse-continue). The process must have
   no other threads, and no state outside that a second process would disturb. */
void tf_gdb_may_fork(struct tf_gdb *gdb);

/* The same for a process that belongs to a client of the library. To go back, a forked process repeats the client's
   calls: `begins` is called there, and must end with tf_gdb_present(). */
void tf_gdb_may_fork_client(struct tf_gdb *gdb, void (*begins)(void *user), void *user);

/* Attach the stub to a chip; of a system to one after another, by their numbers. `symbols` may be NULL. The chip must
   be destroyed before the stub is closed. */
void tf_gdb_attach(struct tf_gdb *gdb, struct tf_chip *chip, struct tf_symbols *symbols);

/* Let the system run all chips and be saved as a whole. */
void tf_gdb_drive(struct tf_gdb *gdb, const struct tf_gdb_driver *driver);

/* Wait for GDB, and serve it until it lets the chip run. Call once: then the stub listens no more, so that a second
   client is refused at once. */
void tf_gdb_begin(struct tf_gdb *gdb);

/* Has GDB ended the run, by `kill` or `monitor quit`? gdb may be NULL. */
bool tf_gdb_ends(const struct tf_gdb *gdb);

/* For tf_config.on_progress: if GDB has sent an interrupt, stop and serve it. */
void tf_gdb_poll(struct tf_gdb *gdb);

/* For tf_config.on_epoch of each chip, by its number, if the process may fork: leave checkpoints, so that a way back is
   short. */
void tf_gdb_epoch(struct tf_gdb *gdb, unsigned chip);

/* Call when a run has ended. If `monitor save` has ended it, save the chip. Returns true to continue the run. */
bool tf_gdb_saved(struct tf_gdb *gdb, enum tf_end end);

/* Call when the run has ended for another reason: tell GDB the reason, and serve it. Returns true to continue the run.
   Returns false if GDB has left. */
bool tf_gdb_ended(struct tf_gdb *gdb, enum tf_end end);

#endif
