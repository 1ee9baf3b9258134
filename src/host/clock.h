/* SPDX-License-Identifier: Apache-2.0 */
/* The host's clocks: one that never goes back, and the time that the process has used. Any thread. */
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

/* Processor time of all threads of the process. */
static inline double tf_processor_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

#endif
