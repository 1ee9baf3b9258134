/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that do anything that a core may do, and a little of what it may not. */
#ifndef STRESS_RANDOM_PROGRAM_H
#define STRESS_RANDOM_PROGRAM_H

#include "rv_emit.h"
#include "tilefarm/tilefarm_base.h"

#define HOT 0x20000u /* words that all fight for */
#define HOT_BYTES 0x400u
#define NEAR 0x21000u /* of short transfers */
#define NEAR_BYTES 0x2000u
#define BULK 0x30000u /* of long ones */
#define BULK_BYTES 0x20000u
#define CODE_WORDS 0xF00u /* of a core */

/* The common data of a chip's programs. */
struct plan {
    struct tf_coord tile[TF_TENSIX_TILES]; /* that run programs */
    unsigned tiles;
    enum tf_atomics atomics;
    uint32_t mischief; /* one request in so many breaks a rule; 0: none */
    unsigned rounds;   /* of each program's outer loop, at most */
    unsigned blocks;   /* of a program, at most */
    bool quiet_cores;  /* most programs are short: much of the chip waits */
};

/* Where a core starts when its reset PC is not overridden. */
uint32_t code_of(unsigned core);

/* The program of a core of plan->tile[tile], for address code_of(core). */
void random_program(struct dice *dice, const struct plan *plan, unsigned tile, unsigned core, struct code *code);

#endif
