/* SPDX-License-Identifier: Apache-2.0 */
/* Two cores add to a word under a lock. With the bug they take it by a load and a store: both may see it free. */
#include "races.h"

#define LOCK 0x18300u
#define DONE(core) (0x18400u + (core)*16)
#define ADDITIONS 3u

PLACE void lock(void)
{
#ifdef BUG
    do
        tf_fence();
    while (TF_WORD(LOCK) != 0);
    TF_WORD(LOCK) = 1;
    tf_fence();
#else
    while (tf_amoswap(LOCK, 1) != 0)
        ;
#endif
}

PLACE void add(void)
{
    TF_WORD(COUNTER) = TF_WORD(COUNTER) + 1;
    settle(COUNTER);
}

int main(void)
{
#if TF_CORE == 2
    TF_WORD(LOCK) = 0;
    TF_WORD(COUNTER) = 0;
    settle(COUNTER);
    tf_sem_set(FLAG, 1);
    tf_sem_wait_min(DONE(0), 1);
    tf_sem_wait_min(DONE(1), 1);
    finish(TF_WORD(COUNTER));
#else
    await_flag();
    for (uint32_t i = 0; i < 4000 * TF_CORE; i++)
        __asm__ volatile("" ::: "memory"); /* NC is late */
    for (uint32_t i = 0; i < ADDITIONS; i++) {
        lock();
        add();
        tf_fence();
        TF_WORD(LOCK) = 0;
    }
    tf_settle(LOCK);
    tf_sem_set(DONE(TF_CORE), 1);
#endif
    return 0;
}
