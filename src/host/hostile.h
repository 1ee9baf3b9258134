/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hostile build (-DTILEFARM_HOSTILE=ON, preset "hostile"): the same chip with the least luck. FIFOs have the least
 * allowed size, slices are short, and memos are off. Allocations that the code can do without fail. Workers look for
 * work in a new order each time. In other builds TF_HOSTILE is 0, and the compiler removes all of this.
 */
#ifndef HOST_HOSTILE_H
#define HOST_HOSTILE_H

#include <stdint.h>

#include "host/mix.h"

#ifdef TF_HOSTILE_BUILD
#define TF_HOSTILE 1
#else
#define TF_HOSTILE 0
#endif

/* One value for the ordinary build, and another for the hostile build. */
#define TF_UNLESS_HOSTILE(ordinary, hostile) (TF_HOSTILE ? (hostile) : (ordinary))

/* An unexpected number, from two that change: the order in which workers look for work. */
static inline uint32_t tf_hostile_order(uint64_t a, uint64_t b)
{
    return (uint32_t)(tf_mix_pair(a, b) >> 33);
}

/* Does this allocation fail? Every third one fails, if the chip can run without it. */
static inline int tf_hostile_refuses(void)
{
#ifdef TF_HOSTILE_BUILD
    static uint32_t asked;
    return __atomic_fetch_add(&asked, 1, __ATOMIC_RELAXED) % 3 == 0;
#else
    return 0;
#endif
}

#endif
