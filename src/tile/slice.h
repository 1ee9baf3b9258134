/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TILE_SLICE_H
#define TILE_SLICE_H

#include <stdint.h>

/* The ends of slices, equal for all tiles. */
struct tf_schedule {
    uint32_t slice_cycles;
    /* The end of one slice, which all tiles are about to run. It is the slice before `after`; 0 if there is none. */
    uint64_t after, end;
};

/* Slices of every length that divides this number of cycles end at its multiples. */
#define TF_SLICE_COMMON 65536u

/*
 * First cycle after slice `slice`. Ends vary by up to an eighth of a slice, by a fixed function of the slice number.
 * With equal lengths, spinning harts starve each other in step.
 */
static inline uint64_t tf_slice_end(const struct tf_schedule *schedule, uint64_t slice)
{
    uint64_t end = (slice + 1) * schedule->slice_cycles;
    if (end % TF_SLICE_COMMON == 0)
        return end;
    uint32_t quarter = schedule->slice_cycles / 4;
    uint64_t mixed = (slice + 1) * 0x9E3779B97F4A7C15ull;
    return end + (uint32_t)((mixed >> 32) * quarter >> 32) - quarter / 2;
}

/* tf_slice_end(), which is most likely that of the noted slice. Row `atomic1-inc-spread` pays for it. */
static inline uint64_t tf_slice_end_next(const struct tf_schedule *schedule, uint64_t slice)
{
    return slice + 1 == schedule->after ? schedule->end : tf_slice_end(schedule, slice);
}

/* Note the end of a slice. */
static inline void tf_schedule_note(struct tf_schedule *schedule, uint64_t slice)
{
    schedule->after = slice + 1;
    schedule->end = tf_slice_end(schedule, slice);
}

/* First cycle of slice `slice`. */
static inline uint64_t tf_slice_begin(const struct tf_schedule *schedule, uint64_t slice)
{
    return slice == 0 ? 0 : tf_slice_end(schedule, slice - 1);
}

#endif
