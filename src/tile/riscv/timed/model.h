/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an instruction of a core costs, part by part. timed.c puts the parts together for any instruction; run.c does so
 * for the frequent ones, in its own loop. `value` are the durations of the family, `cycle` is that of the core. Inline
 * for row `mixed`, timed. Only for the files here.
 */
#ifndef TILE_RISCV_TIMED_MODEL_H
#define TILE_RISCV_TIMED_MODEL_H

#include <string.h>

#include "host/extremes.h"
#include "tile/riscv/timed/form.h"
#include "tile/timing.h"
#include "tile/state.h"
#include "tile/times.h"

/* --- operands and results --- */

/* Let the core wait for registers that are not known yet, in the order of their numbers. Returns its cycle. */
uint64_t tf_timed_await_late(struct tf_core_timing *timing, uint64_t cycle, unsigned a, unsigned b, unsigned c);

/* Let the core wait for the operands of an instruction in registers a, b, c. Returns its cycle. */
static inline uint64_t tf_timed_await(struct tf_core_timing *timing, uint64_t cycle, unsigned a, unsigned b, unsigned c)
{
    const uint64_t *ready = timing->ready;
    const uint64_t late = tf_max(tf_max(ready[a], ready[b]), ready[c]);
    return __builtin_expect(late > cycle, 0) ? tf_timed_await_late(timing, cycle, a, b, c) : cycle;
}

/* The register `r` has its value as long after the instruction issued as the row says. */
static inline void tf_timed_known_after(const uint16_t *value, struct tf_core_timing *timing, unsigned r,
                                        uint64_t issued, enum tf_time row)
{
    timing->ready[r] = issued + value[row];
    timing->because[r] = (uint8_t)row;
}

/* The first stage stays occupied for so many cycles from the issue on, as the row says. *cycle: the one after the
   issue. */
static inline void tf_timed_occupy(struct tf_core_timing *timing, uint64_t *cycle, unsigned cycles, enum tf_time row)
{
    tf_timed_wait(timing, cycle, *cycle - 1 + cycles, row);
}

/* --- loads --- */

/* The row with the latency of a load from a register window. */
enum tf_time tf_timed_of_window(enum tf_window_id window);

/* A place for a load in flight: the one that is free first. */
static inline uint64_t *tf_timed_load_place(const uint16_t *value, struct tf_core_timing *timing)
{
    uint64_t *first = timing->load;
    for (unsigned i = 1; i < value[TF_TIME_RV_LOADS]; i++)
        first = timing->load[i] < *first ? &timing->load[i] : first;
    return first;
}

/* Has the L0 data cache the line of an address? If not, it has it afterwards. */
static inline bool tf_timed_in_l0(const struct tf_tile *tile, const struct tf_hart *hart, struct tf_core_timing *timing,
                                  uint32_t address)
{
    if (tile->arch->no_l0 || (hart->csr.word[TF_CSR_CFG0] & TF_CFG0_NO_L0) != 0)
        return false;
    uint32_t line = address / 16 + 1;
    for (unsigned i = 0; i < TF_TIMED_L0_LINES; i++)
        if (timing->l0[i] == line)
            return true;
    memmove(timing->l0 + 1, timing->l0, sizeof timing->l0 - sizeof timing->l0[0]);
    timing->l0[0] = line;
    return false;
}

/* A load has been issued, with a latency as the row says. */
static inline void tf_timed_loaded(const uint16_t *value, struct tf_core_timing *timing, unsigned r, uint64_t issued,
                                   enum tf_time row)
{
    tf_timed_known_after(value, timing, r, issued, row);
    if (value[row] >= 5) /* "one per cycle if the load latency is less than five cycles" (Load/Store Unit) */
        *tf_timed_load_place(value, timing) = issued + value[row] - 1;
}

/* --- stores --- */

/* Does a store to L1 join the one before it in the queue? */
static inline bool tf_timed_joins(const uint16_t *value, const struct tf_core_timing *timing, uint32_t address)
{
    const uint32_t block = value[TF_TIME_RV_STORE_BLOCK]; /* a power of two, or 0: times.c */
    if (block == 0 || timing->store_at == 0)
        return false;
    const uint32_t last = timing->store_at - 1;
    return ((last ^ address) & ~(block - 1)) == 0 && address - last + 4 <= 8;
}

/* Let a core wait that is about to store to L1. */
static inline void tf_timed_await_queue(const uint16_t *value, struct tf_core_timing *timing, uint64_t *cycle,
                                        uint32_t address)
{
    if (!tf_timed_joins(value, timing, address))
        tf_timed_wait(timing, cycle, timing->store[timing->next_store], TF_TIME_RV_STORE_L1);
}

/* It has stored to L1. */
static inline void tf_timed_stored(const uint16_t *value, struct tf_core_timing *timing, uint64_t issued,
                                   uint32_t address)
{
    const bool joined = tf_timed_joins(value, timing, address);
    timing->store_at = address + 1;
    for (unsigned i = 0; i < TF_TIMED_L0_LINES; i++)
        if (timing->l0[i] == address / 16 + 1)
            timing->l0[i] = 0;
    if (joined)
        return;
    timing->stored = tf_max(timing->stored, issued) + value[TF_TIME_RV_STORE_L1];
    timing->store[timing->next_store] = timing->stored;
    const unsigned next = timing->next_store + 1u;
    timing->next_store = (uint8_t)(next >= value[TF_TIME_RV_STORE_QUEUE] ? 0 : next);
}

/* --- jumps --- */

/* A branch or jump at pc goes to `target`. Was that predicted? The prediction of its next execution follows. */
static inline bool tf_timed_predicted(const uint16_t *value, struct tf_core_timing *timing, uint32_t pc, bool jumps,
                                      uint32_t target)
{
    const unsigned place = pc / 4 & (value[TF_TIME_RV_PREDICTED] - 1u); /* a power of two */
    const uint32_t before = timing->place[place];
    const bool predicted = before == (pc | 1);
    const bool right = predicted == jumps && (!predicted || timing->target[place] == target);
    timing->place[place] = pc | jumps;
    timing->target[place] = target;
    return right;
}

/* It has executed, and *cycle is the one after its issue. */
static inline void tf_timed_jumped(const uint16_t *value, struct tf_core_timing *timing, uint64_t *cycle, uint32_t pc,
                                   bool jumps, uint32_t target)
{
    if (!tf_timed_predicted(value, timing, pc, jumps, target))
        tf_timed_occupy(timing, cycle, 1u + value[TF_TIME_RV_MISPREDICT], TF_TIME_RV_MISPREDICT);
}

#endif
