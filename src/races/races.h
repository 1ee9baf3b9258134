/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The race checker of a chip in deterministic mode. A race is two accesses to one byte, one of them a write, that
 * nothing orders. docs/races.md says what orders what.
 *
 * The state is kept by site (farm/chip/worker.h). In a phase, a function touches only the state of the site that it is
 * called for, and runs on that site's worker. All other functions run on the calling thread, between phases. So reports
 * do not depend on the number of threads.
 */
#ifndef RACES_RACES_H
#define RACES_RACES_H

#include "noc/noc.h"
#include "tile/riscv/code/code.h"
#include "tilefarm/tilefarm_chip.h"

struct tf_races;
struct tf_saved;

/* Make a checker and attach it to all tiles of a chip, before any core has run. Returns NULL if the host has no
   memory. */
struct tf_races *tf_races_create(struct tf_fabric *fabric, struct tf_code_cache *code);

/* Free a checker, before its chip is freed. NULL is allowed. */
void tf_races_destroy(struct tf_races *races);

/* The chip has other tiles and nodes now, of the same kinds: those of a restored state. What is known of accesses
   stays. */
void tf_races_move(struct tf_races *races, struct tf_fabric *fabric);

/* Before a program is loaded: take nothing that memory and registers hold for written, nor a first value of 0 for
   granted where cores poll or atomics act. */
void tf_races_undefine(struct tf_races *races);

#endif
