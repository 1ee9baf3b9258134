/* SPDX-License-Identifier: Apache-2.0 */
/* NC and T0 put pages into one circular buffer, with a lock. With the bug they have none, and T0 is usually later. */
#include "races.h"

#define CB 3u
#define PAGES 8u
#define LOCK 0x18400u

static inline void lock(void)
{
#ifndef BUG
    while (tf_amoswap(LOCK, 1) != 0)
        ;
#endif
}

static inline void unlock(void)
{
#ifndef BUG
    tf_amoswap(LOCK, 0);
#endif
}

PLACE void produce(void)
{
    lock();
    const uint32_t at = TF_STREAM_REG(CB, TF_STREAM_RECEIVED);
    fill(DATA + at % PAGES * BYTES, FIRST);
    tf_cb_push_back(CB, 1);
    settle(TF_STREAM_BASE + CB * TF_STREAM_BYTES + TF_STREAM_RECEIVED * 4);
    unlock();
}

int main(void)
{
#if TF_CORE == 0
    tf_cb_wait_front(CB, 2);
    finish(sum(DATA, 2 * WORDS));
    tf_cb_pop_front(CB, 2);
#else
    for (unsigned i = 0; i < 600u * (TF_CORE - 1); i++)
        __asm__ volatile("" ::: "memory");
    produce();
#endif
    return 0;
}
