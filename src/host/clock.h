/* SPDX-License-Identifier: Apache-2.0 */
/* The host's clock that never goes back. Any thread. */
#ifndef HOST_CLOCK_H
#define HOST_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t tf_nanoseconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static inline double tf_seconds(void)
{
    return (double)tf_nanoseconds() * 1e-9;
}

#endif
