/* SPDX-License-Identifier: Apache-2.0 */
/* A tile whose harts, coprocessor, NIUs and fault log are fakes. */
#ifndef TESTS_UNIT_MMIO_FIXTURE_H
#define TESTS_UNIT_MMIO_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "random.h"
#include "tile/run/tile.h"
#include "tile/tensix/whole/tensix.h"
#include "addresses.h"

#define NOC TF_FROM_NOC
#define SOFT_RESET_0 DEBUG_AT(SOFT_RESET_0)

struct fixture {
    struct tf_tile tile; /* first: the fakes get the tile alone */
    /* Faults recorded. */
    unsigned faults;
    unsigned fault_core;
    enum tf_fault_category fault_category;
    uint64_t fault_address;
    char fault_text[160];
    /* Harts. */
    unsigned resets[TF_TILE_CORES], releases[TF_TILE_CORES], pauses[TF_TILE_CORES], resumes[TF_TILE_CORES];
    uint32_t release_pc[TF_TILE_CORES];
    uint64_t release_cycle[TF_TILE_CORES];
    struct tf_core_view view; /* what tf_hart_look() says of a parked hart; for others the hart's own fields */
    /* Coprocessor: a word for each address of its windows would be too many, so the last access is kept. */
    bool idle[3], full[3], full_for_b[3], empty_for_b[3], window_blocks;
    unsigned pushes, tensix_resets, tensix_loads, tensix_stores;
    unsigned push_thread, push_core;
    bool push_from_b;
    uint32_t push_word, push_pc;
    uint32_t tensix_address, tensix_value;
    unsigned tensix_from;
    bool tensix_pure, tensix_refuses;
    /* The last access to Dst. */
    uint32_t dst_address, dst_value;
    uint32_t probe_value;
    bool array_known;
    unsigned dst_size, dst_from;
    uint32_t reset_seen; /* SOFT_RESET_0 during tf_tensix_reset() */
    /* L1 written by the tile itself. */
    unsigned l1_writes;
    uint32_t l1_written, l1_written_bytes;
    /* NIUs. */
    struct fake_niu {
        uint32_t offset, value, pc;
        unsigned core, loads, stores;
        enum tf_access answer;
        bool pure;
    } niu[2];
};

/* With all harts running (not in reset), the coprocessor and the NIUs. */
struct fixture *fixture_create(void);
struct fixture *fixture_create_kind(enum tf_tile_kind kind);
void fixture_destroy(struct fixture *fixture);

int fixture_setup(void **state);
int fixture_teardown(void **state);

/* Accesses that must succeed. */
uint32_t load(struct fixture *fixture, unsigned from, uint32_t address);
void store(struct fixture *fixture, unsigned from, uint32_t address, uint32_t value);

/* Loads that must succeed, with their purity. */
uint32_t load_pure(struct fixture *fixture, unsigned from, uint32_t address, bool pure);

/* Accesses of any outcome. */
enum tf_access try_load(struct fixture *fixture, unsigned from, uint32_t address, unsigned size, uint32_t *value);
enum tf_access try_store(struct fixture *fixture, unsigned from, uint32_t address, unsigned size, uint32_t value);

/* Accesses that must fault: recorded against the core with that category, or (NOC) with a reason. */
void load_faults(struct fixture *fixture, unsigned from, uint32_t address, unsigned size,
                 enum tf_fault_category category, const char *text);
void store_faults(struct fixture *fixture, unsigned from, uint32_t address, unsigned size,
                  enum tf_fault_category category, const char *text);

uint64_t hash_of(struct fixture *fixture);

#endif
