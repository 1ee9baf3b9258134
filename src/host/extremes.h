/* SPDX-License-Identifier: Apache-2.0 */
/* The smaller and the larger of two numbers without sign, and a number held in a range. */
#ifndef HOST_EXTREMES_H
#define HOST_EXTREMES_H

#include <stdint.h>

static inline uint64_t tf_min(uint64_t a, uint64_t b)
{
    return b < a ? b : a;
}

static inline uint64_t tf_max(uint64_t a, uint64_t b)
{
    return b > a ? b : a;
}

static inline int64_t tf_clamp(int64_t value, int64_t least, int64_t most)
{
    return value > most ? most : value < least ? least : value;
}

#endif
