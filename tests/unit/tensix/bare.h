/* SPDX-License-Identifier: Apache-2.0 */
/* A tile with a coprocessor and nothing else: what lies around it is faked and recorded. */
#ifndef TESTS_UNIT_TENSIX_BARE_H
#define TESTS_UNIT_TENSIX_BARE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* After the standard headers. */
#include <cmocka.h>

#include "tile/tensix/isa/isa.h"
#include "tile/tensix/state.h"
#include "tile/tensix/whole/tensix.h"

/* An operand of an instruction: W(SEMWAIT) | V(SEMWAIT, sem_sel, 1 << 3). */
#define W(op) ((uint32_t)TF_OP_##op << 24)
#define V(op, field, value) ((uint32_t)(value) << (TF_FIELD_##op##_##field & 0xFF))

/* Instructions that a core has still to push: its FIFO has been full. */
struct bare_queue {
    struct {
        uint32_t word, pc;
        uint64_t cycle; /* from which on it may be pushed */
    } entry[64];
    unsigned first, count;
};

#define BARE_MMIO_BYTES 0x100000u

struct bare {
    struct tf_tile tile;
    struct tf_scratch *scratch; /* lent to the tile */
    uint32_t *mmio;             /* what the fake registers 0xFFB00000..0xFFBFFFFF hold: BARE_MMIO_BYTES */
    uint32_t mmio_stores;
    uint32_t stored_address, stored_value;
    char why[160]; /* of the last fault of a hart */
    unsigned hart_faults;
    bool fail_mmio;
    uint32_t noted_address, noted_bytes; /* of the last call of tf_code_written() */
    struct bare_queue queue[3][2];       /* of threads: their T cores', and B's */
};

/* cmocka setup and teardown: *state is a struct bare. */
int bare_setup(void **state);
int bare_setup_wormhole(void **state);
int bare_teardown(void **state);

/*
 * Push from T core `thread` (or from B) at cycle tile->cycle. In the hostile build a FIFO holds one instruction, and
 * the next one may have to wait. The function bare_turn() pushes it in the first cycle that has room, like a core
 * that is blocked. So instructions that follow each other pass in the same cycles in all builds.
 */
void bare_push(struct bare *bare, unsigned thread, uint32_t word);
void bare_push_b(struct bare *bare, unsigned thread, uint32_t word);
void bare_push_at(struct bare *bare, unsigned thread, uint32_t word, bool from_b, uint32_t pc);

/* Let the coprocessor run to a cycle. tile->cycle stays. */
void bare_turn(struct bare *bare, uint64_t deadline);

/* Let it run `cycles` further. */
void bare_run(struct bare *bare, unsigned cycles);

/* Hash of the coprocessor. */
uint64_t bare_hash(struct bare *bare);

/* Random numbers, seeded by TF_SEED or 1; the seed is printed. */
void bare_seed(void);
uint32_t bare_random(void);

/* Calls `run` while the host treats denormals as zeros: programs that embed the library may have told it to. */
void bare_without_denormals(void (*run)(struct bare *bare), struct bare *bare);

#endif
