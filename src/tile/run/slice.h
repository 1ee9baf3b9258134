/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TILE_RUN_SLICE_H
#define TILE_RUN_SLICE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Time as tiles and chip count it: in ticks, whose ends are equal for all tiles. A slice is 1 to slice_ticks ticks. A
 * tile that has been woken runs short slices first, since most wakes lead to the next wait. When all tiles wait, the
 * epoch ends. A tile that goes on computing runs long slices.
 */
struct tf_schedule {
    uint32_t tick_cycles;
    uint32_t slice_ticks; /* in the longest slice; a power of two */
    /* Begin and end of one tick, which all tiles are about to run, and the end of the tick behind it. It is the tick
       before `after`; 0: there is none. Most slices that follow a wake have one or two ticks. */
    uint64_t after, begin, end, second_end;
};

/* Ticks of every length that divides this number of cycles end at its multiples. */
#define TF_SLICE_COMMON 65536u

/* The length of a tick, where slices are a power of two times as long. A shorter one would cost more visits of tiles
   whose cores wake one after another; a longer one makes answers late. */
#define TF_TICK_CYCLES 32u

/* The schedule of slices of a length. whole: slices are not divided into ticks. */
static inline struct tf_schedule tf_schedule_of(uint32_t slice_cycles, bool whole)
{
    const uint32_t ticks = slice_cycles / TF_TICK_CYCLES;
    const bool divides = !whole && ticks > 1 && (ticks & (ticks - 1)) == 0 && slice_cycles % TF_TICK_CYCLES == 0;
    return (struct tf_schedule){.tick_cycles = divides ? TF_TICK_CYCLES : slice_cycles,
                                .slice_ticks = divides ? ticks : 1};
}

/*
 * First cycle after a tick. Ends vary by up to an eighth of a tick, by a fixed function of the tick's number. With
 * equal lengths, spinning harts starve each other in step.
 */
static inline uint64_t tf_tick_end(const struct tf_schedule *schedule, uint64_t tick)
{
    uint64_t end = (tick + 1) * schedule->tick_cycles;
    if (end % TF_SLICE_COMMON == 0)
        return end;
    uint32_t quarter = schedule->tick_cycles / 4;
    uint64_t mixed = (tick + 1) * 0x9E3779B97F4A7C15ull;
    return end + (uint32_t)((mixed >> 32) * quarter >> 32) - quarter / 2;
}

/* tf_tick_end(), which is most likely that of the noted tick or the next one. Rows `atomic1-inc-spread` and
   `barrier-700` pay for it. */
static inline uint64_t tf_tick_end_next(const struct tf_schedule *schedule, uint64_t tick)
{
    if (tick + 1 == schedule->after)
        return schedule->end;
    return tick == schedule->after && tick != 0 ? schedule->second_end : tf_tick_end(schedule, tick);
}

/* First cycle of a tick. */
static inline uint64_t tf_tick_begin(const struct tf_schedule *schedule, uint64_t tick)
{
    return tick == 0 ? 0 : tf_tick_end(schedule, tick - 1);
}

/* The last tick that begins at or before a cycle. */
static inline uint64_t tf_tick_by(const struct tf_schedule *schedule, uint64_t cycle)
{
    const uint64_t tick = cycle / schedule->tick_cycles;
    if (tf_tick_begin(schedule, tick) > cycle)
        return tick - 1;
    return tf_tick_end(schedule, tick) <= cycle ? tick + 1 : tick;
}

/* tf_tick_begin(), which is most likely that of the noted tick. */
static inline uint64_t tf_tick_begin_now(const struct tf_schedule *schedule, uint64_t tick)
{
    return tick + 1 == schedule->after ? schedule->begin : tf_tick_begin(schedule, tick);
}

/* Note a tick. */
static inline void tf_schedule_note(struct tf_schedule *schedule, uint64_t tick)
{
    const uint64_t begin = tick == 0 ? 0 : tf_tick_end_next(schedule, tick - 1);
    const uint64_t end = tf_tick_end_next(schedule, tick);
    schedule->begin = begin;
    schedule->end = end;
    schedule->second_end = tf_tick_end(schedule, tick + 1);
    schedule->after = tick + 1;
}

#endif
