/* SPDX-License-Identifier: Apache-2.0 */
/* A client of the GDB stub that plays a script, and a core that counts in the meantime. */
#ifndef STRESS_GDB_SCRIPT_H
#define STRESS_GDB_SCRIPT_H

#include <stdbool.h>

#include "tilefarm/tilefarm_chip.h"

struct chip_wish;

#define GDB_SCRIPT 23u /* packets */

/* Connect to a port of this host, and send the packets of the script, each after the answer to the last one. Returns
   how many were answered. */
unsigned gdb_script_play(unsigned port);

/* Set the fields of a configuration for a chip that GDB is to stop. */
void gdb_script_configure(struct chip_wish *config);

/* Core B of tile 0 counts in L1 for ever. */
void gdb_script_load(struct tf_chip *chip);

/* Write what the script writes, for runs in which GDB does not come so far. Returns the state's hash. */
uint64_t gdb_script_hash(struct tf_chip *chip);

#endif
