/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an instruction of a core costs, part by part. timed.c puts the parts together for any instruction;
 * interp/timed.c does so for the frequent ones, in its own loop. `value` are the durations of the family, `cycle` is
 * that of the core. Inline for row `mixed`, timed. Only for the files here, and for that one.
 */
#ifndef TILE_RISCV_TIMED_MODEL_H
#define TILE_RISCV_TIMED_MODEL_H

#include <string.h>

#include "host/extremes.h"
#include "tile/riscv/hart/csr_words.h"
#include "tile/riscv/timed/form.h"
#include "tile/riscv/timed/private.h"
#include "tile/timing.h"
#include "tile/state.h"
#include "tile/times.h"

/* --- operands and results --- */

/* Let the core wait for registers that are not known yet, in the order of their numbers. Returns its cycle. */
uint64_t tf_timed_await_late(struct tf_core_timing *timing, uint64_t cycle, unsigned a, unsigned b, unsigned c);

/* The same for one register, and for two. One at least is not known. */
uint64_t tf_timed_await_one(struct tf_core_timing *timing, uint64_t cycle, size_t a);
uint64_t tf_timed_await_two(struct tf_core_timing *timing, uint64_t cycle, size_t a, size_t b);

/* tf_timed_wait() for a cycle that is to come. Returns it. */
uint64_t tf_timed_waits(struct tf_core_timing *timing, uint64_t cycle, uint64_t until, enum tf_time row);

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

/* Cycles of a division of a by b, as the instruction says. */
unsigned tf_timed_division(const uint16_t *value, unsigned id, uint32_t a, uint32_t b);

/* --- loads --- */

/* The row with the latency of a load from a register window. */
enum tf_time tf_timed_of_window(enum tf_window_id window);

/* A place for a load in flight: the one that is free first. */
static inline uint64_t *tf_timed_load_place(struct tf_core_timing *timing)
{
    _Static_assert(TF_TIMED_LOADS == 4, "four places");
    uint64_t *place = timing->load;
    uint64_t *low = place[1] < place[0] ? place + 1 : place, *high = place[3] < place[2] ? place + 3 : place + 2;
    return *high < *low ? high : low;
}

/* Is a place free? */
static inline bool tf_timed_has_place(const struct tf_core_timing *timing, uint64_t cycle)
{
    const uint64_t *place = timing->load;
    return place[0] <= cycle || place[1] <= cycle || place[2] <= cycle || place[3] <= cycle;
}

/* Is the L0 data cache of a core on? */
static inline bool tf_timed_has_l0(const struct tf_tile *tile, const struct tf_hart *hart)
{
    return !tile->arch->no_l0 && (hart->csr.word[TF_CSR_CFG0] & TF_CFG0_NO_L0) == 0;
}

/* Where the L0 data cache has a line; NULL: it has not. */
static inline uint32_t *tf_timed_l0_place(struct tf_core_timing *timing, uint32_t line)
{
    _Static_assert(TF_TIMED_L0_LINES == 4, "four places");
    uint32_t *l0 = timing->l0;
    return l0[0] == line ? l0 : l0[1] == line ? l0 + 1 : l0[2] == line ? l0 + 2 : l0[3] == line ? l0 + 3 : NULL;
}

/* Has the L0 data cache the line of an address? If not, it has it afterwards. */
static inline bool tf_timed_finds_line(struct tf_core_timing *timing, uint32_t address)
{
    uint32_t line = address / 16 + 1;
    if (tf_timed_l0_place(timing, line) != NULL)
        return true;
    timing->l0[3] = timing->l0[2];
    timing->l0[2] = timing->l0[1];
    timing->l0[1] = timing->l0[0];
    timing->l0[0] = line;
    return false;
}

/* tf_timed_finds_line(), if there is a cache. */
static inline bool tf_timed_in_l0(const struct tf_tile *tile, const struct tf_hart *hart, struct tf_core_timing *timing,
                                  uint32_t address)
{
    return tf_timed_has_l0(tile, hart) && tf_timed_finds_line(timing, address);
}

