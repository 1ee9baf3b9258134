/* SPDX-License-Identifier: Apache-2.0 */
/* For tests of single units: one instruction at a time, and what it does to GPRs. */
#ifndef TESTS_UNIT_TENSIX_UNITS_H
#define TESTS_UNIT_TENSIX_UNITS_H

#include "tile/tensix/frontend/state.h"
#include "tile/tensix/issue/run.h"
#include "tile/tensix/thcon.h"
#include "unit/tensix/bare.h"

/* An instruction passes the gate and is done, without a fault. */
static inline void execute(struct bare *bare, unsigned thread, uint32_t word)
{
    unsigned faults = bare->tile.faults.count;
    bare_push(bare, thread, word);
    bare_run(bare, 4);
    assert_false(bare->tile.tensix->thread[thread].gate.full);
    assert_int_equal(bare->tile.faults.count, faults);
}

/* An instruction stops its thread; thereafter the thread goes on, for the next one. */
static inline void execute_fault(struct bare *bare, unsigned thread, uint32_t word, enum tf_fault_category category)
{
    struct tf_tensix_thread *state = &bare->tile.tensix->thread[thread];
    unsigned faults = bare->tile.faults.count;
    bare_push(bare, thread, word);
    bare_run(bare, 4);
    assert_int_equal(bare->tile.faults.count, faults + 1);
    const struct tf_fault *fault = &bare->tile.faults.entry[faults % TF_TILE_FAULTS_MAX];
    assert_int_equal(fault->category, category);
    assert_int_equal(fault->instruction, word);
    assert_int_equal(fault->core, TF_CORE_T0 + thread);
    assert_true(state->faulted);
    state->faulted = false;
}

/* It stands at the gate and does not pass. */
static inline void assert_waits(struct bare *bare, unsigned thread, uint32_t word)
{
    bare_run(bare, 10);
    assert_true(bare->tile.tensix->thread[thread].gate.full);
    assert_int_equal(bare->tile.tensix->thread[thread].gate.word, word);
    assert_true(tf_tensix_waiting(&bare->tile));
}

static inline void assert_passed(struct bare *bare, unsigned thread)
{
    bare_run(bare, 10);
    assert_false(bare->tile.tensix->thread[thread].gate.full);
}

static inline uint32_t *gpr(struct bare *bare, unsigned thread)
{
    return bare->tile.tensix->thcon->gpr[thread];
}

static inline void random_gprs(struct bare *bare)
{
    for (unsigned thread = 0; thread < 3; thread++)
        for (unsigned i = 0; i < TF_GPRS; i++)
            gpr(bare, thread)[i] = bare_random();
}

static inline uint32_t l1_word(const struct bare *bare, uint32_t address)
{
    uint32_t word;
    memcpy(&word, bare->tile.l1 + address, sizeof word);
    return word;
}

static inline void set_l1_word(struct bare *bare, uint32_t address, uint32_t word)
{
    memcpy(bare->tile.l1 + address, &word, sizeof word);
}

#endif
