/* SPDX-License-Identifier: Apache-2.0 */
/* B and NC add to a number in a register of a stream, under a lock in L1. With the bug NC does not take the lock. */
#include "races.h"

#define NUMBER TF_STREAM_REG_ADDRESS(3, 20)
#define LOCK COUNTER

PLACE void add(uint32_t by)
{
    TF_WORD(NUMBER) += by;
    settle(NUMBER);
}

static __attribute__((unused)) void locked_add(uint32_t by)
{
    while (tf_amoswap(LOCK, 1) != 0)
        ;
    add(by);
    tf_amoswap(LOCK, 0);
}

int main(void)
{
#if TF_CORE == 0
    TF_WORD(NUMBER) = 0;
    settle(NUMBER);
    tf_sem_set(FLAG, 1);
    locked_add(3);
    tf_sem_wait_min(RETURN, 1);
    finish(TF_WORD(NUMBER));
#else
    await_flag();
#ifdef BUG
    for (unsigned i = 0; i < 4000; i++)
        __asm__ volatile("" ::: "memory");
    add(4);
#else
    locked_add(4);
#endif
    tf_sem_set(RETURN, 1);
#endif
    return 0;
}