/* Does a load with a latency as the row says take a place? "One per cycle if the load latency is less than five cycles"
   (Load/Store Unit). */
static inline bool tf_timed_takes_place(const uint16_t *value, enum tf_time row)
{
    return value[row] >= 5;
}

/* A load has been issued, with a latency as the row says. */
static inline void tf_timed_loaded(const uint16_t *value, struct tf_core_timing *timing, unsigned r, uint64_t issued,
                                   enum tf_time row)
{
    tf_timed_known_after(value, timing, r, issued, row);
    if (tf_timed_takes_place(value, row))
        *tf_timed_load_place(timing) = issued + value[row] - 1;
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

/* It has stored to L1. */
static inline void tf_timed_stored(const uint16_t *value, struct tf_core_timing *timing, uint64_t issued,
                                   uint32_t address, bool joined)
{
    timing->store_at = address + 1;
    uint32_t *place = tf_timed_l0_place(timing, address / 16 + 1);
    if (place != NULL)
        *place = 0;
    if (joined)
        return;
    timing->stored = tf_max(timing->stored, issued) + value[TF_TIME_RV_STORE_L1];
    timing->store[timing->next_store] = timing->stored;
    const unsigned next = timing->next_store + 1u;
    timing->next_store = (uint8_t)(next >= value[TF_TIME_RV_STORE_QUEUE] ? 0 : next);
}

/* --- jumps --- */

/* The place of a branch's prediction is its address & this mask, in bytes of place[] and target[]. */
static inline uint32_t tf_timed_predicted_mask(const uint16_t *value)
{
    return (value[TF_TIME_RV_PREDICTED] - 1u) * 4; /* a power of two */
}

/* Where the prediction of a branch at pc stands in place[] and target[]. */
static inline uint32_t *tf_timed_prediction(uint32_t *first, uint32_t mask, uint32_t pc)
{
    return (uint32_t *)(void *)((uint8_t *)first + (pc & mask));
}

/* A branch or jump at pc goes to `target`. Did it go there last time? */
static inline __attribute__((always_inline)) bool tf_timed_remembers(uint32_t mask, struct tf_core_timing *timing,
                                                                     uint32_t pc, bool jumps, uint32_t target)
{
    return *tf_timed_prediction(timing->place, mask, pc) == (pc | jumps) &&
           *tf_timed_prediction(timing->target, mask, pc) == target;
}

/* It did not. Was the way predicted all the same? The prediction of its next execution follows. private: the slice is;
   or NULL. Without room for notes it fails, and nothing is remembered. */
static inline bool tf_timed_remember(uint32_t mask, struct tf_core_timing *timing, uint32_t pc, bool jumps,
                                     uint32_t target, struct tf_timed_private *private)
{
    uint32_t *place = tf_timed_prediction(timing->place, mask, pc);
    uint32_t *predicted = tf_timed_prediction(timing->target, mask, pc);
    if (private != NULL && !tf_timed_has_room(private)) {
        private->failed = true;
        return true;
    }
    if (private != NULL) {
        tf_timed_note(private, place);
        tf_timed_note(private, predicted);
    }
    const uint32_t before = *place;
    *place = pc | jumps;
    *predicted = target;
    return !jumps && before != (pc | 1);
}

/* It has executed, and *cycle is the one after its issue. */
static inline void tf_timed_jumped(const uint16_t *value, struct tf_core_timing *timing, uint64_t *cycle, uint32_t pc,
                                   bool jumps, uint32_t target)
{
    const uint32_t mask = tf_timed_predicted_mask(value);
    if (!tf_timed_remembers(mask, timing, pc, jumps, target) &&
        !tf_timed_remember(mask, timing, pc, jumps, target, NULL))
        tf_timed_occupy(timing, cycle, 1u + value[TF_TIME_RV_MISPREDICT], TF_TIME_RV_MISPREDICT);
}

#endif
