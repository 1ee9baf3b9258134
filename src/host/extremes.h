/* SPDX-License-Identifier: Apache-2.0 */
/* The smaller and the larger of two numbers without sign. */
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

#endif
