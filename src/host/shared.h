/* SPDX-License-Identifier: Apache-2.0 */
/* Copies between memories that other threads access at the same time (relaxed mode). No aligned word is torn. */
#ifndef HOST_SHARED_H
#define HOST_SHARED_H

#include <stdint.h>

#include "host/line.h"

void tf_shared_put(uint8_t *to, const void *from, uint64_t bytes);
/* from, of these two: memory that can be written, since hosts of aarch64 without LSE2 exchange what they read. */
void tf_shared_get(void *to, const uint8_t *from, uint64_t bytes);
void tf_shared_copy(uint8_t *to, const uint8_t *from, uint64_t bytes);

/* A fence between a store and a load of another word. If another worker stores to the second word and loads the first,
   at least one of the two sees the other's store. ThreadSanitizer knows no fences, so it gets an exchange. */
static inline void tf_store_load_fence(void)
{
#ifdef TF_LINE_TOLD
    unsigned word = 0;
    __atomic_exchange_n(&word, 1, __ATOMIC_SEQ_CST);
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

/* tf_store_load_fence() after a store that was a host atomic: on x86-64 that is a fence already. */
static inline void tf_atomic_load_fence(void)
{
#ifdef __x86_64__
    __asm__ volatile("" ::: "memory");
#else
    tf_store_load_fence();
#endif
}

/* A fence between loads and all later accesses. x86-64 orders these without an instruction. */
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
