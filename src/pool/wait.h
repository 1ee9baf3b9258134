/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that wait for a word to change: they spin for a while, and then sleep. Any thread. */
#ifndef POOL_WAIT_H
#define POOL_WAIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* Wait until *word differs from value: spin at most `spins` times, then sleep, but no longer than the timeout (NULL:
   none). Adds to *spun and *slept. */
void tf_wait_while(atomic_uint *word, unsigned value, unsigned spins, const struct timespec *timeout,
                   atomic_uint *sleepers, uint64_t *spun, uint64_t *slept);

/* Wake the threads that sleep on a word. Returns false if there are none. */
bool tf_wake(atomic_uint *word, atomic_uint *sleepers);

/* Tell the CPU that this thread spins. */
static inline void tf_pause_cpu(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#endif
