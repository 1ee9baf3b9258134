/* SPDX-License-Identifier: Apache-2.0 */
/* Moves that others may be doing at the same moment, in relaxed mode: no aligned 4 bytes are ever seen torn. */
#ifndef HOST_SHARED_H
#define HOST_SHARED_H

#include <stdint.h>

#include "host/line.h"

void tf_shared_put(uint8_t *to, const void *from, uint64_t bytes);
void tf_shared_get(void *to, const uint8_t *from, uint64_t bytes);
void tf_shared_copy(uint8_t *to, const uint8_t *from, uint64_t bytes);

/* Between a store and a load of something else, which another worker stores and loads the other way round: one of the
   two sees what the other has stored. ThreadSanitizer knows no fences; it gets an exchange, which is one too. */
static inline void tf_store_load_fence(void)
{
#ifdef TF_LINE_TOLD
    unsigned here = 0;
    __atomic_exchange_n(&here, 1, __ATOMIC_SEQ_CST);
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

/* The same where the store was a host atomic, which on x86-64 is a fence. */
static inline void tf_atomic_load_fence(void)
{
#ifdef __x86_64__
    __asm__ volatile("" ::: "memory");
#else
    tf_store_load_fence();
#endif
}

/* Between loads and all that comes behind them. x86-64 does that of itself. */
static inline void tf_load_fence(void)
{
#if defined(__x86_64__)
    __asm__ volatile("" ::: "memory");
#elif defined(TF_LINE_TOLD)
    tf_store_load_fence();
#else
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
#endif
}

#endif
