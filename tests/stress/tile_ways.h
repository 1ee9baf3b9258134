/* SPDX-License-Identifier: Apache-2.0 */
/* Runs programs of one tile with several lengths of slices, parked or not, looked at, and saved or forked midway. */
#ifndef STRESS_TILE_WAYS_H
#define STRESS_TILE_WAYS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tile_steps.h"
#include "tilefarm/tilefarm_chip.h"

#define EPOCH 65536u /* a multiple of all slices: requests act at equal cycles */
#define ROUNDS 2u    /* of requests that wake cores, an epoch each */
#define TILE 7u      /* of tests on Blackhole's Tensix tiles */
#define SENDER 8u    /* whose B sends requests to TILE */
#define WORD_AT(round, core) (0x38000u + 0x100 * (round) + 16 * (core))
#define ONES 0x39000u /* what requests write */
#define ONES_BYTES 0x100u

typedef void make_program_fn(struct code *code, struct dice *dice, unsigned core, bool debugged);

enum midway { RUNS_ON, SAVED, FORKED };

/* traced: each instruction of the coprocessor; reported: of the cores. checked: for races. watched: by GDB. */
struct way {
    uint32_t slice;
    bool parking, traced, reported, checked, watched;
    enum midway midway; /* a restored chip, or a fork, ends the run */
    bool short_epochs;
};

/* Programs of TILE's cores, and how its chip is configured. */
struct tile_test {
    make_program_fn *make;
    bool sends;       /* B of SENDER has a program, too: SENDS */
    bool ordered;     /* memory is ordered by cycle, as registers are */
    const char *arch; /* NULL: Blackhole */
    bool ethernet;    /* the cores are those of an Ethernet tile */
};

#define KEPT_WORDS 64u

struct outcome {
    uint64_t hash;
    enum tf_end end;
    size_t faults; /* and hazards */
    uint64_t faults_hash;
    struct tf_core_view core[TF_TILE_CORES];
    uint32_t kept[TF_TILE_CORES][KEPT_WORDS]; /* what the programs have written */
};

/* Run in one way. *events: instructions of the coprocessor that a trace has reported, in all runs. */
void run_tile(const struct tile_test *test, uint64_t seed, struct way way, uint64_t *events, struct outcome *outcome);

/* The outcome is that of slices of 1024 cycles, whatever slices are. */
void compare_ways(const struct tile_test *test, uint64_t seed, uint64_t *events);

/* Stops of GDB, in all runs. */
unsigned gdb_stops(void);

#endif
